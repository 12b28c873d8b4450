//! How much of a request was there before?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "prefix_coverage",
    version: 1,
    summary: "longest common prefix with the previous request over the length of this request, for the tools section and for the whole prompt",
    unit: "share",
    better: Better::Higher,
    undefined: "the first request of a session, or the part is empty",
    source: "this project",
    kind: Kind::Session { members: "requests[].tools.coverage, requests[].prompt.coverage" },
};
