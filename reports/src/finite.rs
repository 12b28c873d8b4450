//! Does a result hold a number that JSON would silently turn into null?

use std::collections::BTreeMap;

use crate::manifest::Timings;
use crate::record::{Scores, SectionRow, SessionCell};

type Unfit = Option<(String, f64)>;

/// The first infinite or undefined number of the scores, and where it stands.
pub(crate) fn in_scores(scores: &Scores) -> Unfit {
    let cells = scores.retrieval.iter().find_map(|cell| {
        let place = |row: &str| format!("corpus {}, ranker {}, {row}", cell.corpus, cell.ranker);
        let query = cell.queries.iter().find_map(|row| {
            let found = check("overlap", row.overlap).or_else(|| in_values(&row.values));
            found.map(|(field, value)| (place(&format!("query {}, {field}", row.id)), value))
        });
        query.or_else(|| {
            cell.names.iter().find_map(|row| {
                let (field, value) = in_values(&row.values)?;
                Some((place(&format!("tool {}, {field}", row.tool)), value))
            })
        })
    });
    cells.or_else(|| scores.sessions.iter().find_map(in_session))
}

/// The first infinite or undefined number of the timings, and where it stands.
pub(crate) fn in_timings(timings: &Timings) -> Unfit {
    check("total_ms", Some(timings.total_ms))
        .or_else(|| timings.cells.iter().find_map(|cell| check(&format!("cell {}, ms", cell.cell), Some(cell.ms))))
}

fn in_session(cell: &SessionCell) -> Unfit {
    cell.requests.iter().find_map(|row| {
        let sections: [(&str, &SectionRow); 2] = [("tools", &row.tools), ("prompt", &row.prompt)];
        sections.into_iter().find_map(|(part, section)| {
            let found = check("survival", section.survival).or_else(|| check("coverage", section.coverage));
            let (field, value) = found?;
            let place = format!(
                "corpus {}, script {}, policy {}, order {}, request {}, {part} {field}",
                cell.corpus, cell.script, cell.policy, cell.order, row.request
            );
            Some((place, value))
        })
    })
}

fn in_values(values: &BTreeMap<String, Option<f64>>) -> Unfit {
    values.iter().find_map(|(metric, value)| check(metric, *value))
}

fn check(field: &str, value: Option<f64>) -> Unfit {
    let value = value.filter(|value| !value.is_finite())?;
    Some((field.to_owned(), value))
}
