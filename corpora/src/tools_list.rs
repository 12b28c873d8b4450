//! Which tools does a `tools/list` file hold?

use std::path::Path;

use deferbench_core::error::ToolError;
use deferbench_core::{Limits, Tool};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{CorpusError, without_bom};

const SHAPE: &str = "{\"tools\": [...]} as in an MCP tools/list result, the whole JSON-RPC answer, or the bare array";

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Envelope<'a> {
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    result: Option<Inner<'a>>,
    #[serde(borrow, rename = "nextCursor")]
    next_cursor: Option<&'a RawValue>,
    /// Whatever it is: only a text names a server.
    #[serde(borrow)]
    package: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Inner<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(borrow, rename = "nextCursor")]
    next_cursor: Option<&'a RawValue>,
}

/// As much of a wrong definition as an error message needs.
#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// The elements of a file, as spelled.
pub(crate) struct Items<'a> {
    /// Where the wrapper names the package that was asked: the part after its last `/`.
    pub package: Option<String>,
    /// The definitions.
    pub tools: Vec<&'a RawValue>,
}

/// Finds the tools of a file's text: `{"tools": [...]}`, `{"result": {"tools": [...]}}` or `[...]`; of the other keys
/// `package` and `nextCursor` are read, and the rest is ignored.
pub(crate) fn items<'a>(path: &Path, text: &'a str) -> Result<Items<'a>, CorpusError> {
    let text = without_bom(text);
    let json = |e: serde_json::Error| CorpusError::json(path, 1, &e, SHAPE);
    if text.trim_start().starts_with('[') {
        return Ok(Items { package: None, tools: serde_json::from_str(text).map_err(json)? });
    }
    let envelope: Envelope = serde_json::from_str(text).map_err(json)?;
    let package = envelope.package.and_then(|p| serde_json::from_str::<String>(p.get()).ok());
    let package = package.and_then(|p| p.rsplit('/').next().map(str::to_string)).filter(|p| !p.is_empty());
    let (tools, cursor) = match (envelope.tools, envelope.result) {
        (Some(tools), _) => (tools, envelope.next_cursor),
        (None, Some(result)) => (result.tools, result.next_cursor),
        (None, None) => {
            let detail = "no member \"tools\"".to_string();
            return Err(CorpusError::Json { path: path.to_path_buf(), line: 1, detail, expected: SHAPE });
        }
    };
    match cursor {
        Some(cursor) => {
            let cursor = cursor.get().chars().take(100).collect();
            Err(CorpusError::Partial { path: path.to_path_buf(), tools: tools.len(), cursor })
        }
        None => Ok(Items { package, tools }),
    }
}

/// Reads each element of a file; a refused one is named with its position.
pub(crate) fn read_each<T>(
    path: &Path,
    items: &[&RawValue],
    read: impl Fn(&str) -> Result<T, ToolError>,
) -> Result<Vec<T>, CorpusError> {
    let one = |(position, item): (usize, &&RawValue)| {
        read(item.get()).map_err(|source| {
            let name = serde_json::from_str::<Named>(item.get()).ok().and_then(|n| n.name);
            CorpusError::Tool { path: path.to_path_buf(), position, name, source: Box::new(source) }
        })
    };
    items.iter().enumerate().map(one).collect()
}

/// Reads the tools of a file's text: `{"tools": [...]}`, `{"result": {"tools": [...]}}` or `[...]`.
///
/// # Errors
/// [`CorpusError::Json`] with the line, [`CorpusError::Partial`] for one page of several, or [`CorpusError::Tool`] with position and name of the wrong definition.
pub fn parse(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    read_each(path, &items(path, text)?.tools, |json| Tool::from_json(json, limits))
}
