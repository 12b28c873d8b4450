//! How many activated tools were not needed?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "false_activation",
    version: 1,
    summary: "share of the activated tools that no need of the script asks for",
    unit: "share",
    better: Better::Lower,
    undefined: "no tool was activated, or the script has no need",
    source: "this project",
    kind: Kind::Session { members: "activated_unneeded, activated" },
};
