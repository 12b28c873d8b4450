//! What did a run measure, and what do two comparable runs agree in?

use std::collections::BTreeMap;

use deferbench_corpora::Corpus;
use deferbench_reports::manifest::Identity;
use deferbench_reports::record::{CorpusInfo, ResolvedName, SessionCell};

use crate::counter::CounterEntry;
use crate::metric::METRICS;
use crate::scenario::Scenario;

/// The description of a corpus.
pub(super) fn info(corpus: &Corpus) -> CorpusInfo {
    let renamed = |r: &deferbench_core::ResolvedName| ResolvedName {
        name: r.name.clone(),
        server: r.server.clone(),
        bare: r.bare.clone(),
    };
    CorpusInfo {
        name: corpus.name.clone(),
        sha256: corpus.sha256.clone(),
        tools: corpus.catalog.len() as u64,
        generated_tools: corpus.generated as u64,
        servers: corpus.servers.map(|s| s as u64),
        parts: corpus.parts.iter().map(|(k, v)| (k.clone(), *v as u64)).collect(),
        queries: corpus.queries.len() as u64,
        schema_bytes: corpus.catalog.schema_bytes() as u64,
        resolved_names: corpus.renamed.iter().map(renamed).collect(),
        notes: corpus.notes.clone(),
    }
}

/// What was measured: the grid after defaults, with the hashes of the corpora.
pub(super) fn identity(scenario: &Scenario, corpora: &[CorpusInfo], sessions: &[SessionCell]) -> Identity {
    let mut resolved: BTreeMap<String, Vec<String>> = BTreeMap::new();
    resolved.insert("ranker".into(), scenario.rankers.clone());
    resolved.insert("layout".into(), vec![scenario.layout.clone()]);
    for cell in sessions {
        let axes = [
            ("script", cell.script.split('/').next().unwrap_or_default().to_string()),
            ("policy", cell.policy.clone()),
            ("order", cell.order.clone()),
            ("entry", cell.entry.clone()),
            ("limit", cell.limit.map(|l| l.to_string()).unwrap_or_default()),
        ];
        for (axis, value) in axes.into_iter().filter(|(_, v)| !v.is_empty()) {
            let values = resolved.entry(axis.to_string()).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    let counters = scenario.counters.iter().filter_map(|c| CounterEntry::find(c).ok());
    Identity {
        suite_version: env!("CARGO_PKG_VERSION").to_string(),
        scenario: scenario.name.clone(),
        given: scenario.toml(),
        resolved,
        seed: scenario.seed,
        replicates: scenario.replicates,
        corpora: corpora.iter().map(|c| (c.name.clone(), c.sha256.clone())).collect(),
        metrics: METRICS.iter().flat_map(|m| m.infos()).map(|i| (i.name, i.version)).collect(),
        counters: counters.map(|c| c.key.to_string()).collect(),
    }
}
