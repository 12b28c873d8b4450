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
use crate::session::{Player, SessionError};

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
    /// One corpus is given twice.
    #[error("corpus \"{name}\" is given twice; give each corpus once")]
    RepeatedCorpus {
        /// The name.
        name: String,
    },
    /// A block of sessions names a corpus that the scenario does not have.
    #[error("sessions with the script {script} name corpus \"{corpus}\", which is not among the scenario's corpora")]
    UnknownCorpus {
        /// The script.
        script: String,
        /// The corpus.
        corpus: String,
    },
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
    /// A session could not be played to its end.
    #[error("corpus {corpus}, script {script}, policy {policy}: {source}")]
    Session {
        /// The corpus.
        corpus: String,
        /// The script.
        script: String,
        /// The policy.
        policy: String,
        /// What is wrong.
        source: Box<SessionError>,
    },
}

/// A corpus as a scenario uses it.
struct Loaded {
    argument: String,
    corpus: Corpus,
    search_tool: Option<Tool>,
}

/// One session of the grid.
#[derive(PartialEq)]
struct Cell {
    corpus: usize,
    script: Script,
    policy: String,
    order: String,
    entry: String,
    limit: Option<usize>,
    per_call: Option<usize>,
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

/// A scenario whose corpora are loaded and whose cells are known: nothing that is left can be bad input, except a text
/// that a counter refuses.
pub struct Prepared<'a> {
    scenario: &'a Scenario,
    layout: &'static Layout,
    counters: Vec<&'static CounterEntry>,
    loaded: Vec<Loaded>,
    rankers: Vec<BuiltRanker>,
    cells: Vec<Cell>,
    notes: Vec<String>,
}

/// Loads the corpora of a checked scenario and lays out its grid; `seed_texts` stand behind the corpora `seed(N)`,
/// which need them.
///
/// # Errors
/// [`RunError`] when a corpus cannot be loaded, two have one name, or a block of sessions names a corpus that is not there.
pub fn prepare<'a>(
    scenario: &'a Scenario,
    seed_texts: Option<&SeedTexts>,
    limits: &Limits,
) -> Result<Prepared<'a>, RunError> {
    let found = scenario.counters.iter().map(|c| CounterEntry::find(c)).collect::<Result<_, _>>();
    let counters: Vec<&CounterEntry> = found.map_err(ScenarioError::from)?;
    let layout = Layout::find(&scenario.layout).map_err(ScenarioError::from)?;
    let loaded = scenario.corpora.par_iter().map(|c| load(c, seed_texts, limits)).collect::<Vec<_>>();
    let mut loaded: Vec<Loaded> = loaded.into_iter().collect::<Result<_, _>>()?;
    tell_apart(&mut loaded)?;
    let pairs: Vec<(usize, &String)> =
        (0..loaded.len()).flat_map(|c| scenario.rankers.iter().map(move |r| (c, r))).collect();
    let rankers = pairs.par_iter().map(|(c, spec)| rank::build(spec, &loaded[*c].corpus.catalog)).collect::<Vec<_>>();
    let rankers = rankers.into_iter().collect::<Result<_, _>>().map_err(ScenarioError::from)?;
    let cells = grid(scenario, &loaded)?;
    // What stands in for the published texts comes first among the limits.
    let notes = seed_texts.map(|t| t.notes.clone()).unwrap_or_default();
    Ok(Prepared { scenario, layout, counters, loaded, rankers, cells, notes })
}

