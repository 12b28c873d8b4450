//! How are words joined, bent and compared in generated text?

/// Words that carry no topic; they may stand in a paraphrase and in a description alike.
#[rustfmt::skip]
pub const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "anyone", "are", "as", "at", "away", "back", "be", "between", "by",
    "can", "do", "down", "elsewhere", "every", "for", "from", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "me", "my", "of", "off", "on", "one", "or", "other", "our", "out", "over", "please", "some",
    "somebody", "that", "the", "their", "there", "this", "through", "to", "together", "two", "up", "us", "we",
    "what", "when", "which", "who", "with", "you", "your",
];

/// The lower-case words of a text; names are split at `_`, `-`, digits and inner capitals.
#[must_use]
pub fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_small = false;
    for c in text.chars() {
        let ends = !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && after_small);
        if ends && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        after_small = c.is_ascii_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Whether two words might have one stem: a coarse rule that errs towards yes.
#[must_use]
pub fn may_share_stem(one: &str, other: &str) -> bool {
    let common = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let least = one.len().min(other.len()).clamp(3, 4);
    common >= least || one == other || bare(one) == bare(other)
}

/// A word without the endings that hide a short stem: `logged` and `logs` become `log`.
fn bare(word: &str) -> &str {
    let strip = |word, ending| str::strip_suffix(word, ending).filter(|rest| rest.len() >= 3);
    let one = strip(word, "s").unwrap_or(word);
    let cut = ["ing", "ed", "e"].iter().find_map(|ending| strip(one, ending)).unwrap_or(one);
    let cut = cut.trim_end_matches(['i', 'y']);
    let mut tail = cut.chars().rev();
    let (last, before) = (tail.next(), tail.next());
    if last == before { cut.get(..cut.len().saturating_sub(1)).unwrap_or(cut) } else { cut }
}

/// Whether any topic word of `ask` might share a stem with a topic word of `taken`.
#[must_use]
pub fn collides(ask: &str, taken: &[String]) -> bool {
    let topic = |word: &&String| !FUNCTION_WORDS.contains(&word.as_str());
    words_of(ask).iter().filter(topic).any(|word| taken.iter().filter(topic).any(|other| may_share_stem(word, other)))
}

/// The article for a noun phrase.
#[must_use]
pub fn article(phrase: &str) -> &'static str {
    let first = phrase.split([' ', '-']).next().unwrap_or_default();
    let spelled = first != "LAN" && first.len() > 1 && first.bytes().all(|b| b.is_ascii_uppercase());
    let initial = first.bytes().next().unwrap_or_default();
    let vowel = if spelled {
        b"AEFHILMNORSX".contains(&initial)
    } else {
        let low = first.to_ascii_lowercase();
        b"aeiou".contains(&initial.to_ascii_lowercase())
            && !["us", "un", "eu", "one"].iter().any(|sound| {
                low.starts_with(sound) && ["user", "unit", "uniq", "euro", "one"].iter().any(|w| low.starts_with(w))
            })
    };
    if vowel { "an" } else { "a" }
}

/// The plural of a noun phrase: its head noun bends, which is the word before a preposition or the last one.
#[must_use]
pub fn plural(phrase: &str) -> String {
    let words: Vec<&str> = phrase.split(' ').collect();
    let stop = ["of", "by", "on", "to", "from", "for", "at", "in", "who", "behind", "under", "with", "between"];
    let head = words.iter().position(|w| stop.contains(w)).unwrap_or(words.len());
    let mut bent = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        bent.push(if at + 1 == head { plural_word(word) } else { (*word).to_owned() });
    }
    bent.join(" ")
}

fn plural_word(word: &str) -> String {
    let consonant_y = word.strip_suffix('y').filter(|rest| !rest.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(rest) = consonant_y {
        return format!("{rest}ies");
    }
    if word.ends_with("quiz") {
        return format!("{word}zes");
    }
    if ["s", "x", "ch", "sh", "z"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    format!("{word}s")
}

/// The verb as it follows he, she or it.
#[must_use]
pub fn third_person(verb: &str) -> String {
    plural_word(verb)
}

/// The text with a capital at its start.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{article, collides, may_share_stem, plural, third_person, words_of};

    #[test]
    fn names_and_sentences_fall_into_words() {
        assert_eq!(words_of("createSshKey"), ["create", "ssh", "key"]);
        assert_eq!(words_of("get-page_2 of A, b"), ["get", "page", "of", "a", "b"]);
        assert!(words_of("").is_empty());
    }

    #[test]
    fn nouns_and_verbs_bend() {
        assert_eq!(plural("query"), "queries");
        assert_eq!(plural("piece of homework"), "pieces of homework");
        assert_eq!(plural("quiz"), "quizzes");
        assert_eq!(plural("branch"), "branches");
        assert_eq!(plural("day"), "days");
        assert_eq!(third_person("search"), "searches");
        assert_eq!(third_person("modify"), "modifies");
        assert_eq!(article("SSH key"), "an");
        assert_eq!(article("DNS record"), "a");
        assert_eq!(article("issue"), "an");
        assert_eq!(article("URL redirect"), "a");
        assert_eq!(article("message"), "a");
    }

    #[test]
    fn the_coarse_rule_never_misses_a_shared_stem_of_the_lexicon() {
        let stemmer = frostem::Stemmer::new(frostem::Algorithm::English);
        let mut words: Vec<String> = Vec::new();
        for o in crate::lexicon::objects() {
            for phrase in o.describe.iter().chain(o.ask) {
                words.extend(words_of(phrase));
                words.extend(words_of(&plural(phrase)));
            }
        }
        words.retain(|word| !super::FUNCTION_WORDS.contains(&word.as_str()));
        for one in words.iter().filter(|word| *word != "ups") {
            for other in &words {
                if stemmer.stem(one) == stemmer.stem(other) {
                    assert!(may_share_stem(one, other), "{one} {other}");
                }
            }
        }
        assert!(collides("the bugs", &["bug".to_owned()]));
        assert!(!collides("the bug", &["the".to_owned()]));
    }
}
