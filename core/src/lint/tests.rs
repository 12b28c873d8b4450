//! Each rule on a tool that has the finding and on one that has not; schemas that try to make it slow; mapped names.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::tool::Limits;

fn read(tool: &Value, label: &str) -> Definition {
    Definition::from_json(&tool.to_string(), label, &Limits::default()).unwrap()
}

/// Everything is refused that any profile refuses.
fn strict() -> Profile {
    let mut strict = Profile::plain();
    strict.name = "strict".to_string();
    strict.name_start = Fact::known("A-Za-z_".parse().unwrap(), "");
    strict.references = Fact::known(false, "");
    strict.recursion = Fact::known(false, "");
    strict.parameter_characters = Fact::known("A-Za-z0-9_.-".parse().unwrap(), "");
    strict.parameter_length = Fact::known(64, "");
    strict.tools = Fact::known(128, "");
    strict
}

fn findings(tools: &[Value]) -> Vec<Finding> {
    let definitions: Vec<Definition> = tools.iter().map(|t| read(t, "mine")).collect();
    Lint { definitions: &definitions, profiles: &[strict()], against: None }.findings()
}

/// Where a rule finds something in one tool.
fn points(rule: &str, tool: &Value) -> Vec<String> {
    findings(std::slice::from_ref(tool)).into_iter().filter(|f| f.rule == rule).map(|f| f.pointer).collect()
}

fn schema(schema: Value) -> Value {
    json!({"name": "read", "description": "Reads.", "inputSchema": schema})
}

/// An argument with a schema of its own.
fn argument(of: Value) -> Value {
    schema(json!({"type": "object", "properties": {"a": of}}))
}

fn named(name: &str) -> Value {
    json!({"name": name, "description": "Reads.", "inputSchema": {"type": "object"}})
}

fn described(text: &str) -> Value {
    json!({"name": "read", "description": text, "inputSchema": {"type": "object"}})
}

/// N09: every rule about one tool: a tool that has the finding, the place, and a tool that has not.
#[test]
fn each_rule_by_hand() {
    let a = "/inputSchema/properties/a";
    let tree = json!({"properties": {"child": {"$ref": "#/$defs/n"}}});
    let cases: Vec<(&str, Value, String, Value)> = vec![
        // mcp__mine__ has 11 characters, so that 53 are left.
        ("prefixed-name", named(&"n".repeat(54)), "/name".into(), named(&"n".repeat(53))),
        ("name-length", named(&"é".repeat(65)), "/name".into(), named(&"é".repeat(64))),
        ("name-characters", named("files.read"), "/name".into(), named("files_read-2")),
        ("name-start", named("2fa"), "/name".into(), named("_2fa")),
        ("description-missing", described(" \n"), "/description".into(), described("x")),
        ("description-huge", described(&"é".repeat(4001)), "/description".into(), described(&"é".repeat(4000))),
        ("root-type-missing", schema(json!({})), "/inputSchema".into(), schema(json!({"type": "object"}))),
        (
            "root-type-not-object",
            schema(json!({"type": ["object", "null"]})),
            "/inputSchema/type".into(),
            schema(json!({})),
        ),
        (
            "root-combinator",
            schema(json!({"type": "object", "oneOf": []})),
            "/inputSchema/oneOf".into(),
            argument(json!({"oneOf": [{}]})),
        ),
        (
            "ref-present",
            argument(json!({"$ref": "#"})),
            format!("{a}/$ref"),
            argument(json!({"default": {"$ref": "#"}})),
        ),
        (
            "ref-into-properties",
            argument(json!({"items": {"$ref": "#/properties/a"}})),
            format!("{a}/items/$ref"),
            argument(json!({"items": {"$ref": "#/$defs/a"}})),
        ),
        (
            "ref-not-local",
            argument(json!({"$ref": "https://e/x#/a"})),
            format!("{a}/$ref"),
            argument(json!({"$ref": "#/a"})),
        ),
        (
            "ref-to-nowhere",
            argument(json!({"$ref": "#/$defs/n"})),
            format!("{a}/$ref"),
            schema(json!({"properties": {"a": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {}}})),
        ),
        (
            "ref-cycle",
            schema(json!({"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": tree}})),
            "/inputSchema/$defs/n/properties/child/$ref".into(),
            schema(json!({"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#/$defs/n"}}, "$defs": {"n": {}}})),
        ),
        (
            "default-null",
            argument(json!({"type": "string", "default": null})),
            format!("{a}/default"),
            argument(json!({"type": ["string", "null"], "default": null})),
        ),
        (
            "default-type",
            argument(json!({"type": "integer", "default": "5"})),
            format!("{a}/default"),
            argument(json!({"type": "integer", "default": 5.0})),
        ),
        (
            "enum-long",
            argument(json!({"enum": (0..51).collect::<Vec<_>>()})),
            format!("{a}/enum"),
            argument(json!({"enum": (0..50).collect::<Vec<_>>()})),
        ),
        (
            "parameter-name",
            schema(json!({"properties": {"a/b": {}}})),
            "/inputSchema/properties/a~1b".into(),
            schema(json!({"properties": {"_a2": {"properties": {"a/b": {}}}}})),
        ),
        ("cjk-text", json!({"name": "read", "title": "搜索", "inputSchema": {}}), "/title".into(), named("straße")),
        (
            "parameter-undescribed",
            argument(json!({"type": "string", "description": " "})),
            "/inputSchema/properties".into(),
            argument(json!({"description": "The path."})),
        ),
        (
            "open-object",
            schema(json!({"additionalProperties": true})),
            "/inputSchema".into(),
            schema(json!({"additionalProperties": false})),
        ),
        (
            "volatile-text",
            described("Searches. Index built on 2026-05-31."),
            "/description".into(),
            described("Takes a day, e.g. 2026-05-31."),
        ),
    ];
    for (rule, with, place, without) in &cases {
        assert_eq!(points(rule, with), [place.as_str()], "{rule}: {with}");
        assert_eq!(points(rule, without), Vec::<String>::new(), "{rule}: {without}");
    }
    let seen: std::collections::BTreeSet<&str> = cases.iter().map(|c| c.0).collect();
    for rule in RULES.iter().filter(|r| matches!(r.check, Check::Each(_))) {
        assert!(seen.contains(rule.name), "no example for {}", rule.name);
    }
}

