//! How does a scenario become scores?

use std::collections::BTreeMap;

use deferbench_core::policy::{self, PolicyError};
use deferbench_core::rank::{self, BuiltRanker};
use deferbench_core::spec::Spec;
use deferbench_core::surface::{Surface, SurfaceConfig, SurfaceError};
use deferbench_core::{Limits, Tool};
use deferbench_corpora::error::CorpusError;
use deferbench_corpora::{Corpus, SeedTexts};
use deferbench_reports::manifest::{CellTiming, Identity};
use deferbench_reports::record::{Basis, CorpusInfo, ResolvedName, RetrievalCell, SCHEMA_VERSION, Scores, SessionCell};
use rayon::prelude::*;
use thiserror::Error;

use crate::clock::Clock;
use crate::counter::CounterEntry;
use crate::layout::Layout;
use crate::metric::METRICS;
use crate::retrieval::evaluate;
use crate::scenario::{Scenario, ScenarioError, find_entry, find_order};
use crate::script::{Draw, Script, ScriptEntry};
use crate::session::Player;

/// Why a run ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A corpus cannot be loaded.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The scenario is wrong.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A surface cannot be built.
    #[error("corpus {corpus}, policy {policy}: {source}")]
    Surface {
        /// The corpus.
        corpus: String,
        /// The policy.
        policy: String,
        /// What is wrong.
        source: Box<SurfaceError>,
    },
    /// A policy failed on a transcript it wrote itself.
    #[error("corpus {corpus}, script {script}, policy {policy}: {source}")]
    Session {
        /// The corpus.
        corpus: String,
        /// The script.
        script: String,
        /// The policy.
        policy: String,
        /// What is wrong.
        source: Box<PolicyError>,
    },
}

/// A corpus as a scenario uses it.
struct Loaded {
    argument: String,
    corpus: Corpus,
    search_tool: Option<Tool>,
}

/// One session of the grid.
struct Cell {
    corpus: usize,
    script: Script,
    policy: String,
    order: String,
    entry: String,
    limit: Option<usize>,
}

/// Everything that a run measured.
pub struct Measured {
    /// The deterministic part.
    pub scores: Scores,
    /// What two comparable runs agree in.
    pub identity: Identity,
    /// Duration of each cell.
    pub cells: Vec<CellTiming>,
}

