//! Are the three seed tables those of the independent reference, to the byte?
//!
//! `tests/data/seed_run` was made by `tests/oracle/seed_run.py` from the reference program; the expected tables lie in
//! the shared folder, and the lines below are copied from them for machines without it.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::Path;

use deferbench_reports::Run;
use deferbench_reports::render::{OutputFile, RenderError, renderer};

fn run() -> Run {
    Run::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seed_run")).unwrap()
}

fn files(name: &str, run: &Run) -> Vec<(String, String)> {
    let made: Vec<OutputFile> = (renderer(name).unwrap().files)(run).unwrap();
    made.into_iter().map(|file| (file.name, String::from_utf8(file.bytes).unwrap())).collect()
}

#[test]
fn the_files_are_those_of_the_reference() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/seed-benchmark");
    if !shared.exists() {
        println!("skipped: {} is absent", shared.display());
        return;
    }
    let made = files("seed", &run());
    assert_eq!(made.len(), 3);
    for (name, text) in made {
        let expected = shared.join(name.replace("seed", "expected"));
        assert_eq!(text, std::fs::read_to_string(expected).unwrap(), "{name}");
    }
}

#[test]
fn lines_of_the_published_tables_are_there() {
    let made = files("seed", &run());
    let expected = [
        ("seed.csv", "100,40,60,14199,127,99.1,237,98.3,100.0,100.0,1,2.0,yes"),
        ("seed_single.csv", "capability-10,624"),
        ("seed_sessions.csv", "registry,1,0,0,127,"),
        ("seed_sessions.csv", "sorted,1,5,5,1236,100.0"),
    ];
    for (name, line) in expected {
        let (_, text) = made.iter().find(|(made, _)| made == name).unwrap();
        assert!(text.lines().any(|other| other == line), "{line} is not in {name}:\n{text}");
    }
}

#[test]
fn a_selection_that_changes_on_repetition_is_not_stable() {
    let (manifest, mut scores, timings) = run().into_parts();
    let cell = scores.sessions.iter_mut().find(|cell| cell.corpus == "mix-10" && cell.script == "one-selection");
    cell.unwrap().requests[2].tools.units += 1;
    let made = files("seed", &Run::new(manifest, scores, timings));
    let line = made[0].1.lines().nth(1).unwrap().to_owned();
    assert!(line.starts_with("10,") && line.ends_with(",no"), "{line}");
}

#[test]
fn a_missing_part_is_named() {
    let (manifest, mut scores, timings) = run().into_parts();
    scores.sessions.retain(|cell| cell.script != "one-call" || cell.corpus != "mix-50");
    let run = Run::new(manifest, scores, timings);
    for name in ["seed", "table", "markdown"] {
        let error = (renderer(name).unwrap().files)(&run).unwrap_err();
        assert!(matches!(&error, RenderError::SeedCell { corpus, .. } if corpus == "mix-50"), "{error}");
        assert!(error.to_string().contains("script one-call, policy cumulative, order registry, limit 1"), "{error}");
    }
}

#[test]
fn another_scenario_has_no_seed_files() {
    let (manifest, mut scores, timings) = run().into_parts();
    scores.scenario = "default".to_owned();
    assert_eq!(files("seed", &Run::new(manifest, scores, timings)), []);
}

#[test]
fn the_tables_can_be_read() {
    insta::assert_snapshot!("seed_table", files("table", &run())[0].1);
    insta::assert_snapshot!("seed_markdown", files("markdown", &run())[0].1);
}
