//! Which words of an input schema can help to find its tool?

use std::collections::HashSet;

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
    let Value::Object(map) = root else { return };
    let mut walk = Walk { entered: HashSet::from(["#"]), waiting: Vec::new(), each };
    walk.schema(map, false);
    // Definitions are entered from a list and not from within each other: a long chain of references cannot exhaust the
    // stack, and the nesting of a schema is limited.
    while let Some(reference) = walk.waiting.pop() {
        if let Some(Value::Object(target)) = reference.strip_prefix('#').and_then(|p| root.pointer(p)) {
            walk.schema(target, true);
        }
    }
}

struct Walk<'a, 'e> {
    entered: HashSet<&'a str>,
    waiting: Vec<&'a str>,
    each: &'e mut dyn FnMut(Part, &str),
}

impl<'a> Walk<'a, '_> {
    fn schema(&mut self, map: &'a Map<String, Value>, describe: bool) {
        for key in ["title", "description"] {
            if let Some(text) = map.get(key).and_then(Value::as_str).filter(|_| describe) {
                (self.each)(Part::Description, text);
            }
        }
        for value in map.get("enum").and_then(Value::as_array).into_iter().flatten().chain(map.get("const")) {
            if let Some(text) = value.as_str() {
                (self.each)(Part::Value, text);
            }
        }
        for (name, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
            (self.each)(Part::Name, name);
            if let Value::Object(property) = property {
                self.schema(property, true);
            }
        }
        for key in ["items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties"] {
            match map.get(key) {
                Some(Value::Object(one)) => self.schema(one, true),
                Some(Value::Array(many)) => {
                    many.iter().filter_map(Value::as_object).for_each(|one| self.schema(one, true))
                }
                _ => {}
            }
        }
        if let Some(Value::String(reference)) = map.get("$ref")
            && self.entered.insert(reference)
        {
            self.waiting.push(reference);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(schema: &Value) -> Vec<String> {
        let mut out = Vec::new();
        texts(schema, &mut |part, text| {
            if part == Part::Name {
                out.push(text.to_string());
            }
        });
        out
    }

    #[test]
    fn a_long_chain_of_references_ends() {
        let link = |i: u32| {
            (
                format!("d{i}"),
                serde_json::json!({"properties": {format!("p{i}"): {"$ref": format!("#/$defs/d{}", i + 1)}}}),
            )
        };
        let defs: Map<String, Value> = (0..20_000).map(link).collect();
        let found = names(&serde_json::json!({"properties": {"root": {"$ref": "#/$defs/d0"}}, "$defs": defs}));
        assert_eq!((found.len(), found[20_000].as_str()), (20_001, "p19999"));
    }

    #[test]
    fn the_root_is_entered_once() {
        assert_eq!(names(&serde_json::json!({"properties": {"child": {"$ref": "#"}}})), ["child"]);
    }

    #[test]
    fn a_reference_to_nowhere_is_passed_over() {
        assert_eq!(
            names(&serde_json::json!({"properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "http://h/x"}}})),
            ["a", "b"]
        );
    }
}
