//! Does a generated tool say only what is true of its parameters?

use std::collections::BTreeSet;

use serde_json::Value;

use super::parameters::{needed, takes_identifier};
use super::words::words_of;
use super::{GeneratedTool, generate, plan, poison};
use crate::lexicon::phrases;

/// Tools of three seeds with their combinations.
fn tools() -> Vec<(plan::Slot, GeneratedTool)> {
    let mut all = Vec::new();
    for seed in [1, 7, 42] {
        let slots = plan::plan(seed, 2_000).slots;
        all.extend(slots.into_iter().zip(generate(2_000, seed).unwrap().tools));
    }
    all.retain(|(slot, _)| !poison::is_poison(slot));
    all
}

fn schema(tool: &GeneratedTool) -> Value {
    serde_json::from_str(&tool.input_schema).unwrap()
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What works on a known object requires its identifier, and whatever else its action needs.
#[test]
fn required_parameters_are_those_that_the_action_needs() {
    for (slot, tool) in tools() {
        let schema = schema(&tool);
        let names = required(&schema);
        let identifier =
            names.iter().any(|name| name.to_lowercase().ends_with("id") || name.to_lowercase().ends_with("ids"));
        assert!(
            identifier || !takes_identifier(&slot),
            "{} {} {}",
            slot.action.name,
            slot.object.name,
            tool.input_schema
        );
        let count = schema["properties"].as_object().unwrap().len();
        assert!(count >= needed(&slot) as usize, "{} {}", tool.name, tool.input_schema);
    }
}

/// A tool for several objects takes a list of identifiers.
#[test]
fn several_identifiers_are_a_list() {
    let mut seen = 0;
    for (slot, tool) in tools().iter().filter(|(slot, _)| slot.action.many && takes_identifier(slot)) {
        let schema = schema(tool);
        let name = required(&schema).into_iter().find(|name| name.to_lowercase().ends_with("ids")).unwrap();
        assert_eq!(schema["properties"][name]["type"], "array", "{} {}", slot.action.name, tool.input_schema);
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
}

/// Sentences about texts stand at texts only, those about what may be left out only at optional parameters.
#[test]
fn hints_fit_their_parameters() {
    let mut seen = BTreeSet::new();
    for (_, tool) in tools() {
        let schema = schema(&tool);
        let must = required(&schema);
        for (name, parameter) in schema["properties"].as_object().unwrap() {
            let about = parameter["description"].as_str().unwrap_or_default();
            let has = |hints: &[&'static str]| hints.iter().copied().find(|hint| about.contains(hint));
            let kind = parameter["type"].as_str().unwrap_or("string");
            if let Some(hint) = has(phrases::OPTIONAL) {
                assert!(!must.contains(&name.as_str()), "{name}: {about}");
                seen.insert(hint);
            }
            if let Some(hint) = has(phrases::REQUIRED) {
                assert!(must.contains(&name.as_str()), "{name}: {about}");
                seen.insert(hint);
            }
            if let Some(hint) = has(phrases::FREE_TEXT) {
                assert!(kind == "string", "{name} is {kind}: {about}");
                seen.insert(hint);
            }
            if let Some(hint) = has(phrases::NUMBER) {
                assert!(["number", "integer", "string"].contains(&kind), "{name} is {kind}: {about}");
                seen.insert(hint);
            }
        }
    }
    assert!(seen.len() >= 8, "{seen:?}");
}

/// A description that speaks of a mandatory, an optional or a paging parameter speaks of one that the tool has.
#[test]
fn descriptions_speak_of_parameters_that_exist() {
    let mut seen = 0;
    for (_, tool) in tools() {
        let schema = schema(&tool);
        let must: BTreeSet<String> = required(&schema).into_iter().map(|name| words_of(name).concat()).collect();
        let all: BTreeSet<&String> = schema["properties"].as_object().unwrap().keys().collect();
        if tool.description.contains("Results are paged") {
            assert!(all.contains(&"cursor".to_owned()) || all.contains(&"page".to_owned()), "{}", tool.description);
            seen += 1;
        }
        let said = |before: &str, after: &str| {
            let (_, rest) = tool.description.split_once(before)?;
            rest.split_once(after).map(|(words, _)| words.to_owned())
        };
        if let Some(words) = said("An omitted ", " remains as it was") {
            let begin = words_of(&words).concat();
            let stem = begin.get(..4).unwrap_or(&begin);
            let known = all.iter().any(|name| words_of(name).concat().contains(stem))
                || words.ends_with("time")
                || words.ends_with("line");
            assert!(known && !must.contains(&begin), "{words}: {}", tool.input_schema);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}
