//! Does the linter find what it should, on the command line and in real listings?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::path::{Path, PathBuf};

use common::{arg, data, deferbench, reference, succeed};
use serde_json::Value;
use tempfile::TempDir;

const GOOD: &str =
    r#"{"name":"ping","description":"Answers.","inputSchema":{"type":"object","additionalProperties":false}}"#;
const DOTTED: &str = r##"{"name":"files.read","description":"Reads.","inputSchema":{"type":"object","properties":{"p":{"$ref":"#/$defs/p"}}}}"##;

fn listing(folder: &TempDir, name: &str, tools: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, format!("{{\"tools\":[{}]}}", tools.join(","))).unwrap();
    path
}

/// Exit code and standard output.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let output = deferbench().args(args).output().unwrap();
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&run(args).1).unwrap()
}

/// N09: on 4,206 real tools the counts equal those of an independent program, byte for byte.
#[test]
fn real_listings_count_as_the_independent_program_does() {
    let (Some(servers), Some(expected)) = (data("mcp-servers/servers"), reference("lint-counts.csv")) else { return };
    let counts = succeed(&["lint", arg(&servers), "--format", "csv", "--fail-on", "never"]);
    assert_eq!(counts, std::fs::read_to_string(expected).unwrap());
}

/// N09: the exit code follows the worst finding.
#[test]
fn the_exit_code_follows_the_severity() {
    let folder = tempfile::tempdir().unwrap();
    let code = |path: &Path, on: &str| run(&["lint", arg(path), "--fail-on", on]).0;
    let good = listing(&folder, "good.json", &[GOOD]);
    assert_eq!((code(&good, "error"), code(&good, "warning")), (Some(0), Some(0)));
    let warned = listing(&folder, "warned.json", &[r#"{"name":"ping","inputSchema":{"type":"object"}}"#]);
    assert_eq!((code(&warned, "error"), code(&warned, "warning")), (Some(0), Some(1)));
    let bad = listing(&folder, "bad.json", &[GOOD, DOTTED]);
    assert_eq!((code(&bad, "error"), code(&bad, "never")), (Some(1), Some(0)));
    assert_eq!(run(&["lint", arg(&bad)]).0, Some(1), "error is the default");
    assert!(run(&["lint", arg(&good)]).1.contains("nothing found"));
}

/// N09: what one profile allows another refuses; what a catalog refuses is still linted.
#[test]
fn profiles_and_what_a_catalog_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let rows = r#"{"name":"rows","description":"R.","inputSchema":{"type":"array"}}"#;
    let bad = listing(&folder, "bad.json", &[DOTTED, rows, rows]);
    let found = |profile: &str| {
        let answer = json(&["lint", arg(&bad), "--profile", profile, "--format", "json"]);
        let findings = answer["findings"].as_array().unwrap().clone();
        findings.iter().map(|f| f["rule"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let has = |rules: &[String], rule: &str| rules.iter().any(|r| r == rule);
    assert!(!has(&found("mcp"), "name-characters") && has(&found("openai"), "name-characters"));
    for rule in ["ref-to-nowhere", "root-type-not-object", "repeated-name"] {
        assert!(has(&found("mcp"), rule), "{rule}");
    }
    let answer = json(&["lint", arg(&bad), "--format", "json"]);
    let first = answer["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "name-characters").unwrap();
    assert_eq!(
        (&first["tool"], &first["server"], &first["pointer"]),
        (&"files.read".into(), &"bad".into(), &"/name".into())
    );
    assert_eq!(first["profiles"], serde_json::json!(["openai", "anthropic", "strict"]));
    assert!(first["remedy"].as_str().unwrap().contains("letters"));
}

/// N09: SARIF has what the standard requires of a log, and every finding points to a rule that is declared.
#[test]
fn sarif_is_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let bad = listing(&folder, "bad file.json", &[DOTTED]);
    let log = json(&["lint", arg(&bad), "--format", "sarif"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "deferbench");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0];
        assert!(place["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap().ends_with("bad%20file.json"));
        assert!(
            place["logicalLocations"][0]["fullyQualifiedName"].as_str().unwrap().starts_with("bad file/files.read")
        );
    }
}

/// N09, N14: two listings of one server.
#[test]
fn two_listings_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    let one = listing(&folder, "server.json", &[GOOD, DOTTED]);
    let two = listing(&folder, "b/server.json", &[DOTTED, GOOD]);
    let rules = |other: &Path| {
        let answer = json(&["lint", arg(&one), "--against", arg(other), "--format", "json"]);
        answer["rules"].as_object().unwrap().keys().filter(|k| k.starts_with("listing")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(rules(&one), Vec::<String>::new());
    assert_eq!(rules(&two), ["listing-order"]);
}

/// P22: names that a provider accepts; those it accepts already stay.
#[test]
fn names_for_a_provider() {
    let folder = tempfile::tempdir().unwrap();
    let path = listing(&folder, "server.json", &[GOOD, DOTTED]);
    let answer = json(&["lint", arg(&path), "--names", "openai", "--format", "json"]);
    let name = |i: usize, key: &str| answer["names"][i][key].as_str().unwrap().to_string();
    assert_eq!((name(1, "tool"), name(1, "name")), ("ping".to_string(), "ping".to_string()));
    assert!(name(0, "tool") == "files.read" && name(0, "name").starts_with("files_read_"));
    let all = json(&["lint", arg(&path), "--names", "mcp", "--format", "json"]);
    assert_eq!(all["names"][0]["name"], "files.read");
    assert!(run(&["lint", arg(&path), "--names", "openai"]).1.contains("1 of 2 names are changed"));
}

/// Bad input: exit code 2 and one line with the remedy.
#[test]
fn bad_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = listing(&folder, "server.json", &[GOOD]);
    let wrong = folder.path().join("wrong.toml");
    std::fs::write(&wrong, "name = \"mine\"\n").unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["lint", "no/such/file"], "no such file or folder"),
        (&["lint", arg(&path), "--profile", "opnai"], "unknown profile \"opnai\"; known: mcp, openai"),
        (&["lint", arg(&path), "--profile", arg(&wrong)], "missing field `summary`"),
        (&["lint", arg(&path), "--names", "openai", "--format", "sarif"], "table, json or markdown"),
        (&["lint", arg(&path), "--against", "no/such/file"], "no such file or folder"),
    ];
    for (args, says) in cases {
        let output = deferbench().args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{args:?}: {stderr}");
        assert!(stderr.contains(says) && output.stdout.is_empty(), "{stderr}");
    }
}
