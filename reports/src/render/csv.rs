//! How does a spreadsheet or a notebook get at the rows? Raw rows and aggregates as CSV, unrounded, undefined left empty.

mod caches;

use std::collections::BTreeMap;

use super::{OutputFile, RenderError, Renderer};
use crate::Run;
use crate::aggregate::Summary;
use crate::page::printable;
use crate::record::{RequestRow, Scores, SectionRow, SessionCell};
use crate::report::basis;

pub(super) static RENDERER: Renderer = Renderer {
    name: "csv",
    summary: "queries.csv, names.csv, requests.csv (raw rows), summary.csv and sessions.csv (aggregates), caches.csv if any, unrounded.",
    names: &["queries.csv", "names.csv", "requests.csv", "summary.csv", "sessions.csv", "caches.csv"],
    files,
};

fn files(run: &Run) -> Result<Vec<OutputFile>, RenderError> {
    let scores = run.scores();
    let mut files = vec![
        file("queries.csv", &queries(scores))?,
        file("names.csv", &names(scores))?,
        file("requests.csv", &requests(scores))?,
        file("summary.csv", &summary(run))?,
        file("sessions.csv", &sessions(run))?,
    ];
    if let Some(rows) = caches::rows(scores) {
        files.push(file("caches.csv", &rows)?);
    }
    Ok(files)
}

type Rows = Vec<Vec<String>>;

/// Writes a header and rows, lines ended by a single newline.
pub(super) fn file(name: &'static str, rows: &[Vec<String>]) -> Result<OutputFile, RenderError> {
    let bytes = bytes(rows).map_err(|source| RenderError::Csv { file: name, source })?;
    Ok(OutputFile { name: name.to_owned(), bytes })
}

/// Rows as CSV, lines ended by a single newline; a cell is quoted where it has to be, and its text is
/// [printable].
///
/// A text that a spreadsheet would take for a formula is preceded by an apostrophe; a number is none, whatever its sign.
///
/// ```
/// let row = ["=1+1", "@a", "-0.5", "a=b"].map(str::to_owned).to_vec();
/// assert_eq!(deferbench_reports::page::csv(&[row]).unwrap(), b"'=1+1,'@a,-0.5,a=b\n");
/// ```
///
/// # Errors
/// When the rows are not equally long.
pub fn bytes(rows: &[Vec<String>]) -> Result<Vec<u8>, ::csv::Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.iter().map(|cell| harmless(cell)))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn harmless(cell: &str) -> String {
    let text = printable(cell);
    match text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err() {
        true => format!("'{text}"),
        false => text,
    }
}

fn text(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A value as a cell; an empty one where there is none.
pub fn maybe<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The metrics that some rows carry, in the order of the reports, then by name.
fn metrics_of<'a>(scores: &Scores, rows: impl Iterator<Item = &'a BTreeMap<String, Option<f64>>>) -> Vec<String> {
    let mut names: Vec<String> = rows.flat_map(|row| row.keys().cloned()).collect();
    names.sort_unstable();
    names.dedup();
    let place = |name: &String| scores.metrics.iter().position(|metric| metric.name == *name);
    names.sort_by_key(|name| place(name).unwrap_or(scores.metrics.len()));
    names
}

fn values(row: &BTreeMap<String, Option<f64>>, metrics: &[String]) -> Vec<String> {
    metrics.iter().map(|metric| maybe(row.get(metric).copied().flatten())).collect()
}

fn queries(scores: &Scores) -> Rows {
    let metrics = metrics_of(scores, scores.retrieval.iter().flat_map(|cell| &cell.queries).map(|row| &row.values));
    let fixed = text(&["corpus", "ranker", "id", "class", "cluster", "overlap", "needed", "ranks", "returned"]);
    let mut rows = vec![[fixed, metrics.clone()].concat()];
    for cell in &scores.retrieval {
        for row in &cell.queries {
            let ranks: Vec<String> = row.ranks.iter().map(|rank| maybe(*rank)).collect();
            let fixed = vec![
                cell.corpus.clone(),
                cell.ranker.clone(),
                row.id.clone(),
                maybe(row.class.as_ref()),
                maybe(row.cluster.as_ref()),
                maybe(row.overlap),
                row.needed.to_string(),
                ranks.join(";"),
                row.returned.to_string(),
            ];
            rows.push([fixed, values(&row.values, &metrics)].concat());
        }
    }
    rows
}

