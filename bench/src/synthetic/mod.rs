//! What does a session cost that is given as token sizes only?
//!
//! A script of sizes is expanded to the requests of each seam: a search adds a request, a turn adds its words to the
//! history, and an activated tool enters where the seam puts it. No text, no counter, no model: the figures depend on
//! nothing but the sizes.

mod compare;
mod expand;
mod seams;
#[cfg(test)]
mod tests;

pub use compare::{Axis, Start, crossings, totals};
pub use expand::{Expanded, Expander};
pub use seams::{Definitions, SEAMS, Seam};

use deferbench_core::Tool;
use deferbench_core::error::{CatalogError, ToolError};
use deferbench_corpora::error::toml_line;
use serde::Deserialize;
use thiserror::Error;

/// Built-in scripts: name and TOML text.
pub static BUILT_IN: &[(&str, &str)] = &[("reference", include_str!("../../sessions/reference.toml"))];

/// A session as token sizes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Synthetic {
    /// The name in results.
    pub name: String,
    /// Turns of the user: one request each, beside those of searches.
    pub turns: u64,
    /// Tools that are deferred.
    pub deferred: u64,
    /// Size of each of them.
    pub tool_tokens: u64,
    /// Size of all always-on tools; 0: there are none.
    pub always_on_tokens: u64,
    /// Size of the search tool.
    pub search_tool_tokens: u64,
    /// Size of the tool through which a bridge calls the found ones.
    pub executor_tokens: u64,
    /// Size of the system text; 0: there is none.
    pub system_tokens: u64,
    /// What each turn adds.
    pub turn: Turn,
    /// The searches; without it the session never searches.
    pub search: Option<Search>,
}

/// What a turn adds to the history after its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The model's words.
    pub answer_tokens: u64,
    /// The user's next words.
    pub user_tokens: u64,
    /// Tokens that are paid as output.
    pub output_tokens: u64,
}

/// The searches of a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Turns, from 1, before which the model searches once.
    pub before_turns: Vec<u64>,
    /// Tools that a search activates: the next ones in registration order.
    pub activates: u64,
    /// The call: history, and output.
    pub call_tokens: u64,
    /// The result, definitions not counted.
    pub result_tokens: u64,
}

/// Why a script of sizes was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SyntheticError {
    /// The text is not such a script.
    #[error("session {origin}: line {line}: {detail}")]
    Toml {
        /// File or name.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A size that no session has.
    #[error("session {origin}: {field} is {found}, the most is {most}; give a smaller number")]
    TooLarge {
        /// File or name.
        origin: String,
        /// Which one.
        field: &'static str,
        /// The number given.
        found: u64,
        /// The most.
        most: u64,
    },
    /// A turn that there is not.
    #[error(
        "session {origin}: search.before_turns: turn {turn} is not one of 1 to {turns}, each at most once, in order"
    )]
    Turn {
        /// File or name.
        origin: String,
        /// The number given.
        turn: u64,
        /// How many turns there are.
        turns: u64,
    },
    /// The stand-ins of the tools make no catalog.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A stand-in is no tool.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A seam names an order that there is not.
    #[error(transparent)]
    Spec(#[from] deferbench_core::error::SpecError),
    /// A cache would refuse a request.
    #[error(transparent)]
    Cache(#[from] deferbench_core::cache::CacheError),
}

/// Most turns and tools, and the largest size: past them sums could overflow.
const MOST_TURNS: u64 = 100_000;
const MOST_TOOLS: u64 = 1_000_000;
const LARGEST: u64 = 1_000_000_000;

impl Synthetic {
    /// Reads a script of sizes.
    ///
    /// # Errors
    /// [`SyntheticError`], with line or field.
    ///
    /// ```
    /// use deferbench::synthetic::{BUILT_IN, Synthetic};
    /// let (name, text) = BUILT_IN[0];
    /// assert_eq!(Synthetic::parse(name, text).unwrap().deferred, 50);
    /// let error = Synthetic::parse("mine.toml", &text.replace("[4, 9, 14]", "[4, 31]")).unwrap_err();
    /// assert!(error.to_string().contains("turn 31 is not one of 1 to 30"));
    /// ```
    pub fn parse(origin: &str, text: &str) -> Result<Self, SyntheticError> {
        let script: Self = toml::from_str(text).map_err(|e| SyntheticError::Toml {
            origin: origin.to_string(),
            line: toml_line(text, &e),
            detail: e.message().to_string(),
        })?;
        script.check(origin)?;
        Ok(script)
    }

    fn check(&self, origin: &str) -> Result<(), SyntheticError> {
        let search = self.search.as_ref();
        let limits = [
            ("turns", self.turns, MOST_TURNS),
            ("deferred", self.deferred, MOST_TOOLS),
            ("tool_tokens", self.tool_tokens, LARGEST),
            ("always_on_tokens", self.always_on_tokens, LARGEST),
            ("search_tool_tokens", self.search_tool_tokens, LARGEST),
            ("executor_tokens", self.executor_tokens, LARGEST),
            ("system_tokens", self.system_tokens, LARGEST),
            ("turn.answer_tokens", self.turn.answer_tokens, LARGEST),
            ("turn.user_tokens", self.turn.user_tokens, LARGEST),
            ("turn.output_tokens", self.turn.output_tokens, LARGEST),
            ("search.activates", search.map_or(0, |s| s.activates), MOST_TOOLS),
            ("search.call_tokens", search.map_or(0, |s| s.call_tokens), LARGEST),
            ("search.result_tokens", search.map_or(0, |s| s.result_tokens), LARGEST),
        ];
        for (field, found, most) in limits {
            if found > most {
                return Err(SyntheticError::TooLarge { origin: origin.to_string(), field, found, most });
            }
        }
        let before = search.map_or(&[][..], |s| &s.before_turns);
        for (i, &turn) in before.iter().enumerate() {
            if turn == 0 || turn > self.turns || (i > 0 && turn <= before[i - 1]) {
                return Err(SyntheticError::Turn { origin: origin.to_string(), turn, turns: self.turns });
            }
        }
        Ok(())
    }

    /// The same with so many turns; searches past the end fall away.
    pub fn with_turns(&self, turns: u64) -> Self {
        let mut script = Self { turns, ..self.clone() };
        if let Some(search) = &mut script.search {
            search.before_turns.retain(|t| *t <= turns);
        }
        script
    }

    /// The same with so many deferred tools.
    pub fn with_deferred(&self, deferred: u64) -> Self {
        Self { deferred, ..self.clone() }
    }
}

/// A tool that stands for a size: only its name matters to an order.
fn stand_in(name: &str) -> Result<Tool, ToolError> {
    Tool::new(name, None, "{}")
}
