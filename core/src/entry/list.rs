//! The definition joins the tools array.

use super::{Entry, Item};

pub(super) static ENTRY: Entry = Entry {
    name: "list",
    summary: "every visible tool stands in the tools array; an activated one joins it in the next request",
    source: "both published policies, and every provider's plain tool calling",
    items: |v| v.arrange(v.base, v.activated).map(Item::from).collect(),
    history: None,
    fixed_places: false,
    executor: false,
};
