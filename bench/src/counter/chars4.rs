//! The estimate of the seed's benchmark.

use deferbench_reports::record::Basis;

use super::{CountError, Counter, CounterEntry};

pub(super) static ENTRY: CounterEntry = CounterEntry {
    name: "chars4",
    key: "chars4@1",
    basis: Basis::Estimated,
    summary: "UTF-16 code units divided by four, rounded up, plus four; 0 for an empty text",
    source: "the published benchmark of dsh-tool-search",
    vocabulary_sha256: None,
    counter: || &Chars4,
};

struct Chars4;

impl Counter for Chars4 {
    fn count(&self, text: &str) -> Result<u64, CountError> {
        if text.is_empty() {
            return Ok(0);
        }
        let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
        Ok(units.div_ceil(4) as u64 + 4)
    }

    /// The four tokens that every text has begin with it; each further one begins at every fourth code unit.
    fn starts(&self, text: &str) -> Result<Option<Vec<usize>>, CountError> {
        if text.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let units = text.char_indices().flat_map(|(at, c)| std::iter::repeat_n(at, c.len_utf16()));
        Ok(Some(std::iter::repeat_n(0, 4).chain(units.step_by(4)).collect()))
    }
}
