//! How is JSON changed without changing the spelling of the rest?
//!
//! A tree whose keys and scalars keep their text. What is not rewritten comes out byte for byte as it went in, so that the
//! difference of two lengths is what the rewriting saved and nothing else.

use std::borrow::Cow;

/// A JSON value as spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json<'a> {
    /// An object, in the order of the source.
    Object(Vec<Member<'a>>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// Anything else, and what is nested too deep to be looked at.
    Scalar(Cow<'a, str>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key with its quotation marks.
    pub key_json: Cow<'a, str>,
    /// The value.
    pub value: Json<'a>,
}

/// Deeper values stay scalars: the walks over a tree recurse.
const DEEPEST: usize = 512;

impl<'a> Member<'a> {
    /// The key as a text.
    pub fn key(&self) -> Cow<'_, str> {
        unquoted(&self.key_json)
    }
}

impl<'a> Json<'a> {
    /// Reads compact JSON, as a definition holds it; none for anything else.
    ///
    /// ```
    /// use deferbench_core::json_tree::Json;
    /// let text = r#"{"b":1e3,"a":["\u00e9",{}],"b":null}"#;
    /// assert_eq!(Json::parse(text).unwrap().to_string(), text);
    /// assert!(Json::parse("{").is_none() && Json::parse("{} ").is_none() && Json::parse("").is_none());
    /// ```
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        (reader.at == text.len()).then_some(value)
    }

    /// A text as a value.
    pub fn text(text: &str) -> Self {
        Self::Scalar(Cow::Owned(serde_json::Value::from(text).to_string()))
    }

    /// The text, where the value is one.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Scalar(json) if json.starts_with('"') => Some(unquoted(json)),
            _ => None,
        }
    }

    /// The value of a member; of several of one key the last, as every reader has it.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|m| m.key() == key).map(|m| &m.value)
    }

    /// Writes the value.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Scalar(text) => out.push_str(text),
            Self::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (i, member) in members.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    out.push_str(&member.key_json);
                    out.push(':');
                    member.value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl std::fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        self.write(&mut out);
        f.write_str(&out)
    }
}

fn unquoted(json: &str) -> Cow<'_, str> {
    let inner = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
    if inner.contains('\\') {
        // A definition's texts have been checked when it was built.
        Cow::Owned(serde_json::from_str(json).unwrap_or_default())
    } else {
        Cow::Borrowed(inner)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.byte() == Some(byte)).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        let start = self.at;
        match self.byte()? {
            b'{' | b'[' if depth >= DEEPEST => {
                self.skip_nested()?;
                Some(Json::Scalar(Cow::Borrowed(&self.text[start..self.at])))
            }
            b'{' => {
                let mut members = Vec::new();
                self.each(b'{', b'}', |reader| {
                    let key = reader.at;
                    reader.string()?;
                    let key_json = Cow::Borrowed(&reader.text[key..reader.at]);
                    reader.take(b':')?;
                    members.push(Member { key_json, value: reader.value(depth + 1)? });
                    Some(())
                })?;
                Some(Json::Object(members))
            }
            b'[' => {
                let mut items = Vec::new();
                self.each(b'[', b']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::Array(items))
            }
            b'"' => {
                self.string()?;
                Some(Json::Scalar(Cow::Borrowed(&self.text[start..self.at])))
            }
            _ => {
                let length = self.text[start..].bytes().take_while(|b| !b",]}:\"".contains(b)).count();
                self.at += length;
                (length > 0).then(|| Json::Scalar(Cow::Borrowed(&self.text[start..self.at])))
            }
        }
    }

    fn each(&mut self, open: u8, close: u8, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            one(self)?;
            if self.take(b',').is_none() {
                return self.take(close);
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.byte()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn skip_nested(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.byte()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_nested_too_deep_stays_as_it_is() {
        let deep = format!("{}\"]\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Json::parse(&deep).unwrap().to_string(), deep);
        assert!(Json::parse(&deep[..deep.len() - 1]).is_none());
    }

    #[test]
    fn of_two_members_of_one_key_the_last_counts() {
        let json = Json::parse(r#"{"a":1,"\u0061":2}"#).unwrap();
        assert_eq!(json.get("a"), Some(&Json::Scalar("2".into())));
    }

    proptest! {
        /// Any text is refused or comes back as it was; compact JSON comes back.
        #[test]
        fn texts_come_back(text in "[\\[\\]{},:\"\\\\a1é ]{0,24}") {
            if let Some(json) = Json::parse(&text) {
                prop_assert_eq!(json.to_string(), text.clone());
            }
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
                let compact = value.to_string();
                prop_assert_eq!(Json::parse(&compact).map(|j| j.to_string()), Some(compact));
            }
        }
    }
}
