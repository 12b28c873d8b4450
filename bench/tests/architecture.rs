//! Is the workspace built as it says: four crates, four arrows, one file and one line for each part?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use deferbench::{cli, counter, layout, lifecycle, log, metric, profiles, providers, scenario, script};
use deferbench_core::{compact, entry, lint, order, policy, rank, text};
use deferbench_corpora::generate::query;
use deferbench_corpora::import;
use deferbench_reports::render;
use serde_json::Value;

const CRATES: [&str; 4] = ["core", "corpora", "bench", "reports"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every `.rs` file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--format-version", "1", "--offline"]).current_dir(workspace());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Who depends on whom inside the workspace; `kind` is `None` for what the crate is built with.
fn arrows(metadata: &Value, kind: impl Fn(&Value) -> bool) -> BTreeSet<(String, String)> {
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let mut out = BTreeSet::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().unwrap().iter().filter(|d| kind(&d["kind"])) {
            let (from, to) = (package["name"].as_str().unwrap(), dependency["name"].as_str().unwrap());
            if names.contains(to) {
                out.insert((from.to_string(), to.to_string()));
            }
        }
    }
    out
}

/// The arrows are `bench -> corpora -> core`, `bench -> core`, `bench -> reports`, and no others.
#[test]
fn four_arrows_and_no_others() {
    let metadata = metadata();
    let expected = [
        ("deferbench", "deferbench-core"),
        ("deferbench", "deferbench-corpora"),
        ("deferbench", "deferbench-reports"),
        ("deferbench-corpora", "deferbench-core"),
    ];
    let expected: BTreeSet<_> = expected.map(|(a, b)| (a.to_string(), b.to_string())).into();
    assert_eq!(arrows(&metadata, Value::is_null), expected);
    // Tests and build scripts may use what the crate uses, and nothing else of the workspace.
    assert!(arrows(&metadata, |kind| !kind.is_null()).is_subset(&expected));
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["deferbench", "deferbench-core", "deferbench-corpora", "deferbench-reports"]));
}

/// The file of a registered name: `exact_name@1` is `exact_name`, `seed-json` is `seed_json`, `L1` is `l1`.
fn file_of(name: &str) -> String {
    name.split('@').next().unwrap_or(name).to_lowercase().replace(['-', '.'], "_")
}

/// Modules that a folder's `mod.rs` declares one by one, outside the macro: helpers, no parts.
fn helpers(folder: &Path) -> BTreeSet<String> {
    let text = read(&folder.join("mod.rs"));
    let name = |line: &str| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';').map(str::to_string);
    text.lines().filter_map(name).collect()
}

