//! How does a search result become activation?
//!
//! A policy folds the transcript into the activated tools, and answers a search. It keeps no state of its own: a [`Fold`]
//! is what it knows of one transcript, and can be made again from it.

use std::collections::HashSet;
use std::sync::Arc;

use thiserror::Error;

use crate::catalog::{Catalog, ToolId};
use crate::error::SpecError;
use crate::evidence::Evidence;
use crate::rank::Hits;
use crate::receipt::{DropReason, Refused};
use crate::spec::{Param, Spec, Values};
use crate::tool::Tool;
use crate::transcript::{Call, Event, Output};

crate::entries! {
    /// Every policy, in the order of the reports.
    pub static POLICIES: [PolicyEntry] = { eager, replace, cumulative }
}

pub use cumulative::{Cumulative, check_snapshots};
pub(crate) use cumulative::{Use, check_next};
pub use replace::{Ceilings, Compat, Replace};

/// The declaration of a policy.
pub struct PolicyEntry {
    /// The name used in specs.
    pub name: &'static str,
    /// One sentence: when a found tool becomes callable, and for how long.
    pub summary: &'static str,
    /// The system it is published by.
    pub source: &'static str,
    /// Its parameters with defaults.
    pub params: &'static [Param],
    /// True: each search says how many tools it wants; false: the parameter `results` decides.
    pub limit_per_call: bool,
    /// Builds it.
    pub build: fn(&Values) -> Result<Arc<dyn Policy>, PolicyError>,
}

/// What a policy looks at.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Every tool.
    pub catalog: &'a Catalog,
    /// The search tool, where the policy has one.
    pub search: Option<&'a Tool>,
    /// Always-on tools.
    pub base: &'a [ToolId],
    /// The tools that the application pins at this step, as it lists them; the last is the newest.
    pub pins: &'a [ToolId],
    /// The key of this surface.
    pub surface: &'a str,
}

/// What is activated, and what did not count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activation {
    /// Activated tools, oldest activation first; within one search the best hit first. May hold always-on tools and pins.
    pub tools: Vec<ToolId>,
    /// How many pins, from the front of the list, fit under the ceilings beside these tools.
    pub pins: usize,
    /// Records that were dropped: the id of their call, and why. Those older than the record that decided are not read.
    pub dropped: Vec<(String, DropReason)>,
    /// Positions of the events that say so: what a compaction of the transcript has to keep. Empty where nothing was ever
    /// selected.
    pub said_by: Vec<usize>,
}

/// What a policy makes of a call of the search tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one stands for one search and is taken apart at once")]
pub enum Ask {
    /// Tools have to be found.
    Search {
        /// What to search for.
        query: String,
        /// Most tools that count.
        limit: usize,
    },
    /// No search is needed: the call is wrong, over a ceiling, or names its tool.
    Done(Answer),
}

/// The tools that a ranker or a selector proposes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Known tools, best first, each once, at most the limit.
    pub tools: Vec<ToolId>,
    /// How many known tools matched, those past the limit included.
    pub matching: usize,
    /// Names that were dropped: not in the catalog, or given twice.
    pub rejected: usize,
}

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What the model reads.
    pub output: Output,
    /// An event to append before the result, where the policy records one.
    pub record: Option<Event>,
    /// The tools the answer names as callable from the next request on, best first; visible ones included.
    pub found: Vec<ToolId>,
    /// Of these, the tools that this search selects: under `cumulative` the new ones, under `replace` all.
    pub activated: Vec<ToolId>,
    /// What is selected after this search.
    pub selection: Vec<ToolId>,
    /// Tools that matched and are kept out by a ceiling.
    pub refused: Vec<Refused>,
    /// The ceiling that the search itself is over, where no tool is at fault.
    pub reason: Option<String>,
    /// What is told about it without any content.
    pub evidence: Option<Evidence>,
}

impl Context<'_> {
    fn is_search(&self, name: &str) -> bool {
        self.search.is_some_and(|s| s.name() == name)
    }
}

