//! Lists of values that fill pages.

use serde_json::Value;

use super::{Check, Counted, Point, Rule, Severity};

/// Most values of an enum.
const MOST: usize = 50;

pub(super) static ENTRY: Rule = Rule {
    name: "enum-long",
    severity: Severity::Info,
    summary: "an enum of more than 50 values",
    why: "every request pays for each value, and strict modes have a limit on all of them together",
    remedy: "take a text, and answer a wrong one with the nearest values",
    source: "OpenAI, guide to structured outputs: limits on enum values",
    counted: Counted::Tools("enum_over_50_values"),
    check: Check::Each(|subject, found| {
        for (node, schema) in subject.schema.schemas() {
            let values = schema.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
            if values > MOST {
                let pointer = subject.schema.pointer(node, "enum");
                found(Point::new(pointer, format!("{values} values"), format!("at most {MOST}")));
            }
        }
    }),
};
