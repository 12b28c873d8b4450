//! Names that grow too long on their way to the provider.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "prefixed-name",
    severity: Severity::Warning,
    summary: "a name that is too long in the form mcp__server__tool",
    why: "clients hand tools on under that name: the provider refuses the request, or the client cuts the name",
    remedy: "shorten the tool's name or the server's label",
    source: "openai/codex#8174, microsoft/vscode#243602",
    counted: Counted::Tools("prefixed_name_over_64"),
    check: Check::Each(|subject, found| {
        let d = subject.definition;
        let length = "mcp____".len() + d.server().chars().count() + d.name().chars().count();
        let limit = |p: &super::Profile| p.prefixed_length.value;
        let profiles = refusing(subject.profiles, |p| limit(p).is_some_and(|n| length > n));
        if let Some(least) = subject.profiles.iter().filter_map(limit).min().filter(|n| length > *n) {
            let what = format!("mcp__{}__{} of {length} characters", d.server(), d.name());
            let expected = format!("at most {least}");
            found(Point { pointer: "/name".into(), found: what, expected, profiles });
        }
    }),
};
