//! Do the needed tools stand at the top?

use deferbench_reports::record::Better;

use super::{Judged, Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "ndcg",
    version: 1,
    summary: "discounted gain of the needs met in the top k over that of an ideal ranking; gain 1, discount log2(rank + 1)",
    unit: "share",
    better: Better::Higher,
    undefined: "the query needs no tool",
    source: "Jarvelin and Kekalainen 2002, doi:10.1145/582415.582418, binary gain; trec_eval ndcg_cut",
    kind: Kind::Query { cuts: &[10], value: ndcg },
};

fn ndcg(judged: &Judged, k: usize) -> Option<f64> {
    judged.within(k)?;
    let discount = |rank: usize| 1.0 / libm::log2(rank as f64 + 1.0);
    // From 0.0 on: the sum of nothing would be -0.0.
    let gain = judged.found().into_iter().filter(|r| *r <= k).fold(0.0, |sum, r| sum + discount(r));
    let ideal: f64 = (1..=judged.ranks.len().min(k)).map(discount).sum();
    Some(gain / ideal)
}
