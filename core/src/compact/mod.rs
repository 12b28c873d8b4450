//! What would a definition save if it said less?
//!
//! A compaction rewrites a definition and nothing else: what it saves is found by counting again. Each says what it costs.

use crate::cost::{Wire, shape};
use crate::json_tree::{Json, Member};
use crate::lint::walk::{Kind, below};

crate::entries! {
    /// Every compaction, in the order in which they are applied together.
    pub static COMPACTIONS: [Compaction] = {
        schema_uri, definitions, titles, examples, parameter_texts, first_paragraph, closed_objects, output_schema,
    }
}

/// What a compaction changes beside the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The same arguments are valid, and the model reads the same.
    Lossless,
    /// The same arguments are valid; the model reads less.
    Reading,
    /// Other arguments or results are valid.
    Validation,
}

impl Effect {
    /// The words in reports.
    pub fn text(self) -> &'static str {
        match self {
            Self::Lossless => "lossless for validation",
            Self::Reading => "changes what the model reads",
            Self::Validation => "changes validation",
        }
    }
}

/// What a compaction may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Most characters of the description of a parameter.
    pub parameter_text: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { parameter_text: 100 }
    }
}

/// The declaration of a compaction.
#[derive(Debug)]
pub struct Compaction {
    /// The name in results.
    pub name: &'static str,
    /// One sentence: what is rewritten.
    pub summary: &'static str,
    /// Where the idea comes from.
    pub source: &'static str,
    /// What it changes beside the size.
    pub effect: Effect,
    /// Rewrites a definition.
    pub rewrite: fn(&mut Wire, &Settings),
}

/// Calls back for every object that is a schema, the outer one first: of the input schema and of the output schema.
fn each_schema<'a>(wire: &mut Wire<'a>, each: &mut dyn FnMut(&mut Vec<Member<'a>>)) {
    walk(&mut wire.schema, Kind::Schema, each);
    for (_, schema) in wire.extra.iter_mut().filter(|(key, _)| key == "outputSchema") {
        walk(schema, Kind::Schema, each);
    }
}

/// Recurses as deep as a tree of [`Json`] is: 512 levels at most.
fn walk<'a>(json: &mut Json<'a>, kind: Kind, each: &mut dyn FnMut(&mut Vec<Member<'a>>)) {
    match json {
        Json::Object(members) => {
            if kind == Kind::Schema {
                each(members);
            }
            for member in members {
                let of = below(kind, &member.key(), shape(&member.value));
                if of != Kind::Data {
                    walk(&mut member.value, of, each);
                }
            }
        }
        Json::Array(items) if kind == Kind::Schemas => {
            items.iter_mut().filter(|i| matches!(i, Json::Object(_))).for_each(|i| walk(i, Kind::Schema, each));
        }
        _ => {}
    }
}

/// Takes members out of every schema.
fn drop_members(wire: &mut Wire, drop: fn(&str, &Json) -> bool) {
    each_schema(wire, &mut |members| members.retain(|m| !drop(&m.key(), &m.value)));
}

#[cfg(test)]
mod tests;
