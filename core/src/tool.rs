//! What is one tool definition?

use serde::de::Error as _;
use serde_json::Value;

use crate::canonical::{Fingerprint, Members, canonical, compact, nesting};
use crate::error::ToolError;

/// The largest definition that is accepted; every field is an option of the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Name, UTF-8 bytes.
    pub name_bytes: usize,
    /// Description, UTF-8 bytes.
    pub description_bytes: usize,
    /// Compact input schema, UTF-8 bytes.
    pub schema_bytes: usize,
    /// Nested arrays and objects of the schema; at most 512, because validators recurse.
    pub nesting: usize,
    /// Tools of one catalog.
    pub tools: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { name_bytes: 256, description_bytes: 1 << 20, schema_bytes: 4 << 20, nesting: 128, tools: 1_000_000 }
    }
}

/// One validated tool definition: name, description, input schema, and whatever else its source said.
///
/// The three parts keep the spelling of the source (white space outside strings removed); so the bytes that are counted
/// are the bytes that a harness would send. Missing descriptions rank and count as the empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    name: String,
    description: Option<String>,
    server: Option<String>,
    bare_name: Option<String>,
    name_json: Box<str>,
    description_json: Option<Box<str>>,
    schema_json: Box<str>,
    extra: Vec<(String, Box<str>)>,
    fingerprint: Fingerprint,
}

impl Tool {
    /// Builds a tool from its parts, under the default [`Limits`].
    ///
    /// # Errors
    /// [`ToolError`] when the schema is not a JSON object, has a root type other than `object`, or a part is too large.
    ///
    /// A missing root type is accepted and kept as it is:
    /// ```
    /// use deferbench_core::Tool;
    /// let tool = Tool::new("ping", None, "{ }").unwrap();
    /// assert_eq!(tool.schema_json(), "{}");
    /// assert_eq!(tool.schema_bytes(), r#"{"name":"ping","description":"","inputSchema":{}}"#.len());
    /// assert!(Tool::new("ping", None, r#"{"type":"array"}"#).is_err());
    /// ```
    pub fn new(name: &str, description: Option<&str>, schema_json: &str) -> Result<Self, ToolError> {
        // One value and nothing behind it: the text is put into a definition below.
        serde_json::from_str::<&serde_json::value::RawValue>(schema_json)
            .map_err(|e| ToolError::Json { detail: format!("inputSchema: {e}") })?;
        let quote = |s: &str| Value::from(s).to_string();
        let mut json = format!("{{\"name\":{}", quote(name));
        if let Some(d) = description {
            json.push_str(&format!(",\"description\":{}", quote(d)));
        }
        Self::from_json(&format!("{json},\"inputSchema\":{schema_json}}}"), &Limits::default())
    }

    /// Reads one element of the `tools` array of an MCP `tools/list` result; it may add `server`, the label of its server.
    ///
    /// Members other than `name`, `description`, `inputSchema` and `server` are kept in [`Tool::extra`].
    ///
    /// # Errors
    /// [`ToolError`], as for [`Tool::new`].
    ///
    /// ```
    /// use deferbench_core::{Limits, Tool};
    /// let json = r#"{"name":"a","title":"A","description":null,"inputSchema":{"type":"object"}}"#;
    /// let tool = Tool::from_json(json, &Limits::default()).unwrap();
    /// assert_eq!((tool.description(), tool.extra()[0].0.as_str()), (None, "title"));
    /// ```
    pub fn from_json(json: &str, limits: &Limits) -> Result<Self, ToolError> {
        let tool = Self::of_any_root(json, limits)?;
        tool.check_root()?;
        Ok(tool)
    }

    /// As [`Tool::from_json`], whatever the root type: what a linter reads has to include what a catalog refuses.
    pub(crate) fn of_any_root(json: &str, limits: &Limits) -> Result<Self, ToolError> {
        let bad = |e: serde_json::Error| ToolError::Json { detail: e.to_string() };
        if !json.trim_start().starts_with('{') {
            serde_json::from_str::<serde::de::IgnoredAny>(json).map_err(bad)?;
            return Err(member("tool", "an object", json, "each element of \"tools\" is one definition"));
        }
        let Members(members) = serde_json::from_str(json).map_err(bad)?;
        let (mut name, mut description, mut schema, mut server, mut extra) = (None, None, None, None, Vec::new());
        for (key, value) in members {
            let value = compact(value.get());
            match key.as_str() {
                "name" => name = Some(value),
                "description" if value == "null" => {}
                "description" => description = Some(value),
                "inputSchema" => schema = Some(value),
                "server" => server = Some(text("server", &value, "use the server's label")?).filter(|s| !s.is_empty()),
                _ => extra.push((key, value.into_boxed_str())),
            }
        }
        let missing = |m, e, r| member(m, e, "nothing", r);
        let name_json = name.ok_or_else(|| missing("name", "a text", "give the tool a name"))?;
        let schema_json = schema.ok_or_else(|| {
            missing("inputSchema", "a JSON Schema object", "write {\"type\":\"object\"} for a tool without arguments")
        })?;
        let name = text("name", &name_json, "give the tool a name")?;
        let description_json = description;
        let description = match &description_json {
            Some(d) => Some(text("description", d, "leave it out, or write a text")?),
            None => None,
        };
        let tool = Self {
            fingerprint: Fingerprint::of(b""),
            name_json: name_json.into_boxed_str(),
            description_json: description_json.map(String::into_boxed_str),
            schema_json: schema_json.into_boxed_str(),
            name,
            description,
            server,
            bare_name: None,
            extra,
        };
        tool.check(limits)?;
        tool.with_fingerprint().map_err(bad)
    }

