//! `null` as the default of something that cannot be `null`.

use serde_json::{Map, Value};

use super::{Check, Counted, Point, Rule, Severity};

pub(super) static ENTRY: Rule = Rule {
    name: "default-null",
    severity: Severity::Warning,
    summary: "default null where the type does not allow null",
    why: "a model that writes the default out, as strict modes make it do, sends arguments that the schema refuses",
    remedy: "leave the default out, or allow null",
    source: "this project: the measured listings hold 111 tools with one, written by schema generators",
    counted: Counted::Tools("default_null_on_not_nullable"),
    check: Check::Each(|subject, found| {
        for (node, schema) in subject.schema.schemas() {
            if schema.get("default").is_some_and(Value::is_null) && !nullable(schema) {
                let what = format!("default null with type {}", schema.get("type").unwrap_or(&Value::Null));
                found(Point::new(subject.schema.pointer(node, "default"), what, "a default of the declared type"));
            }
        }
    }),
};

/// True where null is allowed, or where the keywords beside the type decide.
fn nullable(schema: &Map<String, Value>) -> bool {
    let allows = match schema.get("type") {
        None => true,
        Some(Value::Array(types)) => types.iter().any(|t| t == "null"),
        Some(one) => one == "null",
    };
    allows
        || ["anyOf", "oneOf", "allOf", "enum"].iter().any(|k| schema.contains_key(*k))
        || schema.get("nullable") == Some(&Value::Bool(true))
}
