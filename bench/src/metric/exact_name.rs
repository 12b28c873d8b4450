//! Is a tool found by the name its own server gives it?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "exact_name@1",
    version: 1,
    summary: "share of tools that come first when their bare name is the query; any tool of that bare name counts",
    unit: "share",
    better: Better::Higher,
    undefined: "never",
    source: "the published benchmark of dsh-tool-search",
    kind: Kind::Name { bare: true },
};
