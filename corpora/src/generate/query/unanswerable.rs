//! A request for which there is no tool.

use super::{Posed, QueryClass};
use crate::lexicon::reserved;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "unanswerable",
    summary: "a request for something that no tool of any size offers, since its noun is kept out of the lexicon",
    source: "",
    pose: |_| {
        let texts = reserved::RESERVED.iter().flat_map(|reserved| reserved.ask);
        texts.map(|text| Posed { text: (*text).to_owned(), ..Posed::default() }).collect()
    },
};
