//! The provider holds the definition; the history refers to it.

use std::collections::HashSet;

use super::{Entry, Form, Item};

pub(super) static ENTRY: Entry = Entry {
    name: "reference",
    summary: "every definition is sent in the tools array, deferred ones with a mark that keeps them out of the prompt; after the search result the history names the tool, and the provider expands it there",
    source: "Anthropic's defer_loading and tool_reference",
    items: |v| {
        let base: HashSet<_> = v.base.iter().collect();
        let mark = |item| match item {
            Item::Tool(id) if !base.contains(&id) => Item::Deferred(id),
            item => item,
        };
        v.arrange(v.base, &v.all_but(v.base)).map(|slot| mark(slot.into())).collect()
    },
    history: Some(Form::Reference),
    fixed_places: false,
    executor: false,
};
