//! How does a scenario become scores?

mod describe;
mod grid;
mod play;

use std::collections::BTreeMap;

use deferbench_core::rank::{self, BuiltRanker};
use deferbench_core::surface::SurfaceError;
use deferbench_core::{Limits, Tool};
use deferbench_corpora::error::CorpusError;
use deferbench_corpora::{Corpus, SeedTexts};
use deferbench_reports::manifest::{CellTiming, Identity};
use deferbench_reports::record::{CorpusInfo, RetrievalCell, SCHEMA_VERSION, Scores, SessionCell};
use rayon::prelude::*;
use thiserror::Error;

use self::describe::{identity, info};
use self::grid::{Cell, grid};
use self::play::play;
use crate::caching;
use crate::clock::Clock;
use crate::counter::CounterEntry;
use crate::layout::Layout;
use crate::metric::METRICS;
use crate::profiles::{self, CacheProfile};
use crate::retrieval::evaluate;
use crate::scenario::{Scenario, ScenarioError};
use crate::session::SessionError;

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
    profiles: Vec<CacheProfile>,
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
    let opened = scenario.profiles.iter().map(|p| profiles::open(p)).collect::<Result<_, _>>();
    let profiles = opened.map_err(ScenarioError::from)?;
    // What stands in for the published texts comes before the scenario's own caveats.
    let notes = seed_texts.map(|t| t.notes.clone()).unwrap_or_default();
    Ok(Prepared { scenario, layout, counters, profiles, loaded, rankers, cells, notes })
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

    /// What the run does not show: first what stands in for real texts and real queries.
    fn caveats(&self) -> Vec<String> {
        let generated = self.loaded.iter().any(|l| l.search_tool.is_none() && l.corpus.generated > 0);
        let unlabelled = !self.cells.is_empty()
            && self
                .loaded
                .iter()
                .any(|l| !grid::plays_chains(&l.corpus) && l.corpus.queries.iter().all(|q| q.relevant.is_empty()));
        let own = [(generated, GENERATED), (unlabelled, UNLABELLED)];
        let own = own.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_string());
        own.chain(self.notes.iter().chain(&self.scenario.caveats).cloned()).collect()
    }

    /// Measures every cell.
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
            let played = play(cell, &self.loaded[cell.corpus], ranker, self.layout, &self.counters, &self.profiles)?;
            let name = format!(
                "session {} {} {} {} {}",
                played.corpus, played.script, played.policy, played.order, played.entry
            );
            Ok((played, timed(name, start)))
        });
        let sessions = sessions.collect::<Vec<Result<_, RunError>>>().into_iter().collect::<Result<Vec<_>, _>>()?;
        let (mut sessions, session_timings): (Vec<SessionCell>, Vec<_>) = sessions.into_iter().unzip();
        timings.extend(session_timings);
        set_extra_turns(&mut sessions);
        caching::compare(&mut sessions, &self.profiles);
        let corpora: Vec<CorpusInfo> = self.loaded.iter().map(|l| info(&l.corpus)).collect();
        let identity = identity(self.scenario, &corpora, &sessions);
        let scores = Scores {
            schema_version: SCHEMA_VERSION,
            suite_version: identity.suite_version.clone(),
            scenario: self.scenario.name.clone(),
            limits: self.caveats(),
            metrics: METRICS.iter().flat_map(|m| m.infos()).collect(),
            counters: self.counters.iter().map(|c| c.info()).collect(),
            corpora,
            retrieval,
            sessions,
        };
        Ok(Measured { scores, identity, cells: timings })
    }
}

/// Said where a corpus is generated, before any other limit.
const GENERATED: &str = "Tools and queries are generated texts of this project, a few tools poisonous on purpose; run it on your own servers with --corpus.";

/// Said where a session has no queries to search with.
const UNLABELLED: &str = "Without labelled queries a session searches for tools by their own names: the easiest case there is. \
    A bundle with queries.jsonl measures the search in your users' words.";

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

/// Model requests minus those of the eager cell on the same corpus and script.
fn set_extra_turns(sessions: &mut [SessionCell]) {
    let eager: BTreeMap<(String, String), i64> = sessions
        .iter()
        .filter(|s| s.policy == "eager" && s.needs > 0)
        .map(|s| ((s.corpus.clone(), s.script.clone()), s.requests.len() as i64))
        .collect();
    for cell in sessions {
        let base = eager.get(&(cell.corpus.clone(), cell.script.clone()));
        // With a need unmet the two sessions did different work.
        cell.extra_turns = base.filter(|_| cell.met == cell.needs).map(|base| cell.requests.len() as i64 - base);
    }
}
