//! How many searches does one met need cost?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "searches_per_success",
    version: 1,
    summary: "searches of a session over the needs that were met",
    unit: "searches",
    better: Better::Lower,
    undefined: "no need was met",
    source: "this project",
    kind: Kind::Session { members: "searches, met" },
};
