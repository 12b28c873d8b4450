//! Names that are too long as they are.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "name-length",
    severity: Severity::Error,
    summary: "a name with more characters than a provider accepts",
    why: "the provider refuses every request that holds the tool",
    remedy: "shorten the name, or send the mapped one of --names",
    source: "openai/codex#8174; MCP allows 128 characters",
    counted: Counted::Tools("name_over_64"),
    check: Check::Each(|subject, found| {
        let length = subject.definition.name().chars().count();
        let limit = |p: &super::Profile| p.name_length.value;
        let profiles = refusing(subject.profiles, |p| limit(p).is_some_and(|n| length > n));
        if let Some(least) = subject.profiles.iter().filter_map(limit).min().filter(|n| length > *n) {
            let (what, expected) = (format!("{length} characters"), format!("at most {least}"));
            found(Point { pointer: "/name".into(), found: what, expected, profiles });
        }
    }),
};
