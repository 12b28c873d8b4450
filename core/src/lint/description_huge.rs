//! Descriptions of several pages.

use super::{Check, Counted, Point, Rule, Severity};

/// Most characters of a description.
const MOST: usize = 4000;

pub(super) static ENTRY: Rule = Rule {
    name: "description-huge",
    severity: Severity::Warning,
    summary: "a description of more than 4,000 characters",
    why: "every request pays for it, clients cut it inside search results, and its many words match many queries",
    remedy: "keep what decides whether to call the tool, and move the manual elsewhere",
    source: "anthropics/claude-code#41141, anthropics/claude-code#68438",
    counted: Counted::Tools("description_over_4000_characters"),
    check: Check::Each(|subject, found| {
        let length = subject.definition.description().chars().count();
        if length > MOST {
            found(Point::new("/description", format!("{length} characters"), format!("at most {MOST}")));
        }
    }),
};
