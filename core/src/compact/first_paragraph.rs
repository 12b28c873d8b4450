//! Manuals in the description of a tool.

use super::{Compaction, Effect};
use crate::json_tree::Json;

pub(super) static ENTRY: Compaction = Compaction {
    name: "first-paragraph",
    summary: "the tool's description ends at its first blank line",
    source: "anthropics/claude-code#41141",
    effect: Effect::Reading,
    rewrite: |wire, _| {
        let Some(json) = &wire.description_json else { return };
        let text = Json::Scalar(json.clone());
        let Some(text) = text.as_text() else { return };
        // Blank lines before the first paragraph belong to nobody.
        let start = text.len() - text.trim_start().len();
        let mut end = start;
        for line in text[start..].split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        if text[end..].trim().is_empty() {
            return;
        }
        wire.description_json = Some(serde_json::Value::from(text[start..end].trim_end()).to_string().into());
    },
};
