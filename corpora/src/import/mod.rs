//! Which outside formats can become a bundle?

use std::path::Path;

use deferbench_core::{Limits, Tool};

use crate::corpus::first_twice;
use crate::error::{CorpusError, without_bom};
use crate::spelled::Node;

deferbench_core::entries! {
    /// Every importer, in the order of `list`.
    pub static IMPORTERS: [Importer] = { mcp, json, openai, anthropic, openapi, dsh_catalog }
}

/// What an importer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File,
    /// A running server: see [`crate::mcp`].
    Server,
}

/// The declaration of an importer.
pub struct Importer {
    /// The name used on the command line.
    pub name: &'static str,
    /// One sentence: what it reads.
    pub summary: &'static str,
    /// Where the format is from.
    pub source: &'static str,
    /// What it reads.
    pub input: Input,
    /// Name of the file it writes into the output folder.
    pub file: &'static str,
    /// Reads the text of a file.
    pub read: fn(&Path, &str, &Limits) -> Result<Vec<Tool>, CorpusError>,
}

/// One tool in the spelling of a provider.
struct Part {
    /// The object with name, description and schema.
    function: Node,
    /// The member that is the schema; missing: the tool takes no arguments.
    schema: &'static str,
    /// Members that are kept.
    extra: &'static [&'static str],
}

/// Reads the tools of a request body or of a bare array; `part` finds the definition in one element.
fn each(
    path: &Path,
    text: &str,
    limits: &Limits,
    shape: &'static str,
    part: impl Fn(&Node) -> Result<Part, String>,
) -> Result<Vec<Tool>, CorpusError> {
    let root = Node::parse(without_bom(text)).map_err(|e| CorpusError::json(path, 1, &e, shape))?;
    let items = match (&root, root.get("tools")) {
        (Node::Array(items), _) | (_, Some(Node::Array(items))) => items,
        _ => {
            let detail = "no array \"tools\"".to_string();
            return Err(CorpusError::Json { path: path.to_path_buf(), line: 1, detail, expected: shape });
        }
    };
    let mut tools = Vec::with_capacity(items.len());
    for (position, item) in items.iter().enumerate() {
        let named = || item.text_of("name").or_else(|| item.get("function")?.text_of("name"));
        let part = part(item).map_err(|problem| CorpusError::Import {
            path: path.to_path_buf(),
            problem: format!(
                "tool {position} (from 0){} {problem}",
                named().map(|n| format!(", {n:?},")).unwrap_or_default()
            ),
        })?;
        let tool = Tool::from_json(&definition(&part), limits).map_err(|source| CorpusError::Tool {
            path: path.to_path_buf(),
            position,
            name: named(),
            source: Box::new(source),
        })?;
        tools.push(tool);
    }
    found(path, tools)
}

/// Whether a member is missing or null.
fn lacks(node: &Node, key: &str) -> bool {
    node.get(key).is_none_or(|value| *value == Node::Scalar("null".to_string()))
}

/// What says that a tool keeps its schema where another format has it, and which importer reads that.
fn other_key(node: &Node, keys: &[&str]) -> Option<String> {
    let key = keys.iter().find(|key| !lacks(node, key))?;
    let importer = match *key {
        "inputSchema" => "json",
        "input_schema" => "anthropic",
        _ => "openai",
    };
    Some(format!("has {key:?}, as `import {importer}` reads it; use that, or rename the member"))
}

/// A definition in the spelling of MCP.
fn definition(part: &Part) -> String {
    let mut members = Vec::new();
    for key in ["name", "description"] {
        members.extend(part.function.get(key).map(|value| (key.to_string(), value.clone())));
    }
    let nothing = || Node::Object(vec![("type".to_string(), Node::text("object")), empty("properties")]);
    let schema = part.function.get(part.schema).filter(|_| !lacks(&part.function, part.schema));
    members.push(("inputSchema".to_string(), schema.cloned().unwrap_or_else(nothing)));
    for key in part.extra {
        members.extend(part.function.get(key).map(|value| (key.to_string(), value.clone())));
    }
    Node::Object(members).to_string()
}

fn empty(key: &str) -> (String, Node) {
    (key.to_string(), Node::Object(Vec::new()))
}

/// What every importer promises: at least one tool, and no name twice on one server.
fn found(path: &Path, tools: Vec<Tool>) -> Result<Vec<Tool>, CorpusError> {
    if tools.is_empty() {
        let problem = "it holds no tools; export them again, or leave the file out".to_string();
        return Err(CorpusError::Import { path: path.to_path_buf(), problem });
    }
    if let Some((first, second)) = first_twice(tools.iter().map(|tool| (tool.server(), tool.name()))) {
        let problem = format!(
            "tools {first} and {second} (from 0) are both named {:?}; a catalog needs names that differ, so rename one of \
             them",
            tools[second].name()
        );
        return Err(CorpusError::Import { path: path.to_path_buf(), problem });
    }
    Ok(tools)
}
