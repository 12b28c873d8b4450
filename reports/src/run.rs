//! What belongs to one run? Its manifest, its scores, its timings, and the aggregates made of them.

use std::sync::OnceLock;

use crate::aggregate::Aggregates;
use crate::manifest::{Manifest, Timings};
use crate::record::Scores;

/// One run, as measured or as read from a folder by [`Run::load`].
///
/// It cannot be changed, so the aggregates are computed once, when the first report asks for them.
#[derive(Debug, Clone)]
pub struct Run {
    manifest: Manifest,
    scores: Scores,
    timings: Option<Timings>,
    aggregates: OnceLock<Aggregates>,
}

impl Run {
    /// Joins the parts of a run.
    pub fn new(manifest: Manifest, scores: Scores, timings: Option<Timings>) -> Self {
        Self { manifest, scores, timings, aggregates: OnceLock::new() }
    }

    /// What was measured, where and when.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The raw rows.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The durations, where the folder has them.
    pub fn timings(&self) -> Option<&Timings> {
        self.timings.as_ref()
    }

    /// Means, intervals and totals of the rows, with the seed and the replicates of the manifest.
    pub fn aggregates(&self) -> &Aggregates {
        self.aggregates.get_or_init(|| {
            let identity = &self.manifest.identity;
            Aggregates::new(&self.scores, identity.seed, identity.replicates)
        })
    }

    /// The parts, to change them and make another run.
    pub fn into_parts(self) -> (Manifest, Scores, Option<Timings>) {
        (self.manifest, self.scores, self.timings)
    }
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        (&self.manifest, &self.scores, &self.timings) == (&other.manifest, &other.scores, &other.timings)
    }
}
