//! OpenAI's `o200k_base` vocabulary, exactly.
//!
//! The vocabulary's split pattern never joins an ASCII letter with an ASCII sign or a space that follows it (the
//! apostrophe excepted), whatever stands around: so a text may be cut there and the counts of the pieces add up to the count of
//! the whole. Pieces are cut by their content, so that a definition gives the same pieces wherever it stands, and each
//! is counted once for the process.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use deferbench_reports::record::Basis;

use super::{CountError, Counter, CounterEntry};

pub(super) static ENTRY: CounterEntry = CounterEntry {
    name: "o200k_base",
    key: "o200k_base@tiktoken",
    basis: Basis::Measured,
    summary: "tokens of the o200k_base vocabulary (GPT-4o and later); text that spells a special token counts as text",
    source: "openai/tiktoken, vocabulary file o200k_base.tiktoken as shipped by the tiktoken-rs crate",
    vocabulary_sha256: Some("446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
    counter: || &*O200K,
};

static O200K: LazyLock<O200k> = LazyLock::new(|| O200k { known: RwLock::new(Known::default()) });

/// Bytes of each token of the vocabulary.
static LENGTHS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let vocabulary = tiktoken_rs::o200k_base_singleton();
    // Special tokens stand behind; plain text never has one.
    (0..200_000).map(|token| vocabulary.decode_bytes(&[token]).map_or(0, |b| b.len() as u32)).collect()
});

/// Text that is remembered, at most, bytes.
const MOST_BYTES: usize = 64 << 20;

/// The counts of pieces seen before, and the bytes of their texts.
#[derive(Default)]
struct Known {
    counts: HashMap<Box<str>, u32>,
    bytes: usize,
}

/// Longest run of white space, bytes: the split pattern backtracks once for each, and its engine gives up at a million.
const LONGEST_SPACE: usize = 500_000;

struct O200k {
    known: RwLock<Known>,
}

impl O200k {
    fn piece(&self, piece: &str) -> Result<u64, CountError> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).counts.get(piece).copied();
        if let Some(count) = known {
            return Ok(u64::from(count));
        }
        let found = longest_space(piece);
        if found > LONGEST_SPACE {
            return Err(CountError::WhiteSpace { counter: ENTRY.name, found, limit: LONGEST_SPACE });
        }
        let count = tiktoken_rs::o200k_base_singleton().count_ordinary(piece) as u32;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.bytes + piece.len() <= MOST_BYTES && known.counts.insert(piece.into(), count).is_none() {
            known.bytes += piece.len();
        }
        Ok(u64::from(count))
    }
}

fn longest_space(text: &str) -> usize {
    if text.len() <= LONGEST_SPACE {
        return 0;
    }
    text.split(|c: char| !c.is_whitespace()).map(str::len).max().unwrap_or(0)
}

impl Counter for O200k {
    fn count(&self, text: &str) -> Result<u64, CountError> {
        let (mut total, mut start) = (0, 0);
        for end in cuts(text.as_bytes()) {
            total += self.piece(&text[start..end])?;
            start = end;
        }
        Ok(total + if start < text.len() { self.piece(&text[start..])? } else { 0 })
    }

    fn starts(&self, text: &str) -> Result<Option<Vec<usize>>, CountError> {
        let found = longest_space(text);
        if found > LONGEST_SPACE {
            return Err(CountError::WhiteSpace { counter: ENTRY.name, found, limit: LONGEST_SPACE });
        }
        let (mut out, mut at) = (Vec::new(), 0);
        for token in tiktoken_rs::o200k_base_singleton().encode_ordinary(text) {
            out.push(at);
            at += LENGTHS.get(token as usize).copied().unwrap_or(0) as usize;
        }
        Ok(Some(out))
    }
}

/// Positions where the text may be cut, about every hundred bytes of JSON, chosen by the bytes around them.
fn cuts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    (8..bytes.len()).filter(|&i| {
        let (before, after) = (bytes[i - 1], bytes[i]);
        let safe = before.is_ascii_alphabetic() && after != b'\'' && (after.is_ascii_punctuation() || after == b' ');
        // Any rule will do that looks at a few bytes only; this one picks about one safe place in eight.
        safe && (bytes[i - 2] ^ bytes[i - 3].rotate_left(2) ^ before) & 7 == 0
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(text: &str) -> u64 {
        tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u64
    }

    /// B02, G03: counts equal the reference crate's on text that is hard to cut.
    #[test]
    fn hand_picked_texts() {
        let counter = (ENTRY.counter)();
        for text in [
            "",
            "a",
            r#"[{"type":"function","function":{"name":"get_user","description":"It's a user's data.","parameters":{}}}]"#,
            "don't DON'T it'll we've I'M x'y'z 'quoted' isn't-it it's\"x\"",
            "spaces     then   words\n\n\tand\r\nlines   ",
            "<|endoftext|> <|fim_prefix|> is plain text here",
            "数据库搜索 ﬁle ÄÖÜ straße 🙂🙂 e\u{301}e\u{301} ไทย",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa----------------------////////",
        ] {
            assert_eq!(counter.count(text), Ok(exact(text)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_counts_as_the_whole(text in "\\PC{0,200}") {
            prop_assert_eq!((ENTRY.counter)().count(&text), Ok(exact(&text)));
        }

        #[test]
        fn texts_full_of_seams_count_as_the_whole(
            parts in prop::collection::vec("[a-zA-Z]{1,9}|['\"., :_/\\\\{}-]{1,3}|'s|'LL|\n| {1,3}|[0-9]{1,4}|é|好", 0..80)
        ) {
            let text = parts.concat();
            prop_assert_eq!((ENTRY.counter)().count(&text), Ok(exact(&text)));
        }
    }

    /// A run that the engine cannot follow is refused by name instead of ending the program.
    #[test]
    fn a_million_spaces_are_refused() {
        let counter = (ENTRY.counter)();
        let run = |n: usize| format!("a {}b", " ".repeat(n));
        assert_eq!(counter.count(&run(200_000)), Ok(exact(&run(200_000))));
        assert!(matches!(counter.count(&run(1_000_000)), Err(CountError::WhiteSpace { found: 1_000_001, .. })));
    }

    /// A definition counts the same work wherever it stands: its inner cuts do not move.
    #[test]
    fn cuts_depend_on_content_only() {
        let tool = r#"{"name":"send_message","description":"Sends one message to a channel."}"#;
        let shifted = format!("[{{\"name\":\"x\"}},{tool}");
        let offset = shifted.len() - tool.len();
        let inner = |text: &str, from: usize| {
            cuts(text.as_bytes()).filter(|c| *c >= from + 8).map(|c| c - from).collect::<Vec<_>>()
        };
        assert_eq!(inner(tool, 0), inner(&shifted, offset));
        assert!(!inner(tool, 0).is_empty());
    }
}
