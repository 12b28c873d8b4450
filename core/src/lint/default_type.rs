//! Defaults of another type than the declared one.

use serde_json::Value;

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "default-type",
    severity: Severity::Warning,
    summary: "a default of another type than the schema declares",
    why: "a model that writes the default out sends arguments that the schema refuses",
    remedy: "write the default in the declared type",
    source: "JSON Schema validation, section 9.2: a default should be valid against its schema",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        for (node, schema) in subject.schema.schemas() {
            let (Some(default), Some(declared)) = (schema.get("default"), schema.get("type")) else { continue };
            let fits = match declared {
                Value::Array(types) => types.iter().any(|t| is(default, t)),
                one => is(default, one),
            };
            // Null has a rule of its own.
            if !fits && !default.is_null() {
                let what = format!("default {} with type {declared}", quoted(&default.to_string()));
                found(Point::new(subject.schema.pointer(node, "default"), what, "a default of the declared type"));
            }
        }
    }),
};

fn is(value: &Value, declared: &Value) -> bool {
    match declared.as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("number") => value.is_number(),
        // 1.0 is an integer in JSON Schema.
        Some("integer") => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|f| f.fract() == 0.0),
        Some("null") => value.is_null(),
        // An unknown type is another matter.
        _ => true,
    }
}
