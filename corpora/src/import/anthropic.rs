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

/// Tools of the provider's own types have no schema in the request: they are refused, so that none goes unseen.
fn read(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    super::each(path, text, limits, SHAPE, |item: &Node| {
        let kind = item.text_of("type").unwrap_or_else(|| "custom".to_string());
        match (kind.as_str(), item.get("input_schema")) {
            ("custom", _) | (_, Some(_)) => Ok(()),
            _ => Err(format!("has type {kind:?} and no input_schema, because the provider knows it; take it out")),
        }?;
        let extra = &["cache_control", "defer_loading", "strict", "input_examples", "allowed_callers"];
        Ok(Part { function: item.clone(), schema: "input_schema", extra })
    })
}
