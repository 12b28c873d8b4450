//! Names that differ in case and separators only.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "near-twins",
    severity: Severity::Warning,
    summary: "names that are equal after case and separators are taken off",
    why: "a model that remembers a name mixes them up, and a client that normalises names merges them",
    remedy: "give one of them another word",
    source: "zai-org/feedback#551 (a call executed as another tool)",
    counted: Counted::Names("names_equal_after_case_and_separators"),
    check: Check::All(|lint, found| {
        let mut twins: BTreeMap<String, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for (i, d) in lint.definitions.iter().enumerate() {
            let folded: String = d.name().to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            // A name of signs only has nothing left to be compared.
            if !folded.is_empty() {
                twins.entry(folded).or_insert((i, BTreeSet::new())).1.insert(d.name());
            }
        }
        for (first, names) in twins.into_values().filter(|(_, names)| names.len() > 1) {
            let names: Vec<String> = names.into_iter().take(5).map(quoted).collect();
            found(Some(first), Point::new("/name", names.join(", "), "names that differ in a letter or digit"));
        }
    }),
};
