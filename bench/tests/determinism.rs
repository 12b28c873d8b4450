//! Are the scores the same bytes on any number of threads, in any locale, and whatever the registration order?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::path::Path;

use common::{arg, bundle, deferbench, json, succeed};
use serde_json::Value;

/// Orders that declare not to show the registration order.
const INVARIANT: [&str; 4] = ["append", "sorted", "search_first", "newest_first"];
const RANKERS: [&str; 3] = ["fielded", "bm25", "dsh"];

/// `scores.json` of the scenario quick under some environment.
fn quick(threads: &str, environment: &[(&str, &str)]) -> Vec<u8> {
    let out = tempfile::tempdir().unwrap();
    let mut command = deferbench();
    command.args(["run", "quick", "--quiet", "--threads", threads, "--out", arg(out.path())]);
    // Another working folder as well: nothing of it may show.
    command.envs(environment.iter().copied()).current_dir(out.path());
    command.assert().success();
    std::fs::read(out.path().join("scores.json")).unwrap()
}

/// N03: threads, processes (and with them the seeds of hash maps), locales, time zones and working folders.
#[test]
fn the_same_bytes_everywhere() {
    let reference = quick("1", &[]);
    let parsed: Value = serde_json::from_slice(&reference).unwrap();
    // Two catalogs: for each an eager session and one policy in two orders.
    assert_eq!(parsed["sessions"].as_array().unwrap().len(), 2 * (1 + 2));
    for (threads, environment) in [
        ("1", &[][..]),
        ("2", &[]),
        ("7", &[]),
        ("1", &[("LC_ALL", "C"), ("TZ", "UTC")]),
        ("2", &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")]),
        ("2", &[("LC_ALL", "de_DE.UTF-8"), ("TZ", "America/St_Johns"), ("RAYON_NUM_THREADS", "1")]),
    ] {
        assert!(quick(threads, environment) == reference, "{threads} threads, {environment:?}");
    }
}

/// N03: another seed is another session, so the comparison above can fail.
#[test]
fn the_seed_shows() {
    let out = tempfile::tempdir().unwrap();
    succeed(&["run", "quick", "--quiet", "--seed", "8", "--out", arg(out.path())]);
    let (ours, reference) = (json(&out.path().join("scores.json")), quick("1", &[]));
    let reference: Value = serde_json::from_slice(&reference).unwrap();
    assert_ne!(ours["sessions"], reference["sessions"]);
}

/// Tools full of ties: equal texts, names that differ by case or beyond ASCII, one name inside another.
fn tools() -> Vec<String> {
    let twins = ["Note", "note", "nota", "n\u{f6}te", "zz_note", "\u{1f600}_note", "\u{fb01}_note"];
    let tool = |name: &str, text: &str, fields: &str| {
        format!(
            r#"{{"name":{name:?},"description":{text:?},"inputSchema":{{"type":"object","properties":{{{fields}}}}}}}"#
        )
    };
    let mut out: Vec<String> = twins.iter().map(|name| tool(name, "Writes a note to the board.", "")).collect();
    for (name, text, fields) in [
        ("read_file", "Reads a file from the disk.", r#""path":{"type":"string","description":"Where the file is."}"#),
        ("read", "Reads a book aloud.", r#""page":{"type":"integer"}"#),
        ("file_reader", "Reads files.", r#""file":{"type":"string"}"#),
        ("sendMail", "Sends a letter to one person.", r#""to":{"type":"string","description":"The person."}"#),
        ("send_mail_later", "Sends a letter to one person on a later day.", r#""day":{"type":"string"}"#),
        ("weather", "Tells rain and sun of a place.", r#""place":{"type":"string"}"#),
        ("weather.week", "Tells rain and sun of a place for a week.", r#""place":{"type":"string"}"#),
        ("list_rooms", "Lists the rooms of a house.", r#""house":{"type":"string","enum":["a","b"]}"#),
        ("listRooms", "Lists the rooms of a house.", r#""house":{"type":"string","enum":["a","b"]}"#),
    ] {
        out.push(tool(name, text, fields));
    }
    out
}

fn queries() -> Vec<String> {
    let query = |(i, (text, needed)): (usize, &(&str, &str))| {
        format!(r#"{{"id":"q{i}","text":{text:?},"relevant":[{needed:?}],"class":"keyword"}}"#)
    };
    [
        ("write a note", "note"),
        ("read a file", "read_file"),
        ("a letter for a person", "sendMail"),
        ("letter on another day", "send_mail_later"),
        ("rain this week", "weather.week"),
        ("rain in a place", "weather"),
        ("rooms of the house", "listRooms"),
        ("which rooms are there", "list_rooms"),
        ("Note", "Note"),
        ("put it on the board", "zz_note"),
        ("a book, aloud", "read"),
        ("files", "file_reader"),
    ]
    .iter()
    .enumerate()
    .map(query)
    .collect()
}

/// `scores.json` of the same tools in another sequence.
fn permuted(folder: &Path, tools: &[String]) -> Value {
    let (corpus, out) = (folder.join("corpus"), folder.join("out"));
    bundle(&corpus, "permuted", tools, &queries());
    let mut args =
        vec!["run", "default", "--quiet", "--counter", "chars4", "--corpus", arg(&corpus), "--out", arg(&out)];
    args.extend(INVARIANT.iter().chain(&["registry"]).flat_map(|order| ["--order", order]));
    args.extend(RANKERS.iter().flat_map(|ranker| ["--ranker", ranker]));
    succeed(&args);
    json(&out.join("scores.json"))
}

/// Three sequences of the tools: as written, backwards, and in steps of five.
fn three_runs() -> Vec<Value> {
    let tools = tools();
    let backwards: Vec<String> = tools.iter().rev().cloned().collect();
    // 16 tools, and 5 has no factor in common with 16: every tool comes once.
    let steps: Vec<String> = (0..tools.len()).map(|i| tools[i * 5 % tools.len()].clone()).collect();
    let run = |tools: &Vec<String>| permuted(tempfile::tempdir().unwrap().path(), tools);
    [tools, backwards, steps].iter().map(run).collect()
}

fn cells<'a>(scores: &'a Value, orders: &[&str]) -> Vec<&'a Value> {
    let sessions = scores["sessions"].as_array().unwrap().iter();
    sessions.filter(|s| s["policy"] != "eager" && orders.contains(&s["order"].as_str().unwrap())).collect()
}

/// N03, D09, G01: the orders that declare it give the same sessions, request by request, and all rankers the same rows.
#[test]
fn registration_order_does_not_show() {
    let runs = three_runs();
    let (first, rest) = runs.split_first().unwrap();
    for other in rest {
        assert_ne!(first["corpora"][0]["sha256"], other["corpora"][0]["sha256"], "the files do differ");
        let (ours, theirs) = (cells(first, &INVARIANT), cells(other, &INVARIANT));
        // Two policies, two limits, four orders.
        assert_eq!((ours.len(), theirs.len()), (16, 16));
        for (a, b) in ours.iter().zip(theirs) {
            assert_eq!(a["requests"], b["requests"], "{} {} {}", a["policy"], a["order"], a["limit"]);
            assert_eq!(*a, b, "{} {} {}", a["policy"], a["order"], a["limit"]);
        }
        for (i, ranker) in RANKERS.iter().enumerate() {
            let (a, b) = (&first["retrieval"][i], &other["retrieval"][i]);
            assert!(a["ranker"].as_str().unwrap().starts_with(ranker), "{}", a["ranker"]);
            assert_eq!(a["queries"].as_array().unwrap().len(), 12);
            assert_eq!(a["queries"], b["queries"], "{ranker}");
            assert_eq!(by_tool(a), by_tool(b), "{ranker}");
        }
    }
}

/// The rows of a cell's names, sorted by tool: they stand in catalog order.
fn by_tool(cell: &Value) -> Vec<(String, Value)> {
    let rows = cell["names"].as_array().unwrap().iter();
    let mut rows: Vec<_> = rows.map(|r| (r["tool"].as_str().unwrap().to_string(), r["values"].clone())).collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(rows.len(), 16);
    rows
}

/// The order `registry` declares nothing, and here it shows: the comparison above is no empty one.
#[test]
fn the_order_registry_does_show() {
    let runs = three_runs();
    assert_ne!(cells(&runs[0], &["registry"]), cells(&runs[1], &["registry"]));
    let names = |run: &Value| run["retrieval"][0]["names"].clone();
    assert_ne!(names(&runs[0]), names(&runs[1]), "rows of names stand in catalog order");
}
