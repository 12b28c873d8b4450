//! What are servers called when the services of the lexicon are used up?

use std::collections::HashSet;

use super::draw::Draw;
use crate::lexicon::services::SERVICES;

const ONSETS: &[&str] = &[
    "b", "br", "c", "cl", "d", "dr", "f", "fl", "g", "gl", "h", "j", "k", "l", "m", "n", "p", "pl", "qu", "r", "s",
    "sk", "sn", "st", "t", "tr", "v", "w", "z", "th",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ai", "ea", "oo", "ou"];
const ENDS: &[&str] =
    &["b", "ck", "d", "ff", "g", "l", "m", "mp", "n", "nk", "p", "r", "rn", "sk", "st", "t", "x", "zz"];
const TAILS: &[&str] = &["ora", "ify", "io", "ana", "erly", "ova", "ump", "ish", "eta", "ula", "ex", "ibo"];

/// The label of a server beyond the lexicon: an invented word that no service and no earlier server has.
#[must_use]
pub fn label(seed: u64, server: usize, used: &HashSet<String>) -> String {
    let mut draw = Draw::new(seed, "vendor", server as u64);
    loop {
        let mut part = |list: &[&'static str]| draw.pick(list).unwrap_or_default();
        let word = [part(ONSETS), part(VOWELS), part(ENDS), part(VOWELS), part(ONSETS), part(TAILS)].concat();
        if !used.contains(&word) && SERVICES.iter().all(|service| service.name != word) {
            return word;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::label;

    #[test]
    fn labels_are_words_and_differ() {
        let mut used = HashSet::new();
        for server in 0..3_000 {
            let word = label(7, server, &used);
            assert!((5..=14).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase()), "{word}");
            assert!(used.insert(word));
        }
    }
}
