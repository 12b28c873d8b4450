//! What does `trace` make of recorded request bodies? Every expected number is counted by hand.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{arg, deferbench, succeed};
use serde_json::{Value, json};

/// Writes a log.
fn log(lines: &[Value]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    (folder, path)
}

/// Traces a log in bytes.
fn trace(lines: &[Value], more: &[&str]) -> Value {
    let (_folder, path) = log(lines);
    let text = succeed(&[&["trace", arg(&path), "--counter", "bytes", "--format", "json"], more].concat());
    serde_json::from_str(&text).unwrap()
}

/// A cache of single bytes without a minimum, so that the expected tokens are the common bytes.
const BYTEWISE: &str = "vllm(block=1,min_tokens=0)";

fn tool(name: &str) -> Value {
    json!({"type": "function", "function": {"name": name, "description": "d", "parameters": {}}})
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

fn chat(tools: &[Value], messages: &[Value]) -> Value {
    json!({"model": "m", "stream": true, "messages": messages, "tools": tools})
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

/// N07: the order of members in the body, fields of the transport and cache markers are no part of the prompt.
#[test]
fn equal_requests_survive_whole() {
    let first = json!({"model": "m", "messages": [said("system", "s"), said("user", "u")], "tools": [tool("a")]});
    let second = json!({"tools": [tool("a")], "metadata": {"id": 7}, "stream": true, "max_tokens": 9, "model": "m",
        "messages": [said("system", "s"), said("user", "u")]});
    let found = trace(&[first, second], &[]);
    let [first, second] = [&found["requests"][0], &found["requests"][1]];
    for key in ["survival", "coverage", "divergence", "before", "reported"] {
        assert!(first[key].is_null(), "{key}: {first}");
    }
    for key in ["survival", "coverage"] {
        let one = json!({"bytes": 1.0, "tokens": 1.0, "segments": 1.0});
        assert_eq!(second[key], json!({"tools": one, "prompt": one}));
    }
    assert!(second["divergence"].is_null());
    assert_eq!((&first["prompt"], &second["before"]), (&second["prompt"], &json!(1)));
    // The array, the system text and the message, each on a line.
    let lines = [json!([tool("a")]), said("system", "s"), said("user", "u")];
    assert_eq!(first["prompt"]["bytes"], lines.iter().map(length).sum::<usize>() + 2);
    assert_eq!(first["tools"], json!({"bytes": length(&lines[0]), "tokens": length(&lines[0]), "segments": 1}));
}

/// N07, N02: a tool in front of others is named, and what lives on is what stands before the difference.
#[test]
fn a_tool_in_front_is_named() {
    let messages = [said("system", "s"), said("user", "u")];
    let before = chat(&[tool("beta"), tool("gamma")], &messages);
    let now = chat(&[tool("alpha"), tool("beta"), tool("gamma")], &messages);
    let found = trace(&[before, now], &["--profile", BYTEWISE]);
    let row = &found["requests"][1];
    // Up to the name both tools are spelled alike.
    let same = r#"{"type":"function","function":{"name":""#.len();
    assert_eq!(row["divergence"], json!({"kind": "tool", "segment": 0, "tool": "alpha", "offset": same}));
    let section = length(&json!([tool("beta"), tool("gamma")]));
    let longer = length(&json!([tool("alpha"), tool("beta"), tool("gamma")]));
    let share = |whole: usize| (1 + same) as f64 / whole as f64;
    assert_eq!(row["survival"]["tools"]["bytes"], share(section));
    assert_eq!(row["survival"]["tools"]["segments"], 0.0);
    assert_eq!(row["coverage"]["tools"]["bytes"], share(longer));
    assert_eq!(row["profiles"][0]["expected"], 1 + same);
    assert_eq!(found["totals"]["breaks"], 1);
    // All that follows the difference of three definitions; two of them were sent before.
    let again = [tool("beta"), tool("gamma")].iter().map(length).sum::<usize>();
    let sent = again + length(&tool("alpha")) - same;
    assert_eq!(found["totals"]["churn"], json!({"sent": sent, "again": again}));
}

/// N07: a profile that lays system text out before the tools keeps it where a tool changes.
#[test]
fn sections_stand_in_the_order_of_the_profile() {
    let lines = [chat(&[tool("b")], &[said("system", "s")]), chat(&[tool("a")], &[said("system", "s")])];
    let system = length(&said("system", "s")) as f64;
    let offset = r#"[{"type":"function","function":{"name":""#.len() as f64;
    let whole = system + 1.0 + length(&json!([tool("b")])) as f64;
    let found = trace(&lines, &["--profile", "gemini_implicit", "--profile", "anthropic"]);
    let row = &found["requests"][1];
    assert_eq!(row["prefix_order"], "system tools messages");
    assert_eq!(row["survival"]["prompt"]["bytes"], (system + 1.0 + offset) / whole);
    let orders = [0, 1].map(|i| found["totals"]["profiles"][i]["prefix_order"].clone());
    assert_eq!(orders, ["system tools messages", "tools system messages"]);
    assert_eq!(
        trace(&lines, &["--profile", "anthropic"])["requests"][1]["survival"]["prompt"]["bytes"],
        offset / whole
    );
}

fn messages(tools: &[Value], blocks: &[Value]) -> Value {
    json!({"model": "claude-x", "max_tokens": 5, "system": "s", "tools": tools,
        "messages": [{"role": "user", "content": blocks}]})
}

fn block(text: &str, marked: bool) -> Value {
    let mut block = json!({"type": "text", "text": text});
    if marked {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    block
}

/// N07: a marker that moves changes no byte, and is where the next request looks for an entry.
#[test]
fn a_moved_marker_is_a_breakpoint_and_no_change() {
    let tools = [json!({"name": "a", "input_schema": {"properties": {"cache_control": {}}}})];
    let first = messages(&tools, &[block("one", true)]);
    let second = messages(&tools, &[block("one", false), block("two", true)]);
    let third = messages(&tools, &[block("one", false), block("two", false), block("three", false)]);
    let found = trace(&[first, second, third], &["--profile", "anthropic(min_tokens=0)"]);
    let rows = found["requests"].as_array().unwrap();
    let (one, two) = (&rows[0]["prompt"]["tokens"], &rows[1]["prompt"]["tokens"]);
    assert_eq!(rows[1]["survival"]["prompt"]["bytes"], 1.0);
    assert!(rows[1]["divergence"].is_null());
    let cached = |row: &Value| (row["profiles"][0]["expected"].clone(), row["profiles"][0]["written"].clone());
    assert_eq!(cached(&rows[0]), (0.into(), one.clone()));
    // The marker of the second looks back, finds the end of the first, and writes the rest.
    let rest = two.as_u64().unwrap() - one.as_u64().unwrap();
    assert_eq!(cached(&rows[1]), (one.clone(), rest.into()));
    // Without a marker nothing is looked for, though every byte lives on.
    assert_eq!(cached(&rows[2]), (0.into(), 0.into()));
    assert_eq!(rows[2]["survival"]["prompt"]["bytes"], 1.0);
    let tool = json!([{"name": "a", "input_schema": {"properties": {"cache_control": {}}}}]);
    assert_eq!(rows[0]["tools"]["bytes"], length(&tool), "a parameter of that name is no marker");
}

/// P09: a deferred definition is no part of the prefix, and stands in the history from where a result refers to it.
#[test]
fn references_are_expanded_where_they_stand() {
    let deferred = json!({"name": "b", "input_schema": {}, "defer_loading": true});
    let tools = [json!({"name": "a", "input_schema": {}}), deferred];
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]});
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1",
        "content": [{"type": "tool_reference", "tool_name": "b"}]}]});
    let first = messages(&tools, &[block("one", false)]);
    let mut second = first.clone();
    second["messages"].as_array_mut().unwrap().extend([call, result]);
    let found = trace(&[first, second], &[]);
    let [first, second] = [&found["requests"][0], &found["requests"][1]];
    assert_eq!(first["tools"], second["tools"]);
    assert_eq!(first["tools"]["segments"], 1);
    assert_eq!(second["survival"]["prompt"], json!({"bytes": 1.0, "tokens": 1.0, "segments": 1.0}));
    // Tool, system text, block; call, result and definition.
    assert_eq!((&first["prompt"]["segments"], &second["prompt"]["segments"]), (&json!(3), &json!(6)));
}

