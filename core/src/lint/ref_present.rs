//! Schemas in pieces.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "ref-present",
    severity: Severity::Info,
    summary: "a $ref in the input schema",
    why: "clients that do not follow it show the model a parameter without a type, or drop the tool",
    remedy: "write the definition where it is used, at least where it is used once",
    source: "Goldziher/basemind#50",
    counted: Counted::Tools("has_ref"),
    check: Check::Each(|subject, found| {
        let refs = subject.schema.refs();
        let Some((node, first, _)) = refs.first() else { return };
        let profiles = refusing(subject.profiles, |p| p.references.value == Some(false));
        let pointer = subject.schema.pointer(*node, "$ref");
        let what = format!("{} references, the first to {}", refs.len(), super::quoted(first));
        found(Point { pointer, found: what, expected: "a schema in one piece".into(), profiles });
    }),
};
