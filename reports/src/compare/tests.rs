//! Does a comparison see what moved, and refuse what it should?

use super::*;
use crate::record::Scores;
use crate::stats::WinTieLoss;
use crate::testing::{CUMULATIVE, GEN_100, changed, query, requests, retrieval, run, session};

#[test]
fn a_run_against_itself_holds() {
    let comparison = compare(&run(), &run(), false).unwrap();
    assert!(!comparison.regressed);
    assert_eq!((comparison.retrieval.len(), comparison.sessions.len()), (3, 10));
    for metric in comparison.retrieval.iter().flat_map(|cell| &cell.metrics) {
        assert_eq!((metric.count.wins, metric.count.losses), (0, 0));
        assert_eq!((metric.difference, metric.p_value), (Some(0.0), Some(1.0)), "{}", metric.metric);
    }
}

/// Ten queries; in the run after, the first `moved` of them fall from rank 1 to rank 2.
fn ten(moved: usize) -> impl FnOnce(&mut Scores) {
    move |scores| {
        let row = |place: usize| query(&format!("q{place}"), "keyword", Some(if place < moved { 2 } else { 1 }));
        scores.retrieval = vec![retrieval(GEN_100, "fielded", (0..10).map(row).collect(), 3)];
        scores.sessions.clear();
    }
}

#[test]
fn a_metric_that_clearly_fell_regresses_and_one_that_did_not_holds() {
    let comparison = compare(&changed(ten(0)), &changed(ten(6)), false).unwrap();
    let metric = |name: &str| comparison.retrieval[0].metrics.iter().find(|metric| metric.metric == name).unwrap();
    let hit = metric("hit@1");
    assert_eq!((hit.n, hit.mean_a, hit.mean_b, hit.difference), (10, Some(1.0), Some(0.4), Some(-0.6)));
    assert_eq!(hit.count, WinTieLoss { wins: 0, ties: 4, losses: 6 });
    // Six differences of one sign, four of 0: 2 of the 2^6 patterns are as extreme, 2 / 64.
    assert_eq!(hit.p_value, Some(0.03125));
    assert!(hit.regressed() && !metric("hit@5").regressed() && comparison.regressed);
}

#[test]
fn one_query_of_ten_is_not_beyond_chance() {
    let comparison = compare(&changed(ten(0)), &changed(ten(1)), false).unwrap();
    assert!(!comparison.regressed);
}

#[test]
fn an_improvement_is_no_regression() {
    let comparison = compare(&changed(ten(6)), &changed(ten(0)), false).unwrap();
    let hit = comparison.retrieval[0].metrics.iter().find(|metric| metric.metric == "hit@1").unwrap();
    assert!(hit.improved() && !comparison.regressed);
}

#[test]
fn a_metric_whose_smaller_values_are_better_turns_round() {
    let lower = |moved| {
        changed(move |scores| {
            ten(moved)(scores);
            scores.metrics.iter_mut().for_each(|metric| metric.better = crate::record::Better::Lower);
        })
    };
    assert!(!compare(&lower(0), &lower(6), false).unwrap().regressed);
    assert!(compare(&lower(6), &lower(0), false).unwrap().regressed);
}

#[test]
fn rows_are_paired_by_id_and_the_others_are_counted() {
    let fewer = changed(|scores| {
        ten(0)(scores);
        scores.retrieval[0].queries.truncate(7);
        scores.retrieval[0].queries.reverse();
        scores.retrieval[0].queries[0].values.insert("hit@1".to_owned(), None);
        scores.retrieval[0].queries.push(query("new", "keyword", None));
    });
    let comparison = compare(&changed(ten(0)), &fewer, false).unwrap();
    let hit = comparison.retrieval[0].metrics.iter().find(|metric| metric.metric == "hit@1").unwrap();
    assert_eq!((hit.n, hit.undefined, hit.only_in_a, hit.only_in_b), (6, 1, 3, 1));
    assert_eq!(hit.difference, Some(0.0));
}

#[test]
fn two_single_rankers_are_compared_under_both_names() {
    let other = changed(|scores| {
        ten(0)(scores);
        scores.retrieval[0].ranker = "dsh".to_owned();
    });
    let comparison = compare(&changed(ten(0)), &other, false).unwrap();
    assert_eq!(
        (comparison.retrieval[0].ranker_a.as_str(), comparison.retrieval[0].ranker_b.as_str()),
        ("fielded", "dsh")
    );
    let two = changed(|scores| {
        ten(0)(scores);
        scores.retrieval.push(retrieval(GEN_100, "dsh", Vec::new(), 3));
    });
    let comparison = compare(&two, &other, false).unwrap();
    assert_eq!(comparison.retrieval[0].ranker_a, "dsh");
    assert_eq!(comparison.only_in_a, ["retrieval: corpus gen(tools=100,seed=7), ranker fielded"]);
}