fn names(scores: &Scores) -> Rows {
    let metrics = metrics_of(scores, scores.retrieval.iter().flat_map(|cell| &cell.names).map(|row| &row.values));
    let mut rows = vec![[text(&["corpus", "ranker", "tool"]), metrics.clone()].concat()];
    for cell in &scores.retrieval {
        for row in &cell.names {
            let fixed = vec![cell.corpus.clone(), cell.ranker.clone(), row.tool.clone()];
            rows.push([fixed, values(&row.values, &metrics)].concat());
        }
    }
    rows
}

const SESSION: [&str; 9] = ["corpus", "script", "policy", "order", "entry", "layout", "ranker", "limit", "basis"];

/// Columns of [`SESSION`] that tell sessions apart.
const KEY: usize = 8;

fn session(cell: &SessionCell) -> Vec<String> {
    let names = [&cell.corpus, &cell.script, &cell.policy, &cell.order, &cell.entry, &cell.layout];
    let tail = [maybe(cell.ranker.as_ref()), maybe(cell.limit), basis(cell.basis).to_owned()];
    names.into_iter().cloned().chain(tail).collect()
}

fn requests(scores: &Scores) -> Rows {
    let counters: Vec<&String> = scores.counters.iter().map(|counter| &counter.name).collect();
    let of_section = |part: &str| {
        let fixed = ["units", "kept", "survival", "coverage"].map(|field| format!("{part}_{field}"));
        fixed.into_iter().chain(counters.iter().map(move |counter| format!("{part}_tokens {counter}"))).collect()
    };
    let head =
        ["unit", "request", "session", "idle_seconds", "turn", "cause", "active_tools", "tools_sent", "schema_bytes"];
    let tail = ["divergence_kind", "divergence_name", "divergence_offset"];
    let header: [Vec<String>; 5] =
        [text(&SESSION), text(&head), of_section("tools"), of_section("prompt"), text(&tail)];
    let mut rows = vec![header.concat()];
    for cell in &scores.sessions {
        rows.extend(cell.requests.iter().map(|row| [session(cell), request(cell, row, &counters)].concat()));
    }
    rows
}

fn request(cell: &SessionCell, row: &RequestRow, counters: &[&String]) -> Vec<String> {
    let section = |section: &SectionRow| {
        let mut fields =
            vec![section.units.to_string(), maybe(section.kept), maybe(section.survival), maybe(section.coverage)];
        fields.extend(counters.iter().map(|counter| maybe(section.tokens.get(*counter))));
        fields
    };
    let head = vec![
        cell.unit.clone(),
        row.request.to_string(),
        row.session.to_string(),
        row.idle_seconds.to_string(),
        row.turn.to_string(),
        row.cause.clone(),
        row.active_tools.to_string(),
        row.tools_sent.to_string(),
        row.schema_bytes.to_string(),
    ];
    let divergence = row.divergence.as_ref();
    let tail = vec![
        maybe(divergence.map(|divergence| &divergence.kind)),
        maybe(divergence.map(|divergence| &divergence.name)),
        maybe(divergence.map(|divergence| divergence.offset)),
    ];
    [head, section(&row.tools), section(&row.prompt), tail].concat()
}

fn summary(run: &Run) -> Rows {
    let header = ["corpus", "ranker", "class", "metric", "n", "undefined", "mean", "low", "high", "attainable"];
    let mut rows = vec![text(&header)];
    for cell in &run.aggregates().retrieval {
        let mut add = |class: &str, summary: &Summary| {
            let mut row = text(&[&cell.corpus, &cell.ranker, class, &summary.metric]);
            row.extend([summary.n.to_string(), summary.undefined.to_string()]);
            row.extend([summary.mean, summary.low, summary.high, summary.attainable].map(maybe));
            rows.push(row);
        };
        cell.name_metrics.iter().chain(&cell.metrics).chain([&cell.overlap]).for_each(|summary| add("", summary));
        for class in &cell.classes {
            class.metrics.iter().chain([&class.overlap]).for_each(|summary| add(&class.class, summary));
        }
    }
    rows
}

