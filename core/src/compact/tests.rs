//! Each compaction on a definition written by hand, and all of them on random ones.

use proptest::prelude::*;

use super::*;
use crate::tool::{Limits, Tool};

/// The definition after one compaction.
fn after(name: &str, json: &str) -> String {
    let tool = Tool::from_json(json, &Limits::default()).unwrap();
    let mut wire = Wire::of(&tool);
    let compaction = COMPACTIONS.iter().find(|c| c.name == name).unwrap();
    (compaction.rewrite)(&mut wire, &Settings { parameter_text: 5 });
    wire.split().text
}

fn schema(name: &str, schema: &str) -> String {
    let out = after(name, &format!(r#"{{"name":"a","inputSchema":{schema}}}"#));
    out.strip_prefix(r#"{"name":"a","inputSchema":"#).unwrap().strip_suffix('}').unwrap().to_string()
}

/// N13: every compaction: what it takes out, and what only looks like it.
#[test]
fn each_compaction_by_hand() {
    for (name, before, expected) in [
        (
            "schema-uri",
            r#"{"$schema":"x","properties":{"$schema":{"type":"string"}}}"#,
            r#"{"properties":{"$schema":{"type":"string"}}}"#,
        ),
        (
            "titles",
            r#"{"properties":{"title":{"title":"T","default":{"title":"D"}}}}"#,
            r#"{"properties":{"title":{"default":{"title":"D"}}}}"#,
        ),
        (
            "examples",
            r#"{"properties":{"examples":{"examples":[1],"example":1}}}"#,
            r#"{"properties":{"examples":{}}}"#,
        ),
        (
            "parameter-texts",
            r#"{"properties":{"a":{"description":"abcd éf"},"b":{"description":"\u0061bcde"}}}"#,
            // Five characters stay, the blank at their end does not; what is not cut keeps its spelling.
            r#"{"properties":{"a":{"description":"abcd"},"b":{"description":"\u0061bcde"}}}"#,
        ),
        (
            "closed-objects",
            r#"{"additionalProperties":false,"items":{"additionalProperties":{}}}"#,
            r#"{"items":{"additionalProperties":{}}}"#,
        ),
    ] {
        assert_eq!(schema(name, before), expected, "{name}");
    }
    let tool = r#"{"name":"a","description":"\n One\n two. \n\n Three.","inputSchema":{},"outputSchema":{"title":"T"},"title":"T"}"#;
    assert!(after("first-paragraph", tool).contains(r#""description":"One\n two.""#));
    assert!(after("output-schema", tool).ends_with(r#""inputSchema":{},"title":"T"}"#));
    assert!(after("titles", tool).ends_with(r#""outputSchema":{},"title":"T"}"#));
    let short = r#"{"name":"a","description":"\u0041ll.\n\n","inputSchema":{}}"#;
    assert_eq!(after("first-paragraph", short), short, "nothing to cut keeps its spelling");
}

/// N13: definitions used once move, with the words beside the reference in force; everything else stays.
#[test]
fn definitions_move_where_that_changes_nothing() {
    let moved = |before: &str| schema("definitions", before);
    let once = r##"{"properties":{"a":{"description":"A","$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string","description":"X"},"unused":{}}}"##;
    assert_eq!(moved(once), r#"{"properties":{"a":{"description":"A","type":"string"}}}"#);
    // One in the other: both move.
    let chain = r##"{"items":{"$ref":"#/definitions/a~1b"},"definitions":{"a/b":{"items":{"$ref":"#/definitions/y"}},"y":{"type":"null"}}}"##;
    assert_eq!(moved(chain), r#"{"items":{"items":{"type":"null"}}}"#);
    for stays in [
        // Twice; an assertion beside the reference; itself; a place below it; an address of its own; the store; another document.
        r##"{"items":{"$ref":"#/$defs/x"},"not":{"$ref":"#/$defs/x"},"$defs":{"x":{}}}"##,
        r##"{"items":{"$ref":"#/$defs/x","minItems":1},"$defs":{"x":{}}}"##,
        r##"{"items":{"$ref":"#/$defs/x"},"not":{"$ref":"#/$defs/x/items"},"$defs":{"x":{"items":{}}}}"##,
        r##"{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"$anchor":"x"}}}"##,
        r##"{"items":{"$ref":"#/$defs/x"},"not":{"$ref":"#/$defs"},"$defs":{"x":{}}}"##,
        r##"{"$id":"s","items":{"$ref":"#/$defs/x"},"not":{"$ref":"s#/$defs/x"},"$defs":{"x":{}}}"##,
        r##"{"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}"##,
        r##"{"items":{"$ref":"#/$defs/x"},"$defs":{"x":true}}"##,
        r##"{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"items":{"$ref":"#/$defs/n"}}}}"##,
    ] {
        assert_eq!(moved(stays), stays);
    }
}

/// N13: a chain of definitions that would nest deeper than a schema may is not written out to its end.
#[test]
fn a_long_chain_stays_within_the_nesting_limit() {
    let link = |i: usize| format!("\"d{i}\":{{\"items\":{{\"$ref\":\"#/$defs/d{}\"}}}}", i + 1);
    let defs: Vec<String> = (0..5_000).map(link).collect();
    let out = schema(
        "definitions",
        &format!("{{\"items\":{{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{{{},\"d5000\":{{}}}}}}", defs.join(",")),
    );
    assert!(crate::canonical::nesting(&out) <= 128, "{}", crate::canonical::nesting(&out));
    assert!(out.contains("\"d4999\":") && !out.contains("\"d10\":"), "the beginning moved, the end stayed");
}

fn valid(schema: &str, instance: &serde_json::Value) -> Option<bool> {
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    jsonschema::validator_for(&schema).ok().map(|v| v.is_valid(instance))
}

proptest! {
    /// N13: a compaction that calls itself lossless, or says that it changes only what is read, accepts the same arguments.
    #[test]
    fn what_is_valid_stays_valid(
        types in prop::collection::vec(prop::sample::select(vec!["string", "integer", "array"]), 3),
        refs in prop::collection::vec(0..4usize, 4), closed in any::<bool>(), instance in 0..6usize,
    ) {
        let reference = |i: usize| format!("{{\"title\":\"t\",\"$ref\":\"#/$defs/d{i}\"}}");
        let body = |i: usize| if i < 3 {
            format!("\"d{i}\":{{\"type\":\"{}\",\"description\":\"long text\",\"items\":{}}}", types[i], reference(3))
        } else {
            "\"d3\":{\"type\":\"integer\",\"examples\":[1]}".to_string()
        };
        let properties: Vec<String> = refs.iter().enumerate().map(|(i, r)| format!("\"p{i}\":{}", reference(*r))).collect();
        let defs: Vec<String> = (0..4).map(body).collect();
        let before = format!("{{\"type\":\"object\",\"additionalProperties\":{},\"properties\":{{{}}},\"$defs\":{{{}}}}}",
            !closed, properties.join(","), defs.join(","));
        let instances = ["{}", r#"{"p0":1}"#, r#"{"p0":"s","p1":"s"}"#, r#"{"p2":[1],"p3":["x"]}"#, r#"{"q":1}"#, r#"{"p1":[[1]]}"#];
        let instance: serde_json::Value = serde_json::from_str(instances[instance]).unwrap();
        for compaction in COMPACTIONS.iter().filter(|c| c.effect != Effect::Validation) {
            let after = schema(compaction.name, &before);
            prop_assert!(after.len() <= before.len(), "{}", compaction.name);
            prop_assert_eq!(valid(&before, &instance), valid(&after, &instance), "{}: {}", compaction.name, after);
        }
    }
}
