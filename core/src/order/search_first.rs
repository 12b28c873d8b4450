//! The search tool first, the rest by name.

use super::Order;

pub(super) static ENTRY: Order = Order {
    name: "search_first",
    summary: "the search tool, then always-on tools by name, then activated tools by name",
    source: "DeepSeek Harness with toolOrder: [tool_search, the rest]",
    promise: "activated tools whose names sort after the new one move; the search tool and the always-on tools stay",
    invariant_to_registration: true,
    keeps_places: true,
    params: &[],
    arrange: |a, _| a.search_slot().into_iter().chain(a.by_name(a.base)).chain(a.by_name(a.activated)).collect(),
};
