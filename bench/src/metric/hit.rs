//! Is any needed tool there?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "hit",
    version: 1,
    summary: "share of queries with any needed tool in the top k; hit@5 is what the published benchmark of dsh-tool-search calls capability@5",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs no tool",
    source: "Success@k of ir_measures; capability@5 of dsh-tool-search",
    kind: Kind::Query { cuts: &[1, 5], value: |j, k| j.within(k).map(|n| f64::from(n > 0)) },
};
