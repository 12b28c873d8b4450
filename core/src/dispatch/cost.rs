//! Can arguments be checked against a schema in bounded time?
//!
//! A few hundred bytes of references that branch twice at each level take years to check, so such a schema is not used.

use std::collections::HashMap;

use serde_json::Value;

/// Most checks of one schema when every reference is written out.
const MOST: u64 = 100_000;

/// Refuses a schema whose references branch too often, or that refers to itself from two branches over one value.
pub(super) fn check(schema: &Value) -> Result<(), String> {
    let mut walk = Walk { root: schema, known: HashMap::new(), open: Vec::new() };
    match walk.cost(schema, 0)?.0 > MOST {
        true => Err(format!("its references, written out, come to more than {MOST} checks")),
        false => Ok(()),
    }
}

struct Walk<'a> {
    root: &'a Value,
    /// Cost of a reference, and whether it leads back to one that was open.
    known: HashMap<&'a str, (u64, bool)>,
    open: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    fn cost(&mut self, value: &'a Value, depth: usize) -> Result<(u64, bool), String> {
        if depth > 1_024 {
            return Err("its references are nested more than 1,024 levels deep".to_string());
        }
        let mut total = (1, false);
        let mut add = |(cost, back): (u64, bool)| total = (total.0 + cost.min(MOST), total.1 || back);
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    match (key.as_str(), member) {
                        ("$ref" | "$dynamicRef", Value::String(target)) => add(self.reference(target, depth)?),
                        ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => {
                            let mut back = 0;
                            for branch in branches {
                                let cost = self.cost(branch, depth + 1)?;
                                back += usize::from(cost.1);
                                add(cost);
                            }
                            if back > 1 {
                                return Err(format!("it refers to itself from several branches of {key}"));
                            }
                        }
                        _ => add(self.cost(member, depth + 1)?),
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    add(self.cost(item, depth + 1)?);
                }
            }
            _ => {}
        }
        Ok(total)
    }

    fn reference(&mut self, target: &'a str, depth: usize) -> Result<(u64, bool), String> {
        if self.open.contains(&target) {
            return Ok((1, true));
        }
        if let Some(known) = self.known.get(target) {
            return Ok(*known);
        }
        // A reference to somewhere else is the validator's to refuse.
        let Some(found) = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) else {
            return Ok((1, false));
        };
        self.open.push(target);
        let cost = self.cost(found, depth + 1);
        self.open.pop();
        let cost = cost?;
        self.known.insert(target, cost);
        Ok(cost)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn branching_references_are_refused() {
        let chain = |levels: usize| {
            let level = |i: usize| {
                let next = json!({ "$ref": format!("#/$defs/d{}", i + 1) });
                (format!("d{i}"), if i < levels { json!({"anyOf": [next, next]}) } else { json!({"type": "string"}) })
            };
            let defs: serde_json::Map<String, Value> = (0..=levels).map(level).collect();
            json!({"$ref": "#/$defs/d0", "$defs": defs})
        };
        assert_eq!(check(&chain(10)), Ok(()));
        assert!(check(&chain(40)).unwrap_err().contains("100000 checks"));
    }

    #[test]
    fn one_recursion_is_fine_two_over_one_value_are_not() {
        let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
        assert_eq!(check(&tree), Ok(()));
        let twice = json!({"properties": {"a": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}});
        assert!(check(&twice).unwrap_err().contains("several branches of anyOf"));
    }
}
