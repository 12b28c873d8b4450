//! Schemas that contain themselves.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "ref-cycle",
    severity: Severity::Warning,
    summary: "a $ref that reaches itself",
    why: "clients that write references out never end, stop at some depth, or leave the tool out",
    remedy: "write out as many levels as are needed, or take a JSON text as argument",
    source: "Goldziher/basemind#50",
    counted: Counted::Tools("recursive_ref"),
    check: Check::Each(|subject, found| {
        for node in subject.schema.circles() {
            let reference = subject.schema.nodes()[node].value.get("$ref").and_then(|r| r.as_str()).unwrap_or_default();
            let profiles = refusing(subject.profiles, |p| p.recursion.value == Some(false));
            let pointer = subject.schema.pointer(node, "$ref");
            let what = format!("{}, which leads back here", super::quoted(reference));
            found(Point { pointer, found: what, expected: "a schema that ends".into(), profiles });
        }
    }),
};
