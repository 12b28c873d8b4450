//! Which sessions does a scenario have?

use deferbench_core::policy::{self, PolicyError};
use deferbench_core::spec::Spec;
use deferbench_corpora::Corpus;

use super::{Loaded, RunError};
use crate::scenario::{Scenario, ScenarioError};
use crate::script::{Draw, Script, ScriptEntry};

/// One session of the grid.
#[derive(PartialEq)]
pub(super) struct Cell {
    /// Position of the corpus in the scenario.
    pub corpus: usize,
    pub script: Script,
    /// Spec of the policy, the limit included.
    pub policy: String,
    pub order: String,
    pub entry: String,
    /// Most tools that one search may load.
    pub limit: Option<usize>,
    /// The limit that each search asks for.
    pub per_call: Option<usize>,
}

/// Whether a corpus has sessions to play and no queries to draw needs from.
pub(super) fn plays_chains(corpus: &Corpus) -> bool {
    corpus.queries.is_empty() && !corpus.sessions.is_empty()
}

/// The cells of a scenario, in its order.
pub(super) fn grid(scenario: &Scenario, loaded: &[Loaded]) -> Result<Vec<Cell>, RunError> {
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
            // A corpus that has sessions and no queries says itself what happens in a session.
            let own = block.script == "ten-needs" && plays_chains(&l.corpus);
            let entry = if own { ScriptEntry::find("task-chains").map_err(ScenarioError::from)? } else { entry };
            let pool = if generated { smallest } else { l.corpus.catalog.len() };
            for script in (entry.build)(&Draw { corpus: &l.corpus, pool, seed: scenario.seed }) {
                let is_eager = |cell: &Cell| cell.corpus == c && cell.script == script && cell.policy == "eager";
                let eager = cells.iter().any(is_eager);
                let mut add = |policy: &str, order: &str, entry: &str, limit| -> Result<(), PolicyError> {
                    let (policy, limit, per_call) = limited(policy, limit)?;
                    // Ceilings that contradict each other are found before anything is measured.
                    policy::build(&policy)?;
                    let (corpus, script) = (c, script.clone());
                    let (order, entry) = (order.to_string(), entry.to_string());
                    let cell = Cell { corpus, script, policy, order, entry, limit, per_call };
                    // Two limits that a policy cuts to one value are one cell.
                    if !cells.contains(&cell) {
                        cells.push(cell);
                    }
                    Ok(())
                };
                let asked = block.policies.iter().any(|p| p == "eager");
                // Without being asked for, one eager cell is enough to compare with.
                if asked || !(script.searches_only() || eager) {
                    // Where nothing is deferred there is one way to send the tools.
                    add("eager", &block.orders[0], "list", None).map_err(ScenarioError::from)?;
                }
                for policy in block.policies.iter().filter(|p| *p != "eager") {
                    for &limit in &block.limits {
                        for (entry, order) in block.seams() {
                            add(policy, order, entry, Some(limit)).map_err(ScenarioError::from)?;
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
