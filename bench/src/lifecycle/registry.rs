//! How is a trace written in which tools, scopes and agents come and go?

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{TraceError, known_cases, one_action};

/// A story over a registry, with what must hold in it, case by case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RegistryTrace {
    /// `registry`.
    pub kind: String,
    /// The name in results.
    pub name: String,
    /// One sentence: why it must hold.
    pub why: String,
    /// Where the failure or the rule is published.
    pub source: String,
    /// The features that it pins, by their number in the project's list.
    pub rows: Vec<String>,
    /// Patterns of the tools that are visible without a search.
    #[serde(default)]
    pub always_visible: Vec<String>,
    /// The tools at the start. The scope `preset` is opened below the global one where a tool stands in it.
    pub tools: Vec<RegistryTool>,
    /// Who is measured.
    pub cases: Vec<RegistryCase>,
    /// What happens.
    pub steps: Vec<RegistryStep>,
}

/// A tool and where it is registered.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RegistryTool {
    /// `global`, or the name of a scope.
    #[serde(default = "global")]
    pub scope: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

fn global() -> String {
    "global".to_string()
}

/// One engine that plays the trace.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RegistryCase {
    /// `ours`, or what it shows.
    pub name: String,
    /// Spec of the policy: `cumulative`.
    pub policy: String,
    /// Model requests of the whole story, worked out by hand.
    #[serde(default)]
    pub requests: Option<u64>,
    /// Needs that are met, worked out by hand; without it all of them.
    #[serde(default)]
    pub met: Option<u64>,
}

/// One thing that happens. Exactly one of the fields besides `expect` is given.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct RegistryStep {
    /// An agent's scope is opened.
    pub open: Option<Open>,
    /// An agent gets its search tool.
    pub attach: Option<Attach>,
    /// The host lets a scope see these names only.
    pub restrict: Option<Restrict>,
    /// The host lifts its restriction of a scope.
    pub lift: Option<String>,
    /// A tool is registered late.
    pub register: Option<RegistryTool>,
    /// A tool goes.
    pub unregister: Option<String>,
    /// An agent searches.
    pub search: Option<Search>,
    /// An agent wants to use a tool: it searches where it cannot see it, and calls it, within three requests.
    pub need: Option<AgentNeed>,
    /// An agent forgets what it has selected.
    pub reset: Option<Reset>,
    /// What one agent has selected goes to another.
    pub hand_over: Option<HandOver>,
    /// Somebody damages the newest snapshot of an agent's transcript.
    pub damage: Option<String>,
    /// The component is unloaded and loaded again.
    pub reload: Option<bool>,
    /// What must hold afterwards, by the name of the case; `both` for all.
    #[serde(default)]
    pub expect: BTreeMap<String, AgentExpect>,
}

/// A scope for an agent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Open {
    /// The agent.
    pub agent: String,
    /// The scope above it.
    #[serde(default = "global")]
    pub below: String,
}

/// How an agent begins.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Attach {
    /// The agent.
    pub agent: String,
    /// Whose transcript it begins with: its own (recovery), another's (fork), or none.
    pub history: Option<String>,
    /// Whose selection it inherits.
    pub inherits: Option<String>,
}

/// A restriction of the host.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Restrict {
    /// What is restricted.
    pub scope: String,
    /// The names that pass.
    pub allow: Vec<String>,
}

/// A call of the search tool.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Search {
    /// Whose search tool.
    #[serde(default = "main")]
    pub agent: String,
    /// The query.
    pub query: String,
    /// Its limit, any number.
    pub limit: Option<f64>,
    /// Who calls; the agent itself without it.
    pub caller: Option<String>,
    /// True for a call from inside another one.
    #[serde(default)]
    pub nested: bool,
    /// True where the snapshot cannot be written.
    #[serde(default)]
    pub append_fails: bool,
}

fn main() -> String {
    "main".to_string()
}

/// What an agent wants to use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct AgentNeed {
    /// The agent.
    #[serde(default = "main")]
    pub agent: String,
    /// The tool.
    pub tool: String,
    /// What it searches for.
    pub query: String,
}

/// Forgetting.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Reset {
    /// The agent.
    #[serde(default = "main")]
    pub agent: String,
    /// Why.
    pub reason: String,
}

/// Handing over.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct HandOver {
    /// Who gives.
    pub from: String,
    /// Who gets.
    pub to: String,
}

/// What must hold after a step. What is not given is not looked at.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct AgentExpect {
    /// Whose.
    pub agent: Option<String>,
    /// Names that its request carries, as the registry lists them.
    pub visible: Option<Vec<String>>,
    /// Names that it has selected.
    pub selected: Option<Vec<String>>,
    /// `name: status` for each tool of the newest answer.
    pub answer: Option<Vec<String>>,
    /// Deferred tools after the newest answer.
    pub remaining: Option<usize>,
    /// A part of the error of the newest step.
    pub error: Option<String>,
    /// Snapshots in its transcript.
    pub snapshots: Option<usize>,
}

impl RegistryTrace {
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
                ("open", step.open.is_some()),
                ("attach", step.attach.is_some()),
                ("restrict", step.restrict.is_some()),
                ("lift", step.lift.is_some()),
                ("register", step.register.is_some()),
                ("unregister", step.unregister.is_some()),
                ("search", step.search.is_some()),
                ("need", step.need.is_some()),
                ("reset", step.reset.is_some()),
                ("hand_over", step.hand_over.is_some()),
                ("damage", step.damage.is_some()),
                ("reload", step.reload == Some(true)),
            ])
            .and_then(|()| known_cases(&step.expect, &names))
            .map_err(problem)?;
        }
        Ok(trace)
    }
}
