//! UTF-8 bytes.

use deferbench_reports::record::Basis;

use super::{CountError, Counter, CounterEntry};

pub(super) static ENTRY: CounterEntry = CounterEntry {
    name: "bytes",
    key: "bytes",
    basis: Basis::Measured,
    summary: "UTF-8 bytes of the text: no tokens, but the same for every model",
    source: "the Unicode standard, UTF-8",
    vocabulary_sha256: None,
    counter: || &Bytes,
};

struct Bytes;

impl Counter for Bytes {
    fn count(&self, text: &str) -> Result<u64, CountError> {
        Ok(text.len() as u64)
    }

    fn starts(&self, text: &str) -> Result<Option<Vec<usize>>, CountError> {
        Ok(Some((0..text.len()).collect()))
    }
}
