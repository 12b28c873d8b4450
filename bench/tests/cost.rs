//! Do the parts of every definition sum to the definition, and do compactions save what they say?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{arg, data, deferbench, succeed};
use deferbench::cost::{Size, sizes};
use deferbench::counter::CounterEntry;
use deferbench_core::cost::{PARTS, Wire};
use serde_json::Value;

/// N13: on every real tool the text is the definition, the counted parts are `schema_bytes`, and the parts sum to the
/// whole in bytes and in tokens of every counter.
#[test]
fn parts_of_real_tools_sum_to_the_whole() {
    let Some(servers) = data("mcp-servers/servers") else { return };
    let definitions = deferbench_corpora::listing::open(arg(&servers), &Default::default()).unwrap();
    assert!(definitions.len() > 4000);
    let counters = ["o200k_base", "chars4", "bytes"].map(|name| (CounterEntry::find(name).unwrap().counter)());
    for definition in &definitions {
        let tool = definition.tool();
        let split = Wire::of(tool).split();
        let counted: usize = PARTS.iter().filter(|p| p.counted()).map(|p| split.bytes()[*p as usize]).sum();
        let unsent = if tool.description().is_none() { r#","description":"""#.len() } else { 0 };
        assert_eq!(counted + unsent, tool.schema_bytes(), "{}", tool.name());
        let members: usize =
            tool.extra().iter().map(|(k, v)| Value::from(k.as_str()).to_string().len() + v.len() + 2).sum();
        assert_eq!(split.text.len(), counted + members, "{}", tool.name());
        for counter in counters {
            let whole = Size { bytes: split.text.len() as u64, tokens: counter.count(&split.text).unwrap() };
            assert_eq!(sizes(&split, counter).unwrap().total(), whole, "{}", tool.name());
        }
    }
}

const TOOL: &str = r#"{"name":"ping","description":"Answers.\n\nAt length.","inputSchema":{"$schema":"x","type":"object","properties":{"a":{"title":"A","description":"0123456789"}}},"outputSchema":{"type":"object"}}"#;

/// N13: the command prints the same sums in every form, and each saving is the difference of two real texts.
#[test]
fn the_command_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.json");
    std::fs::write(&path, format!("{{\"tools\":[{TOOL}]}}")).unwrap();
    let run =
        |more: &[&str]| succeed(&[&["cost", arg(&path), "--counter", "bytes", "--parameter-text", "4"], more].concat());
    let answer: Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
    assert_eq!((&answer["bytes"], &answer["counter"]["name"]), (&TOOL.len().into(), &"bytes".into()));
    let parts = answer["parts"].as_object().unwrap();
    assert_eq!(parts.values().map(|p| p["bytes"].as_u64().unwrap()).sum::<u64>(), TOOL.len() as u64);
    assert_eq!(answer["rows"][0]["parts"]["output"]["bytes"], r#","outputSchema":{"type":"object"}"#.len());
    let saved = |name: &str| {
        let all = answer["savings"].as_array().unwrap();
        all.iter().find(|s| s["compaction"] == name).unwrap()["bytes"].as_u64().unwrap() as usize
    };
    let each = [
        ("schema-uri", r#""$schema":"x","#.len()),
        ("titles", r#""title":"A","#.len()),
        ("parameter-texts", "456789".len()),
        ("first-paragraph", r"\n\nAt length.".len()),
        ("output-schema", r#","outputSchema":{"type":"object"}"#.len()),
        ("definitions", 0),
    ];
    for (name, bytes) in each {
        assert_eq!(saved(name), bytes, "{name}");
    }
    // None of them touches another's place here.
    assert_eq!(saved("all together"), each.iter().map(|e| e.1).sum::<usize>());
    let csv = run(&["--format", "csv", "--by", "server"]);
    assert!(csv.lines().nth(1).unwrap().starts_with(&format!("server,1,bytes,{}", answer["schema_bytes"])), "{csv}");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let unique: std::collections::BTreeSet<&str> = header.iter().copied().collect();
    assert_eq!(unique.len(), header.len(), "a column stands twice: {header:?}");
    assert!(unique.contains("schema_bytes") && unique.contains("structure_bytes"), "{header:?}");
    assert!(parts.contains_key("structure") && !parts.contains_key("schema"), "{parts:?}");
    for format in ["table", "markdown"] {
        assert!(run(&["--format", format]).contains("server/ping"));
    }
}

#[test]
fn an_unknown_counter_is_refused() {
    let output = deferbench().args(["cost", "gen(tools=1)", "--counter", "words"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("unknown counter \"words\"; known: o200k_base"));
}
