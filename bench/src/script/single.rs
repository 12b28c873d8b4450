//! Each labelled query by itself.

use super::{ScriptEntry, searches};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "single",
    summary: "each labelled query searched once by a fresh agent: what one capability query costs",
    source: "this project, on the queries of the published benchmark of dsh-tool-search",
    build: |draw| {
        let script = |q: &deferbench_corpora::Query| searches(format!("single/{}", q.id), [q.text.clone()].into_iter());
        draw.corpus.queries.iter().map(script).collect()
    },
};
