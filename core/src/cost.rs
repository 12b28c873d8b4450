//! Where do the bytes of a definition go?
//!
//! The text of a definition is cut into parts that touch each other and cover it: each byte belongs to one part, so that
//! the parts sum to the whole.

use std::borrow::Cow;

use crate::json_tree::Json;
use crate::lint::walk::{Kind, Shape, below};
use crate::tool::Tool;

/// A part of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The member `name`, and the two braces around the definition.
    Name,
    /// The member `description`; nothing where the source has none, because the wire text leaves the key out.
    Description,
    /// The member `inputSchema` without what the three parts below take out of it.
    Structure,
    /// Descriptions and titles inside the input schema, outside its definitions.
    Texts,
    /// The members `enum` inside the input schema, outside its definitions.
    Enums,
    /// The members `$defs` and `definitions` of the input schema, whole.
    Definitions,
    /// The member `annotations`.
    Annotations,
    /// The member `outputSchema`.
    OutputSchema,
    /// Every other member: `title`, `_meta`, `execution` and so on.
    Other,
}

/// Every part, in the order of the reports.
pub const PARTS: [Part; 9] = [
    Part::Name,
    Part::Description,
    Part::Structure,
    Part::Texts,
    Part::Enums,
    Part::Definitions,
    Part::Annotations,
    Part::OutputSchema,
    Part::Other,
];

impl Part {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Structure => "structure",
            Self::Texts => "texts",
            Self::Enums => "enums",
            Self::Definitions => "$defs",
            Self::Annotations => "annotations",
            Self::OutputSchema => "output",
            Self::Other => "other",
        }
    }

    /// True for the parts that `schema_bytes` counts; the others are sent by some layouts only.
    pub fn counted(self) -> bool {
        self < Self::Annotations
    }
}

/// A definition that can be rewritten part by part, as spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire<'a> {
    /// The name as spelled, quotes included.
    pub name_json: Cow<'a, str>,
    /// The description as spelled, quotes included.
    pub description_json: Option<Cow<'a, str>>,
    /// The input schema.
    pub schema: Json<'a>,
    /// The other members.
    pub extra: Vec<(String, Json<'a>)>,
}

/// The text of a definition, cut into parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// The text.
    pub text: String,
    /// Part and end of each piece, in the order of the text; neighbours differ.
    pub pieces: Vec<(Part, usize)>,
}

impl<'a> Wire<'a> {
    /// The definition of a tool: `{"name":...,"description":...,"inputSchema":...}`, then the other members as listed.
    pub fn of(tool: &'a Tool) -> Self {
        // A built tool holds compact JSON: what could not be parsed would stay one piece.
        let read = |json: &'a str| Json::parse(json).unwrap_or(Json::Scalar(Cow::Borrowed(json)));
        Self {
            name_json: Cow::Borrowed(tool.name_json()),
            description_json: tool.description_json().map(Cow::Borrowed),
            schema: read(tool.schema_json()),
            extra: tool.extra().iter().map(|(key, json)| (key.clone(), read(json))).collect(),
        }
    }

    /// The text, cut into parts. A comma, the key and the colon belong to the member they introduce.
    ///
    /// ```
    /// use deferbench_core::cost::{Part, Wire};
    /// use deferbench_core::{Limits, Tool};
    /// let json = r#"{"name":"a","inputSchema":{"type":"object","$defs":{"x":{}}},"annotations":{}}"#;
    /// let tool = Tool::from_json(json, &Limits::default()).unwrap();
    /// let split = Wire::of(&tool).split();
    /// assert_eq!(split.text, json);
    /// let bytes = split.bytes();
    /// assert_eq!(bytes[Part::Definitions as usize], r#","$defs":{"x":{}}"#.len());
    /// assert_eq!(bytes[Part::Name as usize], r#"{"name":"a"}"#.len());
    /// assert_eq!(bytes[Part::Description as usize], 0);
    /// assert_eq!(bytes.iter().sum::<usize>(), json.len());
    /// ```
    pub fn split(&self) -> Split {
        let mut out = Split::default();
        out.put(Part::Name, "{\"name\":");
        out.put(Part::Name, &self.name_json);
        if let Some(description) = &self.description_json {
            out.put(Part::Description, ",\"description\":");
            out.put(Part::Description, description);
        }
        out.put(Part::Structure, ",\"inputSchema\":");
        out.schema(&self.schema, Kind::Schema, Part::Structure);
        for (key, value) in &self.extra {
            let part = match key.as_str() {
                "annotations" => Part::Annotations,
                "outputSchema" => Part::OutputSchema,
                _ => Part::Other,
            };
            out.put(part, &format!(",{}:{value}", serde_json::Value::from(key.as_str())));
        }
        out.put(Part::Name, "}");
        out
    }
}

impl Split {
    fn put(&mut self, part: Part, text: &str) {
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some((last, end)) if *last == part => *end = self.text.len(),
            _ if text.is_empty() => {}
            _ => self.pieces.push((part, self.text.len())),
        }
    }

    /// Recurses as deep as a tree of [`Json`] is: 512 levels at most.
    fn schema(&mut self, json: &Json, kind: Kind, part: Part) {
        match json {
            Json::Scalar(text) => self.put(part, text),
            Json::Array(items) => {
                self.put(part, "[");
                for (i, item) in items.iter().enumerate() {
                    self.put(part, if i > 0 { "," } else { "" });
                    let of = if kind == Kind::Schemas && matches!(item, Json::Object(_)) {
                        Kind::Schema
                    } else {
                        Kind::Data
                    };
                    self.schema(item, of, part);
                }
                self.put(part, "]");
            }
            Json::Object(members) => {
                self.put(part, "{");
                for (i, member) in members.iter().enumerate() {
                    let key = member.key();
                    let own = match (kind, part, key.as_ref(), &member.value) {
                        (Kind::Schema, Part::Structure, "$defs" | "definitions", _) => Part::Definitions,
                        (Kind::Schema, Part::Structure, "enum", _) => Part::Enums,
                        (Kind::Schema, Part::Structure, "title" | "description", Json::Scalar(_)) => Part::Texts,
                        _ => part,
                    };
                    self.put(own, if i > 0 { "," } else { "" });
                    self.put(own, &member.key_json);
                    self.put(own, ":");
                    self.schema(&member.value, below(kind, &key, shape(&member.value)), own);
                }
                self.put(part, "}");
            }
        }
    }

    /// Bytes of each part, in the order of [`PARTS`]; they sum to the length of the text.
    pub fn bytes(&self) -> [usize; 9] {
        let (mut out, mut from) = ([0; 9], 0);
        for &(part, end) in &self.pieces {
            out[part as usize] += end - from;
            from = end;
        }
        out
    }
}

