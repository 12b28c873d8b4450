//! Does the counter o200k_base count what OpenAI's tiktoken counts?
//!
//! `oracle/tiktoken_counts.py` writes `oracle/tiktoken_counts.json`; the real tool lists are counted by the tiktoken-rs
//! crate, whole file by whole file, where the counter cuts a text into pieces.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::collections::BTreeMap;

use deferbench::counter::CounterEntry;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    versions: BTreeMap<String, String>,
    vocabulary_sha256: String,
    texts: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    case: String,
    text: String,
    tokens: u64,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("oracle/tiktoken_counts.json")).unwrap()
}

fn count(text: &str) -> u64 {
    (CounterEntry::find("o200k_base").unwrap().counter)().count(text).unwrap()
}

/// G03: every text of the fixture has the count of the Python package.
#[test]
fn counts_are_those_of_tiktoken() {
    let fixture = fixture();
    assert_eq!(fixture.texts.len(), 67);
    let wrong: Vec<String> = fixture
        .texts
        .iter()
        .filter(|t| count(&t.text) != t.tokens)
        .map(|t| format!("{}: {} instead of {}", t.case, count(&t.text), t.tokens))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// G03: a second count of a text, with its pieces known, and a count in the company of other texts change nothing.
#[test]
fn counting_again_gives_the_same() {
    let fixture = fixture();
    let total: u64 = fixture.texts.iter().map(|t| t.tokens).sum();
    for _ in 0..2 {
        assert_eq!(fixture.texts.iter().rev().map(|t| count(&t.text)).sum::<u64>(), total);
    }
}

/// G03: the whole fixture as one text, joined by what no token crosses.
#[test]
fn a_long_text_of_all_kinds() {
    let joined = fixture().texts.iter().map(|t| t.text.clone()).collect::<Vec<_>>().join("\"},{\"");
    let expected = tiktoken_rs::o200k_base_singleton().encode_ordinary(&joined).len() as u64;
    assert_eq!(count(&joined), expected);
    assert!(expected > fixture().texts.iter().map(|t| t.tokens).sum(), "the joints count too");
}

/// The count says which vocabulary it belongs to, and it is the one behind the fixture.
#[test]
fn the_vocabulary_is_the_same_file() {
    let (fixture, info) = (fixture(), CounterEntry::find("o200k_base").unwrap().info());
    assert_eq!(info.name, "o200k_base@tiktoken");
    assert_eq!(info.vocabulary_sha256, Some(fixture.vocabulary_sha256));
    assert!(fixture.versions.contains_key("tiktoken"));
}

/// G03, B02: the tool lists of real servers, each file as one text.
#[test]
fn real_tool_lists_count_as_the_reference_crate_does() {
    let Some(folder) = common::data("mcp-servers/servers") else { return };
    let (mut files, mut tokens) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len() as u64;
        assert_eq!(count(&text), expected, "{}", path.display());
        files += 1;
        tokens += expected;
    }
    // 108 servers are what the folder's own page lists; about 8 MB at no more than 6 bytes a token.
    assert_eq!(files, 108);
    assert!(tokens > 1_000_000, "{tokens}");
}