    fn check(&self, limits: &Limits) -> Result<(), ToolError> {
        if self.name.is_empty() {
            return Err(member("name", "a text that is not empty", "\"\"", "give the tool a name"));
        }
        let too_large = |part, found, limit, unit, option| {
            if found > limit { Err(ToolError::TooLarge { part, found, limit, unit, option }) } else { Ok(()) }
        };
        let described = self.description.as_deref().unwrap_or_default().len();
        too_large("the name", self.name.len(), limits.name_bytes, "bytes", "name_bytes")?;
        too_large("the description", described, limits.description_bytes, "bytes", "description_bytes")?;
        too_large("the input schema", self.schema_json.len(), limits.schema_bytes, "bytes", "schema_bytes")?;
        let depth = nesting(&self.schema_json);
        too_large("the nesting of the input schema", depth, limits.nesting.min(512), "levels", "nesting")?;
        if !self.schema().map_err(|e| ToolError::json(&self.schema_json, &e))?.is_object() {
            let remedy = "write {\"type\":\"object\"} for a tool without arguments";
            return Err(member("inputSchema", "a JSON Schema object", &self.schema_json, remedy));
        }
        Ok(())
    }

    fn check_root(&self) -> Result<(), ToolError> {
        let schema = self.schema().map_err(|e| ToolError::json(&self.schema_json, &e))?;
        match schema.get("type") {
            None => Ok(()),
            Some(Value::String(t)) if t == "object" => Ok(()),
            Some(other) => Err(ToolError::RootType { found: other.to_string() }),
        }
    }

    fn with_fingerprint(mut self) -> Result<Self, serde_json::Error> {
        let description = self.description_json.as_deref().unwrap_or("\"\"");
        let identity = format!(
            "{{\"description\":{},\"inputSchema\":{},\"name\":{}}}",
            canonical(description)?,
            canonical(&self.schema_json)?,
            canonical(&self.name_json)?
        );
        self.fingerprint = Fingerprint::of(identity.as_bytes());
        Ok(self)
    }

    /// The same definition under another name, as a resolved name clash needs it.
    ///
    /// # Errors
    /// [`ToolError`] when the new name is empty or longer than the limit.
    pub fn renamed(mut self, name: String, limits: &Limits) -> Result<Self, ToolError> {
        self.name_json = Value::from(name.as_str()).to_string().into_boxed_str();
        self.bare_name.get_or_insert(std::mem::replace(&mut self.name, name));
        self.check(limits)?;
        self.with_fingerprint().map_err(|e| ToolError::Json { detail: e.to_string() })
    }

    /// The same definition with the label of its server; an empty label is none. The label is no part of the identity.
    pub fn with_server(mut self, label: &str) -> Self {
        self.server = Some(label.to_string()).filter(|l| !l.is_empty());
        self
    }

    /// The name a call uses.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name the tool has on its own server: differs from [`Tool::name`] where a name clash was resolved.
    pub fn bare_name(&self) -> &str {
        self.bare_name.as_deref().unwrap_or(&self.name)
    }

    /// The description, where the source has one.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The label of the server the tool comes from, where the source says so.
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// The name as spelled, quotes included.
    pub fn name_json(&self) -> &str {
        &self.name_json
    }

    /// The description as spelled, quotes included; none: the wire text leaves the key out.
    pub fn description_json(&self) -> Option<&str> {
        self.description_json.as_deref()
    }

    /// The input schema: compact, key order and number spelling of the source.
    pub fn schema_json(&self) -> &str {
        &self.schema_json
    }

    /// The input schema, parsed.
    ///
    /// # Errors
    /// When a string of the schema holds half a surrogate pair; a built tool has been checked for that.
    pub fn schema(&self) -> Result<Value, serde_json::Error> {
        let mut de = serde_json::Deserializer::from_str(&self.schema_json);
        // The nesting limit is checked before, without recursion.
        de.disable_recursion_limit();
        let value = serde::Deserialize::deserialize(&mut de)?;
        de.end().map_err(|e| serde_json::Error::custom(e.to_string()))?;
        Ok(value)
    }

