//! What can a server do wrong?

use deferbench_core::error::ToolError;
use thiserror::Error;

use super::{MAX_BYTES, MAX_MESSAGE, MAX_PAGES, MAX_STRAY};

/// Why no listing came.
#[derive(Debug, Error)]
#[error("{target}: {problem}{}", stderr.as_ref().map(|s| format!("; its last line on standard error: {s:?}")).unwrap_or_default())]
pub struct McpError {
    /// The command or address.
    pub target: String,
    /// What happened.
    pub problem: Problem,
    /// The last line a started server wrote to standard error.
    pub stderr: Option<String>,
}

/// What happened. `asked` is the request, with its page where there is more than one.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The program does not start.
    #[error("cannot be started: {0}; check the spelling, and that the program is installed")]
    Start(std::io::Error),
    /// The address is none, or of a kind that is not spoken here.
    #[error("{0}")]
    Address(String),
    /// Nothing came in time.
    #[error("did not answer {asked} within {seconds} s{}; --timeout SECONDS gives it more", stray_note(stray))]
    NoAnswer {
        /// The request.
        asked: String,
        /// The limit.
        seconds: f64,
        /// What came instead.
        stray: Option<String>,
    },
    /// The server ended, or closed the connection.
    #[error("ended before it answered {asked}{}{}", status.as_ref().map(|s| format!(" ({s})")).unwrap_or_default(), stray_note(stray))]
    Ended {
        /// The request.
        asked: String,
        /// How the process ended, where it is known.
        status: Option<String>,
        /// What came instead.
        stray: Option<String>,
    },
    /// One message without an end.
    #[error("sent a message of more than {} MiB while {asked} was asked; it was not read to its end", MAX_MESSAGE >> 20)]
    TooLong {
        /// The request.
        asked: String,
    },
    /// Messages without an end.
    #[error("sent more than {MAX_STRAY} lines or {} MiB while {asked} was asked, and no answer{}", MAX_BYTES >> 20, stray_note(stray))]
    Flood {
        /// The request.
        asked: String,
        /// What came instead.
        stray: Option<String>,
    },
    /// A JSON-RPC error.
    #[error("answered {asked} with error {code}: {message}")]
    Refused {
        /// The request.
        asked: String,
        /// The JSON-RPC error code.
        code: i64,
        /// The server's words.
        message: String,
    },
    /// An answer that is not of the protocol.
    #[error("answered {asked} with something else than {expected}: {detail}")]
    Nonsense {
        /// The request.
        asked: String,
        /// What the protocol says.
        expected: &'static str,
        /// What came.
        detail: String,
    },
    /// An answer whose id is not that of the request.
    #[error("answered {asked} under another id: found {found}, expected {expected}, as it was sent")]
    Id {
        /// The request.
        asked: String,
        /// The id of the answer, as spelled.
        found: String,
        /// The id of the request.
        expected: u64,
    },
    /// A message in another encoding.
    #[error(
        "sent a message while {asked} was asked that is not UTF-8 (byte {byte} of its line, from 0); MCP is UTF-8 only"
    )]
    Utf8 {
        /// The request.
        asked: String,
        /// The offset of the first wrong byte.
        byte: usize,
    },
    /// An HTTP status other than success.
    #[error("answered {asked} with HTTP status {status}{}", if body.is_empty() { String::new() } else { format!(": {body}") })]
    Status {
        /// The request.
        asked: String,
        /// The status code.
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// The connection failed.
    #[error("{asked} could not be sent: {detail}")]
    Connection {
        /// The request.
        asked: String,
        /// The system's words.
        detail: String,
    },
    /// A paging that goes on for ever.
    #[error("lists more than {MAX_PAGES} pages; a server that pages for ever cannot be imported")]
    Pages,
    /// A paging that goes in circles.
    #[error("page {page} of tools/list leads to the cursor {cursor:?} again, so the listing has no end")]
    Circle {
        /// The page, from 1.
        page: usize,
        /// The cursor.
        cursor: String,
    },
    /// More tools than the limit.
    #[error("lists more than {limit} tools; the limit is the option `tools`")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// A definition that is none.
    #[error("tool {position} (from 0){}: {source}", name.as_ref().map(|n| format!(", {n:?}")).unwrap_or_default())]
    Tool {
        /// Position in the whole listing, from 0.
        position: usize,
        /// Its name, where it has one.
        name: Option<String>,
        /// What is wrong.
        source: Box<ToolError>,
    },
}

fn stray_note(stray: &Option<String>) -> String {
    stray.as_ref().map(|s| format!(" ({s})")).unwrap_or_default()
}

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    let mut chars = text.trim().chars();
    let mut out: String = chars.by_ref().take(120).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() {
        out.push('…');
    }
    out
}
