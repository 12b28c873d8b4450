//! What moved between two runs, and is it more than chance?

mod check;
mod render;
mod retrieval;
mod session;

pub use check::{CompareError, Mismatch, Side};
pub use retrieval::{MetricChange, RetrievalChange};
pub use session::{Quantity, SessionChange};

use crate::Run;

/// Two runs side by side, `a` before and `b` after.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Reasons against the comparison that were overruled by force; empty when there are none.
    pub mismatches: Vec<Mismatch>,
    /// The retrieval cells that both runs have, in the order of `a`.
    pub retrieval: Vec<RetrievalChange>,
    /// The sessions that both runs have, in the order of `a`.
    pub sessions: Vec<SessionChange>,
    /// Cells of `a` without a partner in `b`, and metrics that the partner does not have.
    pub only_in_a: Vec<String>,
    /// Cells of `b` without a partner in `a`, and metrics that the partner does not have.
    pub only_in_b: Vec<String>,
    /// Whether anything got worse: a retrieval metric whose interval excludes 0, or an exact quantity of a session at all.
    pub regressed: bool,
}

/// Compares two runs; `a` is the one before, `b` the one after, and a difference is `b` minus `a`.
///
/// Retrieval cells are paired by corpus and ranker; a corpus with exactly one ranker on each side is paired even when
/// the rankers differ, which is how two rankers are compared. Sessions are paired by corpus, script, policy, order,
/// entry, layout and limit. Seed and replicates are those of `a`. With `force`, mismatches are listed in the result
/// instead of refused.
///
/// # Errors
/// [`CompareError::Refused`] with every mismatch of schema version, corpus or metric version, and
/// [`CompareError::NothingInCommon`] when no cell of one run has a partner in the other: an empty comparison would
/// look like one that holds.
pub fn compare(a: &Run, b: &Run, force: bool) -> Result<Comparison, CompareError> {
    let mismatches = check::mismatches(a, b);
    if !mismatches.is_empty() && !force {
        return Err(CompareError::Refused { mismatches });
    }
    let (retrieval, retrieval_rest) = retrieval::changes(a, b);
    let (sessions, session_rest) = session::changes(a, b);
    if retrieval.is_empty() && sessions.is_empty() {
        return Err(CompareError::NothingInCommon);
    }
    let regressed = retrieval.iter().flat_map(|cell| &cell.metrics).any(MetricChange::regressed)
        || sessions.iter().flat_map(|cell| &cell.quantities).any(Quantity::regressed);
    Ok(Comparison {
        mismatches,
        retrieval,
        sessions,
        only_in_a: [retrieval_rest.a, session_rest.a].concat(),
        only_in_b: [retrieval_rest.b, session_rest.b].concat(),
        regressed,
    })
}

/// Names of cells without a partner.
#[derive(Debug, Default)]
struct Rest {
    a: Vec<String>,
    b: Vec<String>,
}

#[cfg(test)]
mod tests;
