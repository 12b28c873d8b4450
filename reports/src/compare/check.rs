//! May these two runs be compared at all?

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::Run;

/// One of the two runs of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first run, before.
    A,
    /// The second run, after.
    B,
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

/// Why two runs did not measure the same thing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The result files have different schema versions.
    SchemaVersion {
        /// Version of the first run.
        a: u32,
        /// Version of the second run.
        b: u32,
    },
    /// A corpus of one name has other content.
    CorpusDiffers {
        /// Name of the corpus.
        corpus: String,
        /// SHA-256 in the first run.
        a: String,
        /// SHA-256 in the second run.
        b: String,
    },
    /// A corpus is in one run only.
    CorpusMissing {
        /// Name of the corpus.
        corpus: String,
        /// The run without it.
        missing_in: Side,
    },
    /// Both runs have sessions, drawn with different seeds.
    Seed {
        /// Seed of the first run.
        a: u64,
        /// Seed of the second run.
        b: u64,
    },
    /// A metric was defined differently.
    MetricVersion {
        /// Name of the metric.
        metric: String,
        /// Version in the first run.
        a: u32,
        /// Version in the second run.
        b: u32,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SchemaVersion { a, b } => write!(formatter, "schema_version is {a} in A and {b} in B"),
            Self::CorpusDiffers { corpus, a, b } => {
                write!(formatter, "corpus {corpus} has SHA-256 {a} in A and {b} in B")
            }
            Self::CorpusMissing { corpus, missing_in } => {
                write!(formatter, "corpus {corpus} is missing in {missing_in}")
            }
            Self::Seed { a, b } => {
                write!(formatter, "the sessions are drawn with seed {a} in A and {b} in B, so they ask for other tools")
            }
            Self::MetricVersion { metric, a, b } => {
                write!(formatter, "metric {metric} has version {a} in A and {b} in B")
            }
        }
    }
}

/// Why two runs were not compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The runs did not measure the same thing.
    #[error(
        "cannot compare A with B: {}; expected the same corpora and metrics: measure one of them again, or use --force to \
         compare all the same and mark the report",
        .mismatches.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Refused {
        /// Every reason.
        mismatches: Vec<Mismatch>,
    },
    /// No cell of one run has a partner in the other.
    #[error(
        "cannot compare A with B: expected a corpus with the same ranker, or a session with the same script, policy, \
         order, entry, layout and limit, found none in both; run both with the same scenario"
    )]
    NothingInCommon,
}

/// Every reason against comparing the runs, corpora in the order of `a` and then of `b`.
pub(super) fn mismatches(a: &Run, b: &Run) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let seeds = (a.manifest().identity.seed, b.manifest().identity.seed);
    let (a, b) = (a.scores(), b.scores());
    if seeds.0 != seeds.1 && !a.sessions.is_empty() && !b.sessions.is_empty() {
        found.push(Mismatch::Seed { a: seeds.0, b: seeds.1 });
    }
    if a.schema_version != b.schema_version {
        found.push(Mismatch::SchemaVersion { a: a.schema_version, b: b.schema_version });
    }
    for corpus in &a.corpora {
        let name = || corpus.name.clone();
        match b.corpora.iter().find(|other| other.name == corpus.name) {
            None => found.push(Mismatch::CorpusMissing { corpus: name(), missing_in: Side::B }),
            Some(other) if other.sha256 != corpus.sha256 => {
                let (a, b) = (corpus.sha256.clone(), other.sha256.clone());
                found.push(Mismatch::CorpusDiffers { corpus: name(), a, b });
            }
            Some(_) => {}
        }
    }
    for corpus in &b.corpora {
        if a.corpora.iter().all(|other| other.name != corpus.name) {
            found.push(Mismatch::CorpusMissing { corpus: corpus.name.clone(), missing_in: Side::A });
        }
    }
    let versions: BTreeMap<&str, u32> = b.metrics.iter().map(|metric| (metric.name.as_str(), metric.version)).collect();
    for metric in &a.metrics {
        if let Some(version) = versions.get(metric.name.as_str()).filter(|version| **version != metric.version) {
            let metric_name = metric.name.clone();
            found.push(Mismatch::MetricVersion { metric: metric_name, a: metric.version, b: *version });
        }
    }
    found
}
