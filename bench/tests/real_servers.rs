//! Are the figures over 108 real servers right where they can be worked out from the files alone?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use common::{arg, bundle, data, json, succeed};
use serde_json::Value;

/// One tool of the raw files: the stem of its file, its own name, its compact definition without the name.
struct Raw {
    server: String,
    bare: String,
    description: String,
    schema: String,
}

fn raw_tools(folder: &Path) -> Vec<Raw> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "json"));
    paths.sort();
    let mut out = Vec::new();
    for path in paths {
        let server = path.file_stem().unwrap().to_str().unwrap().to_string();
        for tool in json(&path)["tools"].as_array().unwrap() {
            out.push(Raw {
                server: server.clone(),
                bare: tool["name"].as_str().unwrap().to_string(),
                // A missing description counts as the empty text.
                description: tool.get("description").cloned().unwrap_or_else(|| "".into()).to_string(),
                schema: tool["inputSchema"].to_string(),
            });
        }
    }
    out
}

/// Bare names that two or more servers use.
fn shared_names(tools: &[Raw]) -> BTreeSet<&str> {
    let mut servers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for tool in tools {
        servers.entry(&tool.bare).or_default().insert(&tool.server);
    }
    servers.into_iter().filter(|(_, s)| s.len() > 1).map(|(name, _)| name).collect()
}

/// The name each tool has to be called by: `label__bare` where several servers use the bare name.
fn callable_names(tools: &[Raw]) -> Vec<String> {
    let shared = shared_names(tools);
    let name = |t: &Raw| {
        if shared.contains(t.bare.as_str()) { format!("{}__{}", t.server, t.bare) } else { t.bare.clone() }
    };
    tools.iter().map(name).collect()
}

/// One run for all tests of this file: `scores.json` and `summary.json`.
fn measured(folder: &Path) -> &'static (Value, Value) {
    static RUN: OnceLock<(Value, Value)> = OnceLock::new();
    RUN.get_or_init(|| {
        let out = tempfile::tempdir().unwrap();
        succeed(&["run", "default", "--corpus", arg(folder), "--out", arg(out.path()), "--quiet"]);
        (json(&out.path().join("scores.json")), json(&out.path().join("summary.json")))
    })
}

fn sessions(scores: &Value) -> &[Value] {
    scores["sessions"].as_array().unwrap()
}

/// G11, G15: every tool of every server is there, and clashing names alone are changed.
#[test]
fn names_that_clash_are_resolved() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let (tools, corpus) = (raw_tools(&folder), &measured(&folder).0["corpora"][0]);
    let shared = shared_names(&tools);
    let clashing = || tools.iter().filter(|t| shared.contains(t.bare.as_str()));
    // The folder's own page says 108 servers and 4206 tools; lint-counts.csv says 96 shared names.
    let servers: BTreeSet<&str> = tools.iter().map(|t| t.server.as_str()).collect();
    assert_eq!((servers.len(), tools.len(), shared.len(), clashing().count()), (108, 4206, 96, 206));

    assert_eq!((&corpus["tools"], &corpus["servers"]), (&4206.into(), &108.into()));
    let field = |r: &Value, key: &str| r[key].as_str().unwrap().to_string();
    let resolved = corpus["resolved_names"].as_array().unwrap();
    let found: Vec<_> = resolved.iter().map(|r| (field(r, "name"), field(r, "server"), field(r, "bare"))).collect();
    let expected: Vec<_> =
        clashing().map(|t| (format!("{}__{}", t.server, t.bare), t.server.clone(), t.bare.clone())).collect();
    assert_eq!(found, expected);
}

/// S08, B03: the schema bytes are the UTF-8 bytes of the three members as compact JSON, in the corpus and under `eager`.
#[test]
fn schema_bytes_add_up() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let (tools, scores) = (raw_tools(&folder), &measured(&folder).0);
    let size = |(t, name): (&Raw, &String)| {
        let name = Value::from(name.as_str());
        format!("{{\"name\":{name},\"description\":{},\"inputSchema\":{}}}", t.description, t.schema).len() as u64
    };
    let expected: u64 = tools.iter().zip(&callable_names(&tools)).map(size).sum();
    assert_eq!(scores["corpora"][0]["schema_bytes"], expected);
    let eager: Vec<&Value> = sessions(scores).iter().filter(|s| s["policy"] == "eager").collect();
    assert_eq!(eager.len(), 1);
    for request in eager[0]["requests"].as_array().unwrap() {
        assert_eq!((&request["tools_sent"], &request["schema_bytes"]), (&4206.into(), &expected.into()));
    }
}

/// P01, B04: every tool is found first under the name it is called by, and the rows stand in catalog order. A bare name
/// that several servers use counts for all of them or for none: any tool of that name is right.
#[test]
fn callable_names_are_found_first() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let (tools, scores) = (raw_tools(&folder), &measured(&folder).0);
    let rows = scores["retrieval"][0]["names"].as_array().unwrap();
    let found: Vec<&str> = rows.iter().map(|r| r["tool"].as_str().unwrap()).collect();
    assert_eq!(found, callable_names(&tools));
    let missed: Vec<&Value> = rows.iter().filter(|r| r["values"]["callable_name@1"] != 1.0).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let shared = shared_names(&tools);
    let mut of_shared: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (tool, row) in tools.iter().zip(rows) {
        let exact = &row["values"]["exact_name@1"];
        if shared.contains(tool.bare.as_str()) {
            of_shared.entry(&tool.bare).or_default().insert(exact.to_string());
        } else {
            assert_eq!(exact, 1.0, "{}", tool.bare);
        }
    }
    assert_eq!(of_shared.len(), 96);
    assert!(of_shared.values().all(|values| values.len() == 1), "{of_shared:#?}");
}

