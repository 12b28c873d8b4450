//! How is a trace written?

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{TraceError, known_cases, one_action};

/// A story with what must hold in it, case by case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Trace {
    /// The name in results.
    pub name: String,
    /// One sentence: why it must hold.
    pub why: String,
    /// Where the failure is published.
    pub source: String,
    /// The features that it pins, by their number in the project's list.
    pub rows: Vec<String>,
    /// The catalog, in registration order.
    pub tools: Vec<TraceTool>,
    /// Names of the tools that are always on.
    #[serde(default)]
    pub always_on: Vec<String>,
    /// Who is measured.
    pub cases: Vec<Case>,
    /// What happens.
    pub steps: Vec<Step>,
}

/// A tool of a trace.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct TraceTool {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its input schema, JSON.
    #[serde(default = "object")]
    pub schema: String,
}

fn object() -> String {
    r#"{"type":"object"}"#.to_string()
}

/// One engine that plays the trace.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Case {
    /// `ours`, or what it shows.
    pub name: String,
    /// Spec of the policy.
    pub policy: String,
    /// Spec of the ranker.
    #[serde(default = "phrase")]
    pub ranker: String,
    /// Name of the order.
    #[serde(default = "append")]
    pub order: String,
    /// Whether receipts are signed.
    #[serde(default)]
    pub signed: bool,
    /// Model requests of the whole story, worked out by hand.
    #[serde(default)]
    pub requests: Option<u64>,
    /// Needs that are met, worked out by hand; without it all of them.
    #[serde(default)]
    pub met: Option<u64>,
    /// Where the surface must not be built: a part of the error.
    #[serde(default)]
    pub fails: Option<String>,
}

fn phrase() -> String {
    "phrase".to_string()
}

fn append() -> String {
    "append".to_string()
}

/// One thing that happens. Exactly one of the fields besides `split`, `unanswered` and `expect` is given.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Step {
    /// The user says something.
    pub user: Option<String>,
    /// A run begins, or goes on.
    pub run: Option<String>,
    /// From now on the application pins these tools, the newest last.
    pub pins: Option<Vec<String>>,
    /// The model answers with these calls, a parallel batch.
    pub calls: Option<Vec<TraceCall>>,
    /// What the user says between the results of that batch.
    pub split: Option<String>,
    /// True where the batch is received and not carried out: somebody else answers, or nobody.
    #[serde(default)]
    pub unanswered: bool,
    /// The model wants to use a tool, and goes on until it has or three requests brought nothing.
    pub need: Option<Need>,
    /// Somebody writes a result into the transcript. `$fingerprint(NAME)` stands for that of a tool.
    pub result: Option<TraceResult>,
    /// The history is replaced by this summary; what an engine knows to keep, it keeps.
    pub compact: Option<String>,
    /// The definition of a tool changes; the session is opened again.
    pub change: Option<TraceTool>,
    /// The process stops, and the session is opened again from the transcript.
    pub resume: Option<bool>,
    /// What must hold afterwards, by the name of the case; `both` for all.
    #[serde(default)]
    pub expect: BTreeMap<String, Expect>,
}

/// One call of a batch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct TraceCall {
    /// The query of a search.
    pub search: Option<String>,
    /// The flag that the published search tool lets a model set.
    pub reason: Option<String>,
    /// The name of a tool to call.
    pub call: Option<String>,
}

/// What the model wants to use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Need {
    /// The tool.
    pub tool: String,
    /// What it searches for first, if it cannot see the tool; without it it calls the tool by name.
    pub query: Option<String>,
}

/// A result that the engine did not write.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct TraceResult {
    /// The call that it pretends to answer; `last` for the newest.
    pub call: String,
    /// The tool that it pretends to come from.
    pub tool: String,
    /// The JSON.
    pub json: String,
}

/// What must hold after a step. What is not given is not looked at.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Expect {
    /// How each call of the step ended: the status of a receipt, `ran`, or `error`.
    pub answers: Option<Vec<String>>,
    /// Names of the activated tools, oldest activation first.
    pub visible: Option<Vec<String>>,
    /// Names of the whole tools array, as sent.
    pub sent: Option<Vec<String>>,
    /// The names that the newest receipt calls refused.
    pub refused: Option<Vec<String>>,
    /// Pins that a ceiling keeps out.
    pub refused_pins: Option<Vec<String>>,
    /// Reasons for which receipts were dropped.
    pub dropped: Option<Vec<String>>,
    /// The reason for which the run ends instead of sending a request.
    pub ends: Option<String>,
}

impl Trace {
    /// Reads a trace from TOML.
    ///
    /// # Errors
    /// [`TraceError`] with line or step.
    pub fn parse(origin: &str, text: &str) -> Result<Self, TraceError> {
        let trace: Self = toml::from_str(text).map_err(|e| TraceError::toml(origin, text, &e))?;
        let names: Vec<&str> = trace.cases.iter().map(|c| c.name.as_str()).collect();
        for (i, step) in trace.steps.iter().enumerate() {
            let problem = |problem: String| TraceError::Step { origin: origin.to_string(), step: i + 1, problem };
            one_action(&[
                ("user", step.user.is_some()),
                ("run", step.run.is_some()),
                ("pins", step.pins.is_some()),
                ("calls", step.calls.is_some()),
                ("need", step.need.is_some()),
                ("result", step.result.is_some()),
                ("compact", step.compact.is_some()),
                ("change", step.change.is_some()),
                ("resume", step.resume.is_some()),
            ])
            .and_then(|()| known_cases(&step.expect, &names))
            .map_err(problem)?;
            if step.calls.is_none() && (step.split.is_some() || step.unanswered) || step.resume == Some(false) {
                return Err(problem(
                    "split and unanswered belong to calls, and resume is true or not given".to_string(),
                ));
            }
            if let Some(call) = step.calls.iter().flatten().find(|c| c.search.is_some() == c.call.is_some()) {
                return Err(problem(format!("a call has either search or call: {call:?}")));
            }
        }
        Ok(trace)
    }
}
