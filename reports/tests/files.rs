//! Do result files come back as they were written, and do damaged ones say where and what to do?

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use deferbench_reports::Run;
use deferbench_reports::files::{FileError, scores_json, timings_json, write_atomically};
use deferbench_reports::manifest::{CellTiming, Timings};

fn sample() -> Run {
    Run::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seed_run")).unwrap()
}

/// An empty folder of that name, for one test.
fn empty(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(name);
    if dir.exists() {
        std::fs::remove_dir_all(&dir).unwrap();
    }
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A folder of that name with the sample run, and the path of one of its files.
fn saved(name: &str, file: &str) -> (PathBuf, PathBuf) {
    let dir = empty(name);
    sample().save(&dir).unwrap();
    let path = dir.join(file);
    (dir, path)
}

fn rewrite(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {}", path.display());
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_saved_run_comes_back_and_its_bytes_are_stable() {
    let (dir, path) = saved("a_saved_run_comes_back_and_its_bytes_are_stable", "scores.json");
    let first = std::fs::read(&path).unwrap();
    let again = Run::load(&dir).unwrap();
    assert_eq!(again, sample());
    assert_eq!(scores_json(again.scores()).unwrap(), first);
    assert!(first.ends_with(b"}\n"));
}

#[test]
fn every_share_comes_back_to_the_last_bit() {
    // The default parser of serde_json reads some of these one bit off; the feature `float_roundtrip` mends that.
    let shares: BTreeMap<String, Option<f64>> = (1..=120_u32)
        .flat_map(|whole| {
            (0..=whole).map(move |part| (format!("{part}/{whole}"), Some(f64::from(part) / f64::from(whole))))
        })
        .collect();
    let (manifest, mut scores, _) = sample().into_parts();
    scores.retrieval[0].queries[0].values = shares.clone();
    let dir = empty("every_share_comes_back_to_the_last_bit");
    Run::new(manifest, scores, None).save(&dir).unwrap();
    assert_eq!(Run::load(&dir).unwrap().scores().retrieval[0].queries[0].values, shares);
}

#[test]
fn a_row_is_a_line() {
    let text = String::from_utf8(scores_json(sample().scores()).unwrap()).unwrap();
    let rows = text.lines().filter(|line| line.trim_start().starts_with("{\"id\":\"capability-1\",")).count();
    assert_eq!(rows, 4);
    let requests = text.lines().filter(|line| line.trim_start().starts_with("{\"request\":")).count();
    // 4 sizes x (1 + 3 + 2), 8 sessions of 11, 10 single queries of 2
    assert_eq!(requests, 24 + 88 + 20);
}

#[test]
fn damage_is_placed() {
    let (dir, path) = saved("damage_is_placed", "scores.json");
    rewrite(&path, "\"needed\":1", "\"needed\":\"one\"");
    let line = std::fs::read_to_string(&path).unwrap().lines().position(|line| line.contains("\"one\"")).unwrap() + 1;
    let error = Run::load(&dir).unwrap_err();
    assert!(matches!(&error, FileError::Parse { line: found, .. } if *found == line), "{error}");
    let text = error.to_string();
    for part in ["scores.json", "invalid type: string \"one\", expected u64", "measure again"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn an_unknown_field_is_named() {
    let (dir, path) = saved("an_unknown_field_is_named", "manifest.json");
    rewrite(&path, "\"seed\":7", "\"sead\":7");
    let error = Run::load(&dir).unwrap_err().to_string();
    assert!(error.contains("manifest.json, line ") && error.contains("unknown field `sead`"), "{error}");
}

#[test]
fn a_truncated_file_is_damage_and_no_panic() {
    let (dir, path) = saved("a_truncated_file_is_damage_and_no_panic", "scores.json");
    let bytes = std::fs::read(&path).unwrap();
    for length in [0, 1, 100, bytes.len() / 2, bytes.len() - 3] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(matches!(Run::load(&dir), Err(FileError::Parse { .. })), "{length}");
    }
}

#[test]
fn another_schema_version_is_named_before_anything_else() {
    for file in ["manifest.json", "scores.json"] {
        let (dir, path) = saved(&format!("another_schema_version_is_named_before_anything_else_{file}"), file);
        std::fs::write(&path, "{\"a new field\": [], \"schema_version\": 2}").unwrap();
        let error = Run::load(&dir).unwrap_err();
        assert!(matches!(error, FileError::SchemaVersion { found: 2, supported: 1, .. }), "{error}");
        assert!(error.to_string().contains("found schema_version 2, this program reads 1"), "{error}");
    }
}

#[test]
fn a_missing_folder_and_an_unfinished_run_are_two_things() {
    let (dir, scores) = saved("a_missing_folder_and_an_unfinished_run_are_two_things", "scores.json");
    std::fs::remove_file(&scores).unwrap();
    let error = Run::load(&dir).unwrap_err();
    assert!(matches!(&error, FileError::Read { path, .. } if *path == scores), "{error}");
    rewrite(&dir.join("manifest.json"), "\"finished\"", "\"started\"");
    assert!(matches!(Run::load(&dir), Err(FileError::Unfinished { .. })));
    let nowhere = Run::load(&dir.join("nowhere")).unwrap_err().to_string();
    assert!(nowhere.contains("nowhere/manifest.json") && nowhere.contains("check the path"), "{nowhere}");
}

#[test]
fn what_is_no_number_cannot_be_written() {
    let spoil: [fn(&mut deferbench_reports::record::Scores, f64); 4] = [
        |scores, value| scores.retrieval[0].queries[2].overlap = Some(value),
        |scores, value| _ = scores.retrieval[1].queries[2].values.insert("hit@5".to_owned(), Some(value)),
        |scores, value| _ = scores.retrieval[0].names[3].values.insert("exact_name@1".to_owned(), Some(value)),
        |scores, value| scores.sessions[1].requests[1].prompt.coverage = Some(value),
    ];
    let places = [
        "corpus mix-10, ranker dsh, query capability-3, overlap",
        "corpus mix-30, ranker dsh, query capability-3, hit@5",
        "corpus mix-10, ranker dsh, tool ",
        "script one-selection, policy cumulative, order registry, request 1, prompt coverage",
    ];
    for (spoil, place) in spoil.iter().zip(places) {
        for value in [f64::NAN, f64::INFINITY] {
            let (_, mut scores, _) = sample().into_parts();
            spoil(&mut scores, value);
            let error = scores_json(&scores).unwrap_err().to_string();
            assert!(error.contains(place) && error.contains(&value.to_string()), "{error}");
        }
    }
}

#[test]
fn timings_are_written_apart_and_checked_too() {
    let (manifest, scores, _) = sample().into_parts();
    let mut timings = Timings {
        schema_version: 1,
        environment: manifest.environment.clone(),
        total_ms: 1.5,
        peak_memory_bytes: Some(1 << 20),
        cells: vec![CellTiming { cell: "a".to_owned(), ms: 0.5 }],
    };
    let dir = empty("timings_are_written_apart_and_checked_too");
    Run::new(manifest, scores, Some(timings.clone())).save(&dir).unwrap();
    assert_eq!(Run::load(&dir).unwrap().timings(), Some(&timings));
    timings.cells[0].ms = f64::NAN;
    assert!(matches!(timings_json(&timings), Err(FileError::NotFinite { file: "timings.json", .. })));
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let dir = empty("a_failed_write_leaves_the_old_file_and_nothing_else");
    let path = dir.join("file");
    write_atomically(&path, b"old").unwrap();
    write_atomically(&path, b"new").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    // A folder that is not empty cannot be replaced by a file.
    let folder = dir.join("folder");
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    assert!(matches!(write_atomically(&folder, b"x"), Err(FileError::Write { .. })));
    let mut left: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["file", "folder"]);
    assert!(matches!(write_atomically(Path::new("/"), b"x"), Err(FileError::Write { .. })));
}
