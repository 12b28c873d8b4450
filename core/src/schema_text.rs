//! Which words of an input schema can help to find its tool?

use serde_json::{Map, Value};

/// Parameter names and descriptions as the published BM25 figures take them: through properties, items, anyOf, oneOf and
/// allOf, seven levels of properties at most, no `$ref`.
///
/// ```
/// let schema = serde_json::json!({"properties": {"to": {"description": "Receiver", "items": {"properties": {"id": {}}}}}});
/// let mut out = Vec::new();
/// deferbench_core::schema_text::reference_parameters(&schema, &mut |t| out.push(t.to_string()));
/// assert_eq!(out, ["to", "Receiver", "id"]);
/// ```
pub fn reference_parameters(schema: &Value, each: &mut dyn FnMut(&str)) {
    walk_reference(schema, each, 0);
}

fn walk_reference(schema: &Value, each: &mut dyn FnMut(&str), depth: usize) {
    let Some(Value::Object(properties)) = schema.get("properties").filter(|_| depth <= 6) else {
        return;
    };
    for (name, p) in properties {
        each(name);
        if let Some(description) = p.get("description").and_then(Value::as_str) {
            each(description);
        }
        walk_reference(p, each, depth + 1);
        if let Some(items) = p.get("items") {
            walk_reference(items, each, depth + 1);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for q in p.get(key).and_then(Value::as_array).into_iter().flatten() {
                walk_reference(q, each, depth + 1);
            }
        }
    }
}

/// The kind of a text inside a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The name of a parameter, nested ones included.
    Name,
    /// A title or description.
    Description,
    /// A value of an `enum` or `const`.
    Value,
}

/// Calls back with every text of a schema that describes arguments: through properties, items, anyOf, oneOf, allOf and
/// local `$ref`, each definition once.
///
/// A definition that refers to itself is entered once, so that the walk ends.
///
/// ```
/// use deferbench_core::schema_text::{Part, texts};
/// let schema = serde_json::json!({
///     "properties": {"node": {"$ref": "#/$defs/node"}},
///     "$defs": {"node": {"properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"enum": ["leaf", 3]}}}}
/// });
/// let mut out = Vec::new();
/// texts(&schema, &mut |part, text| out.push((part, text.to_string())));
/// assert_eq!(out.iter().map(|(_, t)| t.as_str()).collect::<Vec<_>>(), ["node", "child", "kind", "leaf"]);
/// assert_eq!(out[3].0, Part::Value);
/// ```
pub fn texts(root: &Value, each: &mut dyn FnMut(Part, &str)) {
    let mut entered = Vec::new();
    if let Value::Object(map) = root {
        walk(root, map, &mut entered, each, false);
    }
}

fn walk(
    root: &Value,
    map: &Map<String, Value>,
    entered: &mut Vec<String>,
    each: &mut dyn FnMut(Part, &str),
    describe: bool,
) {
    if describe {
        for key in ["title", "description"] {
            if let Some(text) = map.get(key).and_then(Value::as_str) {
                each(Part::Description, text);
            }
        }
    }
    for value in map.get("enum").and_then(Value::as_array).into_iter().flatten().chain(map.get("const")) {
        if let Some(text) = value.as_str() {
            each(Part::Value, text);
        }
    }
    if let Some(Value::Object(properties)) = map.get("properties") {
        for (name, property) in properties {
            each(Part::Name, name);
            if let Value::Object(property) = property {
                walk(root, property, entered, each, true);
            }
        }
    }
    for key in ["items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties"] {
        match map.get(key) {
            Some(Value::Object(one)) => walk(root, one, entered, each, true),
            Some(Value::Array(many)) => {
                for one in many.iter().filter_map(Value::as_object) {
                    walk(root, one, entered, each, true);
                }
            }
            _ => {}
        }
    }
    if let Some(Value::String(reference)) = map.get("$ref")
        && !entered.contains(reference)
    {
        entered.push(reference.clone());
        if let Some(Value::Object(target)) = reference.strip_prefix('#').and_then(|p| root.pointer(p)) {
            walk(root, target, entered, each, true);
        }
    }
}
