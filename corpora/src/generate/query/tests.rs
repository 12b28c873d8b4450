//! Do the queries of each class keep what their class promises?

use std::collections::BTreeSet;

use deferbench_core::text::Splitter;
use serde_json::Value;

use crate::generate::words::words_of;
use crate::generate::{GeneratedTool, generate};

fn stems(text: &str) -> BTreeSet<String> {
    Splitter::find("stem").unwrap().words(text).into_iter().collect()
}

/// The stems of what a tool is called and says.
fn stems_of(tool: &GeneratedTool) -> BTreeSet<String> {
    stems(&format!("{} {}", words_of(&tool.name).join(" "), tool.description))
}

/// A part of a name is the beginning of one name only, at every size.
#[test]
fn a_part_of_a_name_is_clear() {
    let key = |text: &str| words_of(text).concat();
    let mut bad = Vec::new();
    for seed in [1, 2, 3, 7, 42, 118] {
        let generated = generate(10_000, seed).unwrap();
        let names: Vec<(String, &str)> = generated.tools.iter().map(|t| (key(&t.name), t.name.as_str())).collect();
        for query in generated.queries.iter().filter(|q| q.class == "partial-name") {
            let part = key(&query.text);
            let fitting: Vec<&str> = names.iter().filter(|(k, _)| k.starts_with(&part)).map(|(_, n)| *n).collect();
            if fitting != [query.relevant[0].as_str()] {
                bad.push(format!("seed {seed}: {} / {fitting:?}", query.text));
            }
            assert!(part != key(&query.relevant[0]), "{} is the whole name", query.text);
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// The queries of a class with the tools they need, over some catalogs.
fn asked(class: &str) -> Vec<(String, GeneratedTool)> {
    let mut all = Vec::new();
    for seed in 0..20 {
        let generated = generate(100, seed).unwrap();
        for query in generated.queries.into_iter().filter(|query| query.class == class) {
            let tool = generated.tools.iter().find(|tool| tool.name == query.relevant[0]).unwrap();
            all.push((query.text, tool.clone()));
        }
    }
    assert!(all.len() > 20 * 60, "{class}: {}", all.len());
    all
}

/// Every word of a keyword query stands in the text of its tool.
#[test]
fn keywords_stand_in_the_text_of_their_tool() {
    for (text, tool) in asked("keyword") {
        let known = stems_of(&tool);
        let missing: Vec<_> = stems(&text).difference(&known).cloned().collect();
        assert!(missing.is_empty(), "{text} / {}: {missing:?}", tool.name);
    }
}

/// The verb of a crowded query stands in the names or the first sentences of several tools of the first hundred, and the
/// other words in the text of its own tool.
#[test]
fn the_verb_of_a_crowded_query_is_shared() {
    for seed in 0..20 {
        let generated = generate(100, seed).unwrap();
        let leads: Vec<BTreeSet<String>> = generated
            .tools
            .iter()
            .map(|tool| {
                let lead = tool.description.split('.').next().unwrap();
                stems(&format!("{} {lead}", words_of(&tool.name).join(" ")))
            })
            .collect();
        for query in generated.queries.iter().filter(|query| query.class == "verb-crowded") {
            let verb = stems(query.text.split(' ').next().unwrap());
            let crowd = leads.iter().filter(|lead| verb.is_subset(lead)).count();
            assert!(crowd >= 3, "seed {seed}: {} has {crowd}", query.text);
            let tool = generated.tools.iter().find(|tool| tool.name == query.relevant[0]).unwrap();
            let mut known = stems_of(tool);
            known.extend(stems("a an all two the in from"));
            let missing: Vec<_> = stems(&query.text).difference(&known).cloned().collect();
            assert!(missing.is_empty(), "{} / {}: {missing:?}", query.text, tool.name);
        }
    }
}

/// Two things are merged, compared or linked: no query asks for that with all there are.
#[test]
fn pairs_are_not_asked_for_as_all() {
    let verbs = ["merge all", "compare all", "contrast all", "link all", "connect all"];
    let mut pairs = 0;
    for seed in 0..20 {
        for query in generate(100, seed).unwrap().queries {
            assert!(verbs.iter().all(|verb| !query.text.contains(verb)), "{}", query.text);
            pairs += usize::from(query.text.contains("merge two ") || query.text.contains("link two "));
        }
    }
    assert!(pairs > 0);
}

/// Every parameter that an over-specified query sets is one of its tool.
#[test]
fn over_specified_queries_set_parameters_of_their_tool() {
    for (text, tool) in asked("over-specified") {
        assert!(text.split(' ').count() > 20, "{text}");
        let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
        let names: Vec<String> =
            schema["properties"].as_object().unwrap().keys().map(|name| words_of(name).join(" ")).collect();
        let mut parts: Vec<&str> = text.split(" set to ").collect();
        parts.pop();
        assert!(!parts.is_empty(), "{text}");
        for part in parts {
            let own = |name: &String| {
                part.strip_suffix(name.as_str())
                    .is_some_and(|rest| [" with ", " and ", ", "].iter().any(|w| rest.ends_with(w)))
            };
            assert!(names.iter().any(own), "{text} / {names:?}");
        }
    }
}