    /// Members the source has beside name, description, input schema and server: kept, never counted.
    pub fn extra(&self) -> &[(String, Box<str>)] {
        &self.extra
    }

    /// UTF-8 bytes of `{"name":...,"description":...,"inputSchema":...}` in compact form.
    pub fn schema_bytes(&self) -> usize {
        const FRAME: usize = "{\"name\":,\"description\":,\"inputSchema\":}".len();
        FRAME + self.name_json.len() + self.description_json.as_deref().map_or(2, str::len) + self.schema_json.len()
    }

    /// blake3 of the canonical JSON of name, description and input schema.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
}

fn member(member: &'static str, expected: &'static str, found: &str, remedy: &'static str) -> ToolError {
    ToolError::Member { member, expected, found: excerpt(found), remedy }
}

fn text(key: &'static str, json: &str, remedy: &'static str) -> Result<String, ToolError> {
    if json.starts_with('"') {
        serde_json::from_str(json).map_err(|e| ToolError::Json { detail: format!("{key}: {e}") })
    } else {
        Err(member(key, "a text", json, remedy))
    }
}

/// The first 40 characters, so that an error message stays one line.
fn excerpt(json: &str) -> String {
    let mut chars = json.chars();
    let head: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { head + "…" } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Tool, ToolError> {
        Tool::from_json(json, &Limits::default())
    }

    #[test]
    fn spelling_is_kept_and_counted() {
        let tool = read("{ \"name\": \"a\", \"inputSchema\": { \"z\": 1e3, \"a\": \"\\u00e9\" } }").unwrap();
        assert_eq!(tool.schema_json(), r#"{"z":1e3,"a":"\u00e9"}"#);
        assert_eq!(tool.schema_bytes(), r#"{"name":"a","description":"","inputSchema":{"z":1e3,"a":"\u00e9"}}"#.len());
    }

    #[test]
    fn identity_forgets_spelling_but_not_content() {
        let a = read(r#"{"name":"a","inputSchema":{"type":"object","x":1.0}}"#).unwrap();
        let b =
            read(r#"{"inputSchema":{"x":1,"type":"object"},"description":"","name":"\u0061","title":"T"}"#).unwrap();
        let c = read(r#"{"name":"a","inputSchema":{"type":"object","x":2}}"#).unwrap();
        assert_eq!(a.fingerprint(), b.fingerprint());
        assert_ne!(a.fingerprint(), c.fingerprint());
    }

    #[test]
    fn refusals_name_what_was_found() {
        let message = |json: &str| read(json).unwrap_err().to_string();
        assert!(message(r#"{"name":"a","inputSchema":[]}"#).contains("expected a JSON Schema object, found []"));
        assert!(message(r#"{"name":"a","inputSchema":{"type":"array"}}"#).contains("root type \"array\""));
        assert!(message(r#"{"name":"a","inputSchema":{"type":["object","null"]}}"#).contains("[\"object\",\"null\"]"));
        assert!(message(r#"{"inputSchema":{}}"#).contains("member \"name\": expected a text, found nothing"));
        assert!(message(r#"{"name":"","inputSchema":{}}"#).contains("not empty"));
        assert!(message(r#"{"name":7,"inputSchema":{}}"#).contains("found 7"));
        assert!(message("[1]").contains("expected an object, found [1]"));
        assert!(message(r#"{"name":"a","inputSchema":{"d":"\ud800"}}"#).contains("not valid JSON"));
        for number in ["1e999", "-12.5E+400", &"9".repeat(400)] {
            let found = message(&format!(r#"{{"name":"a","inputSchema":{{"maximum":[1,{number}]}}}}"#));
            let shown: String = number.chars().take(40).collect();
            assert!(found.starts_with(&format!("the number {shown}")) && found.contains("out of range"), "{found}");
        }
    }

    #[test]
    fn a_schema_cannot_bring_other_members() {
        assert!(matches!(Tool::new("a", None, r#"{},"name":"b""#), Err(ToolError::Json { .. })));
    }

    #[test]
    fn limits_hold_and_deep_nesting_does_not_recurse() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let json = format!(r#"{{"name":"a","inputSchema":{{"x":{deep}}}}}"#);
        assert!(matches!(read(&json), Err(ToolError::TooLarge { option: "nesting", found: 200_001, .. })));
        let at_limit = format!(r#"{{"name":"a","inputSchema":{{"x":{}1{}}}}}"#, "[".repeat(127), "]".repeat(127));
        assert!(read(&at_limit).is_ok());
        let long = format!(r#"{{"name":"{}","inputSchema":{{}}}}"#, "n".repeat(257));
        assert!(matches!(read(&long), Err(ToolError::TooLarge { option: "name_bytes", .. })));
    }
}