/// Measures a checked scenario; `seed_texts` stand behind the corpora `seed(N)`, which need them.
///
/// # Errors
/// [`RunError`] when a corpus cannot be loaded or a surface cannot be built.
pub fn measure(scenario: &Scenario, seed_texts: Option<&SeedTexts>, clock: &dyn Clock) -> Result<Measured, RunError> {
    let counters: Vec<&CounterEntry> = scenario
        .counters
        .iter()
        .map(|c| CounterEntry::find(c))
        .collect::<Result<_, _>>()
        .map_err(ScenarioError::from)?;
    let layout = Layout::find(&scenario.layout).map_err(ScenarioError::from)?;
    let loaded: Vec<Loaded> = scenario
        .corpora
        .par_iter()
        .map(|c| load(c, seed_texts))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<_, _>>()?;
    let pairs: Vec<(usize, &String)> =
        (0..loaded.len()).flat_map(|c| scenario.rankers.iter().map(move |r| (c, r))).collect();
    let rankers: Vec<BuiltRanker> = pairs
        .par_iter()
        .map(|(c, spec)| rank::build(spec, &loaded[*c].corpus.catalog))
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(ScenarioError::from)?;
    // What stands in for the published texts comes first among the limits.
    let own_texts: Vec<String> = seed_texts.map(|t| t.notes.clone()).unwrap_or_default();
    let cells = grid(scenario, &loaded)?;
    let timed = |name: String, start: f64| CellTiming { cell: name, ms: clock.milliseconds() - start };
    let retrieval: Vec<(RetrievalCell, CellTiming)> = pairs
        .par_iter()
        .zip(&rankers)
        .map(|((c, _), built)| {
            let start = clock.milliseconds();
            let cell = evaluate(&loaded[*c].corpus, built);
            let name = format!("retrieval {} {}", cell.corpus, cell.ranker);
            (cell, timed(name, start))
        })
        .collect();
    let sessions: Vec<(SessionCell, CellTiming)> = cells
        .par_iter()
        .map(|cell| {
            let start = clock.milliseconds();
            let ranker = &rankers[cell.corpus * scenario.rankers.len()];
            let played = play(cell, &loaded[cell.corpus], ranker, layout, &counters)?;
            let name = format!("session {} {} {} {}", played.corpus, played.script, played.policy, played.order);
            Ok((played, timed(name, start)))
        })
        .collect::<Vec<Result<_, RunError>>>()
        .into_iter()
        .collect::<Result<_, _>>()?;
    let (retrieval, mut timings): (Vec<_>, Vec<_>) = retrieval.into_iter().unzip();
    let (mut sessions, session_timings): (Vec<SessionCell>, Vec<_>) = sessions.into_iter().unzip();
    timings.extend(session_timings);
    set_extra_turns(&mut sessions);
    let corpora: Vec<CorpusInfo> = loaded.iter().map(|l| info(&l.corpus)).collect();
    let identity = identity(scenario, &corpora, &sessions);
    let scores = Scores {
        schema_version: SCHEMA_VERSION,
        suite_version: identity.suite_version.clone(),
        scenario: scenario.name.clone(),
        limits: own_texts.into_iter().chain(scenario.limits.iter().cloned()).collect(),
        metrics: METRICS.iter().flat_map(|m| m.infos()).collect(),
        counters: counters.iter().map(|c| c.info()).collect(),
        corpora,
        retrieval,
        sessions,
    };
    Ok(Measured { scores, identity, cells: timings })
}

fn load(argument: &str, seed_texts: Option<&SeedTexts>) -> Result<Loaded, RunError> {
    let size = argument.strip_prefix("seed(").and_then(|a| a.strip_suffix(')')).and_then(|n| n.parse::<usize>().ok());
    let (corpus, search_tool) = match (size, seed_texts) {
        (Some(size), Some(texts)) => (texts.mix(size)?, Some(texts.search.clone())),
        _ => (deferbench_corpora::open(argument, &Limits::default())?, None),
    };
    Ok(Loaded { argument: argument.to_string(), corpus, search_tool })
}

fn grid(scenario: &Scenario, loaded: &[Loaded]) -> Result<Vec<Cell>, RunError> {
    let generated = scenario.corpora.iter().all(|c| c.trim_start().starts_with("gen("));
    let smallest = loaded.iter().map(|l| l.corpus.catalog.len()).min().unwrap_or(0);
    let mut cells = Vec::new();
    for block in &scenario.sessions {
        let entry = ScriptEntry::find(&block.script).map_err(ScenarioError::from)?;
        for (c, l) in loaded.iter().enumerate() {
            if !block.corpora.is_empty() && !block.corpora.contains(&l.argument) {
                continue;
            }
            let pool = if generated { smallest } else { l.corpus.catalog.len() };
            for script in (entry.build)(&Draw { corpus: &l.corpus, pool, seed: scenario.seed }) {
                let cell = |policy: &str, order: &str, limit| Cell {
                    corpus: c,
                    script: script.clone(),
                    policy: policy.to_string(),
                    order: order.to_string(),
                    entry: block.entry.clone(),
                    limit,
                };
                let asked = block.policies.iter().any(|p| p == "eager");
                if asked || !script.searches_only() {
                    cells.push(cell("eager", "registry", None));
                }
                for policy in block.policies.iter().filter(|p| *p != "eager") {
                    for &limit in &block.limits {
                        cells.extend(block.orders.iter().map(|order| cell(policy, order, Some(limit))));
                    }
                }
            }
        }
    }
    Ok(cells)
}