/// N09: what a text says that will be different tomorrow, and what only looks like it.
#[test]
fn volatile_texts() {
    let found = |text: &str| !points("volatile-text", &described(text)).is_empty();
    for text in [
        "Reads /home/alice/notes only.",
        "There are 1,938 tools.",
        "Knows C:\\Users\\bob\\x.",
        "As of 2026-01-01T00:00Z.",
    ] {
        assert!(found(text), "{text}");
    }
    for text in [
        "Reads /home/user/notes.",
        "Returns at most 20 results.",
        "ISO date (2026-01-01).",
        "Order 12026-01-011.",
        "/Users/<name>/x",
    ] {
        assert!(!found(text), "{text}");
    }
    assert_eq!(
        points("volatile-text", &argument(json!({"default": "/Users/eve/db"}))),
        ["/inputSchema/properties/a/default"]
    );
    assert_eq!(points("volatile-text", &argument(json!({"default": "/tmp"}))), Vec::<String>::new());
}

/// N09: names over servers, and the number of tools.
#[test]
fn names_of_a_listing() {
    let tool = |name: &str, server: &str| read(&named(name), server);
    let names = |definitions: &[Definition]| -> Vec<(&'static str, Option<usize>)> {
        let found = Lint { definitions, profiles: &[strict()], against: None }.findings();
        let wanted = ["same-name", "near-twins", "repeated-name", "too-many-tools"];
        found.iter().filter(|f| wanted.contains(&f.rule)).map(|f| (f.rule, f.position)).collect()
    };
    assert_eq!(
        names(&[tool("get", "a"), tool("put", "a"), tool("get", "b"), tool("get", "c")]),
        [("same-name", Some(0))]
    );
    assert_eq!(
        names(&[tool("get_user", "a"), tool("getUser", "a"), tool("get-users", "a")]),
        [("near-twins", Some(0))]
    );
    assert_eq!(names(&[tool("get", "a"), tool("get", "a")]), [("repeated-name", Some(1))]);
    assert_eq!(names(&[tool("get", "a"), tool("put", "b"), tool("--", "b"), tool("__", "b")]), []);
    let many: Vec<Definition> = (0..129).map(|i| tool(&format!("t{i}"), "a")).collect();
    assert_eq!((names(&many), names(&many[1..])), (vec![("too-many-tools", None)], vec![]));
}

