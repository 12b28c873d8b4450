//! Does a name or a description that was made to mislead its reader reach one unseen, alive or as a formula?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::path::Path;

use common::{arg, bundle, deferbench};

/// Names that move a cursor, turn a line, hide letters, lead elsewhere or compute.
const NAMES: [&str; 4] = [
    r"a\u001b[31m\u202e\u200b\u2060\udb40\udc41",
    "=1+1",
    "@sum(a)",
    r"[here](http://example.com)<b>\ufeff\u200c\u200d",
];

fn corpus(folder: &Path) {
    let tool = |name: &&str| {
        format!(
            "{{\"name\":\"{name}\",\"description\":\"Answers {name}\\n# Now.\",\"inputSchema\":{{\"type\":\"object\",\"properties\":{{\"{name}\":{{}}}}}},\"server\":\"{name}\"}}"
        )
    };
    let query = |(at, name): (usize, &&str)| {
        format!(r#"{{"id":"{at}","text":"answers {name}","relevant":["{name}"],"class":"{name}"}}"#)
    };
    let tools: Vec<String> = NAMES.iter().map(tool).collect();
    let queries: Vec<String> = NAMES.iter().enumerate().map(query).collect();
    bundle(folder, "x", &tools, &queries);
    let name = r#"name = "=n [here](http://example.com) \u001b\u200b""#;
    std::fs::write(folder.join("corpus.toml"), name).unwrap();
}

/// Nothing in it acts on a display or is without width.
fn seen(what: &str, text: &str) {
    let unseen = |c: char| {
        c.is_control() && c != '\n' || "\u{202e}\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{e0041}".contains(c)
    };
    assert_eq!(text.find(unseen), None, "{what}: {text:?}");
}

/// No link and no tag: a backslash stands before what would make one.
fn no_markup(what: &str, text: &str) {
    for part in ["](http://example", "<b>"] {
        let alive = text.match_indices(part).find(|(at, _)| !text[..*at].ends_with('\\'));
        assert_eq!(alive, None, "{what}: {text}");
    }
}

/// No cell is a formula: the rows have no quoted commas here but in names, whose cells are looked at by their beginning.
fn no_formula(what: &str, text: &str) {
    let cells = || text.lines().flat_map(|line| line.split([',', '"']));
    let formula = cells().find(|cell| cell.starts_with(['=', '@']));
    assert_eq!(formula, None, "{what}: {text}");
}

#[test]
fn every_form_shows_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("c"), folder.path().join("out"));
    corpus(&path);
    let run = |args: &[&str]| {
        let output = deferbench().args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {stderr}");
        seen(&format!("{args:?}"), &stderr);
        String::from_utf8(output.stdout).unwrap()
    };
    let corpus = arg(&path);
    for command in [
        &["lint", corpus][..],
        &["cost", corpus, "--by", "server"],
        &["cost", corpus],
        &["check", corpus],
        &["search", corpus, "answers", "--explain"],
        &["eval", corpus, "--quiet"],
        &["run", "quick", "--corpus", corpus, "--out", arg(&out), "--quiet"],
    ] {
        let what = format!("{command:?}");
        seen(&what, &run(command));
        if matches!(command[0], "lint" | "cost" | "eval" | "run") {
            let markdown = run(&[command, &["--format", "markdown"]].concat());
            seen(&what, &markdown);
            no_markup(&what, &markdown);
            let csv = run(&[command, &["--format", "csv"]].concat());
            seen(&what, &csv);
            no_formula(&what, &csv);
        }
    }
    assert!(run(&["search", corpus, "answers"]).contains(r"\u{1b}[31m\u{202e}\u{200b}\u{2060}\u{e0041}"));
    assert!(run(&["cost", corpus, "--format", "csv"]).contains("'=1+1,'=1+1,"));
    for file in ["queries.csv", "names.csv", "requests.csv", "summary.csv", "sessions.csv", "report.md", "report.txt"] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        seen(file, &text);
        match file.ends_with(".csv") {
            true => no_formula(file, &text),
            false if file == "report.md" => no_markup(file, &text),
            false => {}
        }
    }
    seen("compare", &run(&["compare", arg(&out), arg(&out)]));
}
