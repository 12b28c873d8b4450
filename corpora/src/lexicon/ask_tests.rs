//! Does a request in other words mean one concept only?

use std::collections::BTreeSet;

use super::related::{is_kind_of_noun, related, related_actions};
use super::tests::{all_stems, stems};
use super::{actions, objects, services};

#[test]
fn ask_phrases_point_to_one_concept_of_their_kind() {
    let mut bad = Vec::new();
    let phrases = |kind: &'static str| -> Vec<(&'static str, BTreeSet<String>)> {
        let mut all = Vec::new();
        match kind {
            "service" => {
                for s in services::SERVICES {
                    all.extend(s.ask.iter().map(|p| (s.name, all_stems(&[p]))));
                }
            }
            "object" => {
                for o in objects() {
                    all.extend(o.ask.iter().map(|p| (o.name, all_stems(&[p]))));
                }
            }
            _ => {
                for a in actions::ACTIONS {
                    all.extend(a.ask.iter().map(|p| (a.name, all_stems(&[p]))));
                }
            }
        }
        all
    };
    for kind in ["service", "object", "action"] {
        let list = phrases(kind);
        for (name, words) in &list {
            for (other, theirs) in &list {
                if name != other && words.is_subset(theirs) {
                    bad.push(format!("{kind} {name} / {other}: {words:?}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Neither is an ask phrase a part of what another object is called, nor is it a kind of that object.
#[test]
fn ask_phrases_of_an_object_name_no_other_object() {
    let mut bad = Vec::new();
    for one in objects() {
        let others = objects().filter(|other| other.name != one.name && !related(one).contains(&other.name));
        for other in others {
            for phrase in one.ask {
                let words = stems(phrase);
                let named = other
                    .nouns()
                    .any(|noun| words.is_subset(&stems(&noun)) || is_kind_of_noun(&phrase.to_lowercase(), &noun));
                if named {
                    bad.push(format!("{}: {phrase} / {}", one.name, other.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Two things are merged; nobody merges all there are.
#[test]
fn actions_on_pairs_speak_of_two() {
    for action in actions::ACTIONS {
        let two = action.ask.iter().filter(|phrase| phrase.contains("two {many}")).count();
        let pairs = actions::PAIRS.contains(&action.name);
        assert_eq!(two, if pairs { action.ask.len() } else { 0 }, "{}", action.name);
        assert!(action.many || !pairs, "{}", action.name);
    }
}

/// Actions with a word in common could be taken for one another.
#[test]
fn ask_phrases_of_an_action_name_no_other_action() {
    let mut bad = Vec::new();
    for one in actions::ACTIONS {
        let others = actions::ACTIONS.iter().filter(|other| other.name != one.name);
        for other in others.filter(|other| !related_actions(one).contains(&other.name)) {
            let verbs: Vec<_> = other.describe.iter().chain([&other.name]).map(|verb| stems(verb)).collect();
            for phrase in one.ask {
                let words = all_stems(&[phrase]);
                if verbs.iter().any(|verb| verb.is_subset(&words) || words.is_subset(verb)) {
                    bad.push(format!("{}: {phrase} / {}", one.name, other.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// A label of a service in other words is no description of another service.
#[test]
fn ask_phrases_of_a_service_describe_no_other_service() {
    let mut bad = Vec::new();
    for one in services::SERVICES {
        for other in services::SERVICES.iter().filter(|other| other.name != one.name) {
            for phrase in one.ask {
                if other.describe.iter().any(|noun| stems(phrase).is_subset(&stems(noun))) {
                    bad.push(format!("{}: {phrase} / {}", one.name, other.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