/// N09, N14: a second listing in another sequence, and with other texts.
#[test]
fn two_listings() {
    let tools = ["a", "b", "c"].map(|n| read(&named(n), "mine"));
    let compare = |other: &[Definition]| {
        let lint = Lint { definitions: &tools, profiles: &[], against: Some(other) };
        let of = |f: &Finding| f.rule.starts_with("listing");
        lint.findings().iter().filter(|f| of(f)).map(|f| (f.rule, f.tool.clone())).collect::<Vec<_>>()
    };
    let name = |n: &str| Some(n.to_string());
    assert_eq!(compare(&tools), []);
    let turned: Vec<Definition> = tools.iter().rev().cloned().collect();
    assert_eq!(compare(&turned), [("listing-order", name("b"))]);
    // A tool less is no other order.
    assert_eq!(compare(&tools[1..]), [("listing-content", name("a"))]);
    let mut changed = tools.to_vec();
    changed[1] = read(&described("Reads!"), "mine");
    assert_eq!(compare(&changed), [("listing-content", name("b")), ("listing-content", None)]);
    // Another spelling of the same text is another text to a cache.
    let spelled = r#"{"name":"a","description":"\u0052eads.","inputSchema":{"type":"object"}}"#;
    changed = tools.to_vec();
    changed[0] = Definition::from_json(spelled, "mine", &Limits::default()).unwrap();
    let findings = Lint { definitions: &tools, profiles: &[], against: Some(&changed) }.findings();
    let found = findings.iter().find(|f| f.rule == "listing-content").unwrap();
    assert_eq!((found.pointer.as_str(), found.tool.as_deref()), ("/description", Some("a")));
}

/// Who refuses a thing is said, and an unknown value refuses nothing.
#[test]
fn profiles_are_named() {
    let mut loose = Profile::plain();
    loose.name = "loose".to_string();
    loose.name_characters = Fact::known("A-Za-z0-9_.-".parse().unwrap(), "");
    loose.name_length = Fact::unknown("not published");
    let lint = |name: &str, profiles: &[Profile]| {
        let definitions = [read(&named(name), "s")];
        let found = Lint { definitions: &definitions, profiles, against: None }.findings();
        found.into_iter().filter(|f| f.rule.starts_with("name-")).collect::<Vec<_>>()
    };
    let found = lint("a.b", &[loose.clone(), strict()]);
    assert_eq!((found.len(), &found[0].profiles), (1, &vec!["strict".to_string()]));
    let message = "found \".\" in \"a.b\", expected characters of A-Za-z0-9_- (strict); use letters";
    assert!(found[0].message().starts_with(message), "{}", found[0].message());
    assert!(lint(&format!("a.{}", "b".repeat(80)), &[loose]).is_empty());
}

/// N09: hostile schemas end, and in time that grows with their size: each place is visited once.
#[test]
fn hostile_schemas_end() {
    // Each definition names the next one twice: written out these would be 2^60 schemas.
    let both = |i: usize| json!({"allOf": [{"$ref": format!("#/$defs/d{i}")}, {"$ref": format!("#/$defs/d{i}")}]});
    let mut defs: serde_json::Map<String, Value> = (0..60).map(|i| (format!("d{i}"), both(i + 1))).collect();
    defs.insert("d60".into(), json!({}));
    let wide = schema(json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs}));
    assert_eq!(points("ref-cycle", &wide), Vec::<String>::new());
    // A chain longer than any stack, with a hook at its end.
    let link = |i: usize| (format!("d{i}"), json!({"items": {"$ref": format!("#/$defs/d{}", (i + 1) % 20_000)}}));
    let chain: serde_json::Map<String, Value> = (0..20_000).map(link).collect();
    let ring = schema(json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": chain}));
    assert_eq!(points("ref-cycle", &ring), ["/inputSchema/$defs/d19999/items/$ref"]);
    // As deep as a definition may be.
    let deep = format!("{}{}", "{\"items\":".repeat(125), "{}") + &"}".repeat(125);
    let deep: Value = serde_json::from_str(&deep).unwrap();
    assert_eq!(points("ref-present", &argument(deep)), Vec::<String>::new());
    // References that lead to themselves, to each other and into what holds them.
    for own in ["#", "#/properties", "#/properties/a", "#/properties/a/$ref", "#/%", "#//", "#x"] {
        let cyclic = argument(json!({"$ref": own}));
        let expected = ["#", "#/properties", "#/properties/a"].contains(&own);
        assert_eq!(!points("ref-cycle", &cyclic).is_empty(), expected, "{own}");
    }
}

