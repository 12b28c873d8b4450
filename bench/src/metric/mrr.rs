//! How far down is the first needed tool?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "mrr",
    version: 1,
    summary: "one over the rank of the first needed tool, 0 past the top k",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs no tool",
    source: "trec_eval recip_rank with a cut-off (ir_measures RR@k)",
    kind: Kind::Query {
        cuts: &[10],
        value: |j, k| j.within(k).map(|_| j.found().first().filter(|r| **r <= k).map_or(0.0, |r| 1.0 / *r as f64)),
    },
};
