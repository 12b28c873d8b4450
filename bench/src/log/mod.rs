//! What was really sent? Recorded request bodies, one JSON object a line.
//!
//! The order of members in an HTTP body is not the order in which a provider lays a prompt out. A body is therefore taken
//! apart into tools, system text and messages, and rendered again in the order of a cache profile. Fields of the transport
//! (`stream`, `max_tokens`, `metadata`) are no part of it; cache markers become breakpoints.

use std::path::{Path, PathBuf};

use deferbench_core::cache::Kind;
use deferbench_core::error::SpecError;
use deferbench_corpora::error::without_place;
use serde_json::{Map, Value};

mod error;
mod json;
mod measure;
mod render;
mod show;
mod totals;

pub use error::{LogError, Wrong};
pub use measure::{Measured, Row, Use, measure};
pub use show::{blocks, csv, json};
pub use totals::{Sum, Totals};

deferbench_core::entries! {
    /// Every form of a body; the first that knows a body reads it.
    pub static SHAPES: [Shape] = { gemini, openai_responses, anthropic, openai_chat }
}

/// The declaration of a form of request bodies.
pub struct Shape {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: whose bodies these are.
    pub summary: &'static str,
    /// Where the form is published.
    pub source: &'static str,
    /// The cache profile of such requests where none is given.
    pub profile: &'static str,
    /// True for a body of this form.
    pub knows: fn(&Map<String, Value>) -> bool,
    /// Takes a body apart.
    pub read: fn(&Map<String, Value>) -> Result<Body, Wrong>,
    /// Reads the usage of an answer.
    pub usage: fn(&Map<String, Value>) -> Result<Reported, Wrong>,
}

impl Shape {
    /// The form of a name.
    ///
    /// # Errors
    /// [`SpecError::Unknown`], listing the known names.
    pub fn find(name: &str) -> Result<&'static Shape, SpecError> {
        let unknown = || SpecError::unknown("shape", name, SHAPES.iter().map(|s| s.name));
        SHAPES.iter().find(|s| s.name == name).copied().ok_or_else(unknown)
    }
}

/// A request in parts that no provider's spelling shows through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// Definitions that the model sees from the start.
    pub tools: Vec<Piece>,
    /// System text.
    pub system: Vec<Piece>,
    /// The history; definitions inside it stand where they were loaded.
    pub messages: Vec<Piece>,
    /// True: the cache places a breakpoint by itself.
    pub automatic: bool,
}

/// One piece of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: Kind,
    /// The tool's name; empty for system text and messages.
    pub name: String,
    /// As compact JSON or plain text.
    pub text: String,
    /// Content blocks in it.
    pub blocks: u64,
    /// True: a breakpoint stands after it.
    pub marked: bool,
}

/// What the provider says about a request; none: it does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reported {
    /// Tokens read from the cache.
    pub cached: Option<u64>,
    /// Tokens written to the cache.
    pub written: Option<u64>,
    /// All tokens of the prompt.
    pub prompt: Option<u64>,
}

/// One line of a log.
pub struct Entry {
    /// The line, from 1.
    pub line: usize,
    /// The form of its body.
    pub shape: &'static Shape,
    /// The model; empty where the body names none.
    pub model: String,
    /// Second at which it started.
    pub at_s: Option<u64>,
    /// The request.
    pub body: Body,
    /// What the provider says.
    pub reported: Option<Reported>,
}

const FORMS: &str = "a request body of OpenAI (messages or input), Anthropic (messages) or Gemini (contents), or one as \
                     {\"request\": body}";

/// Reads a log. Empty lines are passed over.
///
/// # Errors
/// [`LogError`] for the first wrong line, a log without requests, and times that are missing in part or run backwards.
pub fn read(path: &Path, text: &str, shape: Option<&'static Shape>) -> Result<Vec<Entry>, LogError> {
    let refuse = |line: usize| move |wrong: Wrong| LogError::Line { path: PathBuf::from(path), line, wrong };
    let mut entries: Vec<Entry> = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let value: Value = serde_json::from_str(text).map_err(|e| {
            let found = format!("no JSON (column {}: {})", e.column(), without_place(&e));
            refuse(line)(Wrong::new("the line", found, FORMS, "write each request as JSON without line breaks"))
        })?;
        let entry = entry(line, &value, shape).map_err(refuse(line))?;
        if let Some(before) = entries.last() {
            in_time(before, &entry).map_err(refuse(line))?;
        }
        entries.push(entry);
    }
    if entries.is_empty() { Err(LogError::Empty { path: path.into() }) } else { Ok(entries) }
}

fn entry(line: usize, value: &Value, shape: Option<&'static Shape>) -> Result<Entry, Wrong> {
    let whole = json::object(value, "the line", FORMS)?;
    let request = whole.get("request");
    let body = request.map_or(Ok(whole), |request| json::object(request, "request", FORMS))?;
    let known = || SHAPES.iter().find(|shape| (shape.knows)(body)).copied();
    let shape = shape.or_else(known).ok_or_else(|| {
        let members: Vec<&str> = body.keys().map(String::as_str).take(8).collect();
        let found = if members.is_empty() { "no members".into() } else { format!("members {}", members.join(", ")) };
        Wrong::new("the request", found, FORMS, "record what is sent to the provider, before any wrapper of your own")
    })?;
    let usage = match request {
        Some(_) => usage(whole)?.map(|usage| (shape.usage)(usage)).transpose()?,
        None => None,
    };
    Ok(Entry {
        line,
        shape,
        model: json::text(body, "model")?.unwrap_or_default().to_string(),
        at_s: if request.is_some() { json::seconds(whole, "at")? } else { None },
        body: (shape.read)(body)?,
        reported: usage,
    })
}

/// The usage beside a request: its own member, or that of the answer.
fn usage(whole: &Map<String, Value>) -> Result<Option<&Map<String, Value>>, Wrong> {
    let answer = json::member(whole, "response")?;
    let members = [Some(whole), answer].into_iter().flatten().flat_map(|of| [(of, "usage"), (of, "usageMetadata")]);
    for (of, key) in members {
        if let Some(found) = json::member(of, key)? {
            // A usage that was copied with its name around it.
            return Ok(Some(json::member(found, "usageMetadata")?.unwrap_or(found)));
        }
    }
    Ok(None)
}

fn in_time(before: &Entry, now: &Entry) -> Result<(), Wrong> {
    const REMEDY: &str = "give the second of each request as \"at\" on every line, sorted, or on none";
    let found = |at: Option<u64>| at.map_or("nothing".to_string(), |at| format!("{at} s"));
    let (ok, expected) = match (before.at_s, now.at_s) {
        (Some(before), Some(now)) => (before <= now, "a time not before that of the request before"),
        (Some(_), None) => (false, "a time, as on the lines before"),
        (None, Some(_)) => (false, "no time, as on the lines before"),
        (None, None) => (true, ""),
    };
    if ok { Ok(()) } else { Err(Wrong::new("at", found(now.at_s), expected, REMEDY)) }
}
