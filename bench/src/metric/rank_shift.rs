//! How far does a needed tool fall behind poisonous ones?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "rank_shift",
    version: 1,
    summary: "places that the first needed tool of a poisoned query falls behind tools whose descriptions only repeat the words of queries; its rank minus its rank in the same answer without them",
    unit: "places",
    better: Better::Lower,
    undefined: "no tag of the query names a poisonous tool, or no needed tool is among the first ten",
    source: "this project",
    kind: Kind::Query {
        cuts: &[],
        value: |j, _| {
            let (poison, first) = (j.poison.as_ref()?, *j.found().first()?);
            Some(poison.iter().filter(|rank| **rank < first).count() as f64)
        },
    },
};
