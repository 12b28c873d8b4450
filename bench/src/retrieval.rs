//! Does the search find the tool?

use std::collections::{BTreeMap, BTreeSet};

use deferbench_core::ToolId;
use deferbench_core::rank::BuiltRanker;
use deferbench_corpora::{Corpus, Query};
use deferbench_reports::record::{NameRow, QueryRow, RetrievalCell};
use rayon::prelude::*;

use crate::metric::{DEPTH, Judged, Kind, METRICS, of_query};

/// Asks every labelled query, and every tool's own name.
pub fn evaluate(corpus: &Corpus, built: &BuiltRanker) -> RetrievalCell {
    let poison: BTreeSet<ToolId> = corpus.queries.iter().filter_map(|q| corpus.catalog.find(q.poison()?)).collect();
    RetrievalCell {
        corpus: corpus.name.clone(),
        ranker: built.spec.clone(),
        queries: corpus.queries.par_iter().map(|q| query_row(corpus, built, q, &poison)).collect(),
        names: name_rows(corpus, built),
    }
}

fn query_row(corpus: &Corpus, built: &BuiltRanker, query: &Query, poison: &BTreeSet<ToolId>) -> QueryRow {
    let needs = corpus.needs(query);
    let found: Vec<ToolId> = built.ranker.search(&query.text, DEPTH).tools().collect();
    let rank = |need: &Vec<ToolId>| found.iter().position(|t| need.contains(t)).map(|r| r + 1);
    let stuffed = || found.iter().enumerate().filter(|(_, t)| poison.contains(t)).map(|(at, _)| at + 1).collect();
    let judged = Judged {
        ranks: needs.iter().map(rank).collect(),
        returned: found.len(),
        poison: query.poison().map(|_| stuffed()),
    };
    let cluster = (corpus.queries_share_tools && !query.relevant.is_empty()).then(|| query.relevant.join(","));
    QueryRow {
        id: query.id.clone(),
        class: query.class.clone(),
        cluster,
        overlap: deferbench_corpora::overlap(&corpus.catalog, &query.text, &needs),
        needed: needs.len() as u64,
        ranks: judged.ranks.iter().map(|r| r.map(|r| r as u64)).collect(),
        returned: judged.returned as u64,
        values: of_query(&judged).into_iter().collect(),
    }
}

fn name_rows(corpus: &Corpus, built: &BuiltRanker) -> Vec<NameRow> {
    let bare: Vec<&str> = corpus.catalog.tools().iter().map(|t| t.bare_name()).collect();
    let first = |query: &str| built.ranker.search(query, 1).tools().next();
    let row = |(id, bare_name): (ToolId, &&str)| {
        let name = corpus.catalog[id].name();
        let found = first(name);
        let found_bare = if name == *bare_name { found } else { first(bare_name) };
        let value = |kind: &Kind| match kind {
            Kind::Name { bare: false } => Some(found == Some(id)),
            Kind::Name { bare: true } => Some(found_bare.is_some_and(|t| bare[t.index()] == *bare_name)),
            _ => None,
        };
        let value = |m: &&crate::metric::Metric| value(&m.kind).map(|v| (m.name.to_string(), Some(f64::from(v))));
        NameRow { tool: name.to_string(), values: METRICS.iter().filter_map(value).collect::<BTreeMap<_, _>>() }
    };
    let tools: Vec<(ToolId, &&str)> = corpus.catalog.ids().zip(&bare).collect();
    tools.into_par_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use deferbench_core::rank;

    use super::*;

    fn corpus(tools: &[(&str, &str)], queries: &str) -> Corpus {
        let folder = tempfile::tempdir().unwrap();
        let tool = |(n, d): &(&str, &str)| serde_json::json!({"name": n, "description": d, "inputSchema": {}});
        let catalog = serde_json::json!({"tools": tools.iter().map(tool).collect::<Vec<_>>()});
        std::fs::write(folder.path().join("catalog.json"), catalog.to_string()).unwrap();
        std::fs::write(folder.path().join("queries.jsonl"), queries).unwrap();
        deferbench_corpora::open(folder.path().to_str().unwrap(), &Default::default()).unwrap()
    }

    /// A group is one need: its first member counts, a second one changes nothing.
    #[test]
    fn a_group_is_one_need() {
        let corpus = corpus(
            &[("mail_a", "sends mail"), ("mail_b", "sends mail"), ("clock", "tells time")],
            r#"{"id":"q","text":"mail","relevant":["mail_a","mail_b","clock"],"groups":[["mail_a","mail_b"],["clock"]]}"#,
        );
        let built = rank::build("bm25(text=split)", &corpus.catalog).unwrap();
        let row = &evaluate(&corpus, &built).queries[0];
        assert_eq!((row.needed, &row.ranks[..]), (2, &[Some(1), None][..]));
        assert_eq!(
            (row.values["recall@5"], row.values["hit@1"], row.values["complete@5"]),
            (Some(0.5), Some(1.0), Some(0.0))
        );
    }

    /// B04: where two servers share a name, the bare name may find either, the resolved name only its own.
    #[test]
    fn bare_and_callable_names() {
        let folder = tempfile::tempdir().unwrap();
        for server in ["one", "two"] {
            let text = r#"{"tools":[{"name":"get","description":"Gets.","inputSchema":{}}]}"#;
            std::fs::write(folder.path().join(format!("{server}.json")), text).unwrap();
        }
        let corpus = deferbench_corpora::open(folder.path().to_str().unwrap(), &Default::default()).unwrap();
        let built = rank::build("bm25(text=split)", &corpus.catalog).unwrap();
        let rows = evaluate(&corpus, &built).names;
        let values: Vec<_> =
            rows.iter().map(|r| (r.tool.as_str(), r.values["exact_name@1"], r.values["callable_name@1"])).collect();
        assert_eq!(values, [("one__get", Some(1.0), Some(1.0)), ("two__get", Some(1.0), Some(1.0))]);
    }

    /// N11: what a poisonous tool does to the default ranker: it gets in, and needed tools fall behind it, never before it.
    #[test]
    fn poison_is_measured_on_a_generated_corpus() {
        let corpus = deferbench_corpora::open("gen(tools=100)", &Default::default()).unwrap();
        let built = rank::build("fielded", &corpus.catalog).unwrap();
        let rows = evaluate(&corpus, &built).queries;
        let of_class = |class: &str| rows.iter().filter(|r| r.class.as_deref() == Some(class)).collect::<Vec<_>>();
        let poisoned = of_class("poisoned");
        assert!(poisoned.len() >= 60);
        assert!(poisoned.iter().all(|r| r.values["poison@1"].is_some()));
        let shifts: Vec<f64> = poisoned.iter().filter_map(|r| r.values["rank_shift"]).collect();
        assert!(shifts.iter().all(|s| *s >= 0.0) && shifts.iter().any(|s| *s > 0.0), "{shifts:?}");
        assert!(of_class("keyword").iter().all(|r| r.values["rank_shift"].is_none()));
    }
}
