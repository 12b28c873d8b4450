//! Are the tools found better or worse than before, query by query?

use std::collections::{BTreeMap, BTreeSet};

use super::Rest;
use crate::Run;
use crate::manifest::Identity;
use crate::record::{Better, MetricInfo, RetrievalCell};
use crate::stats::{Interval, WinTieLoss, clustered_bootstrap_means, mean, sign_flip, win_tie_loss};

/// Random draws of a randomisation test of more than 12 pairs.
const DRAWS: u64 = 10_000;

/// One metric over the rows that both runs have.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricChange {
    /// Name of the metric.
    pub metric: String,
    /// Which direction is better; `None` when the runs do not describe the metric, and then nothing regresses.
    pub better: Option<Better>,
    /// Pairs with a value on both sides.
    pub n: u64,
    /// Pairs without a value on one side or both.
    pub undefined: u64,
    /// Rows of `a` without a partner.
    pub only_in_a: u64,
    /// Rows of `b` without a partner.
    pub only_in_b: u64,
    /// Mean of `a` over the pairs; `None` without pairs.
    pub mean_a: Option<f64>,
    /// Mean of `b` over the pairs; `None` without pairs.
    pub mean_b: Option<f64>,
    /// Mean of `b` minus `a` over the pairs; `None` without pairs.
    pub difference: Option<f64>,
    /// 95 % bootstrap interval of the difference.
    pub interval: Option<Interval>,
    /// Two-sided p-value of the sign-flip test; `None` without pairs.
    pub p_value: Option<f64>,
    /// Pairs in which `b` is better, alike, worse; by size when the direction is unknown.
    pub count: WinTieLoss,
}

impl MetricChange {
    /// Whether the metric got worse and the interval of the difference excludes 0.
    pub fn regressed(&self) -> bool {
        self.moved().is_some_and(|worse| worse)
    }

    /// Whether the metric got better and the interval of the difference excludes 0.
    pub fn improved(&self) -> bool {
        self.moved().is_some_and(|worse| !worse)
    }

    /// `Some(true)`: clearly worse, `Some(false)`: clearly better.
    fn moved(&self) -> Option<bool> {
        let (better, interval) = (self.better?, self.interval?);
        let worse = match better {
            Better::Higher => interval.high < 0.0,
            Better::Lower => interval.low > 0.0,
        };
        interval.excludes_zero().then_some(worse)
    }
}

/// One corpus under a ranker in `a` and a ranker in `b`.
#[derive(Debug, Clone, PartialEq)]
pub struct RetrievalChange {
    /// Name of the corpus.
    pub corpus: String,
    /// Spec of the ranker of `a`.
    pub ranker_a: String,
    /// Spec of the ranker of `b`.
    pub ranker_b: String,
    /// Every metric that both runs have, name metrics first.
    pub metrics: Vec<MetricChange>,
}

pub(super) fn changes(a: &Run, b: &Run) -> (Vec<RetrievalChange>, Rest) {
    let mut changes = Vec::new();
    let mut rest = Rest::default();
    let mut used = vec![false; b.scores().retrieval.len()];
    for cell in &a.scores().retrieval {
        match partner(a, b, cell).filter(|place| !used[*place]) {
            Some(place) => {
                used[place] = true;
                let other = &b.scores().retrieval[place];
                rest.a.extend(missing_metrics(cell, other));
                rest.b.extend(missing_metrics(other, cell));
                changes.push(change(cell, other, &a.scores().metrics, &a.manifest().identity));
            }
            None => rest.a.push(named(cell)),
        }
    }
    let left = b.scores().retrieval.iter().zip(used).filter(|(_, used)| !used).map(|(cell, _)| named(cell));
    rest.b.extend(left);
    (changes, rest)
}

fn named(cell: &RetrievalCell) -> String {
    format!("retrieval: corpus {}, ranker {}", cell.corpus, cell.ranker)
}

/// The metrics that rows of one cell carry and no row of the other does.
fn missing_metrics(cell: &RetrievalCell, other: &RetrievalCell) -> Vec<String> {
    let carried = |cell: &RetrievalCell| -> BTreeSet<String> {
        let rows = cell.queries.iter().map(|row| &row.values).chain(cell.names.iter().map(|row| &row.values));
        rows.flat_map(|values| values.keys().cloned()).collect()
    };
    let (ours, theirs) = (carried(cell), carried(other));
    ours.difference(&theirs).map(|metric| format!("metric {metric}: {}", named(cell))).collect()
}