fn sessions(run: &Run) -> Rows {
    let counters: Vec<&String> = run.scores().counters.iter().map(|counter| &counter.name).collect();
    let figures = [
        "requests",
        "extra_turns",
        "needs",
        "met",
        "searches",
        "searches_per_success",
        "false_activation",
        "tools_survival_min",
        "tools_survival_mean",
        "prompt_survival_min",
        "prompt_survival_mean",
        "survival_n",
        "first_break_request",
        "first_break_kind",
        "first_break_name",
    ];
    let totals = ["tools_first", "tools_last", "prompt_first", "prompt_last", "prompt_sum"];
    let totals = counters.iter().flat_map(|counter| totals.map(|total| format!("{total} {counter}")));
    let mut rows = vec![[text(&SESSION), text(&figures), totals.collect()].concat()];
    for (cell, summary) in run.scores().sessions.iter().zip(&run.aggregates().sessions) {
        let broken = summary.first_break.as_ref();
        let mut row = session(cell);
        row.extend([
            summary.requests.to_string(),
            maybe(summary.extra_turns),
            summary.needs.to_string(),
            summary.met.to_string(),
            summary.searches.to_string(),
            maybe(summary.searches_per_success),
            maybe(summary.false_activation),
            maybe(summary.tools.min),
            maybe(summary.tools.mean),
            maybe(summary.prompt.min),
            maybe(summary.prompt.mean),
            summary.prompt.n.to_string(),
            maybe(broken.map(|broken| broken.request)),
            maybe(broken.map(|broken| &broken.divergence.kind)),
            maybe(broken.map(|broken| &broken.divergence.name)),
        ]);
        for counter in &counters {
            let totals = summary.counter(counter);
            let fields = totals.map(|t| [t.tools_first, t.tools_last, t.prompt_first, t.prompt_last, t.prompt_sum]);
            row.extend(fields.map_or(vec![String::new(); 5], |fields| fields.map(|field| field.to_string()).to_vec()));
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn table(name: &str) -> Vec<Vec<String>> {
        let file = files(&testing::run()).unwrap().into_iter().find(|file| file.name == name).unwrap();
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(file.bytes.as_slice());
        reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    fn cell(table: &[Vec<String>], row: usize, column: &str) -> String {
        let place = table[0].iter().position(|head| head == column).unwrap();
        table[row][place].clone()
    }

    #[test]
    fn every_raw_row_is_a_line() {
        // 2 corpora with 8 queries; 10 + 100 + 40 names; 2 x (2 eager + 4 x 3 deferred) requests; headers
        for (name, rows) in [("queries.csv", 16), ("names.csv", 150), ("requests.csv", 28), ("sessions.csv", 10)] {
            assert_eq!(table(name).len(), rows + 1, "{name}");
        }
    }

    #[test]
    fn undefined_is_empty_and_nothing_is_rounded() {
        let queries = table("queries.csv");
        assert_eq!((cell(&queries, 4, "ranks"), cell(&queries, 4, "mrr@10")), (String::new(), "0".to_owned()));
        assert_eq!(cell(&queries, 16, "complete@5"), "");
        assert_eq!(cell(&queries, 8, "mrr@10"), "0.125");
        let requests = table("requests.csv");
        assert_eq!(cell(&requests, 1, "tools_survival"), "");
        // 479 of 480 units survive the second request.
        assert_eq!(cell(&requests, 4, "tools_survival"), (479.0_f64 / 480.0).to_string());
        assert_eq!(cell(&requests, 4, "prompt_tokens o200k_base@tiktoken"), "500");
    }

    #[test]
    fn a_class_has_its_own_summaries() {
        let summary = table("summary.csv");
        let found = summary.iter().find(|row| row[0] == testing::GEN_10 && row[2] == "keyword" && row[3] == "hit@1");
        // Ranks 1, 1, 2 and none.
        assert_eq!(found.unwrap()[4..7], ["4", "0", "0.5"]);
    }
}
