//! Is BM25 the textbook's, in every figure of the independent reference?
//!
//! `shared/tools/bm25_reference.py` wrote the expected figures with numpy and PyStemmer.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::collections::BTreeMap;

use common::{arg, data, reference, succeed};
use serde_json::Value;

const VARIANTS: [&str; 4] = ["plain", "split", "schema", "stem"];
const SETS: [&str; 3] = ["livemcpbench", "bfcl", "seal-tools"];

/// One row of the reference: its metric's value, and the sizes of its set.
struct Expected {
    tools: u64,
    queries: u64,
    value: f64,
}

/// (set, variant, metric) to row.
fn expected(text: &str) -> BTreeMap<(String, String, String), Expected> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("set,variant,tools,queries,metric,value"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [set, variant, tools, queries, metric, value] = cells[..] else { panic!("a row of six cells: {line}") };
        let row = Expected {
            tools: tools.parse().unwrap(),
            queries: queries.parse().unwrap(),
            value: value.parse().unwrap(),
        };
        ((set.to_string(), variant.to_string(), metric.to_string()), row)
    };
    lines.map(row).collect()
}

/// G04, B04: hit, recall, complete, ndcg, mrr and exact names of four variants on three labelled sets.
#[test]
fn every_row_agrees() {
    let Some(csv) = reference("bm25-reference.csv") else { return };
    let Some(folder) = data("") else { return };
    let expected = expected(&std::fs::read_to_string(csv).unwrap());
    // 3 sets, 4 variants, 9 metrics.
    assert_eq!(expected.len(), 108);

    let mut args = vec!["eval".to_string(), "--quiet".to_string(), "--format".to_string(), "json".to_string()];
    args.extend(SETS.map(|set| arg(&folder.join(set)).to_string()));
    args.extend(VARIANTS.iter().flat_map(|v| ["--ranker".to_string(), format!("bm25(text={v})")]));
    let answer: Value = serde_json::from_str(&succeed(&args)).unwrap();
    assert_eq!(answer["schema_version"], 1);

    let results = answer["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|r| r["corpus"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, SETS);
    let (mut compared, mut wrong) = (0, Vec::new());
    for ((set, variant, metric), row) in &expected {
        let result = &results[SETS.iter().position(|s| s == set).unwrap()];
        assert_eq!(result["corpus"]["tools"], row.tools, "{set}");
        assert_eq!(result["corpus"]["queries"], row.queries, "{set}");
        // Rankers stand in the sequence of the flags; the default text is left out of a canonical spec.
        let ranker = &result["rankers"][VARIANTS.iter().position(|v| v == variant).unwrap()];
        let spec = if variant == "plain" { "bm25".to_string() } else { format!("bm25(text={variant})") };
        assert_eq!(ranker["spec"], spec.as_str());
        let found = ranker["metrics"][metric]["mean"].as_f64();
        // The reference has six decimals: half a unit of the last one, and a little for the rounding itself.
        if found.is_none_or(|f| (f - row.value).abs() > 6e-7) {
            wrong.push(format!("{set} {variant} {metric}: {found:?} instead of {}", row.value));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(compared, 108);
}

/// G04: a mean lies inside its interval, and the interval inside 0 and 1.
#[test]
fn intervals_hold_their_means() {
    let Some(folder) = data("livemcpbench") else { return };
    let text = succeed(&["eval", arg(&folder), "--quiet", "--format", "json", "--ranker", "bm25(text=stem)"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    let metrics = answer["results"][0]["rankers"][0]["metrics"].as_object().unwrap();
    let mut seen = 0;
    for (name, m) in metrics.iter().filter(|(_, m)| !m["mean"].is_null()) {
        let [mean, low, high] = ["mean", "low", "high"].map(|k| m[k].as_f64().unwrap());
        assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0, "{name}: {low} {mean} {high}");
        // 94 queries or 527 names: a share that is neither 0 nor 1 has a width.
        assert!(low < high || mean == 0.0 || mean == 1.0, "{name}: {low} {mean} {high}");
        seen += 1;
    }
    assert!(seen >= 9, "{seen} metrics");
}
