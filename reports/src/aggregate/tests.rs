//! Are the aggregates those that a hand calculation gives?

use super::*;
use crate::record::{Divergence, RequestRow};
use crate::testing::{CUMULATIVE, GEN_10, metric, name, query, requests, retrieval, scores, session};

fn order() -> Vec<crate::record::MetricInfo> {
    ["hit@5", "hit@1"].map(|name| metric(name, crate::record::Better::Higher)).to_vec()
}

#[test]
fn means_leave_undefined_rows_out_and_count_them() {
    let mut rows: Vec<_> = [Some(1), Some(3), None, Some(2)].map(|rank| query("q", "keyword", rank)).to_vec();
    rows[3].values.insert("hit@1".to_owned(), None);
    rows[2].values.remove("hit@5");
    let cell = retrieval(GEN_10, "fielded", rows, 0);
    let summary = summarize_retrieval(&cell, &order(), 7, 200);
    let hit1 = summary.metric("hit@1").unwrap();
    assert_eq!((hit1.n, hit1.undefined, hit1.mean), (3, 1, Some(1.0 / 3.0)));
    let hit5 = summary.metric("hit@5").unwrap();
    assert_eq!((hit5.n, hit5.undefined, hit5.mean, hit5.low), (3, 1, Some(1.0), Some(1.0)));
}

#[test]
fn metrics_come_in_the_order_of_the_reports_and_then_by_name() {
    let cell = retrieval(GEN_10, "fielded", vec![query("q", "keyword", Some(1))], 1);
    let summary = summarize_retrieval(&cell, &order(), 7, 10);
    let names: Vec<&str> = summary.metrics.iter().map(|summary| summary.metric.as_str()).collect();
    assert_eq!(names, ["hit@5", "hit@1", "complete@5", "mrr@10", "recall@5"]);
}

#[test]
fn classes_come_in_the_order_of_their_first_query() {
    let mut rows: Vec<_> = ["typo", "keyword", "typo"].map(|class| query("q", class, Some(1))).to_vec();
    rows.push(query("q", "keyword", None));
    rows[3].class = None;
    let summary = summarize_retrieval(&retrieval(GEN_10, "fielded", rows, 0), &order(), 7, 10);
    let classes: Vec<_> = summary.classes.iter().map(|class| (class.class.as_str(), class.n)).collect();
    assert_eq!(classes, [("typo", 2), ("keyword", 1), ("(none)", 1)]);
    assert_eq!(summary.classes[0].overlap.mean, Some(0.25));
}

#[test]
fn queries_without_any_class_have_no_classes() {
    let mut row = query("q", "keyword", Some(1));
    row.class = None;
    assert_eq!(summarize_retrieval(&retrieval(GEN_10, "fielded", vec![row], 0), &[], 7, 10).classes, []);
}

#[test]
fn one_cluster_has_no_spread_and_two_have() {
    let clustered = |keys: [&str; 4]| {
        let mut rows = [Some(1), None, Some(1), None].map(|rank| query("q", "keyword", rank)).to_vec();
        rows.iter_mut().zip(keys).for_each(|(row, key)| row.cluster = Some(key.to_owned()));
        let summary = summarize_retrieval(&retrieval(GEN_10, "fielded", rows, 0), &[], 7, 1_000);
        let hit = summary.metric("hit@1").cloned().unwrap();
        (hit.mean, hit.low, hit.high)
    };
    assert_eq!(clustered(["a", "a", "a", "a"]), (Some(0.5), Some(0.5), Some(0.5)));
    // Each cluster holds one hit and one miss, so every replicate has the mean 0.5; mixed clusters do not.
    assert_eq!(clustered(["a", "a", "b", "b"]), (Some(0.5), Some(0.5), Some(0.5)));
    assert_eq!(clustered(["a", "b", "a", "b"]), (Some(0.5), Some(0.0), Some(1.0)));
}

#[test]
fn complete_cannot_exceed_what_the_needs_allow() {
    let mut rows = [Some(1); 4].map(|rank| query("q", "keyword", rank)).to_vec();
    rows[0].needed = 6;
    let summary = summarize_retrieval(&retrieval(GEN_10, "fielded", rows, 0), &[], 7, 10);
    assert_eq!(summary.metric("complete@5").unwrap().attainable, Some(0.75));
    assert_eq!(summary.metric("recall@5").unwrap().attainable, None);
}

