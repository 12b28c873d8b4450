//! All tools by name.

use super::{Order, Slot};

pub(super) static ENTRY: Order = Order {
    name: "sorted",
    summary: "all tools and the search tool by name, code point",
    source: "openai/codex#2611, and what DeepSeek Harness sends when no order is configured",
    promise: "tools whose names sort after the activated one move",
    invariant_to_registration: true,
    keeps_places: true,
    params: &[],
    arrange: |a, _| {
        let tools: Vec<_> = a.base.iter().chain(a.activated).copied().collect();
        let mut out = a.by_name(&tools);
        if let Some(search) = a.search {
            let name = |slot: &Slot| match slot {
                Slot::Search => search.name(),
                Slot::Tool(id) => a.catalog[*id].name(),
            };
            out.insert(out.partition_point(|slot| name(slot) < search.name()), Slot::Search);
        }
        out
    },
};
