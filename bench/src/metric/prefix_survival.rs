//! How much of the previous request is still there?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "prefix_survival",
    version: 1,
    summary: "longest common prefix with the previous request over the length of the previous request, for the tools section and for the whole prompt",
    unit: "share",
    better: Better::Higher,
    undefined: "the first request of a session, or the part was empty before",
    source: "the prefix column of the published benchmark of dsh-tool-search",
    kind: Kind::Session { members: "requests[].tools.survival, requests[].prompt.survival" },
};
