//! Is a tool found by the name that a call uses?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "callable_name@1",
    version: 1,
    summary: "share of tools that come first when the name that a call uses is the query",
    unit: "share",
    better: Better::Higher,
    undefined: "never",
    source: "this project",
    kind: Kind::Name { bare: false },
};
