//! Are all needed tools there?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "complete",
    version: 1,
    summary: "share of queries with every need in the top k; a query with more than k needs cannot reach it",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs no tool",
    source: "this project; the strict reading of recall in multi-tool retrieval",
    kind: Kind::Query { cuts: &[5, 10], value: |j, k| j.within(k).map(|n| f64::from(n == j.ranks.len())) },
};
