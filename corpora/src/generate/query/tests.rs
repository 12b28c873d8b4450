//! Do queries name exactly one tool, in the words their class promises?

use std::collections::{BTreeMap, BTreeSet};

use super::{Posed, Target, pose};
use crate::generate::plan::plan;
use crate::generate::{GeneratedTool, MAX_TOOLS, compose};
use crate::lexicon::{reserved, tests::stems};

fn of_class<'a>(posed: &'a [Posed], class: &'a str) -> impl Iterator<Item = &'a Posed> {
    posed.iter().filter(move |posed| posed.query.class == class)
}

fn tool_stems(tool: &GeneratedTool) -> BTreeSet<String> {
    let mut all = stems(&tool.name);
    all.extend(stems(&tool.description));
    all
}

#[test]
fn the_concepts_a_query_names_fit_one_tool_of_the_whole_catalog() {
    for seed in 0..10 {
        let slots = plan(seed, MAX_TOOLS);
        let (_, posed) = compose(seed);
        for posed in &posed {
            let Some(at) = posed.tool else { continue };
            let slot = slots[at];
            let fitting = slots
                .iter()
                .filter(|other| {
                    other.object == slot.object
                        && other.action == slot.action
                        && (!posed.names_service || other.service == slot.service)
                })
                .count();
            assert_eq!(fitting, 1, "{}", posed.query.text);
        }
    }
}

#[test]
fn the_named_concepts_stand_in_the_text() {
    let slots = plan(7, MAX_TOOLS);
    for posed in compose(7).1 {
        let Some(at) = posed.tool else { continue };
        let (slot, words) = (slots[at], stems(&posed.query.text));
        let any = |phrases: &[&str]| {
            phrases.iter().any(|phrase| stems(&phrase.replace("{one}", "").replace("{many}", "")).is_subset(&words))
        };
        let asks = posed.query.class == "paraphrase";
        let service_words: Vec<&str> = slot.service.describe.iter().copied().chain([slot.service.name]).collect();
        let (service, object, action) = if asks {
            (slot.service.ask, slot.object.ask, slot.action.ask)
        } else {
            (&service_words[..], slot.object.describe, slot.action.describe)
        };
        assert!(any(object) && any(action), "{}", posed.query.text);
        assert!(!posed.names_service || any(service), "{}", posed.query.text);
    }
}

#[test]
fn keyword_and_verb_queries_use_words_of_the_description() {
    for seed in 0..5 {
        let (tools, posed) = compose(seed);
        for class in ["keyword", "verb-crowded"] {
            for posed in of_class(&posed, class) {
                let words = stems(&tools[posed.tool.unwrap()].description);
                assert!(stems(&posed.query.text).is_subset(&words), "{}", posed.query.text);
            }
        }
    }
}

#[test]
fn a_paraphrase_shares_no_stem_with_its_tool() {
    for seed in 0..10 {
        let (tools, posed) = compose(seed);
        for posed in of_class(&posed, "paraphrase") {
            let tool = &tools[posed.tool.unwrap()];
            let shared: Vec<String> = stems(&posed.query.text).intersection(&tool_stems(tool)).cloned().collect();
            assert!(shared.is_empty(), "{} / {}: {shared:?}", posed.query.text, tool.name);
        }
    }
}

#[test]
fn every_class_has_its_share_at_the_front() {
    for seed in 0..50 {
        let (_, posed) = compose(seed);
        let count =
            |class, below: usize| of_class(&posed, class).filter(|p| p.tool.is_some_and(|at| at < below)).count();
        let firsts: BTreeSet<_> = of_class(&posed, "keyword").filter_map(|p| p.tool).filter(|at| *at < 10).collect();
        assert_eq!(firsts.len(), 10, "seed {seed}");
        assert!(count("keyword", 100) >= 60, "seed {seed}");
        assert!(count("paraphrase", 10) >= 5, "seed {seed}: {}", count("paraphrase", 10));
        assert!(count("paraphrase", 100) >= 60, "seed {seed}: {}", count("paraphrase", 100));
        assert!(count("verb-crowded", 100) >= 30, "seed {seed}: {}", count("verb-crowded", 100));
        assert!(of_class(&posed, "unanswerable").count() >= 20);
        let texts: BTreeSet<_> = posed.iter().map(|p| &p.query.text).collect();
        let ids: BTreeSet<_> = posed.iter().map(|p| &p.query.id).collect();
        assert_eq!((texts.len(), ids.len()), (posed.len(), posed.len()));
        for posed in &posed {
            let words = posed.query.text.split(' ').count();
            assert!((3..=12).contains(&words), "{}", posed.query.text);
        }
    }
}

#[test]
fn a_crowded_verb_is_shared_by_many_tools() {
    let slots = plan(7, MAX_TOOLS);
    let mut sharing: BTreeMap<&str, usize> = BTreeMap::new();
    for slot in &slots {
        *sharing.entry(slot.action.name).or_default() += 1;
    }
    for posed in of_class(&compose(7).1, "verb-crowded") {
        let action = slots[posed.tool.unwrap()].action.name;
        assert!(sharing[action] >= 50, "{action}");
    }
}

#[test]
fn no_tool_of_any_size_answers_the_unanswerable() {
    let nouns: BTreeSet<String> =
        reserved::RESERVED.iter().flat_map(|r| r.nouns).flat_map(|noun| stems(noun)).collect();
    for seed in 0..10 {
        let (tools, posed) = compose(seed);
        for tool in &tools {
            assert!(tool_stems(tool).is_disjoint(&nouns), "{}", tool.name);
        }
        for posed in of_class(&posed, "unanswerable") {
            assert!(posed.query.relevant.is_empty() && posed.tool.is_none());
            assert!(!stems(&posed.query.text).is_disjoint(&nouns), "{}", posed.query.text);
        }
    }
}

#[test]
fn no_target_gives_only_the_unanswerable() {
    let none: &[Target<'_>] = &[];
    assert!(pose(1, none).iter().all(|posed| posed.tool.is_none()));
}
