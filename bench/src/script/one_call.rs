//! One need from search to call.

use super::{Script, ScriptEntry, When, turn};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "one-call",
    summary: "one user turn that needs the tool \"read\": searched for by name, then called",
    source: "the column \"extra turns\" of the published benchmark of dsh-tool-search, measured here",
    build: |draw| {
        let Some(read) = draw.corpus.catalog.find("read") else { return Vec::new() };
        let turns = vec![turn("read", vec![vec![read]])];
        vec![Script { name: "one-call".to_string(), search: When::Hidden, turns }]
    },
};
