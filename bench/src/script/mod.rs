//! What does the user want in a session, and what does the model do about it?
//!
//! A script is fixed before any policy sees it: the same needs are met, or missed, under every policy.

use deferbench_core::ToolId;
use deferbench_core::error::SpecError;
use deferbench_corpora::Corpus;

deferbench_core::entries! {
    /// Every script, in the order of `list`.
    pub static SCRIPTS: [ScriptEntry] = { ten_needs, full, one_selection, one_call, single, ten_queries, two_tools, task_chains }
}

/// The declaration of a script.
pub struct ScriptEntry {
    /// The name used in scenarios.
    pub name: &'static str,
    /// One sentence: what happens.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The scripts for a corpus.
    pub build: fn(&Draw) -> Vec<Script>,
}

/// What a script is made from.
pub struct Draw<'a> {
    /// The corpus.
    pub corpus: &'a Corpus,
    /// Needs are drawn among the first this many tools, so that all sizes of one catalog get the same script.
    pub pool: usize,
    /// The seed of the drawing.
    pub seed: u64,
}

/// A scripted session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The name in results.
    pub name: String,
    /// When the model searches.
    pub search: When,
    /// The user's turns.
    pub turns: Vec<Turn>,
}

/// When the model searches before it calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always, as the published sessions do.
    Always,
    /// When a needed tool cannot be called yet.
    Hidden,
    /// When a needed tool cannot be called yet and was never called; a tool that was called before is called by its name,
    /// whether it can be seen or not.
    Unknown,
}

/// One user turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// True where another session begins: a fresh agent that knows nothing of the turns before.
    pub fresh: bool,
    /// Seconds without a request before the turn.
    pub idle_seconds: u64,
    /// What the user says.
    pub user: String,
    /// What the model does about it, in order.
    pub tasks: Vec<Task>,
}

impl Turn {
    /// A turn that follows the one before without a pause.
    pub fn new(user: impl Into<String>, tasks: Vec<Task>) -> Self {
        Self { fresh: false, idle_seconds: 0, user: user.into(), tasks }
    }
}

/// One search or a batch of them, and the calls that follow where the tools are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What the model searches for: one text, or several in one batch.
    pub queries: Vec<String>,
    /// The needs: each a set of tools of which any one will do; empty: a search and nothing more.
    pub needs: Vec<Vec<ToolId>>,
}

impl Script {
    /// Number of needs of the whole script.
    pub fn needs(&self) -> usize {
        self.turns.iter().flat_map(|t| &t.tasks).map(|t| t.needs.len()).sum()
    }

    /// True when the script only searches: `eager` has nothing to do in it.
    pub fn searches_only(&self) -> bool {
        self.needs() == 0
    }
}

impl ScriptEntry {
    /// The script of a name.
    ///
    /// # Errors
    /// [`SpecError::Unknown`], listing the known names.
    pub fn find(name: &str) -> Result<&'static ScriptEntry, SpecError> {
        SCRIPTS
            .iter()
            .find(|s| s.name == name)
            .copied()
            .ok_or_else(|| SpecError::unknown("script", name, SCRIPTS.iter().map(|s| s.name)))
    }
}

/// A user turn in our own words about one query.
fn turn(query: &str, needs: Vec<Vec<ToolId>>) -> Turn {
    let task = Task { queries: vec![query.to_string()], needs };
    Turn::new(format!("Please take care of this: {query}"), vec![task])
}

/// One turn that only searches, query by query.
fn searches(name: String, queries: impl Iterator<Item = String>) -> Script {
    let tasks = queries.map(|query| Task { queries: vec![query], needs: Vec::new() }).collect();
    Script { name, search: When::Always, turns: vec![Turn::new("Please take care of this.", tasks)] }
}
