//! Tools that say nothing about themselves.

use super::{Check, Counted, Point, Rule, Severity};

pub(super) static ENTRY: Rule = Rule {
    name: "description-missing",
    severity: Severity::Warning,
    summary: "no description, or a blank one",
    why: "a search has the name only to go by, and so has the model",
    remedy: "say in one sentence what the tool does and when to use it",
    source: "this project: a ranker finds words of the description or none",
    counted: Counted::Tools("description_missing_or_blank"),
    check: Check::Each(|subject, found| {
        if subject.definition.description().trim().is_empty() {
            let what = if subject.definition.tool().description().is_some() { "a blank text" } else { "nothing" };
            found(Point::new("/description", what, "a description"));
        }
    }),
};
