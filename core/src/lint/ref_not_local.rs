//! References to another document.

use super::walk::Target;
use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "ref-not-local",
    severity: Severity::Error,
    summary: "a $ref to another document",
    why: "nobody fetches it: the parameter has no type, and a harness that does fetch it can be sent anywhere",
    remedy: "copy what is meant into $defs",
    source: "JSON Schema core, section 8.2: an implementation need not fetch what a $ref names",
    counted: Counted::Tools("ref_not_local"),
    check: Check::Each(|subject, found| {
        for (node, reference, _) in subject.schema.refs().iter().filter(|r| r.2 == Target::Elsewhere) {
            let pointer = subject.schema.pointer(*node, "$ref");
            found(Point::new(pointer, quoted(reference), "a reference that begins with #"));
        }
    }),
};
