//! Which numbers are reported, and what does each mean?

use deferbench_reports::record::{Better, Level, MetricInfo};

deferbench_core::entries! {
    /// Every metric, in the order of the reports.
    pub static METRICS: [Metric] = {
        exact_name, callable_name, hit, complete, recall, ndcg, mrr, no_answer_recall, no_answer_precision, poison, rank_shift,
        schema_bytes, tokens, extra_turns, searches_per_success, false_activation, prefix_survival, prefix_coverage,
    }
}

/// How deep a ranking is judged.
pub const DEPTH: usize = 10;

/// The declaration of a metric.
pub struct Metric {
    /// The name without its cut-off.
    pub name: &'static str,
    /// Raised when the definition changes; runs with different versions are not compared.
    pub version: u32,
    /// One sentence: what it measures.
    pub summary: &'static str,
    /// `share`, `tokens`, `bytes`, `requests` or `searches`.
    pub unit: &'static str,
    /// Which direction is better.
    pub better: Better,
    /// When it is null.
    pub undefined: &'static str,
    /// Paper, document or tool that defines it.
    pub source: &'static str,
    /// How it is computed.
    pub kind: Kind,
}

/// Where the values of a metric come from.
pub enum Kind {
    /// One value for each labelled query and cut-off.
    Query {
        /// The cut-offs that are reported; empty: the metric has none.
        cuts: &'static [usize],
        /// The value at a cut-off; none: undefined for this query.
        value: fn(&Judged, usize) -> Option<f64>,
    },
    /// One value for each tool, asked for by name: 1 when it comes first.
    Name {
        /// True: the name the tool has on its own server; false: the name a call uses.
        bare: bool,
    },
    /// Stored in the rows of a session, under these members.
    Session {
        /// Members of the session record.
        members: &'static str,
    },
}

/// The answer to one labelled query, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// For each need: the rank of its first member, from 1; none: not among the first [`DEPTH`].
    pub ranks: Vec<Option<usize>>,
    /// Number of tools in the answer, at most [`DEPTH`].
    pub returned: usize,
    /// Ranks of the tools whose descriptions repeat words of queries; none where the query is not one of those.
    pub poison: Option<Vec<usize>>,
}

impl Judged {
    /// Ranks of the needs that were found, best first.
    fn found(&self) -> Vec<usize> {
        let mut found: Vec<usize> = self.ranks.iter().flatten().copied().collect();
        found.sort_unstable();
        found
    }

    /// How many needs were found up to a cut-off; none when the query needs nothing.
    fn within(&self, k: usize) -> Option<usize> {
        (!self.ranks.is_empty()).then(|| self.ranks.iter().flatten().filter(|r| **r <= k).count())
    }
}

impl Metric {
    /// The names in results: with each cut-off.
    pub fn names(&self) -> Vec<(String, usize)> {
        match self.kind {
            Kind::Query { cuts, .. } if !cuts.is_empty() => {
                cuts.iter().map(|k| (format!("{}@{k}", self.name), *k)).collect()
            }
            _ => vec![(self.name.to_string(), DEPTH)],
        }
    }

    /// The descriptions that result files carry: one for each name.
    pub fn infos(&self) -> Vec<MetricInfo> {
        let info = |(name, _)| MetricInfo {
            name,
            version: self.version,
            level: match self.kind {
                Kind::Query { .. } => Level::Query,
                Kind::Name { .. } => Level::Name,
                Kind::Session { .. } => Level::Session,
            },
            summary: self.summary.to_string(),
            unit: self.unit.to_string(),
            better: self.better,
            undefined: self.undefined.to_string(),
            source: self.source.to_string(),
        };
        self.names().into_iter().map(info).collect()
    }
}

/// Every value of a judged query, by name.
pub fn of_query(judged: &Judged) -> Vec<(String, Option<f64>)> {
    let mut out = Vec::new();
    for metric in METRICS {
        if let Kind::Query { value, .. } = metric.kind {
            out.extend(metric.names().into_iter().map(|(name, k)| (name, value(judged, k))));
        }
    }
    out
}

#[cfg(test)]
mod tests;