/// One file and one line: in every folder of parts the files are the registered names.
#[test]
fn every_part_is_one_file() {
    macro_rules! names {
        ($all:expr) => {
            $all.iter().map(|part| file_of(part.name)).collect::<Vec<String>>()
        };
    }
    let folders = [
        ("core/src/rank", names!(rank::RANKERS)),
        ("core/src/order", names!(order::ORDERS)),
        ("core/src/entry", names!(entry::ENTRIES)),
        ("core/src/policy", names!(policy::POLICIES)),
        ("core/src/text", names!(text::SPLITTERS)),
        ("core/src/compact", names!(compact::COMPACTIONS)),
        ("core/src/lint", names!(lint::RULES)),
        ("corpora/src/import", names!(import::IMPORTERS)),
        ("corpora/src/generate/query", names!(query::CLASSES)),
        ("bench/src/counter", names!(counter::COUNTERS)),
        ("bench/src/layout", names!(layout::LAYOUTS)),
        ("bench/src/log", names!(log::SHAPES)),
        ("bench/src/metric", names!(metric::METRICS)),
        ("bench/src/script", names!(script::SCRIPTS)),
        ("bench/src/cli", names!(cli::SUBCOMMANDS)),
        ("reports/src/render", names!(render::RENDERERS)),
    ];
    for (folder, registered) in folders {
        let path = workspace().join(folder);
        let mixed = ["bench/src/cli", "bench/src/log", "core/src/lint"].contains(&folder);
        let helpers = if mixed { helpers(&path) } else { BTreeSet::new() };
        let mut files = BTreeSet::new();
        for entry in std::fs::read_dir(&path).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let Some(stem) = name.strip_suffix(".rs") else { continue };
            if !["mod", "tests"].contains(&stem) && !helpers.contains(stem) {
                files.insert(stem.to_string());
            }
        }
        assert_eq!(registered.iter().cloned().collect::<BTreeSet<_>>(), files, "{folder}");
        assert_eq!(registered.len(), files.len(), "{folder}: a name is registered twice");
        assert!(!files.is_empty(), "{folder}");
    }
    for (folder, registered) in [
        ("bench/scenarios", scenario::BUILT_IN.iter().map(|(name, _)| name.to_string()).collect::<BTreeSet<_>>()),
        ("bench/providers", providers::BUILT_IN.iter().map(|(name, _)| name.to_string()).collect()),
        ("bench/profiles", profiles::BUILT_IN.iter().map(|(name, _)| name.to_string()).collect()),
        ("bench/lifecycle", lifecycle::TRACES.iter().map(|(name, _)| name.to_string()).collect()),
    ] {
        let files = std::fs::read_dir(workspace().join(folder)).unwrap().map(|e| e.unwrap().file_name());
        let stems = files.filter_map(|name| name.into_string().unwrap().strip_suffix(".toml").map(str::to_string));
        assert_eq!(registered, stems.collect(), "{folder}");
    }
    // What stands beside the subcommands is no subcommand of its own.
    let cli = workspace().join("bench/src/cli");
    for helper in helpers(&cli) {
        assert!(!read(&cli.join(format!("{helper}.rs"))).contains(": Subcommand ="), "{helper}");
    }
    assert!(read(&cli.join("run.rs")).contains(": Subcommand ="), "so a subcommand is declared");
}

/// Past 400 lines, tests aside, a file is split; `main.rs` stays under 60.
#[test]
fn files_stay_short() {
    let mut seen = 0;
    for path in CRATES.iter().flat_map(|c| sources(&workspace().join(c).join("src"))) {
        let text = read(&path);
        let lines = text.lines().take_while(|l| l.trim() != "#[cfg(test)]").count();
        assert!(lines <= 400, "{}: {lines} lines", path.display());
        seen += 1;
    }
    assert!(seen > 80, "{seen} files were looked at");
    let main = read(&workspace().join("bench/src/main.rs"));
    assert!(main.lines().count() < 60, "main.rs");
}

/// The names that `core` must not touch in a text: files, clock, environment, a random source without a seed.
fn outside_world(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let solid: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for module in ["fs", "time", "env"] {
        let grouped = |group: &str| {
            let group = group.split('}').next().unwrap_or_default();
            group.split(',').any(|item| item.split("::").next() == Some(module))
        };
        if solid.contains(&format!("std::{module}")) || solid.split("std::{").skip(1).any(grouped) {
            found.push(format!("std::{module}"));
        }
    }
    found.extend(["thread_rng", "tokio::", "staticmut"].iter().filter(|w| solid.contains(**w)).map(|w| w.to_string()));
    found
}

/// `core` has no files, no clock, no environment, no async runtime and no global state.
#[test]
fn core_touches_nothing_outside() {
    let files = sources(&workspace().join("core/src"));
    assert!(files.len() > 30, "{} files", files.len());
    for path in files {
        assert_eq!(outside_world(&read(&path)), Vec::<String>::new(), "{}", path.display());
    }
    assert_eq!(outside_world("use std::fs;"), ["std::fs"]);
    assert_eq!(outside_world("use std::{\n    collections::HashMap,\n    time::Instant,\n};"), ["std::time"]);
    assert_eq!(outside_world("use std::{fmt, str};"), Vec::<String>::new());
}
