//! How often was the tool found, and how sure is that?

use std::collections::BTreeMap;

use crate::record::{Level, MetricInfo, QueryRow, RetrievalCell};
use crate::stats::{clustered_bootstrap_means, mean};

/// The mean of one metric over rows, with its 95 % interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Name of the metric.
    pub metric: String,
    /// Rows with a value: the mean is over these.
    pub n: u64,
    /// Rows whose value is undefined; `n + undefined` is the number of rows.
    pub undefined: u64,
    /// Mean, in the unit of the metric; `None` when no row has a value.
    pub mean: Option<f64>,
    /// Lower end of the 95 % bootstrap interval; `None` when there is no mean or no replicate.
    pub low: Option<f64>,
    /// Upper end of the 95 % bootstrap interval; `None` when there is no mean or no replicate.
    pub high: Option<f64>,
    /// Of `complete@k` the largest mean a perfect ranker could reach, because some queries need more than `k` tools;
    /// `None` for every other metric and without queries.
    pub attainable: Option<f64>,
}

/// The queries of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassSummary {
    /// Name of the class; `(none)` for queries without one in a corpus where others have one.
    pub class: String,
    /// Queries of the class.
    pub n: u64,
    /// Mean word overlap between the queries and the needed tools, 0 to 1, and its interval.
    pub overlap: Summary,
    /// Every metric of the query rows, in the order of the reports.
    pub metrics: Vec<Summary>,
}

/// One ranker on one corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct RetrievalSummary {
    /// Name of the corpus.
    pub corpus: String,
    /// Canonical spec of the ranker.
    pub ranker: String,
    /// Labelled queries.
    pub n: u64,
    /// Mean word overlap over all queries, and its interval.
    pub overlap: Summary,
    /// Every metric of the query rows, in the order of the reports.
    pub metrics: Vec<Summary>,
    /// Tools that were asked for by their own name.
    pub names: u64,
    /// Every metric of the name rows, in the order of the reports.
    pub name_metrics: Vec<Summary>,
    /// One for each class, in the order in which they first appear; empty when no query has a class.
    pub classes: Vec<ClassSummary>,
}

impl RetrievalSummary {
    /// The metric of that name, of the queries or of the names.
    pub fn metric(&self, name: &str) -> Option<&Summary> {
        self.metrics.iter().chain(&self.name_metrics).find(|summary| summary.metric == name)
    }
}

/// Aggregates one cell; `metrics` gives the order in which the summaries come.
///
/// Rows of one cluster are resampled together. All metrics of one set of rows share their resamples.
pub fn summarize_retrieval(
    cell: &RetrievalCell,
    metrics: &[MetricInfo],
    seed: u64,
    replicates: u64,
) -> RetrievalSummary {
    let all: Vec<&QueryRow> = cell.queries.iter().collect();
    let (overlap, query_metrics) = summarize_queries(&all, metrics, seed, replicates);
    let values: Vec<_> = cell.names.iter().map(|row| &row.values).collect();
    let name_columns = columns(&values, metrics, Level::Name);
    RetrievalSummary {
        corpus: cell.corpus.clone(),
        ranker: cell.ranker.clone(),
        n: cell.queries.len() as u64,
        overlap,
        metrics: query_metrics,
        names: cell.names.len() as u64,
        name_metrics: summarize(name_columns, &singles(cell.names.len()), seed, replicates),
        classes: summarize_classes(&cell.queries, metrics, seed, replicates),
    }
}

fn summarize_classes(rows: &[QueryRow], known: &[MetricInfo], seed: u64, replicates: u64) -> Vec<ClassSummary> {
    let mut groups: Vec<(Option<&str>, Vec<&QueryRow>)> = Vec::new();
    for row in rows {
        let class = row.class.as_deref();
        match groups.iter_mut().find(|(known, _)| *known == class) {
            Some((_, group)) => group.push(row),
            None => groups.push((class, vec![row])),
        }
    }
    if groups.iter().all(|(class, _)| class.is_none()) {
        return Vec::new();
    }
    let summary = |(class, group): (Option<&str>, Vec<&QueryRow>)| {
        let (overlap, metrics) = summarize_queries(&group, known, seed, replicates);
        ClassSummary { class: class.unwrap_or("(none)").to_owned(), n: group.len() as u64, overlap, metrics }
    };
    groups.into_iter().map(summary).collect()
}

