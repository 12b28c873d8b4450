//! Does the fixture server answer everything it receives, and say what is wrong with what it cannot answer?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::fixture::{Fixture, Http};
use common::{arg, deferbench};
use serde_json::{Value, json};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f","arguments":{}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;

/// What a server wrote until it ended by itself: code, messages, standard error.
fn serve(flags: &[&str], input: impl Into<Vec<u8>>) -> (Option<i32>, Vec<Value>, String) {
    let fixture = Fixture::new();
    let mut command = deferbench();
    command.args(["serve", arg(&fixture.path("c"))]).args(flags).write_stdin(input);
    let output = command.timeout(Duration::from_secs(60)).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let messages = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code(), messages, String::from_utf8(output.stderr).unwrap())
}

/// The message with an id.
fn answer<'a>(messages: &'a [Value], id: &Value) -> &'a Value {
    messages.iter().find(|m| m["id"] == *id).unwrap_or_else(|| panic!("no answer to {id}: {messages:?}"))
}

/// N15: the input may end right behind the request that changes the list: answer and notice come all the same.
#[test]
fn the_last_request_is_answered() {
    for round in 0..20 {
        for (flags, request, id) in [("1", CALL, 2), ("0", LIST, 3)] {
            let (code, messages, stderr) = serve(&["--list-changed-after", flags], format!("{HELLO}\n{request}\n"));
            assert_eq!(code, Some(0), "round {round}: {stderr}");
            assert!(answer(&messages, &id.into())["result"].is_object(), "round {round}: {messages:?}");
            let notices = messages.iter().filter(|m| m["method"] == "notifications/tools/list_changed").count();
            assert_eq!(notices, 1, "round {round}: {messages:?}");
        }
    }
}

/// N15: a line that the end of the input cuts off is a line.
#[test]
fn a_line_without_its_end_is_answered() {
    let (code, messages, stderr) = serve(&[], format!("\u{feff}{HELLO}\r\n\n{LIST}"));
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(answer(&messages, &3.into())["result"]["tools"].as_array().unwrap().len(), 5);
}

/// N15: a pause ends with the input, and is never longer than its limit.
#[test]
fn a_slow_list_ends_with_the_input() {
    let (code, messages, stderr) = serve(&["--slow-list", "3600000"], format!("{HELLO}\n{LIST}\n"));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(answer(&messages, &3.into())["result"].is_object());
    let (code, _, stderr) = serve(&["--slow-list", "3600001"], "");
    assert!(code == Some(2) && stderr.contains("3600001 is not in 0..=3600000"), "{stderr}");
}

/// N15: a line that does not end is not read for ever.
#[test]
fn a_line_past_the_limit_ends_the_session() {
    let line = vec![b'x'; (64 << 20) + 2];
    let (code, messages, stderr) = serve(&[], [format!("{HELLO}\n{LIST}\n").into_bytes(), line].concat());
    assert_eq!(code, Some(2));
    assert!(stderr.starts_with("error: ") && stderr.contains("a message of more than 64 MiB"), "{stderr}");
    assert!(answer(&messages, &3.into())["result"].is_object(), "what came before is answered");
    assert_eq!(answer(&messages, &Value::Null)["error"]["code"], -32600);
}

/// N15: what is wrong with a message is said with the codes of JSON-RPC and the id of the request.
#[test]
fn wrong_messages_are_named() {
    let params = |id: i32, method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
    };
    let cases: Vec<(Vec<u8>, i32, Value, &str)> = vec![
        (b"garbage".to_vec(), -32700, Value::Null, "not JSON"),
        (br#"{"jsonrpc":"2.0","id":7,"#.to_vec(), -32700, Value::Null, "not JSON"),
        (b"{\"jsonrpc\":\"2.0\",\"x\":\"\xff\"}".to_vec(), -32700, Value::Null, "byte 22"),
        (format!("[{LIST}]").into_bytes(), -32600, Value::Null, "one JSON object a line"),
        (b"7".to_vec(), -32600, Value::Null, "one JSON object a line"),
        (br#"{"jsonrpc":"2.0","id":7}"#.to_vec(), -32600, 7.into(), "\"method\""),
        (br#"{"jsonrpc":"2.0","id":"a","method":5}"#.to_vec(), -32600, "a".into(), "\"method\""),
        (br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#.to_vec(), -32600, 7.into(), "\"jsonrpc\""),
        (br#"{"id":7,"method":"ping"}"#.to_vec(), -32600, 7.into(), "\"jsonrpc\""),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(), -32600, Value::Null, "\"id\""),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_vec(), -32600, Value::Null, "\"id\""),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#.to_vec(), -32602, 7.into(), "`name`"),
        (params(7, "tools/call", json!({"name": 5})).into_bytes(), -32602, 7.into(), "expected a string"),
        (
            params(7, "tools/call", json!({"name": "f", "arguments": []})).into_bytes(),
            -32602,
            7.into(),
            "expected a map",
        ),
        (params(7, "tools/call", json!(["f"])).into_bytes(), -32602, 7.into(), "an object"),
        (params(7, "tools/list", json!({"cursor": 5})).into_bytes(), -32602, 7.into(), "expected a string"),
        (
            params(7, "tools/list", json!({"cursor": "x"})).into_bytes(),
            -32602,
            7.into(),
            "no cursor that this server gave",
        ),
        (params(7, "no/such", json!({})).into_bytes(), -32601, 7.into(), "no/such"),
    ];
    for (line, code, id, says) in cases {
        let shown = String::from_utf8_lossy(&line).into_owned();
        let input = [format!("{HELLO}\n").as_bytes(), &line, format!("\n{LIST}\n").as_bytes()].concat();
        let (ended, messages, stderr) = serve(&[], input);
        assert_eq!((ended, messages.len()), (Some(0), 3), "{shown}: {messages:?} {stderr}");
        assert!(answer(&messages, &3.into())["result"].is_object(), "{shown}: the next request is answered");
        let error = messages.iter().find(|m| m["error"].is_object()).unwrap();
        assert_eq!((&error["error"]["code"], error.get("id")), (&code.into(), Some(&id)), "{shown}: {error}");
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{shown}: {error}");
    }
}

/// N15: a session cannot begin with an unreadable handshake, and the client learns why.
#[test]
fn a_wrong_handshake_is_answered() {
    let (code, messages, stderr) = serve(&[], format!("{}\n", r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#));
    assert!(code == Some(2) && stderr.contains("did not open a session"), "{stderr}");
    let error = &answer(&messages, &1.into())["error"];
    assert!(error["code"] == -32602 && error["message"].as_str().unwrap().contains("protocolVersion"), "{error}");
}

/// N15: over HTTP the same is said; where no request is named the status says it too.
#[test]
fn wrong_messages_over_http() {
    let fixture = Fixture::new();
    let server = Http::start(&fixture.path("c"), &[]);
    let address = server.url.trim_start_matches("http://").trim_end_matches("/mcp");
    let post = |body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = "content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close";
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    for (body, status, says) in [
        ("garbage", "HTTP/1.1 400 ", "-32700"),
        ("7", "HTTP/1.1 400 ", "-32600"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":5}}"#, "HTTP/1.1 200 ", "-32602"),
        (HELLO, "HTTP/1.1 200 ", "deferbench-fixture"),
    ] {
        let answer = post(body);
        assert!(answer.starts_with(status) && answer.contains(says), "{body}: {answer}");
    }
}
