//! How many tokens does a request have?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "tokens",
    version: 1,
    summary: "tokens of the tools section and of the whole prompt, by one counter, counted on the joined text",
    unit: "tokens",
    better: Better::Lower,
    undefined: "never",
    source: "the counter that is named beside the number",
    kind: Kind::Session { members: "requests[].tools.tokens, requests[].prompt.tokens" },
};
