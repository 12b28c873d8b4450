//! Does every bad input end with exit code 2 and one line that names the place and the remedy?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::path::{Path, PathBuf};

use common::{arg, bundle, deferbench, json, succeed};
use serde_json::Value;
use tempfile::TempDir;

const GOOD: &str = r#"{"name":"ping","description":"Answers.","inputSchema":{"type":"object"}}"#;
const OTHER: &str = r#"{"name":"pong","description":"Asks back.","inputSchema":{"type":"object"}}"#;
const QUERY: &str = r#"{"id":"q1","text":"answer","relevant":["ping"]}"#;

/// The one line on standard error of a command that was refused, `error: ` taken off.
fn refused(args: &[&str]) -> String {
    let output = deferbench().args(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{args:?}: {stderr}");
    lines[0].strip_prefix("error: ").unwrap_or_else(|| panic!("{args:?}: {stderr}")).to_string()
}

/// The message says each of these.
fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no {part:?} in: {message}");
    }
}

fn written(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn corpus(folder: &TempDir, name: &str, tools: &[&str], queries: &[&str]) -> PathBuf {
    let path = folder.path().join(name);
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    bundle(&path, "mine", &owned(tools), &owned(queries));
    path
}

/// Definitions that are no definitions: file, tool, what was expected and what helps.
#[test]
fn wrong_definitions() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str]); 9] = [
        (r#"{"name":"list","inputSchema":[]}"#, &["tool 1", "\"list\"", "a JSON Schema object, found []", "write {"]),
        (
            r#"{"name":"rows","inputSchema":{"type":"array"}}"#,
            &["tool 1", "\"rows\"", "\"array\"", "wrap the arguments"],
        ),
        (r#"{"name":"both","inputSchema":{"type":["object","null"]}}"#, &["\"both\"", "[\"object\",\"null\"]", "wrap"]),
        (r#"{"name":"bare"}"#, &["\"bare\"", "inputSchema", "found nothing", "write {"]),
        (r#"{"name":7,"inputSchema":{}}"#, &["tool 1", "\"name\"", "found 7", "give the tool a name"]),
        (r#"{"name":"","inputSchema":{}}"#, &["tool 1", "not empty", "give the tool a name"]),
        (
            r#"{"name":"far","inputSchema":{"maximum":1e999}}"#,
            &["tool 1", "\"far\"", "the number 1e999 is out of range", "write one between"],
        ),
        (r#"{"name":"nan","inputSchema":{"default":NaN}}"#, &["line 3", "expected {\"tools\""]),
        (GOOD, &["\"ping\" is defined twice", "positions 0 and 1", "rename one"]),
    ];
    for (tool, parts) in cases {
        let path = corpus(&folder, "definitions", &[GOOD, tool], &[]);
        let message = refused(&["eval", arg(&path), "--quiet"]);
        says(&message, &["catalog.json"]);
        says(&message, parts);
        // The same text as one server's file is refused with that file's name.
        let catalog = std::fs::read(path.join("catalog.json")).unwrap();
        let message = refused(&["search", arg(&written(&folder, "server.json", &catalog)), "answer"]);
        says(&message, &["server.json"]);
        says(&message, parts);
    }
}

/// A schema nested past the limit is refused without recursion, and the tool is named as in every other refusal.
#[test]
fn a_deeply_nested_schema() {
    let folder = tempfile::tempdir().unwrap();
    for levels in [200, 100_000] {
        let nested = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let deep = format!(r#"{{"name":"deep","inputSchema":{{"type":"object","x":{nested}}}}}"#);
        let path = corpus(&folder, "nested", &[GOOD, &deep], &[]);
        let message = refused(&["eval", arg(&path), "--quiet"]);
        // The root object is one level more.
        says(&message, &["catalog.json", "tool 1", &format!("{} levels", levels + 1), "the limit is 128", "nesting"]);
        says(&message, &["\"deep\""]);
    }
}

/// Texts that cannot be read: the line, and for bytes that are no text their place.
#[test]
fn texts_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let cut = written(&folder, "cut.json", b"{\"tools\":[\n{\"name\":\"a\",\"inputSchema\":{");
    says(&refused(&["eval", arg(&cut), "--quiet"]), &["cut.json: line 2", "EOF", "expected {\"tools\""]);
    let latin = written(&folder, "latin.json", b"{\"tools\":[\n\n{\"name\":\"caf\xe9\"");
    // 12 bytes stand on the first two lines, and 12 before the wrong byte on the third.
    says(&refused(&["eval", arg(&latin), "--quiet"]), &["latin.json: line 3", "byte 24 ", "save it as UTF-8"]);
    let other = written(&folder, "other.json", b"{\"data\":[]}");
    says(&refused(&["eval", arg(&other), "--quiet"]), &["other.json: line 1", "no member \"tools\""]);
    let bad = corpus(&folder, "queries", &[GOOD], &[QUERY]);
    std::fs::write(bad.join("queries.jsonl"), b"\n{\"id\":\"q1\",\"text\":\"\xff\"}\n").unwrap();
    says(&refused(&["eval", arg(&bad), "--quiet"]), &["queries.jsonl: line 2", "save it as UTF-8"]);
}

/// What has no end, or is larger than any catalog, is not read to its end.
#[cfg(unix)]
#[test]
fn files_past_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let huge = folder.path().join("huge.json");
    std::fs::File::create(&huge).unwrap().set_len((512 << 20) + 1).unwrap();
    let limit = ["larger than 512 MiB", "split it"];
    for args in [["lint", "/dev/zero"], ["cost", "/dev/zero"], ["check", "/dev/zero"]] {
        says(&refused(&args), &["/dev/zero: "]);
        says(&refused(&args), &limit);
    }
    says(&refused(&["import", "json", "/dev/zero"]), &limit);
    says(&refused(&["eval", arg(&huge)]), &["huge.json: "]);
    for args in [&["eval", arg(&huge)][..], &["run", arg(&huge)], &["lifecycle", arg(&huge)]] {
        says(&refused(args), &limit);
    }
    says(&refused(&["lint", "gen(tools=2)", "--profile", arg(&huge)]), &limit);
}

/// A new name that meets a real one is resolved, for every command alike; two that are alike are refused with both tools.
#[test]
fn names_that_meet_resolved_ones() {
    let folder = tempfile::tempdir().unwrap();
    let tool =
        |name: &str| format!(r#"{{"name":"{name}","description":"Gets {name}.","inputSchema":{{"type":"object"}}}}"#);
    let list = |names: &[&str]| format!("[{}]", names.iter().map(|n| tool(n)).collect::<Vec<_>>().join(","));
    written(&folder, "a.json", list(&["get", "b__get"]).as_bytes());
    written(&folder, "b.json", list(&["get"]).as_bytes());
    let path = arg(folder.path());
    for args in
        [&["check", path][..], &["cost", path], &["lint", path, "--fail-on", "never"], &["eval", path, "--quiet"]]
    {
        succeed(args);
    }
    let names = succeed(&["lint", path, "--names", "strict", "--format", "json"]);
    for name in ["\"a__get\"", "\"a__b__get\"", "\"b__get\""] {
        assert!(names.contains(name), "{names}");
    }
    written(&folder, "a.json", list(&["b__get"]).as_bytes());
    written(&folder, "a__b.json", list(&["get"]).as_bytes());
    written(&folder, "c.json", list(&["get", "b__get"]).as_bytes());
    for args in [["check", path], ["serve", path]] {
        says(&refused(&args), &["\"b__get\" of server \"a\"", "\"get\" of server \"a__b\"", "rename one"]);
    }
}

/// Queries that do not fit their catalog.
#[test]
fn wrong_queries() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str]); 6] = [
        (r#"{"id":"q2","text":"x","relevant":["pinq"]}"#, &["\"q2\"", "\"pinq\" is not in catalog.json", "correct"]),
        (r#"{"id":"q1","text":"x","relevant":["ping"]}"#, &["\"q1\"", "used twice", "must be unique"]),
        (
            r#"{"id":"q2","text":"x","relevant":["ping"],"groups":[[]]}"#,
            &["\"q2\"", "no member", "leave the group out"],
        ),
        (r#"7"#, &["integer `7`, expected an object", "expected one object a line"]),
        (r#"{"id":"q2","text":"x"}"#, &["missing field `relevant`", "expected one object a line"]),
        (r#"{"id":"q2","text":"x","relevant":["ping"#, &["EOF", "expected one object a line"]),
    ];
    for (query, parts) in cases {
        let path = corpus(&folder, "queries", &[GOOD, OTHER], &[QUERY, query]);
        let message = refused(&["eval", arg(&path), "--quiet"]);
        says(&message, &["queries.jsonl: line 2"]);
        says(&message, parts);
    }
}

/// A file of lines without any is a mistake, of queries and of sessions alike.
#[test]
fn files_of_lines_without_any() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["queries.jsonl", "sessions.jsonl"] {
        let path = corpus(&folder, name, &[GOOD], &[]);
        for text in ["", "\n \n"] {
            std::fs::write(path.join(name), text).unwrap();
            let message = refused(&["eval", arg(&path), "--quiet"]);
            says(&message, &[&format!("{name}: line 1"), "holds no line", "delete the file", "one object a line"]);
        }
    }
}

/// Names that nobody knows: the known ones are listed.
#[test]
fn unknown_names() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = |flag: &str, value: &str| refused(&["run", "quick", "--quiet", "--out", arg(&out), flag, value]);
    says(&run("--ranker", "bm52"), &["unknown ranker \"bm52\"", "fielded, bm25"]);
    says(&run("--ranker", "bm25(k2=1)"), &["\"k2\"", "it has: text, k1, b"]);
    says(&run("--ranker", "bm25(b=2)"), &["b = \"2\"", "a number from 0 to 1"]);
    says(&run("--policy", "sticky"), &["unknown policy \"sticky\"", "eager, replace, cumulative"]);
    says(&run("--order", "random"), &["unknown order \"random\"", "registry, newest_first"]);
    says(&run("--layout", "L9"), &["unknown layout \"L9\"", "L1, seed-json"]);
    says(&run("--counter", "words"), &["unknown counter \"words\"", "o200k_base, chars4, bytes"]);
    says(&run("--entry", "nowhere"), &["unknown entry \"nowhere\"", "list"]);
    says(&run("--limit", "0"), &["limit of 0", "use 1 or more"]);
    says(&run("--sizes", "0"), &["tools", "a whole number from 1 to"]);
    assert!(!out.exists() || !out.join("scores.json").exists(), "a refused run leaves no scores");
    says(&refused(&["run", "quikc", "--quiet"]), &["unknown scenario \"quikc\"", "default, quick, seed", "TOML file"]);
    for corpus in ["no/such/corpus", "genn(tools=10)"] {
        says(&refused(&["eval", corpus, "--quiet"]), &[corpus, "no such file or folder", "gen(tools=100,seed=7)"]);
    }
    says(&refused(&["list", "colours"]), &["unknown kind \"colours\"", "policies, rankers"]);
    let page = written(&folder, "page.md", b"# Tools\n");
    let message = refused(&["import", "html", arg(&page), "--out", arg(&out)]);
    says(&message, &["unknown importer \"html\"", "dsh-catalog"]);
}

/// A tool of the catalog keeps its name: the search tool takes another one, and every session says so.
#[test]
fn a_tool_named_like_the_search_tool() {
    let folder = tempfile::tempdir().unwrap();
    let taken = r#"{"name":"tool_search","description":"Searches.","inputSchema":{"type":"object"}}"#;
    let (path, out) = (corpus(&folder, "taken", &[GOOD, taken], &[QUERY]), folder.path().join("out"));
    run(&path, &out);
    let scores = json(&out.join("scores.json"));
    let sessions = scores["sessions"].as_array().unwrap();
    for session in sessions.iter().filter(|s| s["policy"] != "eager") {
        let notes = session["notes"].to_string();
        assert!(notes.contains("tool_search") && notes.contains("tool_search_2"), "{notes}");
        assert_eq!((&session["needs"], &session["met"]), (&1.into(), &1.into()));
    }
    // One eager session; one policy in two orders at limits 1 and 5.
    assert_eq!(sessions.len(), 1 + 4);
}

/// Results tell corpora apart: two of one name keep their own figures, and the same one twice is refused.
#[test]
fn two_corpora_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let hard = r#"{"id":"q1","text":"zebra","relevant":["pong"]}"#;
    let (one, two) = (corpus(&folder, "one", &[GOOD], &[QUERY]), corpus(&folder, "two", &[GOOD, OTHER], &[hard]));
    let text = succeed(&["eval", arg(&one), arg(&two), "--quiet", "--format", "json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let results = answer["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|r| r["corpus"]["name"].as_str().unwrap()).collect();
    assert!(names.len() == 2 && names[0].ends_with("one") && names[1].ends_with("two"), "{names:?}");
    // The first query has the words of its tool; the second has no word of any.
    for (result, (tools, found)) in results.iter().zip([(1, 1.0), (2, 0.0)]) {
        assert_eq!((&result["corpus"]["tools"], result["rankers"].as_array().unwrap().len()), (&tools.into(), 1));
        assert_eq!(result["rankers"][0]["metrics"]["hit@1"]["mean"], found);
    }
    says(&refused(&["eval", arg(&one), arg(&one), "--quiet"]), &["one", "given twice", "once"]);
}

/// A run of the small corpus into a folder.
fn run(corpus: &Path, out: &Path) {
    succeed(&["run", "quick", "--quiet", "--corpus", arg(corpus), "--out", arg(out)]);
}

/// Runs over different corpora are compared under force only.
#[test]
fn runs_of_different_corpora() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    run(&corpus(&folder, "one", &[GOOD, OTHER], &[QUERY]), &a);
    run(&corpus(&folder, "two", &[OTHER, GOOD], &[QUERY]), &b);
    says(&refused(&["compare", arg(&a), arg(&b)]), &["corpus mine", "SHA-256", "--force"]);
    let forced = deferbench().args(["compare", arg(&a), arg(&b), "--force"]).output().unwrap();
    assert!(matches!(forced.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&forced.stderr));
    assert!(String::from_utf8(forced.stdout).unwrap().contains("mine"));
    // A run against itself holds: exit code 0.
    succeed(&["compare", arg(&a), arg(&a)]);
}

/// Result files that are no results.
#[test]
fn damaged_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    says(&refused(&["report", arg(&out)]), &["manifest.json", "check the path"]);
    run(&corpus(&folder, "one", &[GOOD, OTHER], &[QUERY]), &out);
    let scores = std::fs::read_to_string(out.join("scores.json")).unwrap();
    std::fs::write(out.join("scores.json"), &scores[..scores.len() / 2]).unwrap();
    says(&refused(&["report", arg(&out)]), &["scores.json", "EOF"]);
    let other = scores.replacen("\"corpora\":[", "\"corpora\":[7,", 1);
    assert_ne!(other, scores);
    std::fs::write(out.join("scores.json"), other).unwrap();
    says(&refused(&["report", arg(&out)]), &["scores.json", "integer `7`, expected an object"]);
    let newer = scores.replacen("\"schema_version\":1", "\"schema_version\":99", 1);
    assert_ne!(newer, scores);
    std::fs::write(out.join("scores.json"), newer).unwrap();
    says(&refused(&["report", arg(&out)]), &["scores.json", "schema_version 99", "measure again"]);
}

/// Nothing already written is lost: a refused run leaves the results of an earlier one in place and readable.
#[test]
fn earlier_results_survive_a_refused_run() {
    let folder = tempfile::tempdir().unwrap();
    let (good, out) = (corpus(&folder, "one", &[GOOD, OTHER], &[QUERY]), folder.path().join("out"));
    run(&good, &out);
    let before = std::fs::read(out.join("manifest.json")).unwrap();
    let bad = corpus(&folder, "two", &[GOOD, GOOD], &[]);
    refused(&["run", "quick", "--quiet", "--corpus", arg(&bad), "--out", arg(&out)]);
    assert!(std::fs::read(out.join("manifest.json")).unwrap() == before, "manifest.json was overwritten");
    succeed(&["report", arg(&out)]);
}

/// Traces: an unknown name, damaged TOML, a step that says nothing or two things, an expectation of nobody; and one that
/// does not hold, which is no bad input but exit code 1.
#[test]
fn wrong_traces() {
    says(&refused(&["lifecycle", "no-such"]), &["unknown trace \"no-such\"", "no-match-keeps", "TOML file"]);
    let folder = tempfile::tempdir().unwrap();
    let trace = |steps: &str, requests: u32| {
        let text = format!(
            "name = \"mine\"\nwhy = \"So.\"\nsource = \"me\"\nrows = []\n\
             [[tools]]\nname = \"clock\"\ndescription = \"Tells the time.\"\n\
             [[cases]]\nname = \"ours\"\npolicy = \"replace\"\nrequests = {requests}\n{steps}\n"
        );
        written(&folder, "trace.toml", text.as_bytes())
    };
    for (steps, parts) in [
        ("[[steps]]\nuser = \"Hello.\"\nexpect.ours = 7", &["line 14", "integer `7`, expected a table"][..]),
        ("[[steps]]\nusr = \"Hello.\"", &["line 13", "unknown field `usr`"]),
        ("[[steps]]\nuser = \"Hello.\"\nrun = \"two\"", &["step 1", "exactly one of user, run"]),
        ("[[steps]]\ncalls = [{ search = \"a\", call = \"b\" }]", &["step 1", "either search or call"]),
        ("[[steps]]\nuser = \"Hello.\"\nexpect.theirs = {}", &["step 1", "\"theirs\"", "use ours or both"]),
        (
            "[[steps]]\nchange = { name = \"cloak\", description = \"Warms.\" }",
            &["step 1", "no tool \"cloak\" to change"],
        ),
    ] {
        says(&refused(&["lifecycle", arg(&trace(steps, 1))]), parts);
    }
    let good = "[[steps]]\nneed = { tool = \"clock\", query = \"time\" }";
    // Search, call, closing: three requests.
    succeed(&["lifecycle", arg(&trace(good, 3))]);
    let output = deferbench().args(["lifecycle", arg(&trace(good, 4))]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    says(&String::from_utf8(output.stdout).unwrap(), &["mine, ours: requests: expected 4, found 3"]);
}
