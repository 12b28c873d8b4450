//! How is a text split into search words?
//!
//! A splitter gives the words a ranker indexes and looks up. It has nothing to do with model tokens: those are counted
//! by a counter.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

crate::entries! {
    /// Every splitter, in the order of `list`.
    pub static SPLITTERS: [Splitter] = { plain, split, stem, runs, words }
}

/// What a splitter calls with each word.
pub type EachWord<'a> = &'a mut dyn FnMut(&str);

/// Turns a text into search words.
pub struct Splitter {
    /// The name used in specs.
    pub name: &'static str,
    /// One sentence: what becomes a word.
    pub summary: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
    /// A text and its words; a test holds the splitter to it.
    pub example: (&'static str, &'static [&'static str]),
    /// Calls back with each word, in text order.
    pub split: fn(&str, EachWord),
}

impl Splitter {
    /// The splitter of a name.
    pub fn find(name: &str) -> Option<&'static Splitter> {
        SPLITTERS.iter().find(|s| s.name == name).copied()
    }

    /// The words of a text, in text order, repeated words repeated.
    ///
    /// ```
    /// use deferbench_core::text::Splitter;
    /// let split = Splitter::find("split").unwrap();
    /// assert_eq!(split.words("HTTPServer2 get_user"), ["http", "server", "2", "get", "user"]);
    /// ```
    pub fn words(&self, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        (self.split)(text, &mut |w| out.push(w.to_string()));
        out
    }
}

/// Letters and digits of any script: Unicode categories L and N.
pub fn is_letter_or_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Han, Kana and Hangul, as far as the reference program counts each character as one word.
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

/// The 33 English function words that Lucene's English analyser leaves out.
pub const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// Calls back with each maximal run of characters that satisfy a condition.
pub(crate) fn runs_of<'a>(text: &'a str, keep: impl Fn(char) -> bool, mut each: impl FnMut(&'a str)) {
    let mut start = None;
    for (i, c) in text.char_indices() {
        match (keep(c), start) {
            (true, None) => start = Some(i),
            (false, Some(s)) => {
                each(&text[s..i]);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(s) = start {
        each(&text[s..]);
    }
}

/// Cuts a run of letters and digits at `aA`, `AAa`, `a1` and `1a` (ASCII only).
pub(crate) fn identifier_parts<'a>(run: &'a str, mut each: impl FnMut(&'a str)) {
    let b = run.as_bytes();
    let mut start = 0;
    for i in 1..b.len() {
        let (p, c) = (b[i - 1], b[i]);
        let next_lower = b.get(i + 1).is_some_and(u8::is_ascii_lowercase);
        let border = (c.is_ascii_uppercase()
            && (p.is_ascii_lowercase() || p.is_ascii_digit() || (p.is_ascii_uppercase() && next_lower)))
            || (p.is_ascii_alphabetic() && c.is_ascii_digit())
            || (p.is_ascii_digit() && c.is_ascii_alphabetic());
        if border {
            each(&run[start..i]);
            start = i;
        }
    }
    if start < run.len() {
        each(&run[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_splitter_keeps_its_example() {
        for splitter in SPLITTERS {
            assert_eq!(splitter.words(splitter.example.0), splitter.example.1, "{}", splitter.name);
        }
    }
}
