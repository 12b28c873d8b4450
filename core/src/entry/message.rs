//! The definition is a block of the history.

use super::{Entry, Form, Item};

pub(super) static ENTRY: Entry = Entry {
    name: "message",
    summary: "the tools array holds always-on tools and the search tool; the definition of a found tool is appended to the history, right after the search result, and stays there",
    source: "Anthropic's tool additions in messages, the Kimi K3 template, OpenAI's tool_search_output",
    items: |v| v.arrange(v.base, &[]).map(Item::from).collect(),
    history: Some(Form::Block),
    fixed_places: false,
    executor: false,
};
