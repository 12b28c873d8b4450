//! Do the words of the lexicon keep the promises that its queries rest on?

use std::collections::{BTreeMap, BTreeSet};

use super::{Effect, actions, fields, objects, phrases, reserved, services};
use crate::generate::words::{FUNCTION_WORDS, words_of};

pub(crate) fn stems(text: &str) -> BTreeSet<String> {
    let stemmer = frostem::Stemmer::new(frostem::Algorithm::English);
    words_of(text)
        .iter()
        .filter(|word| !FUNCTION_WORDS.contains(&word.as_str()))
        .map(|word| stemmer.stem(word).to_string())
        .collect()
}

pub(crate) fn all_stems(phrases: &[&str]) -> BTreeSet<String> {
    phrases.iter().flat_map(|phrase| stems(&phrase.replace("{one}", "").replace("{many}", ""))).collect()
}

type Words = (&'static str, &'static str, BTreeSet<String>, BTreeSet<String>);

fn concepts() -> Vec<Words> {
    let mut all = Vec::new();
    for s in services::SERVICES {
        let mut describe = all_stems(s.describe);
        describe.extend(all_stems(&[s.name, s.qualifier]));
        all.push(("service", s.name, describe, all_stems(s.ask)));
    }
    for o in objects() {
        let mut describe = all_stems(o.describe);
        describe.extend(all_stems(&[o.name]));
        all.push(("object", o.name, describe, all_stems(o.ask)));
    }
    for a in actions::ACTIONS {
        let mut describe = all_stems(a.describe);
        describe.extend(all_stems(&[a.name]));
        all.push(("action", a.name, describe, all_stems(a.ask)));
    }
    all
}

