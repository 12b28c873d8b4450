//! The definition is text, and an executor calls the tool.

use super::{Entry, Form, Item};
use crate::order::Slot;

pub(super) static ENTRY: Entry = Entry {
    name: "bridge",
    summary: "the tools array holds always-on tools, the search tool and behind it one executor; the definition of a found tool is text of the search result, and a call goes to the executor with the tool's name and arguments",
    source: "QwenLM/qwen-code#10410, langchain-ai/open-swe#2209",
    items: |v| {
        let items = |slot| match slot {
            Slot::Search => vec![Item::Search, Item::Executor],
            tool => vec![tool.into()],
        };
        v.arrange(v.base, &[]).flat_map(items).collect()
    },
    history: Some(Form::ResultText),
    fixed_places: false,
    executor: true,
};
