//! Words as the default ranker cuts them: every script, every naming style.

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::{Splitter, identifier_parts, is_letter_or_digit, runs_of};

pub(super) static ENTRY: Splitter = Splitter {
    name: "words",
    summary: "NFKC; identifiers taken apart; lower case; English stems; overlapping pairs of characters in scripts without spaces",
    source: "Snowball English stemmer; character bigrams as in Lucene's CJKBigramFilter",
    example: ("getUsers ｆｉｌｅ 搜索引擎", &["get", "user", "file", "搜索", "索引", "引擎"]),
    split: |text, each| {
        let stemmer = Stemmer::new(Algorithm::English);
        let normal: String = if text.is_ascii() { text.to_string() } else { text.nfkc().collect() };
        runs_of(&normal, is_word_part, |run| {
            if run.is_ascii() {
                identifier_parts(run, |part| each(&stemmer.stem(&part.to_ascii_lowercase())));
                return;
            }
            script_runs(run, |part, spaceless| {
                if spaceless {
                    bigrams(part, each);
                } else {
                    identifier_parts(part, |p| each(&stemmer.stem(&p.to_lowercase())));
                }
            });
        });
    },
};

/// Letters, digits and the marks that belong to them: Thai and Indic vowels are marks.
fn is_word_part(c: char) -> bool {
    is_letter_or_digit(c) || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark)
}

/// Han, Kana, Thai, Lao, Khmer and Myanmar: scripts that put no spaces between words.
fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn script_runs<'a>(run: &'a str, mut each: impl FnMut(&'a str, bool)) {
    let (mut start, mut kind) = (0, None);
    for (i, c) in run.char_indices() {
        let now = is_spaceless(c);
        if let Some(before) = kind.filter(|k| *k != now) {
            each(&run[start..i], before);
            start = i;
        }
        kind = Some(now);
    }
    if let Some(kind) = kind {
        each(&run[start..], kind);
    }
}

fn bigrams(run: &str, each: &mut dyn FnMut(&str)) {
    let ends: Vec<usize> = run.char_indices().map(|(i, c)| i + c.len_utf8()).collect();
    if ends.len() < 2 {
        return each(run);
    }
    let mut start = 0;
    for pair in ends.windows(2) {
        each(&run[start..pair[1]]);
        start = pair[0];
    }
}
