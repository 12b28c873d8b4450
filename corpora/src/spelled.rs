//! How is JSON taken apart and put together without a change of key order or spelling?

use std::fmt;

use deferbench_core::canonical::{Members, compact, nesting};
use deferbench_core::pointer::unescaped;
use serde::de::Error;
use serde_json::value::RawValue;

/// The deepest nesting that is taken apart: the walk recurses.
const DEEPEST: usize = 512;

/// A JSON value whose scalars keep their spelling and whose objects keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    /// Members in the order of the source; a repeated key keeps its last value.
    Object(Vec<(String, Node)>),
    /// Elements.
    Array(Vec<Node>),
    /// A text, number, boolean or null as spelled.
    Scalar(String),
}

impl Node {
    /// Takes a text apart.
    ///
    /// # Errors
    /// When the text is not JSON, or nested deeper than 512 levels.
    pub(crate) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let depth = nesting(text);
        if depth > DEEPEST {
            return Err(Error::custom(format!("nested {depth} levels deep, at most {DEEPEST} are read")));
        }
        serde_json::from_str::<&RawValue>(text)?;
        Self::read(text.trim())
    }

    fn read(json: &str) -> Result<Self, serde_json::Error> {
        match json.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(json)?;
                let read = |(key, value): (String, &RawValue)| Ok((key, Self::read(value.get())?));
                Ok(Self::Object(members.into_iter().map(read).collect::<Result<_, serde_json::Error>>()?))
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(json)?;
                Ok(Self::Array(items.into_iter().map(|i| Self::read(i.get())).collect::<Result<_, _>>()?))
            }
            _ => Ok(Self::Scalar(compact(json))),
        }
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Scalar(serde_json::Value::from(text).to_string())
    }

    /// A member of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The members of an object; none of anything else.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        if let Self::Object(members) = self { members } else { &[] }
    }

    /// The elements of an array; none of anything else.
    pub(crate) fn items(&self) -> &[Self] {
        if let Self::Array(items) = self { items } else { &[] }
    }

    /// The text of a text.
    pub(crate) fn as_text(&self) -> Option<String> {
        match self {
            Self::Scalar(spelled) if spelled.starts_with('"') => serde_json::from_str(spelled).ok(),
            _ => None,
        }
    }

    /// The member of an object that is a text.
    pub(crate) fn text_of(&self, key: &str) -> Option<String> {
        self.get(key)?.as_text()
    }

    /// The place a JSON pointer leads to, written without `#`.
    pub(crate) fn pointer(&self, pointer: &str) -> Option<&Self> {
        pointer.split('/').skip(1).try_fold(self, |node, step| match node {
            Self::Object(_) => node.get(&unescaped(step)),
            Self::Array(items) => items.get(step.parse::<usize>().ok()?),
            Self::Scalar(_) => None,
        })
    }
}

impl fmt::Display for Node {
    /// Compact JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = |f: &mut fmt::Formatter<'_>, at: usize| if at > 0 { f.write_str(",") } else { Ok(()) };
        match self {
            Self::Scalar(spelled) => f.write_str(spelled),
            Self::Array(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    comma(f, at)?;
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (at, (key, value)) in members.iter().enumerate() {
                    comma(f, at)?;
                    write!(f, "{}:{value}", serde_json::Value::from(key.as_str()))?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_spelling_survive() {
        let source = r#" {"z": [1e3, 1.0, -0, {"b": null}], "a": "\u00e9", "z2": 12345678901234567890123} "#;
        let node = Node::parse(source).unwrap();
        assert_eq!(node.to_string(), compact(source));
        assert_eq!(node.pointer("/z/3/b"), Some(&Node::Scalar("null".to_string())));
        assert_eq!(node.text_of("a").as_deref(), Some("é"));
        assert_eq!(Node::parse(r#"{"a":1,"b":2,"a":3}"#).unwrap().to_string(), r#"{"a":3,"b":2}"#);
        assert!(Node::parse(&"[".repeat(1_000)).unwrap_err().to_string().contains("1000 levels"));
        assert!(Node::parse("{} {}").is_err() && Node::parse("").is_err());
    }
}
