//! Which grid is measured?

use std::path::Path;

use deferbench_core::entry::{Entry, SeamError};
use deferbench_core::error::SpecError;
use deferbench_core::order;
use deferbench_core::policy::{self, PolicyError};
use deferbench_core::rank;
use deferbench_corpora::error::{CorpusError, toml_line};
use deferbench_corpora::input::read_text;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::counter::CounterEntry;
use crate::layout::Layout;
use crate::profiles::{self, ProfileError};
use crate::script::ScriptEntry;

/// Built-in scenarios: name and TOML text.
pub static BUILT_IN: &[(&str, &str)] = &[
    ("default", include_str!("../scenarios/default.toml")),
    ("quick", include_str!("../scenarios/quick.toml")),
    ("seed", include_str!("../scenarios/seed.toml")),
    ("thrash", include_str!("../scenarios/thrash.toml")),
    ("sessions", include_str!("../scenarios/sessions.toml")),
    ("prefix", include_str!("../scenarios/prefix.toml")),
];

/// A grid, as written in TOML.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Scenario {
    /// The name in results.
    pub name: String,
    /// Seed of everything that is drawn.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Bootstrap replicates behind every interval.
    #[serde(default = "default_replicates")]
    pub replicates: u64,
    /// CORPUS arguments, and `seed(N)` for the mixes of the seed's benchmark.
    pub corpora: Vec<String>,
    /// Ranker specs; the first is the one behind the search tool.
    #[serde(default = "default_rankers")]
    pub rankers: Vec<String>,
    /// Counter names.
    #[serde(default = "default_counters")]
    pub counters: Vec<String>,
    /// Layout name.
    #[serde(default = "default_layout")]
    pub layout: String,
    /// Specs of prefix caches, or files, that are simulated in the tokens of the first counter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
    /// What the run does not show.
    #[serde(default)]
    pub caveats: Vec<String>,
    /// The sessions; empty: retrieval only.
    #[serde(default)]
    pub sessions: Vec<Sessions>,
}

/// A block of sessions: every combination of its lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Sessions {
    /// Script name.
    pub script: String,
    /// Corpora of this block; empty: all of the scenario.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<String>,
    /// Policy specs; `eager` is added where extra turns need it.
    pub policies: Vec<String>,
    /// Order specs.
    #[serde(default = "default_orders")]
    pub orders: Vec<String>,
    /// Entry name, where there is one.
    #[serde(default = "default_entry")]
    pub entry: String,
    /// Entry names; not empty: these in place of `entry`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
    /// Most tools that one search may load.
    #[serde(default = "default_limits")]
    pub limits: Vec<usize>,
}

fn default_seed() -> u64 {
    7
}
fn default_replicates() -> u64 {
    10_000
}
fn default_rankers() -> Vec<String> {
    vec![rank::DEFAULT_RANKER.to_string()]
}
fn default_counters() -> Vec<String> {
    ["o200k_base", "chars4", "bytes"].map(String::from).to_vec()
}
fn default_layout() -> String {
    "L1".to_string()
}
fn default_orders() -> Vec<String> {
    vec!["registry".to_string()]
}
fn default_entry() -> String {
    "list".to_string()
}
fn default_limits() -> Vec<usize> {
    vec![5]
}

/// Most bootstrap replicates: more change no digit that is printed.
const MOST_REPLICATES: u64 = 1_000_000;

/// Why a scenario was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// Neither a built-in name nor a file.
    #[error("unknown scenario \"{name}\": built in are {known}; or give a TOML file")]
    Unknown {
        /// What was given.
        name: String,
        /// The built-in names.
        known: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] CorpusError),
    /// The text is not a scenario.
    #[error("{origin}: line {line}: {detail}")]
    Toml {
        /// File or name.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A list is empty, or a number out of range.
    #[error("scenario \"{name}\": {problem}")]
    Shape {
        /// The scenario.
        name: String,
        /// What is wrong and what helps.
        problem: &'static str,
    },
    /// A spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A policy is wrong.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A cache profile is wrong.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// A policy, an order and an entry of one block make no sense together.
    #[error(
        "scenario \"{name}\", policy {policy}, order {order}: {source}; every combination of a block is measured, so give these a block of their own"
    )]
    Seam {
        /// The scenario.
        name: String,
        /// The policy.
        policy: String,
        /// The order.
        order: String,
        /// Why not.
        source: Box<SeamError>,
    },
    /// A layout does not show what an entry does.
    #[error(
        "scenario \"{name}\": the layout {layout} prints no history, where the entry {entry} puts its definitions; use the layout L1"
    )]
    Unseen {
        /// The scenario.
        name: String,
        /// The layout.
        layout: String,
        /// The entry.
        entry: String,
    },
}

