//! When the search says that there is nothing, is it right?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "no_answer_precision",
    version: 1,
    summary: "share of the queries for which the search returned nothing that no tool answers",
    unit: "share",
    better: Better::Higher,
    undefined: "the search returned something",
    source: "this project",
    kind: Kind::Query { cuts: &[], value: |j, _| (j.returned == 0).then(|| f64::from(j.ranks.is_empty())) },
};
