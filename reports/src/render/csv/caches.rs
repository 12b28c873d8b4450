//! Which rows does `caches.csv` have? One for each session, cache and start.

use super::{KEY, SESSION, maybe, session, text};
use crate::record::{CacheRow, Scores, SessionCell};
use crate::report::basis;

/// The columns behind those that tell sessions apart.
const HEAD: [&str; 17] = [
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
    let head = [text(&SESSION[..KEY]), text(&HEAD)].concat();
    (!lines.is_empty()).then(|| std::iter::once(head).chain(lines).collect())
}

fn line(cell: &SessionCell, row: &CacheRow) -> Vec<String> {
    let crossings = row.crossings.as_ref().map(|points| {
        points.iter().map(|point| format!("{}@{}", point.cheaper, point.turn)).collect::<Vec<_>>().join(" ")
    });
    let mut line = session(cell);
    line.truncate(KEY);
    line.extend([
        row.profile.clone(),
        basis(row.basis).to_owned(),
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
    ]);
    line
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
        assert_eq!((found.len(), found[1].len()), (2, found[0].len()));
        let cell = |name: &str| found[1][found[0].iter().position(|head| head == name).unwrap()].clone();
        assert_eq!(["cost", "crossings", "unknown"].map(cell), ["", "deferred@1 eager@3", "output"].map(str::to_owned));
    }
}