impl Prepared<'_> {
    /// Number of cells: retrieval and sessions.
    pub fn len(&self) -> usize {
        self.rankers.len() + self.cells.len()
    }

    /// True when there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Measures every cell; `done` hears of each one that ends.
    ///
    /// # Errors
    /// [`RunError`] when a surface cannot be built or a text cannot be counted.
    pub fn measure(&self, clock: &dyn Clock) -> Result<Measured, RunError> {
        let timed = |name: String, start: f64| CellTiming { cell: name, ms: clock.milliseconds() - start };
        let per_corpus = self.scenario.rankers.len();
        let retrieval = self.rankers.par_iter().enumerate().map(|(i, built)| {
            let start = clock.milliseconds();
            let cell = evaluate(&self.loaded[i / per_corpus].corpus, built);
            let name = format!("retrieval {} {}", cell.corpus, cell.ranker);
            (cell, timed(name, start))
        });
        let (retrieval, mut timings): (Vec<RetrievalCell>, Vec<_>) = retrieval.collect::<Vec<_>>().into_iter().unzip();
        let sessions = self.cells.par_iter().map(|cell| {
            let start = clock.milliseconds();
            let ranker = &self.rankers[cell.corpus * per_corpus];
            let played = play(cell, &self.loaded[cell.corpus], ranker, self.layout, &self.counters)?;
            let name = format!("session {} {} {} {}", played.corpus, played.script, played.policy, played.order);
            Ok((played, timed(name, start)))
        });
        let sessions = sessions.collect::<Vec<Result<_, RunError>>>().into_iter().collect::<Result<Vec<_>, _>>()?;
        let (mut sessions, session_timings): (Vec<SessionCell>, Vec<_>) = sessions.into_iter().unzip();
        timings.extend(session_timings);
        set_extra_turns(&mut sessions);
        let corpora: Vec<CorpusInfo> = self.loaded.iter().map(|l| info(&l.corpus)).collect();
        let identity = identity(self.scenario, &corpora, &sessions);
        let scores = Scores {
            schema_version: SCHEMA_VERSION,
            suite_version: identity.suite_version.clone(),
            scenario: self.scenario.name.clone(),
            limits: self.notes.iter().chain(&self.scenario.limits).cloned().collect(),
            metrics: METRICS.iter().flat_map(|m| m.infos()).collect(),
            counters: self.counters.iter().map(|c| c.info()).collect(),
            corpora,
            retrieval,
            sessions,
        };
        Ok(Measured { scores, identity, cells: timings })
    }
}

/// Gives corpora of one name the argument that opened them as their name.
fn tell_apart(loaded: &mut [Loaded]) -> Result<(), RunError> {
    let names: Vec<String> = loaded.iter().map(|l| l.corpus.name.clone()).collect();
    let count = |name: &str, names: &[String]| names.iter().filter(|n| *n == name).count();
    for l in loaded.iter_mut().filter(|l| count(&l.corpus.name, &names) > 1) {
        l.corpus.name = l.argument.trim_end_matches('/').to_string();
    }
    let names: Vec<String> = loaded.iter().map(|l| l.corpus.name.clone()).collect();
    match names.iter().find(|name| count(name, &names) > 1) {
        Some(name) => Err(RunError::RepeatedCorpus { name: name.clone() }),
        None => Ok(()),
    }
}

fn load(argument: &str, seed_texts: Option<&SeedTexts>, limits: &Limits) -> Result<Loaded, RunError> {
    let size = argument.strip_prefix("seed(").and_then(|a| a.strip_suffix(')')).and_then(|n| n.parse::<usize>().ok());
    let (corpus, search_tool) = match (size, seed_texts) {
        (Some(size), Some(texts)) => (texts.mix(size)?, Some(texts.search.clone())),
        _ => (deferbench_corpora::open(argument, limits)?, None),
    };
    Ok(Loaded { argument: argument.to_string(), corpus, search_tool })
}

