//! Function tools of the OpenAI APIs.

use std::path::Path;

use deferbench_core::{Limits, Tool};

use super::{Importer, Input, Part};
use crate::error::CorpusError;

pub(super) static ENTRY: Importer = Importer {
    name: "openai",
    summary: "the tools of an OpenAI request, Chat Completions or Responses: a request body or the bare array",
    source: "OpenAI API reference, function tools",
    input: Input::File,
    file: crate::bundle::FILES[0],
    read,
};

const SHAPE: &str = "a request body with the array \"tools\", or the bare array of {\"type\":\"function\",...}";

/// Tools of another type have no schema here (the provider runs them): they are refused, so that none goes unseen.
fn read(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    super::each(path, text, limits, SHAPE, |item| {
        let kind = item.text_of("type").unwrap_or_default();
        let foreign = ["inputSchema", "input_schema"];
        if kind != "function" {
            if let Some(found) = super::other_key(item, &foreign) {
                return Err(format!("is not of type \"function\" and {found}"));
            }
            let found = if kind.is_empty() { "no type".to_string() } else { format!("type {kind:?}") };
            return Err(format!("has {found}, and only type \"function\" has a schema; take it out"));
        }
        // Chat Completions nest what Responses write flat.
        let function = item.get("function").unwrap_or(item);
        if super::lacks(function, "parameters") {
            if let Some(found) = super::other_key(function, &foreign).or_else(|| super::other_key(item, &foreign)) {
                return Err(format!("has no parameters and {found}"));
            }
            if !super::lacks(item, "parameters") {
                return Err("has its parameters beside \"function\"; move them into it".to_string());
            }
        }
        Ok(Part { function: function.clone(), schema: "parameters", extra: &["strict"] })
    })
}
