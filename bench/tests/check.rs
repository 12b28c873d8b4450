//! Does one screen say what it should about a real server?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::fixture::{Fixture, Http, program};
use common::{arg, data, deferbench, succeed};
use serde_json::Value;

/// Every tool of a real server comes first for its own name, alone and in the crowd; the screen fits; the JSON has it all.
#[test]
fn a_real_server_on_one_screen() {
    let Some(servers) = data("mcp-servers/servers") else { return };
    let file = servers.join("backlog-mcp-server.json");
    let screen = succeed(&["check", arg(&file)]);
    assert!(screen.lines().count() <= 50 && screen.lines().all(|l| l.chars().count() <= 80), "{screen}");
    let answer: Value = serde_json::from_str(&succeed(&["check", arg(&file), "--format", "json"])).unwrap();
    let tools = answer["tools"].as_array().unwrap();
    let listed: Value = common::json(&file);
    assert_eq!(tools.len(), listed["tools"].as_array().unwrap().len());
    for tool in tools {
        assert_eq!((&tool["alone"][0], &tool["crowd"][0]), (&1.into(), &1.into()), "{tool}");
    }
    let edits = answer["edits"].as_array().unwrap();
    assert!((1..=3).contains(&edits.len()));
    for edit in edits {
        let (tokens, mrr) = (&edit["tokens"], &edit["mrr"]);
        let saved = tokens[0].as_i64().unwrap() > tokens[1].as_i64().unwrap();
        assert!(saved || mrr[1].as_f64().unwrap() > mrr[0].as_f64().unwrap(), "{edit}");
    }
    assert_eq!(screen, succeed(&["check", arg(&file)]), "the same at every run");
}

#[test]
fn bad_input_is_refused() {
    for (args, says) in [
        (["check", "no/such/file", "--ranker", "fielded"], "no such file or folder"),
        (["check", "gen(tools=2)", "--ranker", "filded"], "unknown ranker \"filded\""),
        (["check", "gen(tools=2)", "--counter", "words"], "unknown counter \"words\""),
    ] {
        let output = deferbench().args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
    }
}

/// N14: a live server is listed twice and checked in one command, over both transports.
#[test]
fn a_live_server_is_checked() {
    let fixture = Fixture::new();
    let (server, corpus) = (program(), fixture.path("c"));
    let http = Http::start(&corpus, &[]);
    let of_file = succeed(&["check", arg(&corpus)]);
    for target in [&["--", arg(&server), "serve", arg(&corpus)][..], &[http.url.as_str()]] {
        let screen = succeed(&[&["check"], target].concat());
        assert!(screen.ends_with("listed twice: the same bytes\n"), "{screen}");
        // Name and label come from the server itself; what is asked and found is as in its file.
        let asked =
            |text: &str| text.lines().filter(|l| l.starts_with("asked by")).map(str::to_string).collect::<Vec<_>>();
        assert_eq!(asked(&screen)[0], asked(&of_file)[0], "{screen}");
    }
    let screen = succeed(&["check", "--", arg(&server), "serve", arg(&corpus), "--reorder"]);
    assert!(screen.contains("the second listing differs"), "{screen}");
    let output = deferbench().args(["check"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("check needs one server"));
}
