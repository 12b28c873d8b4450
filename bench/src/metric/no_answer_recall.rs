//! Does the search say that there is nothing?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "no_answer_recall",
    version: 1,
    summary: "share of queries that no tool answers for which the search returned nothing",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs a tool",
    source: "this project",
    kind: Kind::Query { cuts: &[], value: |j, _| j.ranks.is_empty().then(|| f64::from(j.returned == 0)) },
};
