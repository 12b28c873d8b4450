//! Which tools does a running MCP server list, byte for byte?
//!
//! A typed client would drop unknown members and spell numbers anew; here the answers of the server are kept as they
//! came, over standard input and output or over streamable HTTP. No async runtime is needed for that.

mod client;
mod difference;
mod error;
mod http;
mod message;
mod stdio;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use deferbench_core::{Catalog, Limits, Tool};

use crate::bundle;
use crate::corpus::{Corpus, first_twice, sha256_of};
use crate::error::CorpusError;

pub use difference::{Difference, compare};
pub use error::{McpError, Problem};

/// The newest protocol version with a handshake; a server may answer with an older one.
pub const PROTOCOL: &str = "2025-11-25";

/// Pages of one listing; a server that goes on after that is taken to go on for ever.
pub const MAX_PAGES: usize = 1_000;

/// Bytes of one message.
pub const MAX_MESSAGE: usize = 64 << 20;

/// Bytes of one connection.
pub const MAX_BYTES: usize = 256 << 20;

/// Lines or messages of one connection that answer nothing that was asked.
pub const MAX_STRAY: usize = 10_000;

/// Where the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A program and its arguments: the server is started and spoken to over standard input and output.
    Command(Vec<OsString>),
    /// The address of a server that runs already: streamable HTTP.
    Url(String),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::Command(words) => {
                let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
                f.write_str(&words.join(" "))
            }
        }
    }
}

/// How a server is asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// Time for one connection, from its start to its last page.
    pub timeout: Duration,
    /// What a definition may be.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), limits: Limits::default() }
    }
}

/// What a server says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// `serverInfo.name`.
    pub name: String,
    /// `serverInfo.version`.
    pub version: String,
    /// The protocol version it answered with.
    pub protocol: String,
    /// True: the server says that its tools bear their labels already, as the fixture server does.
    pub labels_kept: bool,
}

/// One listing: everything a server answered to `tools/list`.
#[derive(Debug, Clone)]
pub struct Listing {
    /// What the server says about itself.
    pub server: ServerInfo,
    /// The answers as they came, one JSON-RPC message a page.
    pub pages: Vec<String>,
    /// The tools of all pages, in their order.
    pub tools: Vec<Tool>,
    /// What was odd, and did no harm.
    pub warnings: Vec<String>,
}

impl Listing {
    /// The bytes of the listing as they came, one message a line.
    pub fn raw(&self) -> String {
        self.pages.iter().map(|page| format!("{page}\n")).collect()
    }

    /// The tools, those that name no server with `label`, or else with the server's own name.
    fn labelled(&self, label: Option<&str>) -> Vec<Tool> {
        let own = if self.server.labels_kept { "" } else { self.server.name.as_str() };
        let label = label.unwrap_or(own);
        let labelled = |tool: &Tool| match tool.server() {
            None if !label.is_empty() => tool.clone().with_server(label),
            _ => tool.clone(),
        };
        self.tools.iter().map(labelled).collect()
    }

    /// The text of a `catalog.json`. Tools that name no server get `label`, or else the server's own name.
    pub fn catalog_json(&self, label: Option<&str>) -> String {
        bundle::catalog_json(&self.labelled(label))
    }

    /// The listing as a corpus; tools that name no server get the server's own name as label.
    ///
    /// # Errors
    /// [`CorpusError`] when the server lists nothing, or two tools of one name.
    pub fn corpus(&self, target: &Target) -> Result<Corpus, CorpusError> {
        let path = PathBuf::from(target.to_string());
        if self.tools.is_empty() {
            return Err(CorpusError::Nothing { path, problem: "the server lists no tools" });
        }
        let tools = self.labelled(None);
        let sha256 = sha256_of([bundle::catalog_json(&tools).as_str()]);
        let catalog = Catalog::new(tools).map_err(|source| CorpusError::Catalog { path, source })?;
        Ok(Corpus::of(self.server.name.clone(), sha256, catalog))
    }

    /// The first tool whose name an earlier tool has, with both positions.
    pub fn duplicate(&self) -> Option<(&str, usize, usize)> {
        let (first, second) = first_twice(self.tools.iter().map(Tool::name))?;
        Some((self.tools[second].name(), first, second))
    }
}

/// Connects to a server, lists its tools, and ends the connection; a started server is ended too.
///
/// # Errors
/// [`McpError`]: what the server did, at which request, and its last line on standard error.
///
/// ```
/// use deferbench_corpora::mcp::{Options, Target, list};
/// let target = Target::Command(vec!["no-such-program".into()]);
/// let error = list(&target, &Options::default()).unwrap_err().to_string();
/// assert!(error.starts_with("no-such-program: cannot be started: "));
/// ```
pub fn list(target: &Target, options: &Options) -> Result<Listing, McpError> {
    let deadline = Instant::now() + options.timeout;
    let fail = |problem, stderr| McpError { target: target.to_string(), problem, stderr };
    match target {
        Target::Command(words) => {
            let mut wire = stdio::Stdio::start(words, options, deadline).map_err(|problem| fail(problem, None))?;
            client::list(&mut wire, &options.limits).map_err(|problem| fail(problem, wire.last_words()))
        }
        Target::Url(url) => {
            let mut wire = http::Http::new(url, options, deadline).map_err(|problem| fail(problem, None))?;
            client::list(&mut wire, &options.limits).map_err(|problem| fail(problem, None))
        }
    }
}
