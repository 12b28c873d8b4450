//! References to a place that is not there.

use super::walk::Target;
use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "ref-to-nowhere",
    severity: Severity::Error,
    summary: "a $ref to a place that the schema does not have",
    why: "the schema cannot be compiled: the tool is not registered, or every call of it is refused",
    remedy: "add the definition, or correct the reference",
    source: "Goldziher/basemind#50",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        for (node, reference, _) in subject.schema.refs().iter().filter(|r| r.2 == Target::Nowhere) {
            let pointer = subject.schema.pointer(*node, "$ref");
            found(Point::new(pointer, quoted(reference), "a place of this schema"));
        }
    }),
};
