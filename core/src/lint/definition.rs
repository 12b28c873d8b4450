//! What does a server say about one of its tools, before anything is resolved or refused?

use serde_json::Value;

use crate::error::ToolError;
use crate::tool::{Limits, Tool};

/// A tool as listed, with the label of its server.
#[derive(Debug, Clone)]
pub struct Definition {
    tool: Tool,
    schema: Value,
    extra: Vec<(String, Value)>,
    server: String,
    file: Option<String>,
}

impl Definition {
    /// Reads one element of a listing; `label` names the server where the element does not.
    ///
    /// # Errors
    /// [`ToolError`] as for [`Tool::from_json`], except that every root type is accepted: a rule reports it.
    ///
    /// ```
    /// use deferbench_core::{Limits, lint::Definition};
    /// let rows = Definition::from_json(r#"{"name":"rows","inputSchema":{"type":"array"}}"#, "db", &Limits::default()).unwrap();
    /// assert_eq!((rows.name(), rows.server()), ("rows", "db"));
    /// assert!(Definition::from_json(r#"{"name":"rows","inputSchema":[]}"#, "db", &Limits::default()).is_err());
    /// ```
    pub fn from_json(json: &str, label: &str, limits: &Limits) -> Result<Self, ToolError> {
        let tool = Tool::of_any_root(json, limits)?;
        let server = tool.server().unwrap_or(label).to_string();
        Self::new(tool, server)
    }

    /// A tool of a catalog; without a server of its own it gets `label`.
    ///
    /// # Errors
    /// [`ToolError`] when a member beside the definition is no JSON; a built tool's schema always is.
    pub fn of(tool: &Tool, label: &str) -> Result<Self, ToolError> {
        Self::new(tool.clone(), tool.server().unwrap_or(label).to_string())
    }

    fn new(tool: Tool, server: String) -> Result<Self, ToolError> {
        let schema = tool.schema().map_err(|e| ToolError::json(tool.schema_json(), &e))?;
        let mut extra = Vec::new();
        for (key, json) in tool.extra() {
            // What nests deeper than any reader follows is left alone; nobody reads it here.
            let deep = crate::canonical::nesting(json) > 512;
            let value = if deep { Value::Null } else { parse(json).map_err(|e| ToolError::json(json, &e))? };
            extra.push((key.clone(), value));
        }
        Ok(Self { tool, schema, extra, server, file: None })
    }

    /// The same with the file it was listed in.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The name on its own server.
    pub fn name(&self) -> &str {
        self.tool.bare_name()
    }

    /// The description; a missing one is empty.
    pub fn description(&self) -> &str {
        self.tool.description().unwrap_or_default()
    }

    /// The label of its server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The file it was listed in.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The input schema.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// The other members: title, annotations, output schema and so on.
    pub fn extra(&self) -> &[(String, Value)] {
        &self.extra
    }

    /// The definition as spelled. Its root type may be another than a catalog accepts.
    pub fn tool(&self) -> &Tool {
        &self.tool
    }
}

fn parse(json: &str) -> Result<Value, serde_json::Error> {
    let mut de = serde_json::Deserializer::from_str(json);
    // The nesting is looked at before, without recursion.
    de.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut de)
}