/// Undefined is null and never 0: without labelled queries there is no capability figure.
#[test]
fn capability_is_undefined_without_queries() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let (scores, summary) = measured(&folder);
    assert_eq!(scores["corpora"][0]["queries"], 0);
    assert_eq!(scores["retrieval"][0]["queries"].as_array().unwrap().len(), 0);
    let metrics = summary["results"][0]["rankers"][0]["metrics"].as_object().unwrap();
    let defined: Vec<&String> = metrics.iter().filter(|(_, m)| !m["mean"].is_null()).map(|(name, _)| name).collect();
    assert_eq!(defined, ["exact_name@1", "callable_name@1"]);
    assert_eq!(metrics["exact_name@1"]["n"], 4206);
}

/// G02: ten needs drawn from the names, two policies at limits 1 and 5 in five orders, and one eager session.
#[test]
fn sessions_use_ten_names_at_two_limits() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let scores = &measured(&folder).0;
    assert_eq!(sessions(scores).len(), 2 * 2 * 5 + 1);
    for session in sessions(scores) {
        assert_eq!(session["needs"], 10, "{}", session["policy"]);
        let met = session["met"].as_u64().unwrap();
        assert_eq!(met, 10, "{} {}", session["policy"], session["notes"]);
    }
    let limits: BTreeSet<u64> = sessions(scores).iter().filter_map(|s| s["limit"].as_u64()).collect();
    assert_eq!(limits, BTreeSet::from([1, 5]));
}

/// G01: an order changes what stands first, never what is sent: tools and bytes of each request are the same in all.
#[test]
fn every_order_sends_the_same_tools() {
    let Some(folder) = data("mcp-servers/servers") else { return };
    let mut groups: BTreeMap<(String, u64), Vec<&Value>> = BTreeMap::new();
    for session in sessions(&measured(&folder).0).iter().filter(|s| s["policy"] != "eager") {
        let key = (session["policy"].as_str().unwrap().to_string(), session["limit"].as_u64().unwrap());
        groups.entry(key).or_default().push(session);
    }
    let sent = |session: &Value| {
        let row = |r: &Value| ["cause", "active_tools", "tools_sent", "schema_bytes"].map(|k| r[k].clone());
        session["requests"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(groups.len(), 4, "{:?}", groups.keys());
    for (group, cells) in groups {
        let orders: BTreeSet<&str> = cells.iter().map(|c| c["order"].as_str().unwrap()).collect();
        assert_eq!(orders, BTreeSet::from(["append", "newest_first", "registry", "search_first", "sorted"]));
        for cell in &cells[1..] {
            assert_eq!(sent(cell), sent(cells[0]), "{group:?} {}", cell["order"]);
        }
        // At least one search and one call for each need that was met, and the answer of each turn.
        assert!(sent(cells[0]).len() > 10, "{group:?}");
    }
}

/// Limits before numbers, and true ones: where no tool is generated, no limit speaks of generated catalogs.
#[test]
fn limits_fit_the_corpus() {
    let folder = tempfile::tempdir().unwrap();
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("out"));
    let tool = r#"{"name":"ping","description":"Answers.","inputSchema":{"type":"object"}}"#.to_string();
    bundle(&corpus, "mine", &[tool], &[]);
    for scenario in ["default", "quick"] {
        let limits = |args: &[&str]| {
            succeed(&[&["run", scenario, "--quiet", "--counter", "bytes", "--out", arg(&out)], args].concat());
            json(&out.join("scores.json"))["limits"].to_string()
        };
        assert!(limits(&["--sizes", "10"]).contains("generated"), "{scenario}");
        let own = limits(&["--corpus", arg(&corpus)]);
        assert!(!own.contains("generated"), "{scenario}: {own}");
    }
}

/// S24: the input schemas of the real servers can be used to check arguments, except two of one server that refer to
/// themselves from several branches of one anyOf: to check a value against those may take exponential time.
#[test]
fn every_real_schema_checks_arguments() {
    use deferbench_core::dispatch::{Mount, at_once};
    let Some(folder) = data("mcp-servers/servers") else { return };
    let corpus = deferbench_corpora::open(arg(&folder), &deferbench_core::Limits::default()).unwrap();
    let handler =
        |_: &deferbench_core::Tool| Some(at_once(|_| deferbench_core::transcript::Output::Text(String::new())));
    let mount: Mount<()> = Mount::new(corpus.catalog.clone(), handler, ()).unwrap();
    assert_eq!(corpus.catalog.len(), 4_206);
    let unchecked: Vec<&str> = mount.unchecked().into_iter().map(|(name, _)| name).collect();
    assert_eq!(unchecked, ["push_flex_message", "broadcast_flex_message"]);
}
