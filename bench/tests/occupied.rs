//! Does a result leave what lies in its folder alone, unless it is the same bundle?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{arg, deferbench, succeed};

fn refused(args: &[&str], parts: &[&str]) {
    let output = deferbench().args(args).output().unwrap();
    common::fixture::refused(
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap()),
        parts,
    );
}

/// Every file of a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// Queries and sessions of one bundle must not be read with the tools of another.
#[test]
fn another_bundle_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (out, source) = (folder.path().join("out"), folder.path().join("server.json"));
    std::fs::write(&source, r#"{"tools":[{"name":"ping","inputSchema":{}}]}"#).unwrap();
    let generate = ["generate", "--tools", "10", "--out", arg(&out)];
    succeed(&generate);
    let before = files(&out);
    assert_eq!(before.len(), 4);
    // The same corpus again is no other bundle.
    succeed(&generate);
    let parts = ["catalog.json of another bundle lies here", "new or empty folder", "--out"];
    refused(&["generate", "--tools", "9", "--out", arg(&out)], &parts);
    refused(&["generate", "--tools", "10", "--seed", "8", "--out", arg(&out)], &parts);
    refused(&["import", "json", arg(&source), "--out", arg(&out)], &parts);
    let program = common::fixture::program();
    let serve = ["--", arg(&program), "serve", "gen(tools=3)"];
    refused(&[&["import", "mcp", "--out", arg(&out)], &serve[..]].concat(), &parts);
    assert_eq!(files(&out), before);
    assert!(!out.join("raw").exists());
}

/// A server that changed is imported again; queries that somebody wrote for it are not given other tools unasked.
#[test]
fn the_same_source_is_imported_again() {
    let folder = tempfile::tempdir().unwrap();
    let (out, source) = (folder.path().join("out"), folder.path().join("server.json"));
    let import = ["import", "json", arg(&source), "--out", arg(&out)];
    for name in ["ping", "pong"] {
        std::fs::write(&source, format!(r#"{{"tools":[{{"name":"{name}","inputSchema":{{}}}}]}}"#)).unwrap();
        succeed(&import);
        assert!(std::fs::read_to_string(out.join("catalog.json")).unwrap().contains(name));
    }
    std::fs::write(out.join("queries.jsonl"), r#"{"id":"1","text":"t","relevant":["pong"]}"#).unwrap();
    let before = files(&out);
    refused(&import, &["queries.jsonl of another bundle lies here"]);
    assert_eq!(files(&out), before);
}

#[test]
fn a_file_in_place_of_the_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("server.json");
    std::fs::write(&source, r#"{"tools":[{"name":"ping","inputSchema":{}}]}"#).unwrap();
    let parts = ["server.json: cannot make this folder; give another one with --out"];
    refused(&["generate", "--tools", "1", "--out", arg(&source)], &parts);
    refused(&["import", "json", arg(&source), "--out", arg(&source)], &parts);
    refused(&["run", "quick", "--quiet", "--sizes", "1", "--out", arg(&source)], &parts);
}
