//! How does a line of the seed tables become a tool?

use serde_json::{Map, Value, json};

use crate::generate::GeneratedTool;

/// Kind of a parameter.
#[derive(Debug, Clone, Copy)]
pub(super) enum Is {
    /// Text.
    Text,
    /// A whole number with bounds.
    Whole(u32, u32),
    /// Yes or no.
    Flag,
    /// A list of texts.
    Texts,
    /// One of some words.
    OneOf(&'static [&'static str]),
    /// A list of objects: name and meaning of their members, all texts and required.
    Records(&'static [(&'static str, &'static str)]),
}

/// One parameter: name, kind, whether it is required, meaning.
pub(super) type Takes = (&'static str, Is, bool, &'static str);

/// One tool of the tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own {
    /// Name.
    pub(super) name: &'static str,
    /// Description.
    pub(super) about: &'static str,
    /// Parameters.
    pub(super) takes: &'static [Takes],
}

/// One line of a table.
pub(super) const fn own(name: &'static str, about: &'static str, takes: &'static [Takes]) -> Own {
    Own { name, about, takes }
}

impl Own {
    /// The tool of this line.
    pub(super) fn tool(&self) -> GeneratedTool {
        GeneratedTool {
            name: self.name.to_owned(),
            description: self.about.to_owned(),
            input_schema: schema(self.takes),
            server: String::new(),
            extra: Vec::new(),
        }
    }
}

/// The compact JSON of an object schema.
pub(super) fn schema(takes: &[Takes]) -> String {
    let mut properties = Map::new();
    for (name, is, _, about) in takes {
        properties.insert((*name).to_owned(), property(*is, about));
    }
    let required: Vec<&str> = takes.iter().filter(|(_, _, required, _)| *required).map(|(name, ..)| *name).collect();
    let mut root = json!({ "type": "object", "properties": properties });
    if let (false, Some(map)) = (required.is_empty(), root.as_object_mut()) {
        map.insert("required".to_owned(), json!(required));
    }
    root.to_string()
}

fn property(is: Is, about: &str) -> Value {
    match is {
        Is::Text => json!({ "type": "string", "description": about }),
        Is::Whole(low, high) => {
            json!({ "type": "integer", "description": about, "minimum": low, "maximum": high })
        }
        Is::Flag => json!({ "type": "boolean", "description": about }),
        Is::Texts => {
            json!({ "type": "array", "description": about, "items": { "type": "string" } })
        }
        Is::OneOf(words) => json!({ "type": "string", "description": about, "enum": words }),
        Is::Records(members) => {
            let properties: Map<String, Value> =
                members.iter().map(|(name, about)| ((*name).to_owned(), property(Is::Text, about))).collect();
            let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
            json!({
                "type": "array",
                "description": about,
                "items": { "type": "object", "properties": properties, "required": required }
            })
        }
    }
}
