//! What can be wrong with a tool, a catalog or a spec, and what helps?

use thiserror::Error;

use crate::catalog::ResolvedName;

/// Why one tool definition was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The definition is not JSON.
    #[error("not valid JSON: {detail}")]
    Json {
        /// The parser's words, with line and column.
        detail: String,
    },
    /// A number is JSON, and too large for every reader.
    #[error("the number {found} is out of range; write one between -1.7e308 and 1.7e308, or leave it out")]
    OutOfRange {
        /// The number as spelled, its beginning where it is long.
        found: String,
    },
    /// A member has the wrong type or is missing.
    #[error("member \"{member}\": expected {expected}, found {found}; {remedy}")]
    Member {
        /// The member's key.
        member: &'static str,
        /// What the member has to be.
        expected: &'static str,
        /// What it is.
        found: String,
        /// What helps.
        remedy: &'static str,
    },
    /// The root of the schema says that arguments are something else than an object.
    #[error(
        "the input schema has root type {found}, expected \"object\"; wrap the arguments in an object, as MCP and every provider require"
    )]
    RootType {
        /// The root type as spelled.
        found: String,
    },
    /// A part is larger than a limit.
    #[error("{part} is {found} {unit}, the limit is {limit}; shorten it, or raise the definition limit {option}")]
    TooLarge {
        /// Which part.
        part: &'static str,
        /// Its size.
        found: usize,
        /// The limit.
        limit: usize,
        /// Unit of both.
        unit: &'static str,
        /// Field of [`crate::Limits`] that sets the limit.
        option: &'static str,
    },
}

impl ToolError {
    /// What the parser says about a text of one line.
    pub(crate) fn json(text: &str, error: &serde_json::Error) -> Self {
        let detail = error.to_string();
        if !detail.starts_with("number out of range") {
            return Self::Json { detail };
        }
        let part = |c: &char| c.is_ascii_digit() || "+-.eE".contains(*c);
        let (before, after) = text.split_at_checked(error.column()).unwrap_or((text, ""));
        let mut number: Vec<char> = before.chars().rev().take_while(part).collect();
        number.reverse();
        number.extend(after.chars().take_while(part));
        let cut = if number.len() > 40 { "…" } else { "" };
        Self::OutOfRange { found: number.into_iter().take(40).collect::<String>() + cut }
    }
}

/// Why a catalog was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// Two tools have one name.
    #[error(
        "tool \"{name}\" is defined twice (positions {first} and {second}, counted from 0); names must be unique: rename one, or give each a different \"server\""
    )]
    DuplicateName {
        /// The name.
        name: String,
        /// Position of the first definition.
        first: usize,
        /// Position of the second.
        second: usize,
    },
    /// A name that had to be resolved cannot be used.
    #[error("tool \"{bare}\" of server \"{server}\" clashes with another server's and cannot be renamed: {source}")]
    Renamed {
        /// The name on its server.
        bare: String,
        /// The label of the server.
        server: String,
        /// What is wrong.
        source: Box<ToolError>,
    },
    /// Two tools that had to be renamed get one name.
    #[error(
        "tool \"{}\" of server \"{}\" and tool \"{}\" of server \"{}\" clash with other servers' and would both become \"{}\"; rename one of them, or give one of the servers another label (the tools' \"server\", or the file's name)",
        one.bare, one.server, two.bare, two.server, two.name
    )]
    RenamedAlike {
        /// What the first would become.
        one: Box<ResolvedName>,
        /// What the second would become.
        two: Box<ResolvedName>,
    },
    /// More tools than the limit.
    #[error("{found} tools, the limit is {limit}; raise the definition limit tools")]
    TooManyTools {
        /// How many there are.
        found: usize,
        /// The limit.
        limit: usize,
    },
}

/// Why a spec such as `bm25(k1=0.9)` was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text is not a spec.
    #[error(
        "cannot read \"{text}\" at character {at}: expected {expected}; a spec looks like name or name(key=value,key=value)"
    )]
    Syntax {
        /// The text.
        text: String,
        /// Position in characters, from 0.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// No part of that kind has this name.
    #[error("unknown {kind} \"{name}\"; known: {known}")]
    Unknown {
        /// What kind of part, for example `ranker`.
        kind: &'static str,
        /// The name given.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// The part has no such parameter.
    #[error("{kind} \"{name}\" has no parameter \"{key}\"; it has: {known}")]
    Parameter {
        /// What kind of part.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The key given.
        key: String,
        /// The known keys, separated by commas.
        known: String,
    },
    /// A parameter's value is out of its range.
    #[error("{kind} \"{name}\": {key} = \"{found}\", expected {expected}")]
    Value {
        /// What kind of part.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The key.
        key: String,
        /// The value given.
        found: String,
        /// What it has to be.
        expected: String,
    },
}

impl SpecError {
    /// A name that no part of a kind has, with the names that there are.
    ///
    /// ```
    /// let error = deferbench_core::error::SpecError::unknown("order", "random", ["sorted", "append"]);
    /// assert_eq!(error.to_string(), "unknown order \"random\"; known: sorted, append");
    /// ```
    pub fn unknown<'a>(kind: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        Self::Unknown { kind, name: name.to_string(), known }
    }
}