pub(crate) fn shape(json: &Json) -> Shape {
    match json {
        Json::Object(_) => Shape::Object,
        Json::Array(_) => Shape::Array,
        Json::Scalar(_) => Shape::Scalar,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tool::Limits;

    fn bytes(json: &str) -> [usize; 9] {
        Wire::of(&Tool::from_json(json, &Limits::default()).unwrap()).split().bytes()
    }

    /// N13: each part of one definition, counted by hand.
    #[test]
    fn each_part_by_hand() {
        let json = concat!(
            r#"{"name":"a","description":"D","inputSchema":{"type":"object","title":"T","properties":{"#,
            r#""title":{"enum":["x"],"description":"d"},"enum":{"const":1,"default":{"title":"no"}}},"#,
            r#""definitions":{"n":{"enum":[1],"title":"t"}}},"annotations":{"title":"A"},"outputSchema":{"enum":[1]},"_meta":{}}"#
        );
        let found = bytes(json);
        let own = |texts: &[&str]| texts.iter().map(|t| t.len()).sum::<usize>();
        assert_eq!(found[Part::Name as usize], own(&[r#"{"name":"a""#, "}"]));
        assert_eq!(found[Part::Description as usize], own(&[r#","description":"D""#]));
        // A parameter called title or enum is no title and no enum.
        assert_eq!(found[Part::Texts as usize], own(&[r#","title":"T""#, r#","description":"d""#]));
        assert_eq!(found[Part::Enums as usize], own(&[r#""enum":["x"]"#]));
        assert_eq!(found[Part::Definitions as usize], own(&[r#","definitions":{"n":{"enum":[1],"title":"t"}}"#]));
        assert_eq!(found[Part::Annotations as usize], own(&[r#","annotations":{"title":"A"}"#]));
        assert_eq!(found[Part::OutputSchema as usize], own(&[r#","outputSchema":{"enum":[1]}"#]));
        assert_eq!(found[Part::Other as usize], own(&[r#","_meta":{}"#]));
        assert_eq!(found.iter().sum::<usize>(), json.len());
    }

    /// The parts that `schema_bytes` counts sum to it; a missing description counts there as an empty text and is not sent.
    #[test]
    fn the_counted_parts_are_schema_bytes() {
        for (json, unsent) in [
            (r#"{"name":"a","description":"D","inputSchema":{"x":1e3},"title":"T"}"#, 0),
            (r#"{"name":"a","inputSchema":{},"outputSchema":{}}"#, r#","description":"""#.len()),
        ] {
            let tool = Tool::from_json(json, &Limits::default()).unwrap();
            let found = bytes(json);
            let counted: usize = PARTS.iter().filter(|p| p.counted()).map(|p| found[*p as usize]).sum();
            assert_eq!(counted + unsent, tool.schema_bytes());
        }
    }

    fn schemas() -> impl Strategy<Value = String> {
        let key = prop::sample::select(vec![
            "enum",
            "$defs",
            "title",
            "description",
            "properties",
            "items",
            "anyOf",
            "a",
            "é",
        ]);
        let leaf = prop::sample::select(vec!["1e3", "\"\\u00e9x\"", "null", "[]", "{}", "\"},{\\\"\""])
            .prop_map(str::to_string);
        let value = leaf.prop_recursive(5, 60, 5, move |inner| {
            let members = prop::collection::vec((key.clone(), inner.clone()), 0..5);
            let object = members.prop_map(|m| {
                let m: Vec<String> = m.into_iter().map(|(k, v)| format!("{k:?}:{v}")).collect();
                format!("{{{}}}", m.join(","))
            });
            prop_oneof![object, prop::collection::vec(inner, 0..3).prop_map(|v| format!("[{}]", v.join(",")))]
        });
        value.prop_map(|v| format!("{{\"x\":{v},\"properties\":{{\"p\":{v}}},\"$defs\":{v}}}"))
    }

    proptest! {
        /// N13: whatever the schema, the text is the definition and the parts sum to it.
        #[test]
        fn parts_sum_to_the_whole(schema in schemas(), described in any::<bool>(), output in schemas()) {
            let description = if described { ",\"description\":\"D\"" } else { "" };
            let json = format!("{{\"name\":\"a\"{description},\"inputSchema\":{schema},\"outputSchema\":{output}}}");
            let tool = Tool::from_json(&json, &Limits::default()).unwrap();
            let split = Wire::of(&tool).split();
            prop_assert_eq!(&split.text, &json);
            prop_assert_eq!(split.bytes().iter().sum::<usize>(), json.len());
            prop_assert_eq!(split.pieces.last().map(|p| p.1), Some(json.len()));
            prop_assert!(split.pieces.windows(2).all(|w| w[0].0 != w[1].0 && w[0].1 < w[1].1));
        }
    }
}
