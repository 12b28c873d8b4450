//! What is one request, and what may be called in it?

use crate::catalog::ToolId;
use crate::entry::{Definition, Item};
use crate::evidence::Evidence;
use crate::receipt::DropReason;

/// The tools of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The tools array, in the sequence in which it is sent.
    pub tools: Vec<Item>,
    /// Definitions that stand in the history, in its sequence; those of tools that are no longer active among them.
    pub history: Vec<Definition>,
    /// What may be called: always-on tools, then pins, then activated tools, oldest activation first.
    pub callable: Vec<ToolId>,
    /// The pins of this request.
    pub pins: Vec<ToolId>,
    /// Names of the newest pins, which a ceiling keeps out.
    pub refused_pins: Vec<String>,
    /// Activated tools, always-on ones and pins not among them, oldest activation first.
    pub activated: Vec<ToolId>,
    /// Records of the transcript that did not count, by the id of their call, as far back as the record that decided.
    pub dropped: Vec<(String, DropReason)>,
    /// What may be told about this request without any content.
    pub evidence: Evidence,
}

/// What a call of the model means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The search tool.
    Search,
    /// A tool that may be called now.
    Callable(ToolId),
    /// A tool of the catalog that is not visible: its handler must not run.
    Inactive(ToolId),
    /// The executor, with arguments that name no tool.
    Executor,
    /// No tool of that name.
    Unknown,
}

/// What an application's own step hook returns: every field stays as it is, except the list of active tools.
///
/// Implemented for JSON objects (the key is `activeTools`); implement it for the settings of your own.
pub trait StepSettings {
    /// Puts the names of this step's tools in the place of whatever the hook said.
    fn set_active_tools(&mut self, names: Vec<String>);
}

impl StepSettings for serde_json::Map<String, serde_json::Value> {
    fn set_active_tools(&mut self, names: Vec<String>) {
        self.insert("activeTools".to_string(), names.into());
    }
}
