//! Do the file importers keep what the source says, and say what is wrong where it is?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::Path;

use deferbench_core::{Limits, Tool};
use deferbench_corpora::bundle::catalog_json;
use deferbench_corpora::import::{IMPORTERS, Input};

fn import(kind: &str, text: &str) -> Result<Vec<Tool>, String> {
    let importer = IMPORTERS.iter().find(|i| i.name == kind).unwrap();
    assert_eq!(importer.input, Input::File);
    (importer.read)(Path::new("in.json"), text, &Limits::default()).map_err(|e| e.to_string())
}

fn lines(kind: &str, text: &str) -> Vec<String> {
    let catalog = catalog_json(&import(kind, text).unwrap());
    let inner = catalog.strip_prefix("{\"tools\":[\n").unwrap().strip_suffix("\n]}\n").unwrap();
    inner.lines().map(|line| line.trim_end_matches(',').to_string()).collect()
}

fn refused(kind: &str, text: &str, parts: &[&str]) {
    let message = import(kind, text).unwrap_err();
    assert!(message.starts_with("in.json: "), "{message}");
    for part in parts {
        assert!(message.contains(part), "{part:?} in {message}");
    }
}

/// The schema of every source below: its key order and its numbers have to come out unchanged.
const SCHEMA: &str = r##"{"type":"object","properties":{"z":{"maximum":1e3,"enum":[1.0,12345678901234567890123]},"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{}}}"##;

