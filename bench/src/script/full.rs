//! One request in which nothing is asked for.

use super::{Script, ScriptEntry, When};
use crate::script::Turn;

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "full",
    summary: "one user turn without any need: what the first request carries",
    source: "the column \"full\" of the published benchmark of dsh-tool-search",
    build: |_| {
        let turn = Turn::new("Hello.", Vec::new());
        vec![Script { name: "full".to_string(), search: When::Always, turns: vec![turn] }]
    },
};
