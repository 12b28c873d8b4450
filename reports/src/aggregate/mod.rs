//! What do the raw rows add up to? Aggregates are computed here and never stored.

mod retrieval;
mod session;

pub use retrieval::{ClassSummary, RetrievalSummary, Summary, summarize_retrieval};
pub use session::{Break, CounterTotals, SessionSummary, Survival, summarize_session};

use crate::record::Scores;

/// The aggregates of every cell of a run, in the order of the cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregates {
    /// One for each cell of `scores.retrieval`.
    pub retrieval: Vec<RetrievalSummary>,
    /// One for each cell of `scores.sessions`.
    pub sessions: Vec<SessionSummary>,
}

impl Aggregates {
    /// Aggregates every cell; `seed` and `replicates` are those of the manifest's identity.
    pub fn new(scores: &Scores, seed: u64, replicates: u64) -> Self {
        let retrieval =
            scores.retrieval.iter().map(|cell| summarize_retrieval(cell, &scores.metrics, seed, replicates));
        Self { retrieval: retrieval.collect(), sessions: scores.sessions.iter().map(summarize_session).collect() }
    }
}

#[cfg(test)]
mod tests;