impl Found {
    /// What a ranker answered.
    pub fn from_hits(hits: &Hits) -> Self {
        Self { tools: hits.tools().collect(), matching: hits.matching, rejected: 0 }
    }

    /// The names that a selector answered: those that are exactly a tool's name, each once, cut to the limit.
    ///
    /// ```
    /// use deferbench_core::{Catalog, Tool, policy::Found};
    /// let catalog = Catalog::new(vec![Tool::new("clock", None, "{}").unwrap()]).unwrap();
    /// let found = Found::from_names(&catalog, ["Clock", "clock", "clock"], 5);
    /// assert_eq!((found.tools.len(), found.matching, found.rejected), (1, 1, 2));
    /// ```
    pub fn from_names<S: AsRef<str>>(catalog: &Catalog, names: impl IntoIterator<Item = S>, limit: usize) -> Self {
        let mut found = Self::default();
        let mut seen = HashSet::new();
        for name in names {
            match catalog.find(name.as_ref()).filter(|id| seen.insert(*id)) {
                Some(id) if found.tools.len() < limit => found.tools.push(id),
                Some(_) => {}
                None => found.rejected += 1,
            }
        }
        found.matching = seen.len();
        found
    }
}

impl Answer {
    /// The events to append to the transcript, in order. The result is the search tool's, also for a repaired call.
    pub fn events(self, call: &Call) -> Vec<Event> {
        let result = Event::Result { call: call.id.clone(), tool: call.name.clone(), output: self.output };
        self.record.into_iter().chain([result]).collect()
    }

    /// An ordinary tool error that changes nothing.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            output: Output::Error(message.into()),
            record: None,
            found: Vec::new(),
            activated: Vec::new(),
            selection: Vec::new(),
            refused: Vec::new(),
            reason: None,
            evidence: None,
        }
    }
}

/// Turns searches into activation.
pub trait Policy: Send + Sync {
    /// The search tool that the policy offers by default; none: every tool is always visible.
    ///
    /// Its bytes are constant for the life of a run: no counts, no names of tools, no dates.
    fn search_tool(&self) -> Option<Tool>;

    /// The six ceilings, where the policy has them.
    fn ceilings(&self) -> Option<&Ceilings> {
        None
    }

    /// Checks what can be checked before the first step.
    ///
    /// # Errors
    /// [`PolicyError`] when the always-on tools alone are over a ceiling.
    fn check(&self, context: Context) -> Result<(), PolicyError>;

    /// A fold that has read nothing yet.
    fn fold(&self) -> Box<dyn Fold>;
}

/// What a policy knows of a transcript: events go in one by one, the activation comes out.
///
/// A fold holds nothing that the transcript does not say, so it can be thrown away and made again at any time. The
/// context has to be of one surface for the whole life of a fold; pins may differ from step to step.
pub trait Fold: Send {
    /// Reads the next event.
    fn push(&mut self, context: Context, event: &Event);

    /// The activated tools of the next request.
    ///
    /// # Errors
    /// [`PolicyError`] when the newest durable record is damaged or over a ceiling, and the policy has to fail loudly.
    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError>;

    /// What one call of the search tool asks for. The step that holds the call, and the results of the earlier calls of
    /// that step, have been read.
    fn ask(&mut self, context: Context, call: &Call) -> Ask;

    /// Answers a call with the tools that were found for it.
    fn answer(&mut self, context: Context, call: &Call, found: &Found) -> Answer;
}

