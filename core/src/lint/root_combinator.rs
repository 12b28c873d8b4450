//! Alternatives at the root.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "root-combinator",
    severity: Severity::Error,
    summary: "anyOf, oneOf or allOf at the root of the input schema",
    why: "providers refuse the request: one such tool of one server ends every call of the agent",
    remedy: "move the alternatives into a property, or check them in the tool",
    source: "openai/codex#45585, anthropics/claude-code#5319, langchain-ai/langchainjs#9804",
    counted: Counted::Tools("combinator_at_root"),
    check: Check::Each(|subject, found| {
        let schema = subject.definition.schema();
        let profiles = refusing(subject.profiles, |p| p.root_combinators.value == Some(false));
        let Some(key) = ["anyOf", "oneOf", "allOf"].iter().find(|k| schema.get(k).is_some()) else { return };
        if !profiles.is_empty() {
            let pointer = format!("/inputSchema/{key}");
            let expected = "properties at the root".to_string();
            found(Point { pointer, found: format!("{key} at the root"), expected, profiles });
        }
    }),
};
