//! Do README.md and the published results say what the program says?
//!
//! With `DEFERBENCH_UPDATE=1` (set by `scripts/regen`) the files are written instead of compared.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use deferbench::cli::{SUBCOMMANDS, catalog_of_parts::KINDS};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs the program and gives the Markdown report it writes.
fn report(scenario: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_deferbench"))
        .args(["run", scenario, "--quiet", "--out", out])
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    std::fs::read_to_string(folder.path().join("report.md")).unwrap()
}

/// What a command prints.
fn printed(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_deferbench")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The part of a Markdown text below a heading of the second level.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let marker = format!("## {heading}\n");
    let start = text.find(&marker).unwrap_or_else(|| panic!("no section {heading}")) + marker.len();
    let end = text[start..].find("\n## ").map_or(text.len(), |e| start + e);
    text[start..end].trim()
}

/// Puts `content` between `<!-- NAME -->` and the next `<!-- end -->`.
fn fill(page: &str, name: &str, content: &str) -> String {
    let open = format!("<!-- {name} -->\n");
    let start = page.find(&open).unwrap_or_else(|| panic!("README.md has no marker {name}")) + open.len();
    let end = start + page[start..].find("<!-- end -->").unwrap_or_else(|| panic!("marker {name} has no end"));
    format!("{}{}\n{}", &page[..start], content.trim(), &page[end..])
}

/// Compares a file with what it should hold, or writes it.
fn settle(path: &Path, expected: &str) {
    if std::env::var("DEFERBENCH_UPDATE").is_ok() {
        std::fs::write(path, expected).unwrap();
        return;
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let line = found.lines().zip(expected.lines()).position(|(a, b)| a != b).map_or(0, |l| l + 1);
    assert!(found == expected, "{}: out of date, first at line {line}; run scripts/regen", path.display());
}

/// B09: the tables of README.md and the published reports come out of the program.
#[test]
fn readme_and_published_results_are_current() {
    let (default, seed) = (report("default"), report("seed"));
    let published = root().join("reports/published");
    settle(&published.join("default.md"), &default);
    settle(&published.join("seed.md"), &seed);
    settle(&published.join("thrash.md"), &report("thrash"));
    settle(&published.join("lifecycle.md"), &printed(&["lifecycle", "--format", "markdown"]));
    let readme = root().join("README.md");
    let mut page = std::fs::read_to_string(&readme).unwrap();
    page = fill(&page, "limits: default", section(&default, "What this does not show"));
    page = fill(&page, "result: default", section(&default, "In short"));
    for kind in ["policies", "orders", "rankers", "metrics"] {
        let parts = KINDS.iter().find(|k| k.name == kind).unwrap();
        page = fill(&page, &format!("list: {kind}"), &parts.markdown());
    }
    let row = |s: &&deferbench::cli::Subcommand| format!("| `deferbench {}` | {} |\n", s.name, s.summary);
    let commands: String = SUBCOMMANDS.iter().map(row).collect();
    page = fill(&page, "commands", &format!("| command | what it does |\n|---|---|\n{commands}"));
    settle(&readme, &page);
}

/// Every subcommand and every kind of part prints its help and its list.
#[test]
fn help_and_list_name_everything() {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = one_line(&printed(&["--help"]));
    for subcommand in SUBCOMMANDS {
        assert!(help.contains(&one_line(subcommand.summary)), "{help}");
        assert!(printed(&[subcommand.name, "--help"]).contains("Usage"));
    }
    let all = printed(&["list"]);
    for kind in KINDS {
        let list = printed(&["list", kind.name, "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&list).unwrap();
        assert_eq!(value["schema_version"], 1);
        for part in (kind.parts)() {
            assert!(
                value[kind.name].as_array().unwrap().iter().any(|p| p["name"] == part.name.as_str()),
                "{}",
                part.name
            );
            assert!(all.contains(&format!("\n  {}\n", part.name)), "{}", part.name);
        }
    }
}
