//! Arguments that say nothing about themselves.

use serde_json::Value;

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "parameter-undescribed",
    severity: Severity::Info,
    summary: "arguments without a description",
    why: "the model guesses what belongs there, and a search cannot find the tool by it",
    remedy: "say in a few words what the argument is",
    source: "this project: rankers index parameter descriptions",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        let properties = subject.definition.schema().get("properties").and_then(Value::as_object);
        let silent = |p: &Value| {
            let text = |key: &str| p.get(key).and_then(Value::as_str).is_some_and(|t| !t.trim().is_empty());
            p.is_object() && !text("description") && p.get("$ref").is_none()
        };
        let names: Vec<String> =
            properties.into_iter().flatten().filter(|(_, p)| silent(p)).map(|(n, _)| quoted(n)).collect();
        if !names.is_empty() {
            let some = names.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let what = format!("{} without: {some}", names.len());
            found(Point::new("/inputSchema/properties", what, "a description for each argument"));
        }
    }),
};