impl Scenario {
    /// A built-in scenario, or the one of a TOML file.
    ///
    /// # Errors
    /// [`ScenarioError`], with file, line and what helps.
    ///
    /// ```
    /// use deferbench::scenario::Scenario;
    /// assert_eq!(Scenario::open("seed").unwrap().corpora.len(), 4);
    /// assert!(Scenario::open("sead").unwrap_err().to_string().contains("built in are default, quick, seed, thrash"));
    /// ```
    pub fn open(name: &str) -> Result<Self, ScenarioError> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(n, _)| *n == name) {
            return Self::parse(name, text);
        }
        let path = Path::new(name);
        if !path.is_file() {
            let known = BUILT_IN.iter().map(|(n, _)| *n).collect::<Vec<_>>().join(", ");
            return Err(ScenarioError::Unknown { name: name.to_string(), known });
        }
        let scenario = Self::parse(name, &read_text(path)?)?;
        if BUILT_IN.iter().any(|(n, _)| *n == scenario.name) {
            let problem =
                "this is the name of a built-in scenario; give yours another, so that results cannot be confused";
            return Err(ScenarioError::Shape { name: scenario.name, problem });
        }
        Ok(scenario)
    }

    /// Reads a scenario from TOML.
    ///
    /// # Errors
    /// [`ScenarioError::Toml`] with the line.
    pub fn parse(origin: &str, text: &str) -> Result<Self, ScenarioError> {
        toml::from_str(text).map_err(|e| ScenarioError::Toml {
            origin: origin.to_string(),
            line: toml_line(text, &e),
            detail: e.message().to_string(),
        })
    }

    /// Checks every name and brings every spec to its canonical form.
    ///
    /// # Errors
    /// [`ScenarioError`] before anything is measured.
    pub fn check(mut self) -> Result<Self, ScenarioError> {
        let shape = |problem| ScenarioError::Shape { name: self.name.clone(), problem };
        if self.corpora.is_empty() || self.rankers.is_empty() || self.counters.is_empty() {
            return Err(shape("corpora, rankers and counters each need at least one entry"));
        }
        if self.sessions.iter().any(|s| s.policies.is_empty() || s.orders.is_empty() || s.limits.is_empty()) {
            return Err(shape("each block of sessions needs policies, orders and limits"));
        }
        if !(1..=MOST_REPLICATES).contains(&self.replicates) {
            return Err(shape("replicates must be a number from 1 to 1,000,000"));
        }
        if self.sessions.iter().any(|s| s.limits.contains(&0)) {
            return Err(shape("a limit of 0 finds nothing: use 1 or more"));
        }
        for ranker in &mut self.rankers {
            *ranker = rank::resolve(ranker)?.1.to_string();
        }
        // One cell each: what is given twice is measured once.
        for list in [&mut self.rankers, &mut self.counters, &mut self.profiles] {
            let mut seen = std::collections::HashSet::new();
            list.retain(|item| seen.insert(item.clone()));
        }
        for counter in &self.counters {
            CounterEntry::find(counter)?;
        }
        let layout = Layout::find(&self.layout)?;
        for profile in &self.profiles {
            profiles::open(profile)?;
        }
        for block in &mut self.sessions {
            ScriptEntry::find(&block.script)?;
            for policy in &mut block.policies {
                *policy = policy::resolve(&policy.parse()?)?.1.to_string();
            }
            for order in &mut block.orders {
                *order = order::build(order)?.to_string();
            }
            block.check_seams(&self.name, layout)?;
        }
        Ok(self)
    }

    /// The scenario as TOML: what the manifest keeps.
    pub fn toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}

impl Sessions {
    /// The entry names of this block.
    pub fn entries(&self) -> &[String] {
        if self.entries.is_empty() { std::slice::from_ref(&self.entry) } else { &self.entries }
    }

    /// Every entry with every order.
    pub fn seams(&self) -> impl Iterator<Item = (&String, &String)> {
        self.entries().iter().flat_map(|entry| self.orders.iter().map(move |order| (entry, order)))
    }

    fn check_seams(&self, scenario: &str, layout: &Layout) -> Result<(), ScenarioError> {
        let name = || scenario.to_string();
        if !self.entries.is_empty() && self.entry != default_entry() {
            let problem = "a block of sessions has both entry and entries: keep one of them";
            return Err(ScenarioError::Shape { name: name(), problem });
        }
        for entry_name in self.entries() {
            let entry = find_entry(entry_name)?;
            if entry.history.is_some() && !layout.shows_history() {
                let (layout, entry) = (layout.name.to_string(), entry.name.to_string());
                return Err(ScenarioError::Unseen { name: name(), layout, entry });
            }
            for policy in &self.policies {
                let defers = policy::build(policy)?.1.search_tool().is_some();
                for order in &self.orders {
                    entry.fits(defers, order::build(order)?.order).map_err(|source| {
                        let (policy, order) = (policy.clone(), order.clone());
                        ScenarioError::Seam { name: name(), policy, order, source: Box::new(source) }
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// The entry of a name.
///
/// # Errors
/// [`SpecError::Unknown`], listing the known names.
pub fn find_entry(name: &str) -> Result<&'static Entry, SpecError> {
    Entry::find(name)
        .ok_or_else(|| SpecError::unknown("entry", name, deferbench_core::entry::ENTRIES.iter().map(|e| e.name)))
}
