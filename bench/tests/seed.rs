//! Does `run seed` give the published table, and say so when it cannot?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::path::Path;

use common::{arg, data, deferbench, json, succeed};
use serde_json::Value;

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn corpora(out: &Path) -> Vec<Value> {
    json(&out.join("scores.json"))["corpora"].as_array().unwrap().clone()
}

/// What the run says about itself: its limits, and the notes of every corpus.
fn said(out: &Path) -> String {
    let texts = |list: &Value| list.as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_string()).collect();
    let limits: Vec<String> = texts(&json(&out.join("scores.json"))["limits"]);
    let notes: Vec<String> = corpora(out).iter().map(notes).collect();
    [limits, notes].concat().join("\n")
}

fn notes(corpus: &Value) -> String {
    corpus["notes"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// B01, B02, B03, B04, B05, B06, B07, B08, G01, G02: the three tables equal those of the independent program, byte by byte.
#[test]
fn the_published_tables() {
    let Some(folder) = data("seed-benchmark") else { return };
    let out = tempfile::tempdir().unwrap();
    let stdout = succeed(&["run", "seed", "--data", arg(&folder), "--out", arg(out.path()), "--quiet"]);
    let pairs = [
        ("seed.csv", "expected.csv"),
        ("seed_single.csv", "expected_single.csv"),
        ("seed_sessions.csv", "expected_sessions.csv"),
    ];
    for (ours, expected) in pairs {
        assert_eq!(read(&out.path().join(ours)), read(&folder.join(expected)), "{ours}");
    }
    // The mean of the column of expected_single.csv: (2557 + 749 + 331 + 1076 + 1028 + 1643 + 871 + 432 + 605 + 624) / 10.
    assert!(stdout.contains("991.6"), "{stdout}");
    for corpus in corpora(out.path()) {
        assert_eq!(corpus["generated_tools"], 0, "{}", corpus["name"]);
    }
}

/// B09: without a key, without a network, and for programs: JSON and Markdown of the same run.
#[test]
fn json_and_markdown_of_the_published_setting() {
    let Some(folder) = data("seed-benchmark") else { return };
    let out = tempfile::tempdir().unwrap();
    let run = ["run", "seed", "--data", arg(&folder), "--out", arg(out.path()), "--quiet", "--format"];
    let answer: Value = serde_json::from_str(&succeed(&[&run[..], &["json"]].concat())).unwrap();
    let results = answer["results"].as_array().unwrap();
    let sizes: Vec<u64> = results.iter().map(|r| r["corpus"]["tools"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [10, 30, 50, 100]);
    for result in results {
        let metrics = &result["rankers"][0]["metrics"];
        // expected.csv: exact_name_at_1_pct and capability_at_5_pct are 100.0 at every size.
        assert_eq!(metrics["exact_name@1"]["mean"], 1.0);
        assert_eq!(metrics["hit@5"]["mean"], 1.0);
        assert_eq!(result["corpus"]["queries"], 10);
    }
    let markdown = succeed(&[&run[..], &["markdown"]].concat());
    assert!(markdown.starts_with("# ") && markdown.contains("991.6"));
}

/// B01: without the published texts the run measures this project's own, and says where the others are found.
#[test]
fn own_texts_stand_in_and_say_so() {
    let out = tempfile::tempdir().unwrap();
    let stdout = succeed(&["run", "seed", "--out", arg(out.path()), "--quiet"]);
    assert!(stdout.contains("tool-catalog.md"), "{stdout}");
    assert!(said(out.path()).contains("tool-catalog.md"), "{}", said(out.path()));
    for corpus in corpora(out.path()) {
        // Every text is this project's own, so every tool counts as generated.
        assert_eq!(corpus["generated_tools"], corpus["tools"], "{}", corpus["name"]);
    }
    let table = read(&out.path().join("seed.csv"));
    assert_eq!(table.lines().count(), 1 + 4, "a header and four sizes");
    for (line, mix) in table.lines().skip(1).zip(["10,5,5,", "30,15,15,", "50,25,25,", "100,40,60,"]) {
        assert!(line.starts_with(mix), "{line}");
    }
}

/// B01: a choice among the published sizes gives the rows of those sizes, the largest one included or not.
#[test]
fn some_of_the_published_sizes() {
    let Some(folder) = data("seed-benchmark") else { return };
    let expected = read(&folder.join("expected.csv"));
    let rows: Vec<&str> = expected.lines().collect();
    for (sizes, chosen) in [("30,100", [rows[0], rows[2], rows[4]]), ("10,50", [rows[0], rows[1], rows[3]])] {
        let out = tempfile::tempdir().unwrap();
        succeed(&["run", "seed", "--data", arg(&folder), "--sizes", sizes, "--out", arg(out.path()), "--quiet"]);
        assert_eq!(read(&out.path().join("seed.csv")).lines().collect::<Vec<_>>(), chosen, "{sizes}");
    }
}

/// B01, G15: larger mixes are filled with generated tools, and count them.
#[test]
fn larger_sizes_mark_generated_tools() {
    let Some(folder) = data("seed-benchmark") else { return };
    let out = tempfile::tempdir().unwrap();
    let run = ["run", "seed", "--data", arg(&folder), "--sizes", "150,300", "--out", arg(out.path()), "--quiet"];
    let stdout = succeed(&run);
    let found: Vec<_> = corpora(out.path())
        .iter()
        .map(|c| {
            let part = |name: &str| c["parts"][name].as_u64().unwrap();
            (c["tools"].as_u64().unwrap(), part("first_party"), part("mcp"), c["generated_tools"].as_u64().unwrap())
        })
        .collect();
    // Half of each size is first-party, of which 40 exist; the rest is MCP, of which 101 exist.
    // 150: 75 - 40 = 35 and 75 - 75 = 0; 300: 150 - 40 = 110 and 150 - 101 = 49, together 159.
    assert_eq!(found, [(150, 75, 75, 35), (300, 150, 150, 159)]);
    for (corpus, generated) in corpora(out.path()).iter().zip(["35 of 150", "159 of 300"]) {
        assert!(notes(corpus).contains(generated), "{}", notes(corpus));
    }
    assert!(stdout.contains("generated"), "{stdout}");
}

/// The page of the round trip: an entry with its schema as `spelled`, before the five targets, then the search tool.
fn page(spelled: &str) -> String {
    let entry = |name: &str, code: &str| format!("### `{name}`\n\nDoes what {name} does.\n\n```json\n{code}\n```\n\n");
    let wrapped =
        "{\n  \"name\": \"bash\",\n  \"parameters\": {\"type\":\"object\",\"properties\":{\"z\":{},\"a\":{}}}\n}";
    let plain = r#"{"type":"object"}"#;
    let targets = [("web_search", plain), ("subagent", plain), ("lsp", plain), ("read", plain), ("bash", wrapped)];
    let targets: String = targets.iter().map(|(name, code)| entry(name, code)).collect();
    format!("# Tools\n\n## Files\n\nIntroduction.\n\n{}{targets}{}", entry("zip", spelled), entry("tool_search", plain))
}

/// B01: a Markdown catalog becomes `first_party.json` with the five targets first, texts as spelled, and a run takes it.
#[test]
fn a_catalog_page_goes_round() {
    let folder = tempfile::tempdir().unwrap();
    let (source, texts, out) =
        (folder.path().join("page.md"), folder.path().join("seed-data"), folder.path().join("out"));
    let spelled = r#"{"type":"object","properties":{"level":{"type":"number","default":1e2},"to":{"type":"string"}}}"#;
    std::fs::write(&source, page(spelled)).unwrap();
    let stdout = succeed(&["import", "dsh-catalog", arg(&source), "--out", arg(&texts)]);
    assert!(stdout.contains("6 tools"), "{stdout}");

    let text = read(&texts.join("first_party.json"));
    let parsed: Value = serde_json::from_str(&text).unwrap();
    let tools = parsed["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bash", "read", "lsp", "subagent", "web_search", "zip"]);
    assert_eq!(tools[5]["description"], "Does what zip does.");
    assert!(text.contains(spelled), "key order and the number 1e2 are kept: {text}");
    let keys: Vec<&String> = tools[0]["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["z", "a"], "the member \"parameters\" of a block is the schema");

    succeed(&["run", "seed", "--data", arg(&texts), "--out", arg(&out), "--quiet"]);
    for missing in ["mcp_fixtures.json", "search_tool.json", "queries.jsonl"] {
        assert!(said(&out).contains(&format!("{missing} is missing")), "{}", said(&out));
    }
}

/// B01: a page without the five targets is refused with its name, and nothing is written.
#[test]
fn another_page_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (source, texts) = (folder.path().join("other.md"), folder.path().join("seed-data"));
    std::fs::write(&source, "# Tools\n\n### `bash`\n\nRuns.\n\n```json\n{}\n```\n").unwrap();
    let output = deferbench().args(["import", "dsh-catalog", arg(&source), "--out", arg(&texts)]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("other.md") && stderr.contains("no entry \"read\""), "{stderr}");
    assert!(!texts.join("first_party.json").exists());
}
