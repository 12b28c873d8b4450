//! The tool whose name is the query, and nothing else.

use super::{Hits, Invariance, Ranker, RankerEntry, best};
use crate::catalog::{Catalog, ToolId};
use crate::explain::Explanation;

pub(super) static ENTRY: RankerEntry = RankerEntry {
    name: "exact",
    summary: "the tool whose name is the whole query, case included; the floor that every ranker has to beat",
    source: "the naming rule of MCP: tool names are unique and case-sensitive (specification 2025-11-25, Tools)",
    params: &[],
    invariant_to: &[Invariance::Registration, Invariance::HashSeed],
    build: |catalog, _| Box::new(Exact(catalog.clone())),
};

struct Exact(Catalog);

impl Ranker for Exact {
    fn search(&self, query: &str, limit: usize) -> Hits {
        best(self.0.find(query.trim()).map(|t| (t, 1.0)).into_iter(), |t| t.0, limit)
    }

    fn explain(&self, catalog: &Catalog, query: &str, tool: ToolId) -> Explanation {
        let same = catalog[tool].name() == query.trim();
        Explanation::leaf(f64::from(same), if same { "the name is the query" } else { "the name is not the query" })
    }
}
