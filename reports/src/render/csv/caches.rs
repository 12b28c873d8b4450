//! Which rows does `caches.csv` have? One for each session, cache and start.

use crate::record::{CacheRow, Scores, SessionCell};

const HEAD: &[&str] = &[
    "corpus",
    "script",
    "policy",
    "order",
    "entry",
    "layout",
    "ranker",
    "limit",
    "profile",
    "basis",
    "start",
    "counter",
    "prefill",
    "peak",
    "output",
    "hit",
    "written",
    "hit_ratio",
    "input_cost",
    "cost",
    "break_tax",
    "breaks",
    "churn",
    "crossings",
    "unknown",
];

/// Header and rows; nothing where no cache was simulated.
pub(super) fn rows(scores: &Scores) -> Option<Vec<Vec<String>>> {
    let of = |cell: &SessionCell| cell.caches.iter().map(|row| line(cell, row)).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = scores.sessions.iter().flat_map(of).collect();
    let head = HEAD.iter().map(|name| (*name).to_owned()).collect();
    (!lines.is_empty()).then(|| std::iter::once(head).chain(lines).collect())
}

fn line(cell: &SessionCell, row: &CacheRow) -> Vec<String> {
    fn maybe<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let crossings = row.crossings.as_ref().map(|points| {
        points.iter().map(|point| format!("{}@{}", point.cheaper, point.turn)).collect::<Vec<_>>().join(" ")
    });
    vec![
        cell.corpus.clone(),
        cell.script.clone(),
        cell.policy.clone(),
        cell.order.clone(),
        cell.entry.clone(),
        cell.layout.clone(),
        maybe(cell.ranker.clone()),
        maybe(cell.limit),
        row.profile.clone(),
        crate::report::basis(row.basis).to_owned(),
        row.start.clone(),
        row.counter.clone(),
        row.prefill.to_string(),
        row.peak.to_string(),
        row.output.to_string(),
        maybe(row.hit),
        maybe(row.written),
        maybe(row.hit_ratio),
        maybe(row.input_cost),
        maybe(row.cost),
        maybe(row.break_tax),
        row.breaks.to_string(),
        row.churn.to_string(),
        maybe(crossings),
        row.unknown.join(" "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_run_without_caches_has_no_such_file() {
        assert_eq!(rows(testing::run().scores()), None);
    }

    #[test]
    fn undefined_is_empty_and_every_row_is_as_long_as_the_head() {
        let mut scores = testing::run().scores().clone();
        scores.sessions[0].caches = vec![testing::cache("vllm", "cold", None)];
        let found = rows(&scores).unwrap();
        assert_eq!((found.len(), found[1].len()), (2, HEAD.len()));
        let cell = |name: &str| found[1][HEAD.iter().position(|head| *head == name).unwrap()].clone();
        assert_eq!(["cost", "crossings", "unknown"].map(cell), ["", "deferred@1 eager@3", "output"].map(str::to_owned));
    }
}