/// The policy of a cell: its spec, and the limit that each search asks for.
fn limited(spec: &str, limit: Option<usize>) -> Result<(String, Option<usize>), PolicyError> {
    let mut parsed: Spec = spec.parse()?;
    let (entry, values) = policy::resolve(&parsed)?;
    let Some(limit) = limit else { return Ok((values.to_string(), None)) };
    let given = |key: &str| parsed.args.iter().any(|(k, _)| k == key);
    let (results, selected) = (given("results"), given("selected"));
    let mut set = |key: &str| parsed.args.push((key.to_string(), limit.to_string()));
    if !results && (!entry.limit_per_call || limit > values.integer("results")) {
        set("results");
    }
    if !selected && limit > values.integer("selected") && entry.params.iter().any(|p| p.key == "selected") {
        set("selected");
    }
    let spec = policy::resolve(&parsed)?.1.to_string();
    Ok((spec, entry.limit_per_call.then_some(limit)))
}

fn play(
    cell: &Cell,
    loaded: &Loaded,
    ranker: &BuiltRanker,
    layout: &'static Layout,
    counters: &[&'static CounterEntry],
) -> Result<SessionCell, RunError> {
    let corpus = &loaded.corpus;
    let failed = |source| RunError::Session {
        corpus: corpus.name.clone(),
        script: cell.script.name.clone(),
        policy: cell.policy.clone(),
        source: Box::new(source),
    };
    let (spec, per_call) = limited(&cell.policy, cell.limit).map_err(failed)?;
    let (spec, policy) = policy::build(&spec).map_err(failed)?;
    let config = SurfaceConfig {
        catalog: &corpus.catalog,
        ranker: ranker.ranker.as_ref(),
        policy: policy.as_ref(),
        order: find_order(&cell.order).map_err(ScenarioError::from)?,
        entry: find_entry(&cell.entry).map_err(ScenarioError::from)?,
        search_tool: loaded.search_tool.clone(),
        always_on: &[],
        key: "default",
    };
    let surface = Surface::new(config).map_err(|source| RunError::Surface {
        corpus: corpus.name.clone(),
        policy: spec.clone(),
        source: Box::new(source),
    })?;
    let played =
        Player::new(&corpus.catalog, &surface, layout, counters, per_call).play(&cell.script).map_err(failed)?;
    let searches = surface.search_tool().is_some();
    let needed: Vec<_> = cell.script.turns.iter().flat_map(|t| &t.tasks).flat_map(|t| &t.needs).flatten().collect();
    let unneeded = played.activated.iter().filter(|t| !needed.contains(t)).count();
    Ok(SessionCell {
        corpus: corpus.name.clone(),
        script: cell.script.name.clone(),
        policy: spec,
        order: cell.order.clone(),
        entry: cell.entry.clone(),
        layout: layout.name.to_string(),
        unit: layout.unit.name().to_string(),
        ranker: searches.then(|| ranker.spec.clone()),
        limit: cell.limit.filter(|_| searches).map(|l| l as u64),
        basis: Basis::Measured,
        needs: cell.script.needs() as u64,
        met: played.met as u64,
        searches: played.searches as u64,
        empty_searches: played.empty_searches as u64,
        activated: played.activated.len() as u64,
        activated_unneeded: (!cell.script.searches_only()).then_some(unneeded as u64),
        extra_turns: None,
        requests: played.requests,
        notes: played.notes,
    })
}

/// Model requests minus those of the eager cell on the same corpus and script.
fn set_extra_turns(sessions: &mut [SessionCell]) {
    let eager: BTreeMap<(String, String), i64> = sessions
        .iter()
        .filter(|s| s.policy == "eager" && s.needs > 0)
        .map(|s| ((s.corpus.clone(), s.script.clone()), s.requests.len() as i64))
        .collect();
    for cell in sessions {
        let base = eager.get(&(cell.corpus.clone(), cell.script.clone()));
        cell.extra_turns = base.map(|base| cell.requests.len() as i64 - base);
    }
}

fn info(corpus: &Corpus) -> CorpusInfo {
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

fn identity(scenario: &Scenario, corpora: &[CorpusInfo], sessions: &[SessionCell]) -> Identity {
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
