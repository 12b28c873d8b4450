//! How many of the needed tools are there?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "recall",
    version: 1,
    summary: "share of a query's needs met in the top k, averaged over queries",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs no tool",
    source: "trec_eval recall, where a group of interchangeable tools is one need",
    kind: Kind::Query { cuts: &[1, 5, 10], value: |j, k| j.within(k).map(|n| n as f64 / j.ranks.len() as f64) },
};
