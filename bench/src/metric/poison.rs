//! Does a tool that repeats the words of a query get in?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "poison",
    version: 1,
    summary: "share of poisoned queries with a tool in the top k whose description only repeats the words of queries",
    unit: "share",
    better: Better::Lower,
    undefined: "no tag of the query names a poisonous tool",
    source: "this project",
    kind: Kind::Query {
        cuts: &[1, 5],
        value: |j, k| j.poison.as_ref().map(|ranks| f64::from(ranks.iter().any(|rank| *rank <= k))),
    },
};
