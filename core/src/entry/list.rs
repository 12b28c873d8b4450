//! The definition joins the tools array.

use super::Entry;

pub(super) static ENTRY: Entry = Entry {
    name: "list",
    summary: "every visible tool stands in the tools array; an activated one joins it in the next request",
    source: "both published policies, and every provider's plain tool calling",
    in_array: |_| true,
};
