//! Does an engine keep what it selected through the life of a session, and what does it cost where it does not?
//!
//! A trace is data: what the model does, step by step, and what must hold afterwards. Each trace has several cases: the
//! rules of this project, and the published behaviour that they mend, with what that costs in requests and tokens.

mod measure;
mod play;
mod registry;
mod registry_play;
mod report;
mod trace;

use std::collections::BTreeMap;

use deferbench_corpora::error::toml_line;
use serde::Deserialize;
use thiserror::Error;

pub use measure::{COUNTER, LAYOUT, Meter};
pub use play::Outcome;
pub use registry::{
    AgentExpect, AgentNeed, Attach, HandOver, Open, RegistryCase, RegistryStep, RegistryTool, RegistryTrace, Reset,
    Restrict, Search,
};
pub use report::{blocks, json};
pub use trace::{Case, Expect, Need, Step, Trace, TraceCall, TraceResult, TraceTool};

macro_rules! traces {
    ($($name:literal),+ $(,)?) => {
        /// The built-in traces: file name and TOML text. One line for each file of the folder.
        pub static TRACES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../lifecycle/", $name, ".toml")))),+];
    };
}

traces![
    "no_match_keeps",
    "refusal_keeps",
    "repair_adds",
    "repair_evicts",
    "split_results",
    "over_the_cap",
    "pins_in_the_search",
    "pins_grow",
    "results_over_selected",
    "blank_query",
    "always_on_once",
    "shortest_receipt",
    "activated_last",
    "compaction",
    "substrings",
    "full_width",
    "name_and_words",
    "changed_definition",
    "forged_receipt",
    "second_result",
    "reason_flag",
    "preset_tools",
    "punctuation_query",
    "eviction",
    "late_tool",
    "tool_returns",
    "denied_tool",
    "fork_and_recovery",
    "append_fails",
    "damaged_snapshot",
    "wrong_callers",
    "subagents",
    "reset",
];

/// Why a trace cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The text is not a trace.
    #[error("trace {origin}: line {line}: {detail}")]
    Toml {
        /// File or name.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A step does not say what to do.
    #[error("trace {origin}, step {step}: {problem}")]
    Step {
        /// File or name.
        origin: String,
        /// The step, from 1.
        step: usize,
        /// What is wrong and what helps.
        problem: String,
    },
    /// A part of a case is wrong.
    #[error("trace {origin}, case {case}: {problem}")]
    Case {
        /// File or name.
        origin: String,
        /// The case.
        case: String,
        /// What is wrong.
        problem: String,
    },
}

impl TraceError {
    fn toml(origin: &str, text: &str, error: &toml::de::Error) -> Self {
        let line = toml_line(text, error);
        Self::Toml { origin: origin.to_string(), line, detail: error.message().to_string() }
    }
}

/// Checks that a step says one thing.
fn one_action(actions: &[(&str, bool)]) -> Result<(), String> {
    match actions.iter().filter(|(_, given)| *given).count() {
        1 => Ok(()),
        _ => {
            Err(format!("give exactly one of {}", actions.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")))
        }
    }
}

/// Checks that a step expects something of known cases only.
fn known_cases<T>(expect: &BTreeMap<String, T>, cases: &[&str]) -> Result<(), String> {
    match expect.keys().find(|k| *k != "both" && !cases.contains(&k.as_str())) {
        None => Ok(()),
        Some(other) => {
            Err(format!("it expects something of \"{other}\", which is no case; use {} or both", cases.join(", ")))
        }
    }
}

/// A trace of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Story {
    /// One session over a fixed catalog.
    Surface(Trace),
    /// Tools, scopes and agents that come and go.
    Registry(RegistryTrace),
}

impl Story {
    /// Reads a trace from TOML; `kind = "registry"` tells the second kind.
    ///
    /// # Errors
    /// [`TraceError`] with line or step.
    pub fn parse(origin: &str, text: &str) -> Result<Self, TraceError> {
        #[derive(Deserialize)]
        struct Kind {
            #[serde(default)]
            kind: Option<String>,
        }
        let Kind { kind } = toml::from_str(text).map_err(|e| TraceError::toml(origin, text, &e))?;
        match kind.as_deref() {
            Some("registry") => RegistryTrace::parse(origin, text).map(Self::Registry),
            _ => Trace::parse(origin, text).map(Self::Surface),
        }
    }

    /// The name in results.
    pub fn name(&self) -> &str {
        match self {
            Self::Surface(t) => &t.name,
            Self::Registry(t) => &t.name,
        }
    }

    /// One sentence: why it must hold.
    pub fn why(&self) -> &str {
        match self {
            Self::Surface(t) => &t.why,
            Self::Registry(t) => &t.why,
        }
    }

    /// Where the failure is published.
    pub fn source(&self) -> &str {
        match self {
            Self::Surface(t) => &t.source,
            Self::Registry(t) => &t.source,
        }
    }

    /// Plays every case on the built-in engine.
    ///
    /// # Errors
    /// [`TraceError`] when the trace itself is wrong; what does not hold is in the outcomes.
    pub fn play(&self) -> Result<Vec<Outcome>, TraceError> {
        match self {
            Self::Surface(t) => t.cases.iter().map(|c| play::play(t, c)).collect(),
            Self::Registry(t) => t.cases.iter().map(|c| registry_play::play(t, c)).collect(),
        }
    }
}

/// Every built-in trace.
///
/// # Errors
/// [`TraceError`], should a built-in file be damaged.
///
/// ```
/// let stories = deferbench::lifecycle::built_in().unwrap();
/// let outcomes = stories[0].play().unwrap();
/// assert!(outcomes.iter().map(|o| o.case.as_str()).eq(["ours", "upstream"]));
/// ```
pub fn built_in() -> Result<Vec<Story>, TraceError> {
    TRACES.iter().map(|(name, text)| Story::parse(name, text)).collect()
}

#[cfg(test)]
mod tests;
