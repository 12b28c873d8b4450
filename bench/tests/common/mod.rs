//! What do the integration tests share?
//!
//! The program itself, a bundle written on the spot, and the folder of shared data that lies beside the workspace. A test
//! that needs that folder says whether it ran, on standard error past the capture of the test harness:
//!
//! ```text
//! data test ran: seed::the_published_tables
//! data test skipped: seed::the_published_tables: no <path>
//! ```
//!
//! | variable | meaning |
//! |---|---|
//! | `DEFERBENCH_SHARED` | the shared folder, in place of `shared` beside the workspace |
//! | `DEFERBENCH_REQUIRE_DATA=1` | a missing folder is a failure |
//! | `DEFERBENCH_DATA_LOG` | a file that gets the same lines, one appended for each test |

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses a part of this; a failure here is a failed test"
)]

pub mod fixture;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use assert_cmd::Command;
use serde_json::Value;

/// The program under test, without the variables of this test's own environment that could change what it prints.
pub fn deferbench() -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("deferbench");
    command.env_remove("RUST_BACKTRACE").env_remove("NO_COLOR");
    command
}

/// Runs the program with a successful end and gives standard output.
pub fn succeed<S: AsRef<OsStr>>(args: &[S]) -> String {
    let output = deferbench().args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Writes `catalog.json`, where there are queries `queries.jsonl`, and a `corpus.toml` that names the corpus.
pub fn bundle(folder: &Path, name: &str, tools: &[String], queries: &[String]) {
    std::fs::create_dir_all(folder).unwrap();
    let write = |file: &str, text: String| std::fs::write(folder.join(file), text).unwrap();
    write("catalog.json", format!("{{\"tools\":[\n{}\n]}}\n", tools.join(",\n")));
    if !queries.is_empty() {
        write("queries.jsonl", queries.iter().map(|q| format!("{q}\n")).collect());
    }
    write("corpus.toml", format!("name = {name:?}\n"));
}

/// A path as an argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder of `shared/data`; none, and a line that says so, when it is absent.
#[track_caller]
pub fn data(sub: &str) -> Option<PathBuf> {
    shared(&Path::new("data").join(sub))
}

/// A file of `shared/reference`; none, and a line that says so, when it is absent.
#[track_caller]
pub fn reference(file: &str) -> Option<PathBuf> {
    shared(&Path::new("reference").join(file))
}

#[track_caller]
fn shared(below: &Path) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = std::env::var_os("DEFERBENCH_SHARED").map_or_else(beside, PathBuf::from).join(below);
    let test = test_name();
    if path.exists() {
        note(&format!("data test ran: {test}"));
        return Some(path);
    }
    let required = std::env::var_os("DEFERBENCH_REQUIRE_DATA").is_some_and(|v| v == "1");
    assert!(!required, "{test}: DEFERBENCH_REQUIRE_DATA is 1, and there is no {}", path.display());
    note(&format!("data test skipped: {test}: no {}", path.display()));
    None
}

/// Says that a test ran which needs more than this repository.
#[track_caller]
pub fn ran() {
    note(&format!("data test ran: {}", test_name()));
}

/// Says why a test did not run which needs more than this repository and its data: programs or packages of others.
#[track_caller]
pub fn skipped(reason: &str) {
    note(&format!("data test skipped: {}: {reason}", test_name()));
}

/// File and test function. With one test thread the harness does not name the thread: then file and line.
#[track_caller]
fn test_name() -> String {
    let place = Location::caller();
    let file = Path::new(place.file()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match std::thread::current().name() {
        Some(test) if test != "main" => format!("{file}::{test}"),
        _ => format!("{file}::line {}", place.line()),
    }
}

/// Says a line once, past the capture of the test harness, and into the log where one is wanted.
fn note(line: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if !SAID.lock().unwrap().insert(line.to_string()) {
        return;
    }
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
    if let Some(log) = std::env::var_os("DEFERBENCH_DATA_LOG") {
        let mut log = OpenOptions::new().create(true).append(true).open(log).unwrap();
        log.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}
