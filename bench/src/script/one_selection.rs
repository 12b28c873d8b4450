//! The same search twice.

use super::{ScriptEntry, searches};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "one-selection",
    summary: "a search for \"read\", then the same search again: what one selection costs and whether repeating it changes a byte",
    source: "the published benchmark of dsh-tool-search",
    build: |_| vec![searches("one-selection".to_string(), ["read", "read"].map(String::from).into_iter())],
};