/// Why a policy cannot be built or cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A ceiling is not a positive number.
    #[error("ceiling {option} must be a positive integer")]
    NotPositive {
        /// The ceiling.
        option: &'static str,
    },
    /// Two ceilings contradict each other.
    #[error("ceiling {option} is {found}; the smallest value that works is {needed}, because {because}")]
    TooSmall {
        /// The ceiling.
        option: &'static str,
        /// Its value.
        found: usize,
        /// The smallest value that works.
        needed: usize,
        /// Why.
        because: &'static str,
    },
    /// The restored selection does not fit under a ceiling: no request is sent.
    #[error(
        "the {tools} selected tools of the transcript are over the ceiling {ceiling}; raise it to what it was, or start a new run"
    )]
    Overflow {
        /// The ceiling.
        ceiling: &'static str,
        /// Number of selected tools.
        tools: usize,
    },
    /// Always-on tools and pins alone are over a ceiling: no request is sent.
    #[error(
        "the search tool, {base} always-on tools and {pins} pins are over the ceiling {ceiling} ({found} > {limit}); pin fewer tools, or raise the ceiling"
    )]
    Pins {
        /// The ceiling.
        ceiling: &'static str,
        /// Number of always-on tools.
        base: usize,
        /// Number of pins.
        pins: usize,
        /// What they add up to.
        found: usize,
        /// The value of the ceiling.
        limit: usize,
    },
    /// The ids of this run are longer than the ones the policy was built for.
    #[error(
        "the shortest receipt of run \"{run}\" has {needed} bytes, the ceiling result_bytes is {limit}; use shorter run ids, or raise it"
    )]
    RunId {
        /// The run.
        run: String,
        /// Bytes of its shortest receipt.
        needed: usize,
        /// The value of the ceiling.
        limit: usize,
    },
    /// Ceilings of the selection stand beside the published behaviour, which has none.
    #[error("compat=upstream has no ceilings: leave max_tools and max_schema_bytes at 0, or leave compat out")]
    NoCeilings,
    /// The newest snapshot of the transcript is not a valid one.
    #[error(
        "the newest tool selection of the transcript is damaged ({problem}); restore the transcript, or start a new session"
    )]
    Snapshot {
        /// What is wrong.
        problem: &'static str,
    },
}

/// Builds a policy from a spec such as `replace(results=5)`; gives its canonical spec too.
///
/// # Errors
/// [`PolicyError`] for an unknown name, a wrong parameter, or ceilings that contradict each other.
///
/// ```
/// use deferbench_core::policy;
/// assert_eq!(policy::build("replace(results=8)").unwrap().0, "replace");
/// let error = policy::build("replace(results=9)").err().unwrap().to_string();
/// assert_eq!(error, "ceiling selected is 8; the smallest value that works is 9, because one search may return that many tools");
/// ```
pub fn build(spec: &str) -> Result<(String, Arc<dyn Policy>), PolicyError> {
    let (entry, values) = resolve(&spec.parse()?)?;
    Ok((values.to_string(), (entry.build)(&values)?))
}

/// Checks a spec without building anything; the values print in canonical form.
///
/// # Errors
/// [`SpecError`] for an unknown name (the message lists the known ones), an unknown parameter or a value out of range.
pub fn resolve(spec: &Spec) -> Result<(&'static PolicyEntry, Values), SpecError> {
    let entry = POLICIES
        .iter()
        .find(|p| p.name == spec.name)
        .copied()
        .ok_or_else(|| SpecError::unknown("policy", &spec.name, POLICIES.iter().map(|p| p.name)))?;
    Ok((entry, spec.resolve("policy", entry.params)?))
}

/// What the model reads instead of an answer to a query that means nothing.
const BLANK: &str = "the query is blank: describe the capability you need, or name a tool";

/// True when a query holds no letter and no digit: nothing can be meant by it.
fn is_blank(query: &str) -> bool {
    !query.chars().any(crate::text::is_letter_or_digit)
}

/// The `query` of the arguments, or the error that the model reads.
fn query_of(arguments: &serde_json::Value) -> Result<&str, String> {
    arguments.get("query").and_then(serde_json::Value::as_str).ok_or_else(|| {
        "\"query\" is missing or not a text: describe the capability you need, or name a tool".to_string()
    })
}

fn arguments(call: &Call) -> Result<serde_json::Value, String> {
    serde_json::from_str(&call.arguments).map_err(|e| format!("the arguments are not JSON: {e}"))
}

#[cfg(test)]
mod tests;
