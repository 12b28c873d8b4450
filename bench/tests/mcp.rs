//! Does a catalog survive a real MCP connection, and is every misbehaviour of a server named?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{arg, deferbench, succeed};

/// Members, numbers and escapes that a typed client would change or drop.
const TOOLS: [&str; 5] = [
    r#"{"name":"a_b","description":"Ünï \u00e9 \"q\"\n","inputSchema":{"type":"object","properties":{"z":{"enum":[1e3,-0,1.0,123456789012345678901234567890]},"a":{}}},"server":"s"}"#,
    r#"{"name":"c","inputSchema":{},"annotations":{"title":null},"execution":{"taskSupport":"optional"},"_meta":{"z":1E5,"a":1}}"#,
    r#"{"name":"d","description":"","inputSchema":{"x-own":[1.50,{"\/":"\u0001deferbench:"}]},"outputSchema":{"b":1,"a":2},"unknown":[null]}"#,
    r#"{"name":"e","description":"Last but one.","inputSchema":{"type":"object"},"icons":[]}"#,
    r#"{"name":"f","inputSchema":{"type":"object"}}"#,
];

struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{{\"tools\":[\n{}\n]}}\n", TOOLS.join(",\n"));
        std::fs::create_dir(folder.path().join("c")).unwrap();
        std::fs::write(folder.path().join("c/catalog.json"), text).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn catalog(&self, bundle: &str) -> String {
        std::fs::read_to_string(self.path(bundle).join("catalog.json")).unwrap()
    }

    /// Imports a program: code, standard output, standard error.
    fn import(&self, timeout: u64, command: &[&str]) -> (Option<i32>, String, String) {
        let (out, timeout) = (self.path("out"), timeout.to_string());
        let args = [&["import", "mcp", "--timeout", &timeout, "--out", arg(&out)], command].concat();
        let output = deferbench().args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Imports the fixture server over standard input and output.
    fn served(&self, flags: &[&str]) -> (Option<i32>, String, String) {
        let (program, corpus) = (program(), self.path("c"));
        self.import(2, &[&["--", arg(&program), "serve", arg(&corpus)], flags].concat())
    }

    /// Imports the fixture server over HTTP.
    fn over_http(&self, flags: &[&str]) -> (Option<i32>, String, String) {
        let server = Http::start(&self.path("c"), flags);
        self.import(2, &[&server.url])
    }

    /// A script as a server.
    fn script(&self, text: &str) -> PathBuf {
        let path = self.path("server.py");
        std::fs::write(&path, format!("import sys, time, json\nout = sys.stdout\n{text}")).unwrap();
        path
    }
}

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("deferbench").to_path_buf()
}

/// A fixture server over HTTP; it ends with the value.
struct Http {
    child: Child,
    url: String,
}

impl Http {
    fn start(corpus: &Path, flags: &[&str]) -> Self {
        let mut command = Command::new(program());
        command.arg("serve").arg(corpus).args(["--http", "127.0.0.1:0"]).args(flags).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Self { child, url: url.trim().to_string() }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn refused((code, stdout, stderr): (Option<i32>, String, String), parts: &[&str]) {
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    let last = stderr.lines().last().unwrap();
    assert!(last.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(last.contains(part), "{part:?} in {last}");
    }
}

/// Python is what the servers of these tests are written in.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("skipped: no python3");
    }
    there
}

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

