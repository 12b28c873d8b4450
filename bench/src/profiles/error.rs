//! Why could a profile not be read?

use deferbench_core::error::SpecError;
use deferbench_corpora::error::CorpusError;
use thiserror::Error;

/// Why a profile could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] CorpusError),
    /// The text is no profile.
    #[error(
        "profile {origin}: line {line}: {detail}; expected name, summary, matcher (longest_prefix or entry), and for each field a table [facts.FIELD] with value (or \"unknown\"), source, checked_on and confidence"
    )]
    Toml {
        /// File or name.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A field is missing, unknown, without provenance, or no value of its kind.
    #[error("profile {origin}: {}{field}: {problem}", line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    Field {
        /// File or name.
        origin: String,
        /// Line, from 1; none where the value comes from the command line or is missing.
        line: Option<usize>,
        /// Which one.
        field: String,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// No profile has this name.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl ProfileError {
    pub(super) fn field(origin: &str, line: Option<usize>, field: &str, problem: String) -> Self {
        Self::Field { origin: origin.to_string(), line, field: field.to_string(), problem }
    }
}