/// P10, P12: of a deferred function the model sees name and description, of a namespace its own; loaded definitions come
/// in as an item at the end.
#[test]
fn loaded_definitions_come_at_the_end() {
    let function = |deferred: bool| {
        let mut tool = json!({"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}});
        if deferred {
            tool["defer_loading"] = true.into();
        }
        tool
    };
    let space = json!({"type": "namespace", "name": "n", "description": "d", "tools": [function(true)]});
    let tools = [function(true), space];
    let user = json!({"type": "message", "role": "user", "content": "u"});
    let first = json!({"model": "m", "instructions": "s", "tools": tools, "input": [user]});
    let loaded = json!({"type": "tool_search_output", "id": "x", "tools": [function(false)]});
    let mut second = first.clone();
    second["input"].as_array_mut().unwrap().push(loaded);
    let found = trace(&[first, second], &["--profile", BYTEWISE]);
    let [first, second] = [&found["requests"][0], &found["requests"][1]];
    let seen = json!([
        {"type": "function", "name": "f", "description": "d"},
        {"type": "namespace", "name": "n", "description": "d", "tools": []},
    ]);
    assert_eq!(first["tools"]["bytes"], length(&seen));
    assert_eq!(second["survival"]["prompt"]["bytes"], 1.0);
    assert_eq!(second["profiles"][0]["expected"], first["prompt"]["tokens"]);
    let added = 2 + length(&json!({"type": "tool_search_output"})) + length(&function(false));
    assert_eq!(second["prompt"]["bytes"].as_u64().unwrap(), first["prompt"]["bytes"].as_u64().unwrap() + added as u64);
}

/// N07: Gemini's declarations are tools one by one, whatever group they came in; its system text stands first.
#[test]
fn gemini_declarations_are_tools() {
    let declared = |name: &str| json!({"name": name, "description": "d"});
    let body = |groups: Value, texts: &[&str]| {
        let contents: Vec<Value> = texts.iter().map(|t| json!({"role": "user", "parts": [{"text": t}]})).collect();
        json!({"contents": contents, "tools": groups, "systemInstruction": {"parts": [{"text": "s"}]}})
    };
    let together = json!([{"functionDeclarations": [declared("a"), declared("b")]}]);
    let apart = json!([{"functionDeclarations": [declared("a")]}, {"functionDeclarations": [declared("b")]}]);
    let found = trace(&[body(together.clone(), &["u"]), body(apart, &["u", "v"]), body(together, &["w"])], &[]);
    let rows = found["requests"].as_array().unwrap();
    assert_eq!((&rows[0]["shape"], &rows[0]["prefix_order"]), (&json!("gemini"), &json!("system tools messages")));
    assert_eq!(rows[1]["survival"]["prompt"]["bytes"], 1.0);
    assert!(rows[1]["divergence"].is_null());
    let offset = r#"{"role":"user","parts":[{"text":""#.len();
    assert_eq!(rows[2]["divergence"], json!({"kind": "message", "segment": 3, "tool": "", "offset": offset}));
    assert_eq!(rows[2]["survival"]["prompt"]["segments"], 0.6);
    assert_eq!(found["totals"]["profiles"][0]["profile"], "gemini_implicit");
}

/// N07: what the provider reports, in each spelling, against what is expected; sums hold the compared requests only.
#[test]
fn usage_is_reconciled() {
    let body = chat(&[tool("a")], &[said("user", "u")]);
    let whole = length(&json!([tool("a")])) + 1 + length(&said("user", "u"));
    let lines = [
        json!({"request": body, "at": 0}),
        json!({"request": body, "at": 1.5, "usage": {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": 7}}}),
        json!({"request": body, "at": 2, "response": {"usage": {"prompt_tokens": 90}}}),
    ];
    let found = trace(&lines, &["--profile", BYTEWISE]);
    let rows = found["requests"].as_array().unwrap();
    // The last token is always computed.
    let expected = whole - 1;
    let used = &rows[1]["profiles"][0];
    assert_eq!((&used["expected"], &used["reported"]), (&json!(expected), &json!(7)));
    assert_eq!(used["difference"], 7 - expected as i64);
    assert_eq!(rows[1]["reported"], json!({"cached": 7, "written": null, "prompt": 90}));
    assert_eq!((&rows[1]["at"], &rows[2]["profiles"][0]["difference"]), (&json!(1), &Value::Null));
    let sum = &found["totals"]["profiles"][0];
    let seen = ["compared", "expected", "reported", "difference"].map(|key| sum[key].as_i64().unwrap());
    assert_eq!(seen, [1, expected as i64, 7, 7 - expected as i64]);
    assert_eq!(sum["hit"], 2 * expected);

    let spelled = [
        (
            messages(&[], &[block("u", false)]),
            json!({"usage": {"input_tokens": 3, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 5}}),
            json!({"cached": 40, "written": 5, "prompt": 48}),
        ),
        (
            json!({"model": "m", "input": "u"}),
            json!({"response": {"usage": {"input_tokens": 50, "input_tokens_details": {"cached_tokens": 40}}}}),
            json!({"cached": 40, "written": null, "prompt": 50}),
        ),
        (
            json!({"contents": [{"parts": [{"text": "u"}]}]}),
            json!({"response": {"usageMetadata": {"promptTokenCount": 50, "cachedContentTokenCount": 40}}}),
            json!({"cached": 40, "written": null, "prompt": 50}),
        ),
        (
            json!({"contents": [{"parts": [{"text": "u"}]}]}),
            json!({"usage": {"promptTokenCount": 50}}),
            json!({"cached": 0, "written": null, "prompt": 50}),
        ),
    ];
    for (body, mut line, expected) in spelled {
        line["request"] = body;
        assert_eq!(trace(std::slice::from_ref(&line), &[])["requests"][0]["reported"], expected, "{line}");
    }
}

/// N07: an entry of the cache dies with its time, and is not read by another model.
#[test]
fn times_and_models_keep_requests_apart() {
    let tools = [json!({"name": "a", "input_schema": {}})];
    let body = messages(&tools, &[block("one", true)]);
    let mut other = body.clone();
    other["model"] = "claude-y".into();
    let at = |body: &Value, at: u64| json!({"request": body, "at": at});
    let lines = [at(&body, 0), at(&other, 1), at(&body, 299), at(&body, 599)];
    let found = trace(&lines, &["--profile", "anthropic(min_tokens=0)"]);
    let rows = found["requests"].as_array().unwrap();
    let hits: Vec<bool> = rows.iter().map(|r| r["profiles"][0]["expected"] == r["prompt"]["tokens"]).collect();
    assert_eq!(hits, [false, false, true, false]);
    let before: Vec<Option<u64>> = rows.iter().map(|r| r["before"].as_u64()).collect();
    assert_eq!(before, [None, None, Some(1), Some(3)]);
}

/// N07: the figures stand in every form; a log of several shapes has a profile for each.
#[test]
fn every_form_says_the_same() {
    let body = chat(&[tool("a")], &[said("user", "u")]);
    let lines = [body.clone(), messages(&[], &[block("u", false)]), chat(&[tool("b")], &[said("user", "u")])];
    let (_folder, path) = log(&lines);
    let run = |format: &str| succeed(&["trace", arg(&path), "--format", format]);
    let csv = run("csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    let profiles = [1, 2, 3].map(|i| rows[i][column("profile")]);
    assert_eq!(profiles, ["openai_to_5_5", "anthropic", "openai_to_5_5"]);
    assert_eq!((rows[1][column("divergence_kind")], rows[3][column("divergence_tool")]), ("", "b"));
    for format in ["table", "markdown"] {
        let text = run(format);
        assert!(text.contains("tool 0 b + 39") && text.contains("(assumed)"), "{text}");
    }
}

/// A wrong line ends with code 2 and one line that says where, what, what else, and what helps.
#[test]
fn wrong_lines_are_refused() {
    let good = chat(&[], &[said("user", "u")]).to_string();
    let deep = format!("{{\"messages\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let timed = |at: &str| format!(r#"{{"request":{good},"at":{at}}}"#);
    let many = messages(&[], &["1", "2", "3", "4", "5"].map(|text| block(text, true))).to_string();
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("", &[], &["no request in it", "record the bodies"]),
        (&format!("{good}\n\n{{\"a\":"), &[], &["line 3", "no JSON", "expected a request body", "without line breaks"]),
        ("[1]", &[], &["line 1", "an array", "expected a request body"]),
        (r#"{"prompt":"x","n":1}"#, &[], &["members prompt, n", "expected a request body", "before any wrapper"]),
        (r#"{"request":3}"#, &[], &["request: found 3"]),
        (r#"{"messages":[{"role":1}]}"#, &[], &["messages[0].role: found 1; expected a text"]),
        (r#"{"messages":[7]}"#, &[], &["messages[0]: found 7; expected an object"]),
        (r#"{"messages":[],"tools":{}}"#, &[], &["tools: found an object; expected an array"]),
        (&deep, &[], &["line 1", "recursion limit"]),
        (r#"{"input":"x","previous_response_id":"r"}"#, &[], &["previous_response_id", "carry their whole input"]),
        (r#"{"contents":[],"cachedContent":"c"}"#, &[], &["cachedContent", "carry their whole input"]),
        (&timed("-1"), &[], &["at: found -1", "0 or more"]),
        (&format!("{}\n{}", timed("5"), timed("4")), &[], &["line 2", "found 4 s", "not before"]),
        (&format!("{}\n{good}", timed("5")), &[], &["line 2", "found nothing", "as on the lines before"]),
        (
            &format!(r#"{{"request":{good},"usage":{{"prompt_tokens":"9"}}}}"#),
            &[],
            &["prompt_tokens: found the text \"9\""],
        ),
        (&many, &[], &["line 1", "\"anthropic\"", "5 breakpoints", "mark fewer"]),
        (&good, &["--profile", "nobody"], &["nobody", "anthropic"]),
        (&good, &["--shape", "nobody"], &["nobody", "openai-chat"]),
        (&good, &["--profile", "vllm", "--profile", "vllm"], &["given twice"]),
    ];
    for (text, flags, parts) in cases {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        std::fs::write(&path, text).unwrap();
        let output = deferbench().args([&["trace", arg(&path)], *flags].concat()).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {message}");
        assert_eq!((output.stdout.len(), message.lines().count()), (0, 1), "{message}");
        parts.iter().for_each(|part| assert!(message.contains(part), "{part:?} is not in {message}"));
    }
}
