//! Do the retrieval metrics agree with ir_measures and trec_eval?
//!
//! `oracle/ir_measures.py` invents the rankings and writes `oracle/ir_measures.json` with the values of both programs.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeMap;

use deferbench::metric::{DEPTH, Judged, of_query};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    versions: BTreeMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    ranking: Vec<String>,
    needed: Vec<String>,
    values: BTreeMap<String, f64>,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("oracle/ir_measures.json")).unwrap()
}

/// The ranking as the program judges it: cut at [`DEPTH`], each needed tool a need of its own.
fn judged(case: &Case) -> Judged {
    let seen = &case.ranking[..case.ranking.len().min(DEPTH)];
    let rank = |need: &String| seen.iter().position(|tool| tool == need).map(|i| i + 1);
    Judged { ranks: case.needed.iter().map(rank).collect(), returned: seen.len(), poison: None }
}

/// G04: hit, recall, ndcg and mrr are Success, R, nDCG and RR of ir_measures, to 1e-9.
#[test]
fn values_agree_to_the_ninth_decimal() {
    let fixture = fixture();
    let mut compared = 0;
    for case in &fixture.cases {
        let ours: BTreeMap<String, Option<f64>> = of_query(&judged(case)).into_iter().collect();
        for (metric, expected) in &case.values {
            let found = ours.get(metric).unwrap_or_else(|| panic!("no metric {metric}"));
            let found = found.unwrap_or_else(|| panic!("{metric} is undefined: {}", case.case));
            assert!((found - expected).abs() <= 1e-9, "{metric} {found} {expected}: {}", case.case);
            compared += 1;
        }
    }
    // 13 rankings, 7 measures each.
    assert_eq!((fixture.cases.len(), compared), (13, 91));
}

/// A plain 0 goes into the result files as 0.0, not as -0.0.
#[test]
fn no_value_is_minus_zero() {
    for case in fixture().cases {
        for (metric, value) in of_query(&judged(&case)) {
            assert!(value.is_none_or(f64::is_sign_positive), "{metric} {value:?}: {}", case.case);
        }
    }
}

/// The comparison above would notice a wrong rank: values of one case are not those of another.
#[test]
fn the_cases_tell_ranks_apart() {
    let fixture = fixture();
    let value = |case: &str, metric: &str| {
        fixture.cases.iter().find(|c| c.case == case).unwrap_or_else(|| panic!("no case {case}")).values[metric]
    };
    // 1/log2(1 + rank), worked out by hand: log2(3) = 1.5849625007, log2(7) = 2.8073549221.
    assert!((value("one need, second", "ndcg@10") - 1.0 / 1.584_962_500_7).abs() < 1e-9);
    assert!((value("one need, sixth", "ndcg@10") - 1.0 / 2.807_354_922_1).abs() < 1e-9);
    assert_eq!(value("one need, eleventh: past the cut", "mrr@10"), 0.0);
    assert_eq!(value("a short answer with one of two", "mrr@10"), 1.0 / 3.0);
}

/// `complete@k` has no counterpart there: it is recall@k of exactly 1.
#[test]
fn complete_is_full_recall() {
    for case in fixture().cases {
        let ours: BTreeMap<String, Option<f64>> = of_query(&judged(&case)).into_iter().collect();
        for k in [5, 10] {
            let expected = f64::from(case.values[&format!("recall@{k}")] == 1.0);
            assert_eq!(ours[&format!("complete@{k}")], Some(expected), "complete@{k}: {}", case.case);
        }
    }
}

#[test]
fn the_fixture_says_what_made_it() {
    let versions = fixture().versions;
    for tool in ["ir_measures", "pytrec_eval-terrier", "python"] {
        assert!(versions.get(tool).is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit())), "{tool}");
    }
}
