//! A name that begins with a digit or a sign.

use super::{Check, Counted, Point, Rule, Severity, quoted, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "name-start",
    severity: Severity::Error,
    summary: "a name whose first character a provider does not accept there",
    why: "the provider refuses every request that holds the tool",
    remedy: "begin with a letter, or send the mapped name of --names",
    source: "Google Cloud, reference of FunctionDeclaration: a name starts with a letter or an underscore",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        let Some(first) = subject.definition.name().chars().next() else { return };
        let profiles = refusing(subject.profiles, |p| p.name_start.value.as_ref().is_some_and(|s| !s.holds(first)));
        if !profiles.is_empty() {
            let what = format!("{} first", quoted(&first.to_string()));
            found(Point { pointer: "/name".into(), found: what, expected: "a letter or _ first".into(), profiles });
        }
    }),
};