/// The overlap and every metric of some query rows.
fn summarize_queries(rows: &[&QueryRow], known: &[MetricInfo], seed: u64, replicates: u64) -> (Summary, Vec<Summary>) {
    let values: Vec<_> = rows.iter().map(|row| &row.values).collect();
    let mut all = columns(&values, known, Level::Query);
    all.insert(0, ("overlap".to_owned(), rows.iter().map(|row| row.overlap).collect()));
    let keys: Vec<Option<&str>> = rows.iter().map(|row| row.cluster.as_deref()).collect();
    let mut summaries = summarize(all, &clusters(&keys), seed, replicates);
    for summary in &mut summaries {
        summary.attainable = attainable(&summary.metric, rows);
    }
    (summaries.remove(0), summaries)
}

/// The share of the queries that need no more than `k` tools, for the metric `complete@k`.
fn attainable(metric: &str, rows: &[&QueryRow]) -> Option<f64> {
    let depth: u64 = metric.strip_prefix("complete@")?.parse().ok()?;
    let reachable = rows.iter().map(|row| if row.needed <= depth { 1.0 } else { 0.0 });
    mean(&reachable.collect::<Vec<_>>())
}

type Column = (String, Vec<Option<f64>>);

/// The columns of rows: the known metrics of the level in their order, then what else the rows hold, by name. A missing
/// value is undefined; a known metric without any row is there too, and undefined.
fn columns(rows: &[&BTreeMap<String, Option<f64>>], known: &[MetricInfo], level: Level) -> Vec<Column> {
    let mut names: Vec<&str> =
        known.iter().filter(|metric| metric.level == level).map(|metric| metric.name.as_str()).collect();
    let mut others: Vec<&str> = rows.iter().flat_map(|row| row.keys().map(String::as_str)).collect();
    others.retain(|name| !names.contains(name));
    others.sort_unstable();
    others.dedup();
    names.extend(others);
    let column = |name: &str| rows.iter().map(|row| row.get(name).copied().flatten()).collect();
    names.into_iter().map(|name| (name.to_owned(), column(name))).collect()
}

/// A number for every cluster; a row without a key is its own cluster.
fn clusters(keys: &[Option<&str>]) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let mut numbers = Vec::with_capacity(keys.len());
    for (row, key) in keys.iter().enumerate() {
        numbers.push(key.map_or(row, |key| *known.entry(key).or_insert(row)));
    }
    numbers
}

fn singles(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// Means and intervals; columns that are defined on the same rows share one pass over the resamples.
fn summarize(columns: Vec<Column>, clusters: &[usize], seed: u64, replicates: u64) -> Vec<Summary> {
    let defined: Vec<Vec<bool>> =
        columns.iter().map(|(_, values)| values.iter().map(Option::is_some).collect()).collect();
    let values: Vec<Vec<f64>> = columns.iter().map(|(_, values)| values.iter().flatten().copied().collect()).collect();
    let mut intervals = vec![None; columns.len()];
    for (place, mask) in defined.iter().enumerate() {
        let same: Vec<usize> = (0..columns.len()).filter(|other| defined[*other] == *mask).collect();
        if same.first() != Some(&place) {
            continue;
        }
        let kept: Vec<usize> =
            clusters.iter().zip(mask).filter(|(_, defined)| **defined).map(|(cluster, _)| *cluster).collect();
        let slices: Vec<&[f64]> = same.iter().map(|column| values[*column].as_slice()).collect();
        let found = clustered_bootstrap_means(&slices, &kept, seed, replicates);
        for (column, interval) in same.into_iter().zip(found) {
            intervals[column] = interval;
        }
    }
    let rows = clusters.len() as u64;
    let summary = |(((metric, _), values), interval): ((Column, Vec<f64>), Option<crate::stats::Interval>)| {
        let n = values.len() as u64;
        Summary {
            metric,
            n,
            undefined: rows - n,
            mean: mean(&values),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            attainable: None,
        }
    };
    columns.into_iter().zip(values).zip(intervals).map(summary).collect()
}