fn grid(scenario: &Scenario, loaded: &[Loaded]) -> Result<Vec<Cell>, RunError> {
    let generated = scenario.corpora.iter().all(|c| c.trim_start().starts_with("gen("));
    let smallest = loaded.iter().map(|l| l.corpus.catalog.len()).min().unwrap_or(0);
    let mut cells = Vec::new();
    for block in &scenario.sessions {
        let entry = ScriptEntry::find(&block.script).map_err(ScenarioError::from)?;
        if let Some(corpus) = block.corpora.iter().find(|c| !scenario.corpora.contains(c)) {
            return Err(RunError::UnknownCorpus { script: block.script.clone(), corpus: corpus.clone() });
        }
        for (c, l) in loaded.iter().enumerate() {
            if !block.corpora.is_empty() && !block.corpora.contains(&l.argument) {
                continue;
            }
            let pool = if generated { smallest } else { l.corpus.catalog.len() };
            for script in (entry.build)(&Draw { corpus: &l.corpus, pool, seed: scenario.seed }) {
                let mut add = |policy: &str, order: &str, limit| -> Result<(), PolicyError> {
                    let (policy, limit, per_call) = limited(policy, limit)?;
                    let (corpus, script) = (c, script.clone());
                    let (order, entry) = (order.to_string(), block.entry.clone());
                    let cell = Cell { corpus, script, policy, order, entry, limit, per_call };
                    // Two limits that a policy cuts to one value are one cell.
                    if !cells.contains(&cell) {
                        cells.push(cell);
                    }
                    Ok(())
                };
                let asked = block.policies.iter().any(|p| p == "eager");
                if asked || !script.searches_only() {
                    add("eager", &block.orders[0], None).map_err(ScenarioError::from)?;
                }
                for policy in block.policies.iter().filter(|p| *p != "eager") {
                    for &limit in &block.limits {
                        for order in &block.orders {
                            add(policy, order, Some(limit)).map_err(ScenarioError::from)?;
                        }
                    }
                }
            }
        }
    }
    Ok(cells)
}

/// The policy of a cell: its spec, the most tools that one search may load, and the limit that each search asks for.
///
/// A limit that the spec itself sets is the smaller of the two.
fn limited(spec: &str, limit: Option<usize>) -> Result<(String, Option<usize>, Option<usize>), PolicyError> {
    let mut parsed: Spec = spec.parse()?;
    let (entry, values) = policy::resolve(&parsed)?;
    let Some(limit) = limit else { return Ok((values.to_string(), None, None)) };
    let given = |key: &str| parsed.args.iter().any(|(k, _)| k == key);
    let (results, selected) = (given("results"), given("selected"));
    let limit = if results { limit.min(values.integer("results")) } else { limit };
    let mut set = |key: &str| parsed.args.push((key.to_string(), limit.to_string()));
    if !results && (!entry.limit_per_call || limit > values.integer("results")) {
        set("results");
    }
    if !selected && limit > values.integer("selected") && entry.params.iter().any(|p| p.key == "selected") {
        set("selected");
    }
    let values = policy::resolve(&parsed)?.1;
    // Without a limit per call the policy's own number of results is what a search loads.
    let loads = if entry.limit_per_call { limit } else { values.integer("results") };
    Ok((values.to_string(), Some(loads), entry.limit_per_call.then_some(limit)))
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
    let (spec, policy) = policy::build(&cell.policy).map_err(|e| failed(e.into()))?;
    let (search_tool, renamed) = free_name(loaded, policy.search_tool()).map_err(|e| failed(e.into()))?;
    let config = SurfaceConfig {
        catalog: &corpus.catalog,
        ranker: ranker.ranker.as_ref(),
        policy: policy.as_ref(),
        order: find_order(&cell.order).map_err(ScenarioError::from)?,
        entry: find_entry(&cell.entry).map_err(ScenarioError::from)?,
        search_tool,
        always_on: &[],
        key: "default",
    };
    let surface = Surface::new(config).map_err(|source| RunError::Surface {
        corpus: corpus.name.clone(),
        policy: spec.clone(),
        source: Box::new(source),
    })?;
    let played =
        Player::new(&corpus.catalog, &surface, layout, counters, cell.per_call).play(&cell.script).map_err(failed)?;
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
        notes: renamed.into_iter().chain(played.notes).collect(),
    })
}

/// The search tool of a session, under another name where a tool of the catalog has its own; a note says so.
fn free_name(loaded: &Loaded, own: Option<Tool>) -> Result<(Option<Tool>, Option<String>), PolicyError> {
    let Some(tool) = own.map(|own| loaded.search_tool.clone().unwrap_or(own)) else { return Ok((None, None)) };
    let taken = |name: &str| loaded.corpus.catalog.find(name).is_some();
    if !taken(tool.name()) {
        return Ok((Some(tool), None));
    }
    let name = (2..).map(|n| format!("{}_{n}", tool.name())).find(|n| !taken(n)).unwrap_or_default();
    let note = format!("the catalog has a tool \"{}\", so the search tool is called \"{name}\"", tool.name());
    let renamed = tool.renamed(name, &Limits::default()).ok();
    Ok((renamed, Some(note)))
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
