//! Objects that say that nothing else may be in them.

use super::{Compaction, Effect, drop_members};
use crate::json_tree::Json;

pub(super) static ENTRY: Compaction = Compaction {
    name: "closed-objects",
    summary: "additionalProperties: false is left out",
    source: "this project: the price of strictness",
    effect: Effect::Validation,
    rewrite: |wire, _| {
        drop_members(wire, |key, value| {
            key == "additionalProperties" && matches!(value, Json::Scalar(text) if text.as_ref() == "false")
        });
    },
};