/// The place of the cell of the same ranker, or of the only ranker when each side has one.
fn partner(a: &Run, b: &Run, cell: &RetrievalCell) -> Option<usize> {
    let theirs = &b.scores().retrieval;
    let on_corpus: Vec<usize> = (0..theirs.len()).filter(|place| theirs[*place].corpus == cell.corpus).collect();
    let same = on_corpus.iter().copied().find(|place| theirs[*place].ranker == cell.ranker);
    let ours = a.scores().retrieval.iter().filter(|other| other.corpus == cell.corpus).count();
    match on_corpus.as_slice() {
        [only] if ours == 1 => Some(*only),
        _ => same,
    }
}

type Values = BTreeMap<String, Option<f64>>;

/// A row of one side: its name, its cluster, its values.
struct Row<'a> {
    id: &'a str,
    cluster: Option<&'a str>,
    values: &'a Values,
}

fn change(a: &RetrievalCell, b: &RetrievalCell, metrics: &[MetricInfo], identity: &Identity) -> RetrievalChange {
    let mut all = compared(&name_rows(a), &name_rows(b), metrics, identity);
    all.extend(compared(&query_rows(a), &query_rows(b), metrics, identity));
    RetrievalChange { corpus: a.corpus.clone(), ranker_a: a.ranker.clone(), ranker_b: b.ranker.clone(), metrics: all }
}

fn name_rows(cell: &RetrievalCell) -> Vec<Row<'_>> {
    cell.names.iter().map(|row| Row { id: &row.tool, cluster: None, values: &row.values }).collect()
}

fn query_rows(cell: &RetrievalCell) -> Vec<Row<'_>> {
    cell.queries.iter().map(|row| Row { id: &row.id, cluster: row.cluster.as_deref(), values: &row.values }).collect()
}

/// Every metric that a row of each side carries, in the order of the reports, then by name.
fn compared(a: &[Row<'_>], b: &[Row<'_>], metrics: &[MetricInfo], identity: &Identity) -> Vec<MetricChange> {
    let partners: BTreeMap<&str, &Row<'_>> = b.iter().map(|row| (row.id, row)).collect();
    let pairs: Vec<(&Row<'_>, &Row<'_>)> = a.iter().filter_map(|row| Some((row, *partners.get(row.id)?))).collect();
    let carried = |rows: &[Row<'_>], name: &str| rows.iter().any(|row| row.values.contains_key(name));
    let mut names: Vec<&str> = a.iter().flat_map(|row| row.values.keys().map(String::as_str)).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| carried(b, name));
    names.sort_by_key(|name| metrics.iter().position(|metric| metric.name == *name).unwrap_or(metrics.len()));
    let change = |name: &&str| {
        let better = metrics.iter().find(|metric| metric.name == **name).map(|metric| metric.better);
        let mut change = metric_change(name, better, &pairs, identity);
        change.only_in_a = (a.len() - pairs.len()) as u64;
        change.only_in_b = b.len().saturating_sub(pairs.len()) as u64;
        change
    };
    names.iter().map(change).collect()
}

/// The sums of the differences of each cluster: rows of one cluster are no independent evidence, so they flip together.
fn by_cluster(differences: &[f64], clusters: &[usize]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (cluster, difference) in clusters.iter().zip(differences) {
        *sums.entry(*cluster).or_insert(0.0) += difference;
    }
    sums.into_values().collect()
}

fn metric_change(
    name: &str,
    better: Option<Better>,
    pairs: &[(&Row<'_>, &Row<'_>)],
    identity: &Identity,
) -> MetricChange {
    let value = |row: &Row<'_>| row.values.get(name).copied().flatten();
    let mut known = BTreeMap::new();
    let (mut before, mut after, mut differences, mut clusters) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (place, (a, b)) in pairs.iter().enumerate() {
        let (Some(from), Some(to)) = (value(a), value(b)) else { continue };
        before.push(from);
        after.push(to);
        differences.push(to - from);
        clusters.push(a.cluster.map_or(place, |key| *known.entry(key).or_insert(place)));
    }
    let intervals = clustered_bootstrap_means(&[&differences], &clusters, identity.seed, identity.replicates);
    let count = match better {
        Some(Better::Lower) => win_tie_loss(&before, &after),
        Some(Better::Higher) | None => win_tie_loss(&after, &before),
    };
    MetricChange {
        metric: name.to_owned(),
        better,
        n: differences.len() as u64,
        undefined: (pairs.len() - differences.len()) as u64,
        only_in_a: 0,
        only_in_b: 0,
        mean_a: mean(&before),
        mean_b: mean(&after),
        difference: mean(&differences),
        interval: intervals.into_iter().next().flatten(),
        p_value: sign_flip(&by_cluster(&differences, &clusters), identity.seed, DRAWS),
        count,
    }
}
