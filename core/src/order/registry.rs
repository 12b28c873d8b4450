//! Registration order, then the search tool.

use super::{Order, Slot};

pub(super) static ENTRY: Order = Order {
    name: "registry",
    summary: "always-on and activated tools in registration order, then the search tool",
    source: "dsh-tool-search: scope-local tools follow inherited ones; the order its published benchmark measured",
    promise: "everything may move: an activated tool lands before every tool registered later, and before the search tool",
    invariant_to_registration: false,
    keeps_places: true,
    params: &[],
    arrange: |a, _| {
        let mut tools: Vec<_> = a.base.iter().chain(a.activated).copied().collect();
        tools.sort();
        tools.into_iter().map(Slot::Tool).chain(a.search_slot()).collect()
    },
};
