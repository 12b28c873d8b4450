//! Tools of the Anthropic Messages API.

use std::path::Path;

use deferbench_core::{Limits, Tool};

use super::{Importer, Input, Part};
use crate::error::CorpusError;
use crate::spelled::Node;

pub(super) static ENTRY: Importer = Importer {
    name: "anthropic",
    summary: "the tools of an Anthropic Messages request: a request body or the bare array",
    source: "Anthropic API reference, Messages, tools",
    input: Input::File,
    file: crate::bundle::FILES[0],
    read,
};

const SHAPE: &str = "a request body with the array \"tools\", or the bare array of {\"name\":...,\"input_schema\":...}";

/// A tool without a schema is refused, so that none goes unseen: the provider knows that of its own types, and any other
/// was to have one.
fn read(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    super::each(path, text, limits, SHAPE, |item: &Node| {
        let kind = item.text_of("type").unwrap_or_else(|| "custom".to_string());
        if super::lacks(item, "input_schema") {
            return Err(match (kind.as_str(), super::other_key(item, &["inputSchema", "parameters"])) {
                (_, Some(found)) => format!("has no input_schema and {found}"),
                ("function", None) => "has type \"function\", as `import openai` reads it; use that".to_string(),
                ("custom", None) => {
                    "has no input_schema; add it (a tool without arguments has {\"type\":\"object\"}), \
                                     or take the tool out"
                        .to_string()
                }
                _ => format!("has type {kind:?} and no input_schema, because the provider knows it; take it out"),
            });
        }
        let extra = &["cache_control", "defer_loading", "strict", "input_examples", "allowed_callers"];
        Ok(Part { function: item.clone(), schema: "input_schema", extra })
    })
}