#[test]
fn one_token_more_in_a_session_regresses() {
    let steps = |tokens| {
        move |scores: &mut Scores| {
            scores.retrieval.clear();
            scores.sessions =
                vec![session(GEN_100, CUMULATIVE, "append", requests(&[(120, 0, ""), (tokens, 479, "x")]))];
        }
    };
    assert!(compare(&changed(steps(400)), &changed(steps(401)), false).unwrap().regressed);
    assert!(!compare(&changed(steps(401)), &changed(steps(400)), false).unwrap().regressed);
}

#[test]
fn one_need_less_regresses() {
    let missed = changed(|scores| scores.sessions[1].met = 8);
    let comparison = compare(&run(), &missed, false).unwrap();
    let worse: Vec<&str> = comparison
        .sessions
        .iter()
        .flat_map(|session| &session.quantities)
        .filter(|quantity| quantity.regressed())
        .map(|quantity| quantity.name.as_str())
        .collect();
    assert_eq!(worse, ["needs met", "needs found at once"]);
}

#[test]
fn every_mismatch_is_named_and_force_marks_it() {
    let other = changed(|scores| {
        scores.corpora[0].sha256 = "beef".to_owned();
        scores.corpora[2].name = "elsewhere".to_owned();
        scores.metrics[1].version = 2;
    });
    let Err(CompareError::Refused { mismatches }) = compare(&run(), &other, false) else { panic!("not refused") };
    assert_eq!(mismatches.len(), 4, "{mismatches:?}");
    let error = CompareError::Refused { mismatches: mismatches.clone() }.to_string();
    for part in ["in A and beef in B", "my-servers is missing in B", "elsewhere is missing in A", "hit@1 has version 1"]
    {
        assert!(error.contains(part), "{part} is not in {error}");
    }
    let forced = compare(&run(), &other, true).unwrap();
    assert_eq!(forced.mismatches, mismatches);
    assert!(forced.to_text().contains("FORCED"));
    let json: serde_json::Value = serde_json::from_slice(&forced.to_json().unwrap()).unwrap();
    assert_eq!((&json["forced"], &json["schema_version"]), (&true.into(), &1.into()));
}

#[test]
fn a_metric_of_one_side_is_listed_and_not_lost() {
    let fewer = changed(|scores| {
        ten(0)(scores);
        scores.retrieval[0].queries.iter_mut().for_each(|row| _ = row.values.remove("hit@5"));
    });
    let comparison = compare(&changed(ten(0)), &fewer, false).unwrap();
    let expected = "metric hit@5: retrieval: corpus gen(tools=100,seed=7), ranker fielded";
    assert_eq!((comparison.only_in_a.as_slice(), comparison.only_in_b.len()), (&[expected.to_owned()][..], 0));
}

#[test]
fn nothing_in_common_is_no_success() {
    let empty = changed(|scores| {
        scores.retrieval.clear();
        scores.sessions.clear();
    });
    assert_eq!(compare(&run(), &empty, false), Err(CompareError::NothingInCommon));
}

#[test]
fn rows_of_one_cluster_count_once() {
    let clustered = |moved| {
        changed(move |scores: &mut Scores| {
            ten(moved)(scores);
            scores.retrieval[0].queries.iter_mut().for_each(|row| row.cluster = Some("all".to_owned()));
        })
    };
    let comparison = compare(&clustered(0), &clustered(1), false).unwrap();
    let hit = comparison.retrieval[0].metrics.iter().find(|metric| metric.metric == "hit@1").unwrap();
    // A single cluster: each replicate is the whole data.
    let interval = hit.interval.unwrap();
    assert_eq!((interval.low, interval.high), (-0.1, -0.1));
}

#[test]
fn the_text_says_what_moved() {
    let comparison = compare(&changed(ten(0)), &changed(ten(6)), false).unwrap();
    insta::assert_snapshot!(comparison.to_text());
    let missed = changed(|scores| scores.sessions[1].met = 8);
    insta::assert_snapshot!("sessions", compare(&run(), &missed, false).unwrap().to_text());
}