/// N14: a server that hangs, floods, dies or answers nonsense gives one message that says so, and is ended.
#[test]
fn bad_servers_are_named() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    let hello = r#"line = sys.stdin.readline()
def say(text): out.write(text + "\n"); out.flush()
say('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}')
sys.stdin.readline(); sys.stdin.readline()
"#;
    let cases: [(&str, String, &[&str]); 12] = [
        (
            "hangs",
            "sys.stderr.write('loading the model\\n'); sys.stderr.flush(); time.sleep(60)".into(),
            &["did not answer initialize within 2 s", "its last line on standard error: \"loading the model\""],
        ),
        (
            "talks",
            "out.write('Hello!\\nWorld\\n'); out.flush(); time.sleep(60)".into(),
            &[
                "did not answer initialize within 2 s (2 lines were no JSON-RPC answer and skipped, the first: \"Hello!\")",
            ],
        ),
        (
            "floods",
            "while True: out.write('spam\\n' * 1000)".into(),
            &["sent more than 10000 lines or 256 MiB while initialize"],
        ),
        (
            "long",
            "while True: out.write('x' * (1 << 20))".into(),
            &["sent a message of more than 64 MiB while initialize"],
        ),
        (
            "dies",
            "sys.stderr.write('no key\\n'); sys.exit(3)".into(),
            &["ended before it answered initialize (exit status: 3)", "\"no key\""],
        ),
        ("dies later", format!("{hello}sys.exit(0)"), &["ended before it answered tools/list (exit status: 0)"]),
        (
            "refuses",
            format!(
                "{hello}say('{{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{{\"code\":-32603,\"message\":\"no\\\\nluck\"}}}}')"
            ),
            &["answered tools/list with error -32603: no luck"],
        ),
        (
            "no tools",
            format!("{hello}say('{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":7}}}}')"),
            &["answered tools/list with something else than an object with the array \"tools\""],
        ),
        (
            "a bad tool",
            format!(
                "{hello}say('{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":[{{\"name\":\"t\",\"inputSchema\":[]}}]}}}}')"
            ),
            &["tool 0 (from 0), \"t\": ", "a JSON Schema object, found []"],
        ),
        (
            "empty",
            format!("{hello}say('{{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{{\"tools\":[]}}}}')\nsys.stdin.readline()"),
            &["the server lists no tools"],
        ),
        (
            "circle",
            format!(
                "{hello}for i in range(2, 5): say(json.dumps({{'jsonrpc':'2.0','id':i,'result':{{'tools':[],'nextCursor':'a'}}}}))\ntime.sleep(9)"
            ),
            &["page 2 of tools/list leads to the cursor \"a\" again"],
        ),
        (
            "for ever",
            format!(
                "{hello}for i in range(2, 1100): say(json.dumps({{'jsonrpc':'2.0','id':i,'result':{{'tools':[],'nextCursor':str(i)}}}}))\ntime.sleep(9)"
            ),
            &["lists more than 1000 pages"],
        ),
    ];
    for (name, text, parts) in cases {
        let script = fixture.script(&text);
        let begun = Instant::now();
        let answer =
            fixture.import(if name == "long" || name == "for ever" { 20 } else { 2 }, &["--", "python3", arg(&script)]);
        println!("{name}: {}", answer.2);
        refused(answer, parts);
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}");
    }
    refused(fixture.import(2, &["--", "no-such-program"]), &["no-such-program: cannot be started", "is installed"]);
    refused(
        fixture.import(2, &["http://127.0.0.1:1/mcp"]),
        &["http://127.0.0.1:1/mcp: initialize could not be sent: "],
    );
    refused(fixture.import(2, &["ftp://x"]), &["begins with http:// or https://"]);
    refused(fixture.import(2, &[]), &["import mcp needs a server"]);
    refused(fixture.import(2, &["tools.json"]), &["import json FILE"]);
    let server = Http::start(&fixture.path("c"), &[]);
    refused(fixture.import(2, &[&server.url, "--", "x"]), &["import mcp needs a server"]);
}

/// N14: what a server starts ends with it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_stays_behind() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    let pid = fixture.path("pid");
    let text = format!(
        "import subprocess\nchild = subprocess.Popen(['sleep', '60'], stdout=out)\nopen({:?}, 'w').write(str(child.pid))\ntime.sleep(60)",
        arg(&pid)
    );
    let script = fixture.script(&text);
    refused(fixture.import(2, &["--", "python3", arg(&script)]), &["did not answer initialize"]);
    let pid = std::fs::read_to_string(pid).unwrap();
    let gone = || std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |s| s.contains(") Z "));
    let until = Instant::now() + Duration::from_secs(5);
    while !gone() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(gone(), "{pid} still runs");
}

/// N14: published servers, listed twice; skipped where they cannot be installed.
#[test]
fn published_servers() {
    const SERVERS: [(&str, usize); 5] = [
        ("modelcontextprotocol-server-everything", 13),
        ("modelcontextprotocol-server-filesystem", 14),
        ("modelcontextprotocol-server-memory", 9),
        ("mcp-server-time", 2),
        ("mcp-server-git", 12),
    ];
    for tool in [&["npm", "--version"][..], &["python3", "-c", "import venv, pip"], &["bash", "--version"]] {
        if !Command::new(tool[0]).args(&tool[1..]).output().is_ok_and(|o| o.status.success()) {
            return common::skipped(&format!("no {}", tool[0]));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (cache, out) = (Path::new(env!("CARGO_TARGET_TMPDIR")).join("harvest"), tempfile::tempdir().unwrap());
    let mut harvest = Command::new("bash");
    harvest.arg(root.join("scripts/harvest")).arg("--installs").arg(cache).arg("--out").arg(out.path());
    let output = harvest.env("DEFERBENCH", program()).current_dir(&root).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    if let Some(line) = table.lines().find(|line| line.contains("cannot be installed")) {
        return common::skipped(line.trim());
    }
    assert!(output.status.success(), "{table}");
    assert_eq!(table.lines().count(), SERVERS.len() + 1, "{table}");
    for (folder, least) in SERVERS {
        // The servers grow; what they had when this was written is the least.
        let folder = out.path().join(folder);
        let corpus = deferbench_corpora::open(arg(&folder), &Default::default()).unwrap();
        assert!(corpus.catalog.len() >= least, "{table}");
        assert!(corpus.catalog.tools().iter().all(|t| t.server().is_some()));
        let raw = |n: u32| std::fs::read_to_string(folder.join(format!("raw/list-{n}.json"))).unwrap();
        assert_eq!(raw(1).trim_end().lines().count(), raw(2).trim_end().lines().count());
        assert!(corpus.catalog.tools().iter().all(|t| raw(1).contains(t.schema_json())), "schemas as spelled");
    }
    // The packages whose listing is fixed: two listings, one text.
    assert!(table.lines().filter(|line| line.contains("the same bytes")).count() >= 4, "{table}");
    common::ran();
}
