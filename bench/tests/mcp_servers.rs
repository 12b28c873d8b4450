//! Are real servers imported, and is it named what a bad one does?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::arg;
use common::fixture::{Fixture, Http, program, python, refused};

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

/// N14: a server of the protocol without a handshake is asked in its own way.
#[test]
fn a_server_without_a_handshake() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    let text = r#"
for line in sys.stdin:
    asked = json.loads(line)
    answer = {'jsonrpc': '2.0', 'id': asked['id']}
    meta = asked['params'].get('_meta', {})
    if asked['method'] == 'server/discover':
        answer['result'] = {'supportedVersions': ['2026-07-28'], 'capabilities': {}, '_meta': {'io.modelcontextprotocol/serverInfo': {'name': 'new', 'version': '3'}}}
    elif asked['method'] == 'tools/list' and meta.get('io.modelcontextprotocol/protocolVersion') == '2026-07-28':
        page = asked['params'].get('cursor')
        answer['result'] = {'tools': [{'name': page or 'a', 'inputSchema': {}}]}
        if not page: answer['result']['nextCursor'] = 'b'
    else: answer['error'] = {'code': -32601, 'message': 'no ' + asked['method']}
    print(json.dumps(answer), flush=True)
"#;
    let script = fixture.script(text);
    let (code, stdout, stderr) = fixture.import(2, &["--", "python3", arg(&script)]);
    assert!(
        code == Some(0) && stdout.contains(": 2 tools on 2 pages\nlisted twice: the same bytes"),
        "{stdout}{stderr}"
    );
    let about = std::fs::read_to_string(fixture.path("out/corpus.toml")).unwrap();
    assert!(about.starts_with("name = \"new\"\nversion = \"3\"\n") && about.contains("protocol 2026-07-28"), "{about}");
    let script = fixture.script(&text.replace("server/discover", "nothing"));
    refused(
        fixture.import(2, &["--", "python3", arg(&script)]),
        &["answered initialize with error -32601: no initialize"],
    );
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

/// N14: answers as JSON and as events, and addresses behind which there is no MCP server.
#[test]
fn other_servers_over_http() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    // The path says how the server answers.
    let text = r#"
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *args): pass
    def send(self, status, kind, body):
        self.send_response(status); self.send_header('content-type', kind); self.send_header('location', '/there')
        self.send_header('content-length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        if 'id' not in asked: return self.send(202, 'text/plain', b'')
        result = {'tools': [{'name': 't', 'inputSchema': {}}]} if asked['id'] > 1 else {'protocolVersion': '2025-06-18', 'serverInfo': {'name': 'py', 'version': '1'}}
        body = json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': result})
        if self.path == '/json': self.send(200, 'application/json', body.encode())
        elif self.path == '/events':
            text = ': hello\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\r\n\r\ndata: ' + body.replace(', "id"', ',\r\ndata: "id"') + '\r\n\r\n'
            self.send(200, 'text/event-stream', text.encode())
        elif self.path == '/cut': self.send(200, 'text/event-stream', b'data: {"jsonrpc"')
        elif self.path == '/page': self.send(200, 'text/html', b'<p>')
        elif self.path == '/moved': self.send(301, 'text/html', b'')
        elif self.path == '/hangs': time.sleep(5)
        else: self.send(404, 'text/plain', b'nothing\nhere')
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"#;
    let script = fixture.script(text);
    let mut child = Command::new("python3").arg(script).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let server = Http { child, url: format!("http://127.0.0.1:{}", port.trim()) };
    let import = |path: &str| fixture.import(2, &[&format!("{}{path}", server.url)]);
    for path in ["/json", "/events"] {
        let (code, stdout, stderr) = import(path);
        assert!(code == Some(0) && stdout.contains(": 1 tools\n"), "{path}: {stdout}{stderr}");
        assert_eq!(fixture.catalog("out"), "{\"tools\":[\n{\"name\":\"t\",\"inputSchema\":{},\"server\":\"py\"}\n]}\n");
        assert_eq!(stderr.contains("its list changed"), path == "/events", "{stderr}");
    }
    refused(import("/cut"), &["answered initialize with something else than a JSON-RPC message"]);
    refused(import("/page"), &["content type \"text/html\"", "application/json or text/event-stream"]);
    refused(import("/moved"), &["HTTP status 301: it has moved to /there"]);
    refused(import("/hangs"), &["did not answer initialize within 2 s"]);
    refused(import("/else"), &["answered initialize with HTTP status 404"]);
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
