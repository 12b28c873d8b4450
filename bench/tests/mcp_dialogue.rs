//! Is a server heard that speaks and asks while it is listed, and refused at once when its answers are none?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::arg;
use common::fixture::{Fixture, Http, python, refused};

/// Seconds in which a server may answer: more than a test takes that does not wait for them.
const TIMEOUT: u64 = 120;

/// What both servers answer, by mode.
const ANSWERS: &str = r#"
def answer(mode, asked):
    first = asked['method'] == 'initialize'
    result = {'protocolVersion': '2025-06-18', 'serverInfo': {'name': 'py', 'version': '1'}} if first else {'tools': [{'name': 't', 'inputSchema': {}}]}
    out = {'jsonrpc': '2.0', 'id': asked['id'], 'result': result}
    if mode == 'null': out['result'] = None
    if mode == 'null later' and not first: out['result'] = None
    if mode == 'neither': del out['result']
    if mode == 'text id': out['id'] = str(asked['id'])
    if mode == 'no id': out['id'] = None
    if mode == 'other id': out['id'] = 99
    text = json.dumps([out] if mode == 'batch' else out).encode()
    return text.replace(b'"t"', b'"t\xff"') if mode == 'latin' else text
says = [{'jsonrpc': '2.0', 'method': 'notifications/message', 'params': {'level': 'info', 'data': 'x'}},
    {'jsonrpc': '2.0', 'id': 's1', 'method': 'ping'}, {'jsonrpc': '2.0', 'id': 1, 'method': 'roots/list'}]
def fits(heard): return {'s1': heard.get('s1', {}).get('result'), 1: heard.get(1, {}).get('error', {}).get('code')} == {'s1': {}, 1: -32601}
"#;

/// A server over standard input and output; in the mode `talks` it lists its tools only to a client that answers it.
fn over_stdio(fixture: &Fixture, mode: &str) -> (Option<i32>, String, String) {
    let text = r#"
out, heard = sys.stdout.buffer, {}
def say(text): out.write(text + b'\n'); out.flush()
for line in sys.stdin:
    asked = json.loads(line)
    if 'method' not in asked: heard[asked['id']] = asked
    elif 'id' not in asked: pass
    else:
        if mode == 'talks' and asked['method'] == 'initialize': [say(json.dumps(m).encode()) for m in says]
        if mode == 'talks' and asked['method'] == 'tools/list' and not fits(heard): sys.exit(7)
        say(answer(mode, asked))
"#;
    let script = fixture.script(&format!("{ANSWERS}mode = {mode:?}\n{text}"));
    fixture.import(TIMEOUT, &["--", "python3", arg(&script)])
}

/// The same over HTTP, as events.
fn over_http(fixture: &Fixture, mode: &str) -> (Option<i32>, String, String) {
    let text = r#"
import http.server
heard = {}
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *args): pass
    def send(self, status, kind, body):
        self.send_response(status); self.send_header('content-type', kind)
        self.send_header('content-length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        if 'method' not in asked: heard[asked['id']] = asked
        if 'method' not in asked or 'id' not in asked: return self.send(202, 'text/plain', b'')
        if mode == 'talks' and asked['method'] == 'tools/list' and not fits(heard): return self.send(500, 'text/plain', b'')
        first = says if mode == 'talks' and asked['method'] == 'initialize' else []
        body = b''.join(b'data: ' + m + b'\n\n' for m in [json.dumps(m).encode() for m in first] + [answer(mode, asked)])
        self.send(200, 'text/event-stream', body)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"#;
    let script = fixture.script(&format!("{ANSWERS}mode = {mode:?}\n{text}"));
    let mut child = Command::new("python3").arg(script).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut port = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let server = Http { child, url: format!("http://127.0.0.1:{}/", port.trim()) };
    fixture.import(TIMEOUT, &[&server.url])
}

/// N14: log messages, pings and requests of a server are legal, and answered where an answer is owed.
#[test]
fn a_server_speaks_and_asks() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    for (code, stdout, stderr) in [over_stdio(&fixture, "talks"), over_http(&fixture, "talks")] {
        assert!(code == Some(0) && stdout.contains(": 1 tools\n"), "{stdout}{stderr}");
        assert_eq!(stderr, "", "nothing that it said was odd");
    }
}

/// N14: an answer that is none is named when it comes, and not when the time is over.
#[test]
fn wrong_answers_are_refused_at_once() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    let cases: [(&str, &[&str]); 7] = [
        ("null", &["answered initialize with something else than a protocolVersion and a serverInfo", "null"]),
        ("null later", &["answered tools/list with something else than an object with the array \"tools\"", "null"]),
        ("neither", &["answered initialize with something else than a result"]),
        ("text id", &["answered initialize under another id: found \"1\", expected 1"]),
        ("no id", &["answered initialize under another id: found null, expected 1"]),
        ("other id", &["answered initialize under another id: found 99, expected 1"]),
        ("batch", &["answered initialize with something else than a JSON-RPC message: an array"]),
    ];
    for (mode, parts) in cases {
        for server in [over_stdio, over_http] {
            let begun = Instant::now();
            refused(server(&fixture, mode), parts);
            assert!(begun.elapsed() < Duration::from_secs(TIMEOUT / 2), "{mode}");
        }
    }
}

/// N14: bytes that are not UTF-8 are refused with their place, and never replaced in what is kept.
#[test]
fn another_encoding_is_refused() {
    if !python() {
        return;
    }
    let fixture = Fixture::new();
    // {"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "t stands before the wrong byte.
    let place = r#"{"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "t"#.len();
    let parts =
        |place: usize| ["while tools/list was asked".to_string(), format!("not UTF-8 (byte {place} of its line")];
    for (answer, place) in
        [(over_stdio(&fixture, "latin"), place), (over_http(&fixture, "latin"), "data: ".len() + place)]
    {
        refused(answer, &parts(place).each_ref().map(String::as_str));
        assert!(!fixture.path("out/raw/list-1.json").exists(), "nothing is kept");
    }
}
