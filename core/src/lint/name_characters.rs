//! Dots, slashes, spaces and letters that are not ASCII.

use super::{Check, Counted, Point, Rule, Severity, quoted, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "name-characters",
    severity: Severity::Error,
    summary: "a character in a name that a provider does not accept",
    why: "the provider refuses every request that holds the tool",
    remedy: "use letters, digits, _ and -, or send the mapped name of --names",
    source: "github/copilot-cli#1879, openai/codex#8174; MCP allows dots",
    counted: Counted::Tools("name_outside_A-Za-z0-9_-"),
    check: Check::Each(|subject, found| {
        let name = subject.definition.name();
        let outside = |p: &super::Profile, c: char| p.name_characters.value.as_ref().is_some_and(|s| !s.holds(c));
        let profiles = refusing(subject.profiles, |p| name.chars().any(|c| outside(p, c)));
        let first = name.chars().find(|&c| subject.profiles.iter().any(|p| outside(p, c)));
        let Some(refused) = first else { return };
        let sets =
            subject.profiles.iter().filter(|p| outside(p, refused)).filter_map(|p| p.name_characters.value.as_ref());
        let least = sets.min_by_key(|s| s.to_string().len()).map(ToString::to_string).unwrap_or_default();
        let what = format!("{} in {}", quoted(&refused.to_string()), quoted(name));
        let expected = format!("characters of {least}");
        found(Point { pointer: "/name".into(), found: what, expected, profiles });
    }),
};
