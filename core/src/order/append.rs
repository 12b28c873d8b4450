//! New tools at the end.

use super::{Order, slots};

pub(super) static ENTRY: Order = Order {
    name: "append",
    summary: "always-on tools as configured, the search tool, then activated tools in activation order (call order, then rank)",
    source: "the append-only tool list of several gateways, for example the AI SDK's tool search in direct mode",
    promise: "nothing moves: an activated tool is written after everything that was there",
    invariant_to_registration: true,
    keeps_places: false,
    params: &[],
    arrange: |a, _| slots(a.base).chain(a.search_slot()).chain(slots(a.activated)).collect(),
};
