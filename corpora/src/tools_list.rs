//! Which tools does a `tools/list` file hold?

use std::path::Path;

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
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Inner<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}

/// As much of a wrong definition as an error message needs.
#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// Reads the tools of a file's text: `{"tools": [...]}`, `{"result": {"tools": [...]}}` or `[...]`; other keys are ignored.
///
/// # Errors
/// [`CorpusError::Json`] with the line, or [`CorpusError::Tool`] with position and name of the wrong definition.
pub fn parse(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    let text = without_bom(text);
    let json = |e: serde_json::Error| CorpusError::json(path, 1, &e, SHAPE);
    let items = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<&RawValue>>(text).map_err(json)?
    } else {
        let envelope: Envelope = serde_json::from_str(text).map_err(json)?;
        match (envelope.tools, envelope.result) {
            (Some(tools), _) => tools,
            (None, Some(result)) => result.tools,
            (None, None) => {
                let detail = "no member \"tools\"".to_string();
                return Err(CorpusError::Json { path: path.to_path_buf(), line: 1, detail, expected: SHAPE });
            }
        }
    };
    let read = |(position, item): (usize, &&RawValue)| {
        Tool::from_json(item.get(), limits).map_err(|source| {
            let name = serde_json::from_str::<Named>(item.get()).ok().and_then(|n| n.name);
            CorpusError::Tool { path: path.to_path_buf(), position, name, source: Box::new(source) }
        })
    };
    items.iter().enumerate().map(read).collect()
}
