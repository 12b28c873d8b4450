//! What does a real MCP server look like that lists a given catalog, byte for byte, and misbehaves when asked?
//!
//! The protocol is rmcp's, in a runtime that lives in here alone. rmcp's own tool type forgets unknown members and spells
//! numbers anew; so a page is handed to it as one stand-in, and the definitions take its place on their way out.

mod handler;
mod http;
mod incoming;
mod misbehaviour;
mod raw;
mod stdio;

use std::collections::HashSet;
use std::net::SocketAddr;

use thiserror::Error;

use crate::bundle::definition;
use crate::corpus::Corpus;
use crate::mcp::MAX_MESSAGE;
use handler::Shared;

pub use misbehaviour::{MISBEHAVIOURS, Misbehaviour, Options, Takes};

/// The name by which the server introduces itself.
pub const NAME: &str = "deferbench-fixture";

/// Why the server could not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FixtureError {
    /// The address cannot be listened on.
    #[error("{address}: {source}; 127.0.0.1:0 takes a free port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's words.
        source: std::io::Error,
    },
    /// The peer broke the protocol before anything was listed.
    #[error("the client did not open a session: {0}")]
    Session(String),
    /// The client sent a line without an end.
    #[error("the client sent a message of more than {} MiB, which was not read to its end; a message ends with its line", MAX_MESSAGE >> 20)]
    TooLong,
    /// Input and output failed.
    #[error("the connection failed: {0}")]
    Io(#[from] std::io::Error),
}

/// Serves a corpus over standard input and output until the input ends.
///
/// # Errors
/// [`FixtureError`].
pub fn serve_stdio(corpus: &Corpus, options: Options) -> Result<(), FixtureError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(stdio::serve(shared(corpus, options)));
    // A read of standard input cannot be cancelled; nobody waits for it.
    runtime.shutdown_background();
    served
}

/// Serves a corpus over streamable HTTP until the process ends; `ready` gets the address as soon as it can be asked.
///
/// # Errors
/// [`FixtureError`].
pub fn serve_http(
    corpus: &Corpus,
    options: Options,
    address: SocketAddr,
    ready: impl FnOnce(&str),
) -> Result<(), FixtureError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(http::serve(shared(corpus, options), address, ready))
}

fn shared(corpus: &Corpus, options: Options) -> Shared {
    let tools = corpus.catalog.tools();
    let names: HashSet<String> = tools.iter().map(|t| t.name().to_string()).collect();
    let definitions = tools.iter().map(|t| (t.name().to_string(), definition(t))).collect();
    Shared::new(corpus.name.clone(), names, definitions, options)
}
