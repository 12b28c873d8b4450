//! What can be wrong with a log, and what helps?

use std::path::PathBuf;

use deferbench_core::cache::CacheError;
use thiserror::Error;

use crate::prompt::PromptError;

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: found {found}; expected {expected}; {remedy}")]
pub struct Wrong {
    /// The member, as a path.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: &'static str,
    /// What helps.
    pub remedy: &'static str,
}

impl Wrong {
    /// All four.
    pub fn new(
        place: impl Into<String>,
        found: impl Into<String>,
        expected: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self { place: place.into(), found: found.into(), expected, remedy }
    }

    /// The same inside another member.
    pub fn within(self, place: &str) -> Self {
        Self { place: format!("{place}.{}", self.place), ..self }
    }
}

/// Why a log was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogError {
    /// A line is wrong.
    #[error("{}: line {line}: {wrong}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        wrong: Wrong,
    },
    /// A file without requests.
    #[error("{}: no request in it; expected one JSON object on each line; record the bodies that are sent", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A request cannot be counted.
    #[error("{}: line {line}: {source}", path.display())]
    Prompt {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        source: PromptError,
    },
    /// A counter that cannot place its tokens.
    #[error("counter \"{counter}\" cannot tell where its tokens begin; use another, such as o200k_base")]
    Counter {
        /// The counter.
        counter: &'static str,
    },
    /// A request that the provider of a profile would have refused.
    #[error("{}: line {line}: profile \"{profile}\" cannot have accepted it: {source}", path.display())]
    Cache {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The profile.
        profile: String,
        /// Why.
        source: CacheError,
    },
}
