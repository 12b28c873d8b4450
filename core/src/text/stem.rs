//! Words with identifiers taken apart, function words left out, and endings removed.

use frostem::{Algorithm, Stemmer};

use super::{STOP_WORDS, Splitter, split};

pub(super) static ENTRY: Splitter = Splitter {
    name: "stem",
    summary: "as split, without 33 English function words, each word cut to its English stem",
    source: "Porter's Snowball English stemmer (snowballstem.org), function words of Lucene's EnglishAnalyzer",
    example: ("The listed issues of createIssue", &["list", "issu", "creat", "issu"]),
    split: |text, each| {
        let stemmer = Stemmer::new(Algorithm::English);
        (split::ENTRY.split)(text, &mut |word| {
            if !STOP_WORDS.contains(&word) {
                each(&stemmer.stem(word));
            }
        });
    },
};