#[test]
fn names_are_a_mean_over_tools() {
    let mut cell = retrieval(GEN_10, "fielded", Vec::new(), 0);
    cell.names = vec![name("a", Some(1.0)), name("b", Some(0.0)), name("c", None)];
    let summary = summarize_retrieval(&cell, &[], 7, 100);
    let exact = summary.metric("exact_name@1").unwrap();
    assert_eq!((summary.n, summary.names, exact.n, exact.undefined, exact.mean), (0, 3, 2, 1, Some(0.5)));
    assert_eq!(summary.overlap.mean, None);
}

#[test]
fn a_session_is_added_up() {
    let cell = session(GEN_10, CUMULATIVE, "append", requests(&[(100, 0, ""), (200, 400, ""), (300, 400, "x")]));
    let summary = summarize_session(&cell);
    let totals = summary.counter("o200k_base@tiktoken").unwrap();
    assert_eq!((totals.tools_first, totals.tools_last), (100, 300));
    assert_eq!((totals.prompt_first, totals.prompt_last, totals.prompt_sum), (200, 400, 900));
    // 400 of 400 units, then 400 of 800.
    assert_eq!((summary.tools.min, summary.tools.mean, summary.tools.n), (Some(0.5), Some(0.75), 2));
    assert_eq!((summary.searches_per_success, summary.false_activation), (Some(12.0 / 9.0), Some(0.55)));
}

#[test]
fn shares_of_nothing_are_undefined() {
    let mut cell = session(GEN_10, CUMULATIVE, "append", requests(&[(0, 0, ""), (200, 0, ""), (300, 400, "x")]));
    (cell.met, cell.activated) = (0, 0);
    let summary = summarize_session(&cell);
    assert_eq!((summary.searches_per_success, summary.false_activation), (None, None));
    assert_eq!((summary.tools.n, summary.tools.undefined, summary.tools.min), (1, 1, Some(0.5)));
    cell.activated = 4;
    cell.activated_unneeded = None;
    assert_eq!(summarize_session(&cell).false_activation, None);
}

#[test]
fn a_session_without_requests_has_no_totals() {
    let summary = summarize_session(&session(GEN_10, CUMULATIVE, "append", Vec::new()));
    assert_eq!((summary.counters.len(), summary.tools.min, summary.tools.undefined), (0, None, 0));
}

#[test]
fn a_counter_that_missed_a_request_has_no_totals() {
    let mut cell = session(GEN_10, CUMULATIVE, "append", requests(&[(100, 0, ""), (200, 400, "")]));
    cell.requests[1].prompt.tokens.remove("bytes@1");
    let summary = summarize_session(&cell);
    assert_eq!(
        summary.counters.iter().map(|totals| totals.counter.as_str()).collect::<Vec<_>>(),
        ["o200k_base@tiktoken"]
    );
}

fn first_break(change: impl FnOnce(&mut Vec<RequestRow>)) -> Option<(u64, String)> {
    let mut rows = requests(&[(100, 0, ""), (200, 400, ""), (200, 800, "")]);
    change(&mut rows);
    let summary = summarize_session(&session(GEN_10, CUMULATIVE, "append", rows));
    summary.first_break.map(|broken| (broken.request, broken.divergence.kind))
}

fn divergence(kind: &str) -> Option<Divergence> {
    Some(Divergence { kind: kind.to_owned(), name: String::new(), offset: 9 })
}

#[test]
fn the_first_break_is_in_the_tools_section() {
    assert_eq!(first_break(|_| ()), None);
    assert_eq!(first_break(|rows| rows[1].divergence = divergence("message")), None);
    assert_eq!(first_break(|rows| rows[2].divergence = divergence("tool")), Some((2, "tool".to_owned())));
    // The whole tools section survived: the scaffolding stands behind it.
    assert_eq!(first_break(|rows| rows[1].divergence = divergence("scaffolding")), None);
    let inside = |rows: &mut Vec<RequestRow>| {
        rows[1].divergence = divergence("scaffolding");
        rows[1].tools.kept = Some(399);
    };
    assert_eq!(first_break(inside), Some((1, "scaffolding".to_owned())));
}

#[test]
fn the_aggregates_follow_the_cells() {
    let scores = scores();
    let aggregates = Aggregates::new(&scores, 7, 10);
    assert_eq!((aggregates.retrieval.len(), aggregates.sessions.len()), (3, 10));
    assert_eq!(aggregates.retrieval[1].corpus, scores.retrieval[1].corpus);
}
