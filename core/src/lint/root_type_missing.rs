//! A schema that does not say that arguments are an object.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "root-type-missing",
    severity: Severity::Error,
    summary: "no \"type\" at the root of the input schema",
    why: "the provider refuses the request, or the thread that holds the tool",
    remedy: "write \"type\": \"object\" at the root",
    source: "openai/codex#45585; the MCP schema requires it",
    counted: Counted::Tools("root_type_missing"),
    check: Check::Each(|subject, found| {
        let profiles = refusing(subject.profiles, |p| p.root_type_required.value == Some(true));
        if subject.definition.schema().get("type").is_none() && !profiles.is_empty() {
            let expected = "\"type\": \"object\"".into();
            found(Point { pointer: "/inputSchema".into(), found: "no root type".into(), expected, profiles });
        }
    }),
};
