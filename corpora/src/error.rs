//! What can be wrong with a corpus, and what helps?

use std::path::PathBuf;

use deferbench_core::error::{CatalogError, SpecError, ToolError};
use thiserror::Error;

/// Why a corpus was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// A file is larger than any input, or has no end.
    #[error("{}: larger than {} MiB, the most that one file may hold; split it into several files", path.display(), limit >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes.
        limit: u64,
    },
    /// A file is not UTF-8.
    #[error("{}: line {line}: not UTF-8 (byte {byte} of the file); save it as UTF-8", path.display())]
    Utf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The offset of the first wrong byte.
        byte: usize,
    },
    /// A file is not JSON, or not of the expected shape.
    #[error("{}: line {line}: {detail}; expected {expected}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
        /// What the file has to hold.
        expected: &'static str,
    },
    /// A folder holds another bundle than the one to write.
    #[error(
        "{}: {file} of another bundle lies here and would be lost or read with the new tools; give a new or empty folder \
         with --out, or delete the other bundle first",
        folder.display()
    )]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// The file or folder in it.
        file: &'static str,
    },
    /// A listing says that more tools follow.
    #[error(
        "{}: {tools} tools and nextCursor {cursor}: this is one page of several; put the tools of every page into one array \
         (`import mcp` fetches them all), or remove nextCursor if this page is all you want",
        path.display()
    )]
    Partial {
        /// The file.
        path: PathBuf,
        /// Tools of this page.
        tools: usize,
        /// The cursor as spelled.
        cursor: String,
    },
    /// One tool definition is wrong.
    #[error("{}: tool {position} (from 0){}: {source}", path.display(), name.as_ref().map(|n| format!(", \"{n}\"")).unwrap_or_default())]
    Tool {
        /// The file.
        path: PathBuf,
        /// Position in the file's list, from 0.
        position: usize,
        /// The tool's name, where it has one.
        name: Option<String>,
        /// What is wrong.
        source: Box<ToolError>,
    },
    /// The tools do not make a catalog.
    #[error("{}: {source}", path.display())]
    Catalog {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        source: CatalogError,
    },
    /// A query is wrong.
    #[error("{}: line {line}: query \"{id}\": {problem}", path.display())]
    Query {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The query's id.
        id: String,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// A session is wrong.
    #[error("{}: line {line}: session \"{id}\": {problem}", path.display())]
    Session {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The session's id.
        id: String,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// Nothing to load.
    #[error("{}: {problem}; a corpus is a bundle folder (catalog.json), a tools/list JSON file, a folder of such files, or gen(tools=100,seed=7)", path.display())]
    Nothing {
        /// What was given.
        path: PathBuf,
        /// What is missing.
        problem: &'static str,
    },
    /// A spec such as `gen(tools=10)` is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A catalog page in Markdown holds nothing that can be used.
    #[error("{}: line {line}: {problem}", path.display())]
    Markdown {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// An importer cannot use a file.
    #[error("{}: {problem}", path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what helps.
        problem: String,
    },
    /// The texts of the seed's benchmark are incomplete.
    #[error("{}: {problem}", path.display())]
    Seed {
        /// The folder.
        path: PathBuf,
        /// What is missing, and what helps.
        problem: String,
    },
}

impl CorpusError {
    /// Places a JSON error: `first_line` is the line of the file on which the text begins, from 1.
    pub(crate) fn json(
        path: &std::path::Path,
        first_line: usize,
        e: &serde_json::Error,
        expected: &'static str,
    ) -> Self {
        // The parser counts lines inside the text it was given; its own position would contradict the file's.
        let detail = without_place(e);
        let detail = detail.as_str();
        let detail = if detail == "number out of range" { "a number is out of range" } else { detail };
        // A wrong value is quoted by the parser; a long one would bury the message.
        let mut chars = detail.chars();
        let mut detail: String = chars.by_ref().take(200).collect();
        if chars.next().is_some() {
            detail.push('…');
        }
        let line = first_line + e.line().max(1) - 1;
        Self::Json { path: path.to_path_buf(), line, detail, expected }
    }
}

/// A text without the byte-order mark that some editors put first.
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The parser's words without its own count of lines.
pub fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(words, _)| words.to_string())
}

/// The line on which a byte of a text stands, from 1; past the end, the last one.
pub fn line_at(text: &[u8], byte: usize) -> usize {
    text.iter().take(byte).filter(|b| **b == b'\n').count() + 1
}

/// The line of a text on which its TOML is wrong, from 1.
pub fn toml_line(text: &str, error: &toml::de::Error) -> usize {
    error.span().map_or(1, |span| line_at(text.as_bytes(), span.start))
}
