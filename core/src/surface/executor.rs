//! How is a tool called that stands in no tools array?

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::catalog::Catalog;
use crate::tool::Tool;
use crate::transcript::{Call, Original};

/// What the model reads when it calls the executor without naming a tool.
pub(crate) const USAGE: &str =
    "expected arguments of the form {\"name\": the tool's name, \"arguments\": an object that fits its schema}";

const DESCRIPTION: &str = "Calls a tool that the search tool has found. Give its exact name, and arguments that fit the schema in the search result.";
const SCHEMA: &str = r#"{"type":"object","properties":{"name":{"type":"string","description":"The exact name of the tool."},"arguments":{"type":"object","description":"The arguments of that tool."}},"required":["name","arguments"]}"#;

/// The executor, under a name that no tool of the catalog and no search tool has.
pub(super) fn build(catalog: &Catalog, search: Option<&Tool>) -> Option<Tool> {
    let free = |name: &String| catalog.find(name).is_none() && search.is_none_or(|s| s.name() != name);
    let numbered = (2..).map(|n| format!("tool_call_{n}"));
    let name = std::iter::once("tool_call".to_string()).chain(numbered).find(free)?;
    Tool::new(&name, Some(DESCRIPTION), SCHEMA).ok()
}

#[derive(Deserialize)]
struct Arguments<'a> {
    name: String,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// The call that a call of the executor asks for; none when it names no tool. Missing arguments are none.
pub(super) fn unwrap(call: &Call) -> Option<Call> {
    let inner: Arguments = serde_json::from_str(&call.arguments).ok()?;
    let original = Original { name: call.name.clone(), arguments: call.arguments.clone() };
    let arguments = inner.arguments.map_or("{}", RawValue::get);
    Some(Call { bridged: Some(original), ..Call::new(call.id.clone(), inner.name, arguments) })
}

/// The call of a tool as a model writes it to the executor.
pub(super) fn wrap(executor: &Tool, call: &Call) -> Call {
    let name = serde_json::Value::from(call.name.as_str());
    let arguments = format!("{{\"name\":{name},\"arguments\":{}}}", call.arguments);
    Call::new(call.id.clone(), executor.name(), arguments)
}
