//! How do the tests of the MCP path run servers and import them?

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{arg, deferbench};

/// Members, numbers and escapes that a typed client would change or drop.
pub const TOOLS: [&str; 5] = [
    r#"{"name":"a_b","description":"Ünï \u00e9 \"q\"\n","inputSchema":{"type":"object","properties":{"z":{"enum":[1e3,-0,1.0,123456789012345678901234567890]},"a":{}}},"server":"s"}"#,
    r#"{"name":"c","inputSchema":{},"annotations":{"title":null},"execution":{"taskSupport":"optional"},"_meta":{"z":1E5,"a":1}}"#,
    r#"{"name":"d","description":"","inputSchema":{"x-own":[1.50,{"\/":"\u0001deferbench:"}]},"outputSchema":{"b":1,"a":2},"unknown":[null]}"#,
    r#"{"name":"e","description":"Last but one.","inputSchema":{"type":"object"},"icons":[]}"#,
    r#"{"name":"f","inputSchema":{"type":"object"}}"#,
];

/// A bundle of [`TOOLS`] and a folder for what is imported.
pub struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    /// Writes the bundle.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{{\"tools\":[\n{}\n]}}\n", TOOLS.join(",\n"));
        std::fs::create_dir(folder.path().join("c")).unwrap();
        std::fs::write(folder.path().join("c/catalog.json"), text).unwrap();
        Self { folder }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The catalog.json of a bundle in the folder.
    pub fn catalog(&self, bundle: &str) -> String {
        std::fs::read_to_string(self.path(bundle).join("catalog.json")).unwrap()
    }

    /// Imports a program: code, standard output, standard error.
    pub fn import(&self, timeout: u64, command: &[&str]) -> (Option<i32>, String, String) {
        let (out, timeout) = (self.path("out"), timeout.to_string());
        // Another server is another bundle, which an import does not write over.
        let _ = std::fs::remove_dir_all(&out);
        let args = [&["import", "mcp", "--timeout", &timeout, "--out", arg(&out)], command].concat();
        let output = deferbench().args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Imports the fixture server over standard input and output.
    pub fn served(&self, flags: &[&str]) -> (Option<i32>, String, String) {
        let (program, corpus) = (program(), self.path("c"));
        self.import(2, &[&["--", arg(&program), "serve", arg(&corpus)], flags].concat())
    }

    /// Imports the fixture server over HTTP.
    pub fn over_http(&self, flags: &[&str]) -> (Option<i32>, String, String) {
        let server = Http::start(&self.path("c"), flags);
        self.import(2, &[&server.url])
    }

    /// A script as a server.
    pub fn script(&self, text: &str) -> PathBuf {
        let path = self.path("server.py");
        std::fs::write(&path, format!("import sys, time, json\nout = sys.stdout\n{text}")).unwrap();
        path
    }
}

/// The program under test.
pub fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("deferbench").to_path_buf()
}

/// A fixture server over HTTP; it ends with the value.
pub struct Http {
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub url: String,
}

impl Http {
    /// Starts one at a free port.
    pub fn start(corpus: &Path, flags: &[&str]) -> Self {
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

/// A refusal: code 2, nothing on standard output, one message with these parts.
pub fn refused((code, stdout, stderr): (Option<i32>, String, String), parts: &[&str]) {
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    let last = stderr.lines().last().unwrap();
    assert!(last.starts_with("error: "), "{stderr}");
    for part in parts {
        assert!(last.contains(part), "{part:?} in {last}");
    }
}

/// Python is what the servers of these tests are written in.
pub fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success());
    if !there {
        eprintln!("skipped: no python3");
    }
    there
}
