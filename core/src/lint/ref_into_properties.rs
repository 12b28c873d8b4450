//! References to a sibling parameter.

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "ref-into-properties",
    severity: Severity::Warning,
    summary: "a $ref into the properties of the same schema",
    why: "a harness that hands on a part of the schema, or renames a parameter, breaks it without a word",
    remedy: "move what is shared to $defs and refer to it there",
    source: "this project: the measured listings hold ten of them, written by a schema generator",
    counted: Counted::Tools("ref_into_properties"),
    check: Check::Each(|subject, found| {
        for (node, reference, _) in subject.schema.refs().iter().filter(|r| r.1.starts_with("#/properties")) {
            let pointer = subject.schema.pointer(*node, "$ref");
            found(Point::new(pointer, quoted(reference), "a reference into $defs"));
        }
    }),
};