#[test]
fn json_in_its_three_shapes() {
    let tool = format!(r#"{{"name":"t","title":"T","inputSchema":{SCHEMA},"_meta":{{"b":1E2}}}}"#);
    let kept = format!(r#"{{"name":"t","inputSchema":{SCHEMA},"title":"T","_meta":{{"b":1E2}}}}"#);
    for text in [
        format!("[{tool}]"),
        format!("{{\"tools\":[{tool}],\"nextCursor\":null}}"),
        format!("\u{feff}{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"tools\":[{tool}]}}}}"),
    ] {
        assert_eq!(lines("json", &text), [kept.as_str()]);
    }
    refused("json", "[]", &["it holds no tools"]);
    refused("json", &format!("[{tool},{tool}]"), &["tools 0 and 1 (from 0) are both named \"t\"", "rename"]);
    refused("json", "[{\"name\":\"t\"}]", &["tool 0 (from 0), \"t\"", "inputSchema", "found nothing"]);
    refused("json", "{\"tools\":\n[1}", &["line 2"]);
    // The same name on two servers is no clash.
    let of = |server: &str| format!(r#"{{"name":"t","inputSchema":{{}},"server":"{server}"}}"#);
    assert_eq!(import("json", &format!("[{},{}]", of("a"), of("b"))).unwrap().len(), 2);
}

/// One page of several would lose the tools of the others.
#[test]
fn a_partial_listing_is_refused() {
    let page = r#"{"tools":[{"name":"t","inputSchema":{}}],"nextCursor":"p2"}"#;
    for text in [page.to_string(), format!(r#"{{"jsonrpc":"2.0","id":1,"result":{page}}}"#)] {
        refused("json", &text, &["1 tools and nextCursor \"p2\"", "one page of several", "remove nextCursor"]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.json"), &text).unwrap();
        let argument = folder.path().to_str().unwrap();
        for message in [
            deferbench_corpora::open(argument, &Limits::default()).unwrap_err().to_string(),
            deferbench_corpora::listing::open(argument, &Limits::default()).unwrap_err().to_string(),
        ] {
            assert!(message.contains("a.json: 1 tools and nextCursor"), "{message}");
        }
    }
}

/// What a document of a later version or a second document says would be lost.
#[test]
fn openapi_of_another_version_or_of_two_documents_is_refused() {
    let document = |version: &str| format!("openapi: {version}\npaths: {{/a: {{get: {{operationId: x}}}}}}\n");
    for version in ["3.0.0", "3.0", "3.1.1", "3.1"] {
        assert_eq!(import("openapi", &document(version)).unwrap().len(), 1, "{version}");
    }
    for version in ["3.2.0", "3.10.0", "3.00", "4.0.0"] {
        let parts = [&*format!("says openapi {version:?}"), "expected", "version 3.0 or 3.1"];
        refused("openapi", &document(version), &parts);
    }
    let two = format!("{0}---\n{0}", document("3.0.0"));
    refused("openapi", &two, &["line 3", "a second document", "split it"]);
    assert_eq!(import("openapi", &format!("---\n{}...\n", document("3.0.0"))).unwrap().len(), 1);
    assert!(import("openapi", &format!("{}---\n", document("3.0.0"))).is_err(), "an empty document is one, too");
}

/// A body of JSON without a schema may be anything, and one of another kind is a text.
#[test]
fn openapi_bodies_without_a_schema() {
    let body = |kind: &str, name: &str| {
        let content = format!(r#"{{"content":{{"{kind}":{{}}}}}}"#);
        let paths = format!(r#"{{"/a":{{"post":{{"operationId":"{name}","requestBody":{content}}}}}}}"#);
        let tools = import("openapi", &format!(r#"{{"openapi":"3.1.0","paths":{paths}}}"#)).unwrap();
        tools[0].schema_json().to_string()
    };
    let any = r#"{"type":"object","properties":{"body":{"description":"Request body, application/json."}}}"#;
    assert_eq!(body("application/json", "x"), any);
    let text = r#"{"type":"object","properties":{"body":{"type":"string","description":"Request body, text/plain."}}}"#;
    assert_eq!(body("text/plain", "x"), text);
}

#[test]
fn openai_nested_and_flat() {
    let nested = format!(
        r#"{{"model":"m","messages":[],"tools":[{{"type":"function","function":{{"description":"D \u00e9","name":"t","parameters":{SCHEMA},"strict":true}}}}]}}"#
    );
    let flat =
        format!(r#"[{{"type":"function","name":"t","description":"D \u00e9","parameters":{SCHEMA},"strict":true}}]"#);
    let kept = format!(r#"{{"name":"t","description":"D \u00e9","inputSchema":{SCHEMA},"strict":true}}"#);
    assert_eq!(lines("openai", &nested), [kept.as_str()]);
    assert_eq!(lines("openai", &flat), [kept.as_str()]);
    // A function without parameters takes none.
    let nothing = r#"{"name":"t","inputSchema":{"type":"object","properties":{}}}"#;
    assert_eq!(lines("openai", r#"[{"type":"function","function":{"name":"t"}}]"#), [nothing]);
    assert_eq!(lines("openai", r#"[{"type":"function","name":"t","parameters":null}]"#), [nothing]);
    refused("openai", r#"{"tools":[]}"#, &["it holds no tools"]);
    refused("openai", r#"{"messages":[]}"#, &["no array \"tools\"", "expected a request body"]);
    refused("openai", r#"[{"type":"web_search"}]"#, &["tool 0 (from 0) has type \"web_search\"", "take it out"]);
    refused("openai", r#"[{"name":"t","parameters":{}}]"#, &["tool 0 (from 0), \"t\", has no type"]);
    refused(
        "openai",
        r#"[{"type":"function","function":{"name":"t","parameters":[]}}]"#,
        &["tool 0 (from 0), \"t\"", "found []"],
    );
    refused("openai", r#"[{"type":"function","parameters":{}}]"#, &["tool 0 (from 0)", "give the tool a name"]);
    let twice = r#"[{"type":"function","name":"t"},{"type":"function","name":"t"}]"#;
    refused("openai", twice, &["both named \"t\""]);
}

#[test]
fn anthropic_bodies_and_arrays() {
    let tool = format!(
        r#"{{"input_schema":{SCHEMA},"name":"t","description":"D","defer_loading":true,"cache_control":{{"type":"ephemeral"}}}}"#
    );
    let kept = format!(
        r#"{{"name":"t","description":"D","inputSchema":{SCHEMA},"cache_control":{{"type":"ephemeral"}},"defer_loading":true}}"#
    );
    assert_eq!(lines("anthropic", &format!("[{tool}]")), [kept.as_str()]);
    assert_eq!(lines("anthropic", &format!(r#"{{"max_tokens":1,"tools":[{tool}]}}"#)), [kept.as_str()]);
    refused("anthropic", "{\"tools\":[]}", &["it holds no tools"]);
    let own = r#"[{"type":"bash_20250124","name":"bash"}]"#;
    refused("anthropic", own, &["tool 0 (from 0), \"bash\", has type \"bash_20250124\"", "take it out"]);
    refused("anthropic", &format!("[{tool},{tool}]"), &["both named \"t\""]);
    refused("anthropic", r#"[{"name":"t","input_schema":{"type":"array"}}]"#, &["tool 0 (from 0), \"t\"", "array"]);
}

/// A schema under another key must not become a tool without arguments.
#[test]
fn a_schema_under_another_key_is_refused() {
    for (key, source) in [("inputSchema", "import json"), ("parameters", "import openai")] {
        let text = format!(r#"[{{"name":"s","input_schema":{{}}}},{{"name":"t","{key}":{SCHEMA}}}]"#);
        refused("anthropic", &text, &["tool 1 (from 0), \"t\", has no input_schema", &format!("has {key:?}"), source]);
    }
    for none in [r#"[{"name":"t"}]"#, r#"[{"type":"custom","name":"t","input_schema":null}]"#] {
        refused("anthropic", none, &["tool 0 (from 0), \"t\", has no input_schema", "{\"type\":\"object\"}"]);
    }
    for (key, source) in [("inputSchema", "import json"), ("input_schema", "import anthropic")] {
        let flat = format!(r#"[{{"type":"function","name":"t","{key}":{SCHEMA}}}]"#);
        let nested = format!(r#"[{{"type":"function","function":{{"name":"t","{key}":{SCHEMA}}}}}]"#);
        let beside = format!(r#"[{{"type":"function","{key}":{SCHEMA},"function":{{"name":"t"}}}}]"#);
        for text in [flat, nested, beside] {
            refused("openai", &text, &["tool 0 (from 0), \"t\", has no parameters", &format!("has {key:?}"), source]);
        }
    }
    let nested = r#"[{"type":"function","function":{"name":"t","parameters":{}}}]"#;
    refused("anthropic", nested, &["tool 0 (from 0), \"t\", has type \"function\"", "import openai"]);
    let bare = r#"[{"name":"t","input_schema":{}}]"#;
    refused("openai", bare, &["\"t\", is not of type \"function\" and has \"input_schema\"", "import anthropic"]);
    let outside = r#"[{"type":"function","function":{"name":"t"},"parameters":{"type":"object"}}]"#;
    refused("openai", outside, &["tool 0 (from 0), \"t\", has its parameters beside \"function\"", "move them"]);
}

/// Damage ends in an error, never in a panic.
#[test]
fn damaged_files_are_refused() {
    let openapi = r##"{"openapi":"3.0.0","paths":{"/a/{b}":{"get":{"parameters":[{"name":"b","in":"path","schema":{"$ref":"#/components/schemas/S"}}],"requestBody":{"content":{"application/json":{"schema":{"properties":{"c":{"$ref":"#/components/schemas/S"}}}}}}}}},"components":{"schemas":{"S":{"items":{"$ref":"#/components/schemas/S"}}}}}"##;
    let yaml = "openapi: 3.0.0\npaths:\n  /a:\n    get: &g {operationId: a, parameters: [{name: n, in: query, schema: {type: string}}]}\n    put: {<<: *g, operationId: \"b\"}\n";
    let openai = r#"{"tools":[{"type":"function","function":{"name":"t","parameters":{"type":"object"}}}]}"#;
    let anthropic = r#"[{"name":"t","description":"d","input_schema":{"type":"object","x":[1,"\u00e9"]}}]"#;
    let mut looked = 0;
    for (kind, text) in [("openapi", openapi), ("openapi", yaml), ("openai", openai), ("anthropic", anthropic)] {
        import(kind, text).unwrap_or_else(|e| panic!("{kind}: {e}"));
        for at in 0..text.len() {
            let changed =
                ['"', '{', ']', '\\', ',', '9', '&', '\n'].map(|c| format!("{}{c}{}", &text[..at], &text[at + 1..]));
            for damaged in changed.iter().map(String::as_str).chain([&text[..at]]) {
                looked += 1;
                if let Err(message) = import(kind, damaged) {
                    assert!(message.starts_with("in.json: "), "{message}");
                }
            }
        }
    }
    assert!(looked > 5_000, "{looked}");
}
