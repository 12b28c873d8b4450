//! The newest activation first.

use super::{Order, slots};

pub(super) static ENTRY: Order = Order {
    name: "newest_first",
    summary: "activated tools, newest first, then always-on tools, then the search tool",
    source: "harnesses that put what was just loaded on top of the tools array: the worst case for a prefix",
    promise: "everything moves: each activation shifts all that stood before it",
    invariant_to_registration: false,
    keeps_places: false,
    params: &[],
    arrange: |a, _| {
        let newest: Vec<_> = a.activated.iter().rev().copied().collect();
        slots(&newest).chain(slots(a.base)).chain(a.search_slot()).collect()
    },
};