#[test]
fn anchors_and_own_addresses_are_local() {
    let anchored = json!({"$id": "https://e/s", "properties": {"a": {"$ref": "#x"}, "b": {"$ref": "https://e/s#/$defs/x"}},
        "$defs": {"x": {"$anchor": "x"}}});
    for rule in ["ref-to-nowhere", "ref-not-local"] {
        assert_eq!(points(rule, &schema(anchored.clone())), Vec::<String>::new(), "{rule}");
    }
}

/// Findings come in the order of the listing, whatever a rule does inside.
#[test]
fn the_order_is_the_listing_s() {
    let found = findings(&[named("z.z"), described(""), named("a.a")]);
    let positions: Vec<usize> = found.iter().filter_map(|f| f.position).collect();
    assert!(positions.is_sorted() && positions.contains(&2), "{positions:?}");
    assert_eq!(found, findings(&[named("z.z"), described(""), named("a.a")]));
}

proptest! {
    /// P22: names map one to one and back, are legal, stay where they are legal, and do not depend on the registration order.
    #[test]
    fn mapped_names_are_bijective(
        names in prop::collection::btree_set("[a-c./ _é-]{1,6}|[a-z]{60,70}|[A-Za-z0-9_.-]{1,12}", 1..40),
        seed in any::<prop::sample::Index>(), narrow in any::<bool>(),
    ) {
        let mut profile = if narrow { strict() } else { Profile::plain() };
        if narrow {
            profile.name_length = Fact::known(12, "");
        }
        let mut turned: Vec<&str> = names.iter().map(String::as_str).collect();
        let mapped = ProviderNames::new(turned.iter().copied(), &profile).unwrap();
        let turn = seed.index(turned.len());
        turned.rotate_left(turn);
        turned.reverse();
        prop_assert_eq!(&mapped, &ProviderNames::new(turned.iter().copied(), &profile).unwrap());
        let mut seen = std::collections::BTreeSet::new();
        for name in &names {
            let there = mapped.provider(name).unwrap();
            prop_assert!(profile.accepts_name(there), "{} -> {}", name, there);
            prop_assert!(seen.insert(there.to_string()), "{} twice", there);
            prop_assert_eq!(mapped.tool(there), Some(name.as_str()));
            prop_assert!(!profile.accepts_name(name) || there == name);
        }
    }

    /// Any schema is examined without a panic and without a pointer that leads nowhere.
    #[test]
    fn pointers_lead_somewhere(key in "[a-z~/%$]{1,4}", reference in "#?[/a-z~01%$]{0,8}") {
        let tool = schema(json!({"properties": {key.clone(): {"$ref": reference, "default": null, "type": "string"}},
            "$defs": {key: {"items": [{"$ref": "#/$defs"}]}}}));
        for finding in findings(std::slice::from_ref(&tool)) {
            prop_assert!(tool.pointer(&finding.pointer).is_some() || finding.pointer == "/description", "{}", finding.pointer);
        }
    }
}

/// P22: two names that come out equal are told apart, whichever is registered first; the check needs a hash of 32 bits to
/// repeat, so a name that looks mapped stands in for it.
#[test]
fn a_name_that_looks_mapped_is_in_the_way() {
    let plain = Profile::plain();
    let first = ProviderNames::new(["a.b"], &plain).unwrap().provider("a.b").unwrap().to_string();
    let names = ProviderNames::new(["a.b", first.as_str()], &plain).unwrap();
    assert_eq!(names.provider(&first), Some(first.as_str()));
    assert_ne!(names.provider("a.b"), Some(first.as_str()));
    assert_eq!(names.tool(names.provider("a.b").unwrap()), Some("a.b"));
    let twice = ProviderNames::new(["a", "a"], &plain).unwrap_err();
    assert!(twice.to_string().contains("\"a\" occurs twice"));
    let mut narrow = plain;
    narrow.name_length = Fact::known(11, "");
    assert!(ProviderNames::new(["a.b"], &narrow).unwrap_err().to_string().contains("at least 12"));
    assert!(ProviderNames::new(["ab"], &narrow).is_ok());
}
