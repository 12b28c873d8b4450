//! Words as most BM25 libraries cut them.

use super::{Splitter, is_letter_or_digit, runs_of};

pub(super) static ENTRY: Splitter = Splitter {
    name: "plain",
    summary: "lower case; runs of two or more letters, digits and underscores, so that send_email stays one word",
    source: "the default pattern of scikit-learn and bm25s, \\b\\w\\w+\\b",
    example: ("Send_email to a list2", &["send_email", "to", "list2"]),
    split: |text, each| {
        runs_of(
            &text.to_lowercase(),
            |c| c == '_' || is_letter_or_digit(c),
            |run| {
                if run.chars().nth(1).is_some() {
                    each(run);
                }
            },
        );
    },
};
