//! Every tool has its place from the start.

use std::collections::HashSet;

use super::{Entry, Item};

pub(super) static ENTRY: Entry = Entry {
    name: "slots",
    summary: "every name stands in the tools array from the start, as a stub without description and parameters; an activated tool is filled in where it stands",
    source: "Claude Code's placeholder tools; arrays that stay constant under logit masking, as Manus describes them",
    items: |v| {
        let filled: HashSet<_> = v.base.iter().chain(v.activated).collect();
        let stub = |item| match item {
            Item::Tool(id) if !filled.contains(&id) => Item::Stub(id),
            item => item,
        };
        // A pin is filled in its place, so it is no base tool here.
        v.arrange(v.always_on, &v.all_but(v.always_on)).map(|slot| stub(slot.into())).collect()
    },
    history: None,
    fixed_places: true,
    executor: false,
};
