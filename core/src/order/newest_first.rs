//! The newest activation first.

use super::{Order, slots};

pub(super) static ENTRY: Order = Order {
    name: "newest_first",
    summary: "activated tools, newest first, then always-on tools, then the search tool",
    source: "stitchkit: a newly activated tool is written before the base tools",
    promise: "everything moves: each activation shifts all that stood before it",
    invariant_to_registration: true,
    arrange: |a| {
        let newest: Vec<_> = a.activated.iter().rev().copied().collect();
        slots(&newest).chain(slots(a.base)).chain(a.search_slot()).collect()
    },
};
