//! Roots that accept arguments nobody declared.

use super::{Check, Counted, Point, Rule, Severity};

pub(super) static ENTRY: Rule = Rule {
    name: "open-object",
    severity: Severity::Info,
    summary: "the root does not say additionalProperties: false",
    why: "a misspelt argument is dropped without a word, and strict modes refuse the schema",
    remedy: "add \"additionalProperties\": false",
    source: "OpenAI, guide to structured outputs: strict mode requires it",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        let said = subject.definition.schema().get("additionalProperties");
        if said != Some(&serde_json::Value::Bool(false)) {
            let what = said.map_or("nothing".to_string(), |v| super::quoted(&v.to_string()));
            found(Point::new("/inputSchema", format!("{what} for additionalProperties"), "false"));
        }
    }),
};
