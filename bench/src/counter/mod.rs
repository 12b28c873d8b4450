//! How many model tokens is a text?

use deferbench_core::error::SpecError;
use deferbench_reports::record::{Basis, CounterInfo};
use thiserror::Error;

deferbench_core::entries! {
    /// Every counter, in the order of the reports.
    pub static COUNTERS: [CounterEntry] = { o200k_base, chars4, bytes }
}

/// Counts the tokens of a text.
pub trait Counter: Send + Sync {
    /// The number of tokens of the whole text; 0 for the empty text.
    ///
    /// # Errors
    /// [`CountError`] for a text that the counter cannot count exactly.
    fn count(&self, text: &str) -> Result<u64, CountError>;

    /// The byte at which each token begins, ascending, one for each token that [`Counter::count`] counts; none from a
    /// counter that cannot tell.
    ///
    /// # Errors
    /// As for [`Counter::count`].
    fn starts(&self, _text: &str) -> Result<Option<Vec<usize>>, CountError> {
        Ok(None)
    }
}

/// Why a text was not counted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// A run of white space is longer than the split pattern's engine can follow.
    #[error(
        "{counter} cannot count a run of {found} white-space bytes (at most {limit}); shorten it, or leave this counter out"
    )]
    WhiteSpace {
        /// The counter.
        counter: &'static str,
        /// Length of the run, bytes.
        found: usize,
        /// Longest run that can be counted, bytes.
        limit: usize,
    },
}

/// The declaration of a counter.
pub struct CounterEntry {
    /// The name used in flags.
    pub name: &'static str,
    /// The name in results: with the version of an estimate, or the vocabulary's origin.
    pub key: &'static str,
    /// Measured when the counts are those of a real vocabulary.
    pub basis: Basis,
    /// One sentence: what it counts.
    pub summary: &'static str,
    /// Where the rule or the vocabulary comes from.
    pub source: &'static str,
    /// SHA-256 of the vocabulary file.
    pub vocabulary_sha256: Option<&'static str>,
    /// The counter, ready to count; the vocabulary is loaded once for the process.
    pub counter: fn() -> &'static dyn Counter,
}

impl CounterEntry {
    /// The counter of a name.
    ///
    /// # Errors
    /// [`SpecError::Unknown`], listing the known names.
    ///
    /// ```
    /// use deferbench::counter::CounterEntry;
    /// let chars4 = (CounterEntry::find("chars4").unwrap().counter)();
    /// assert_eq!((chars4.count(""), chars4.count("12345")), (Ok(0), Ok(2 + 4)));
    /// ```
    pub fn find(name: &str) -> Result<&'static CounterEntry, SpecError> {
        COUNTERS
            .iter()
            .find(|c| c.name == name)
            .copied()
            .ok_or_else(|| SpecError::unknown("counter", name, COUNTERS.iter().map(|c| c.name)))
    }

    /// The description that result files carry.
    pub fn info(&self) -> CounterInfo {
        CounterInfo {
            name: self.key.to_string(),
            basis: self.basis,
            summary: self.summary.to_string(),
            vocabulary_sha256: self.vocabulary_sha256.map(str::to_string),
        }
    }
}
