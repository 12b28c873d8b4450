//! Does a catalog survive a real MCP connection, and is every misbehaviour of the fixture server seen?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use common::fixture::{Fixture, Http, TOOLS, program, refused};
use common::{arg, succeed};

/// N15: bundle, server, import: the same catalog.json, over both transports, on one page and on several.
#[test]
fn every_byte_comes_back() {
    let fixture = Fixture::new();
    for flags in [&[][..], &["--page-size", "2"], &["--page-size", "1"]] {
        for (code, stdout, stderr) in [fixture.served(flags), fixture.over_http(flags)] {
            assert_eq!(code, Some(0), "{stderr}");
            assert!(
                stdout.contains("catalog.json: 5 tools") && stdout.contains("listed twice: the same bytes"),
                "{stdout}"
            );
            assert_eq!(stdout.contains("on 3 pages"), flags == ["--page-size", "2"], "{stdout}");
            assert_eq!(fixture.catalog("out"), fixture.catalog("c"));
            let raw = std::fs::read_to_string(fixture.path("out/raw/list-1.json")).unwrap();
            assert!(TOOLS.iter().all(|tool| raw.contains(tool)), "{raw}");
        }
    }
    let about = std::fs::read_to_string(fixture.path("out/corpus.toml")).unwrap();
    assert!(
        about.starts_with("name = \"deferbench-fixture\"\nversion = \"") && about.contains("\nsource = \""),
        "{about}"
    );
}

/// N15: a generated catalog comes back as it is, larger than any buffer on the way.
#[test]
fn a_generated_catalog_comes_back() {
    let fixture = Fixture::new();
    let spec = "gen(tools=1000,seed=3)";
    succeed(&["generate", "--tools", "1000", "--seed", "3", "--out", arg(&fixture.path("g"))]);
    let program = program();
    let (code, _, stderr) = fixture.import(20, &["--", arg(&program), "serve", spec, "--page-size", "300"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(fixture.catalog("out"), fixture.catalog("g"));
    let server = Http::start(Path::new(spec), &[]);
    assert_eq!(fixture.import(20, &[&server.url]).0, Some(0));
    assert_eq!(fixture.catalog("out"), fixture.catalog("g"));
}

/// N15: each misbehaviour of the table is seen.
#[test]
fn misbehaviours_are_named() {
    let fixture = Fixture::new();
    refused(
        fixture.served(&["--broken-page", "1"]),
        &["answered tools/list with something else than a JSON-RPC message"],
    );
    refused(
        fixture.served(&["--page-size", "2", "--broken-page", "3"]),
        &["answered tools/list (page 3) with something else than a JSON-RPC message"],
    );
    refused(fixture.over_http(&["--broken-page", "1"]), &["answered tools/list with something else"]);
    for answer in [fixture.served(&["--slow-list", "2500"]), fixture.over_http(&["--slow-list", "2500"])] {
        refused(answer, &["did not answer tools/list within 2 s; --timeout SECONDS gives it more"]);
    }
    refused(
        fixture.served(&["--duplicate-names"]),
        &["tools 0 and 5 (from 0) are both named \"a_b\"", "raw/list-1.json"],
    );
    let (code, stdout, stderr) = fixture.served(&["--banner"]);
    assert_eq!((code, stdout.contains("the same bytes")), (Some(0), true), "{stderr}");
    assert!(
        stderr.contains("1 line was no JSON-RPC answer and skipped") && stderr.contains("ready to serve"),
        "{stderr}"
    );
    let (code, stdout, stderr) = fixture.over_http(&["--list-changed-after", "0"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("the second listing differs:\n  removed 1: f\n"), "{stdout}");
    let (_, _, stderr) = fixture.served(&["--list-changed-after", "0"]);
    assert!(stderr.contains("said while it was listed that its list changed"), "{stderr}");
    let (code, stdout, _) = fixture.over_http(&["--reorder=4"]);
    assert!(code == Some(0) && stdout.contains("the second listing differs:\n  moved "), "{stdout}");
    let orders = ["1", "1", "2"].map(|n| {
        fixture.served(&["--reorder=4", "--session", n]);
        fixture.catalog("out")
    });
    assert!(orders[0] == orders[1] && orders[0] != orders[2], "an order follows from seed and session");
    let all = deferbench_corpora::fixture_server::MISBEHAVIOURS;
    let help = succeed(&["serve", "--help"]);
    assert!(all.len() == 8 && all.iter().all(|row| help.contains(&format!("--{}", row.name))), "{help}");
    refused(fixture.served(&["--page-size", "0"]), &["ended before it answered initialize (exit status: 2)"]);
}

/// N15: calls are answered with the same data always, and the list changes when it should.
#[test]
fn calls_are_answered() {
    let fixture = Fixture::new();
    let mut command = Command::new(program());
    command.arg("serve").arg(fixture.path("c")).args(["--list-changed-after", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut input = child.stdin.take().unwrap();
    // Everything up to the answer of a request, and with `told` up to a notification too.
    let mut ask = |body: &str, id: u32, told: bool| {
        writeln!(input, "{body}").unwrap();
        let mut out = String::new();
        while !out.contains(&format!("\"id\":{id},")) || told && !out.contains("notifications/tools/list_changed") {
            out.push_str(&lines.next().unwrap().unwrap());
        }
        out
    };
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let started = ask(hello, 1, false);
    assert!(
        started.contains(r#""protocolVersion":"2025-11-25""#) && started.contains("deferbench-fixture"),
        "{started}"
    );
    let call = |id: u32, name: &str| {
        let arguments = r#"{"b":1.0,"a":[2]}"#;
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
        )
    };
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let first = ask(&format!("{initialized}\n{}", call(2, "f")), 2, false);
    assert!(first.contains(r#""text":"f {\"a\":[2],\"b\":1}""#) && !first.contains("list_changed"), "{first}");
    let unknown = ask(&call(3, "nobody"), 3, false);
    assert!(unknown.contains(r#""code":-32602"#) && unknown.contains("unknown tool"), "{unknown}");
    let second = ask(&call(4, "f"), 4, true);
    assert!(second.contains(r#""text":"f "#), "{second}");
    let list = ask(r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#, 5, false);
    assert!(!list.contains(TOOLS[4]) && list.contains(TOOLS[3]), "{list}");
    let gone = ask(&call(6, "f"), 6, false);
    assert!(gone.contains("unknown tool"), "{gone}");
    drop(input);
    assert!(child.wait().unwrap().success());
}
