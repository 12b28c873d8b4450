//! Does an engine keep what it selected through the life of a session, and what does it cost where it does not?
//!
//! A trace is data: what the model does, step by step, and what must hold afterwards. Each trace has several cases: the
//! rules of this project, and the published behaviour that they mend, with what that costs in requests and tokens.

mod play;
mod report;
mod trace;

use thiserror::Error;

pub use play::{Outcome, play};
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

/// Every built-in trace.
///
/// # Errors
/// [`TraceError`], should a built-in file be damaged.
///
/// ```
/// let traces = deferbench::lifecycle::built_in().unwrap();
/// assert!(traces.iter().all(|t| t.cases.iter().map(|c| c.name.as_str()).eq(["ours", "upstream"])));
/// ```
pub fn built_in() -> Result<Vec<Trace>, TraceError> {
    TRACES.iter().map(|(name, text)| Trace::parse(name, text)).collect()
}

#[cfg(test)]
mod tests;