#[test]
fn describe_and_ask_words_of_a_concept_share_no_stem() {
    let mut bad = Vec::new();
    for (kind, name, describe, ask) in concepts() {
        let shared: Vec<_> = describe.intersection(&ask).collect();
        if !shared.is_empty() || describe.is_empty() || ask.is_empty() {
            bad.push(format!("{kind} {name}: {shared:?}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn no_two_concepts_of_a_kind_share_a_describe_phrase() {
    let mut seen = BTreeMap::new();
    for s in services::SERVICES {
        for phrase in s.describe {
            assert_eq!(seen.insert(("service", *phrase), s.name), None, "{phrase}");
        }
    }
    for o in objects() {
        for phrase in o.describe {
            assert_eq!(seen.insert(("object", *phrase), o.name), None, "{phrase}");
        }
    }
    for a in actions::ACTIONS {
        for phrase in a.describe {
            assert_eq!(seen.insert(("action", *phrase), a.name), None, "{phrase}");
        }
    }
}

#[test]
fn names_resolve_and_are_unique() {
    let names: BTreeSet<_> = objects().map(|o| o.name).collect();
    assert_eq!(names.len(), objects().count());
    let services_named: BTreeSet<_> = services::SERVICES.iter().map(|s| s.name).collect();
    assert_eq!(services_named.len(), services::SERVICES.len());
    let qualifiers: BTreeSet<_> = services::SERVICES.iter().map(|s| s.qualifier).collect();
    assert_eq!(qualifiers.len(), services::SERVICES.len());
    let mut used = BTreeSet::new();
    for s in services::SERVICES {
        for name in s.objects {
            assert!(super::object(name).is_some(), "{} names {name}", s.name);
            used.insert(*name);
        }
        assert!(s.objects.len() >= 6, "{}", s.name);
        assert!((6..=12).contains(&s.name.len()) && s.name.bytes().all(|b| b.is_ascii_lowercase()), "{}", s.name);
    }
    for o in objects() {
        assert!(used.contains(o.name), "nobody holds {}", o.name);
        for name in o.actions {
            assert!(super::action(name).is_some(), "{} names {name}", o.name);
            assert!(!actions::FAMILY.contains(name), "{} repeats {name}", o.name);
        }
        for name in o.fields {
            assert!(fields::field_named(name).is_some(), "{} names {name}", o.name);
        }
        assert!(o.fields.len() >= 3, "{}", o.name);
    }
    for name in actions::FAMILY {
        assert!(super::action(name).is_some());
    }
    let domains: BTreeSet<_> = services::SERVICES.iter().map(|s| s.domain).collect();
    assert!(services::SERVICES.len() >= 62 && domains.len() >= 15);
    assert!(objects().count() >= 120 && actions::ACTIONS.len() >= 42);
    println!(
        "{} services, {} domains, {} objects, {} actions",
        services::SERVICES.len(),
        domains.len(),
        objects().count(),
        actions::ACTIONS.len()
    );
}

#[test]
fn reserved_nouns_stand_in_no_other_concept() {
    let known: BTreeSet<String> =
        concepts().into_iter().flat_map(|(_, _, describe, ask)| describe.into_iter().chain(ask)).collect();
    for r in reserved::RESERVED {
        for noun in r.nouns {
            assert!(stems(noun).is_disjoint(&known), "{noun}");
        }
        for text in r.ask {
            let words = stems(text);
            assert!(r.nouns.iter().any(|noun| stems(noun).is_subset(&words)), "{text}");
        }
    }
}

#[test]
fn reserved_texts_are_many_short_and_distinct() {
    let texts: Vec<&str> = reserved::RESERVED.iter().flat_map(|r| r.ask).copied().collect();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len());
    assert!(texts.len() >= 80, "{}", texts.len());
    for text in texts {
        assert!((3..=12).contains(&text.split(' ').count()), "{text}");
    }
}

const EFFECTS: [Effect; 5] = [Effect::Read, Effect::List, Effect::Create, Effect::Change, Effect::Remove];
const KEYS: [&str; 14] = [
    "{one}",
    "{many}",
    "{service}",
    "{noun}",
    "{field}",
    "{other}",
    "{n}",
    "{id}",
    "{must}",
    "{may}",
    "{might}",
    "{page}",
    "{sibling}",
    "{lister}",
];

fn sentences() -> Vec<&'static str> {
    let mut all: Vec<&str> = EFFECTS.iter().flat_map(|effect| phrases::sentences(*effect)).copied().collect();
    all.extend(phrases::GENERAL);
    all.extend(phrases::SITUATIONS);
    all
}

#[test]
fn sentences_speak_of_no_reserved_noun_and_ask_for_no_action() {
    let nouns = reserved::RESERVED.iter().flat_map(|r| r.nouns).flat_map(|noun| stems(noun));
    let asked = actions::ACTIONS.iter().flat_map(|a| all_stems(a.ask));
    let taken: BTreeSet<String> = nouns.chain(asked).collect();
    let tails: Vec<&str> = EFFECTS.iter().flat_map(|effect| phrases::tails(*effect)).copied().collect();
    let mut bad = Vec::new();
    for text in sentences().into_iter().chain(tails) {
        let plain = KEYS.iter().fold(text.to_owned(), |plain, key| plain.replace(key, ""));
        assert!(!plain.contains(['{', '}']), "{text}");
        let shared: Vec<_> = stems(&plain).intersection(&taken).cloned().collect();
        if !shared.is_empty() {
            bad.push(format!("{text}: {shared:?}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn sentences_have_many_lengths() {
    let lengths: Vec<usize> = sentences().iter().map(|text| text.chars().count()).collect();
    for range in [12..20, 20..40, 40..60, 60..80, 80..120, 120..150, 150..181] {
        assert!(lengths.iter().any(|length| range.contains(length)), "{range:?}");
    }
    assert!(lengths.iter().all(|length| (12..=180).contains(length)), "{lengths:?}");
}

#[test]
fn sentences_of_every_effect_suffice_for_three_thousand_characters() {
    for effect in EFFECTS {
        let all = phrases::sentences(effect).iter().chain(phrases::GENERAL).chain(phrases::SITUATIONS);
        let length: usize = all
            .filter(|text| KEYS[7..].iter().all(|key| !text.contains(key)))
            .map(|text| KEYS.iter().fold((*text).to_owned(), |plain, key| plain.replace(key, "")).chars().count() + 1)
            .sum();
        assert!(length >= 3_000, "{effect:?}: {length}");
    }
}
