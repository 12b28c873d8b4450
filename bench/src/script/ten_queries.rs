//! All labelled queries in one session.

use super::{ScriptEntry, searches};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "ten-queries",
    summary: "the labelled queries searched one after the other by one agent, without calls: how a session grows",
    source: "this project, on the queries of the published benchmark of dsh-tool-search",
    build: |draw| {
        vec![searches("ten-queries".to_string(), draw.corpus.queries.iter().take(10).map(|q| q.text.clone()))]
    },
};
