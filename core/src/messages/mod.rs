//! How do a provider's messages become a transcript, and a transcript messages?
//!
//! One file for each wire shape, with a `read` and a `write`: [`openai`] for Chat Completions, [`anthropic`] for Messages.
//! Both follow these rules:
//!
//! - Every assistant message is one step. Its id is [`step_id`](crate::transcript::step_id) with the number of assistant
//!   messages before it.
//! - A result names its call only; the tool is that call's. A result of the search tool whose text is a JSON object is
//!   [`Output::Json`], byte for byte, for a receipt is read from there. Every other text is [`Output::Text`].
//! - Several text parts are one text where the transcript has room for one only: joined by line breaks, as
//!   [`Output::text`] does.
//! - What the transcript cannot hold is an error and is never left out, except for what stands below. So is what the wire
//!   cannot hold.
//!
//! # What the host keeps
//!
//! Messages are no durable log. Where they are all that is stored, the host keeps the rest beside them:
//!
//! - Run ids. `read` puts every message into the one run that it is given, and `write` leaves [`Event::Run`] out. A receipt
//!   names its own run, so that one of an earlier run is dropped with its reason and activates nothing.
//! - The snapshots of the policy `cumulative`: `write` leaves [`Event::Selection`] out.
//! - The system text: `read` passes over it, for policies never look at it.
//! - Members without a place in a transcript, such as `name`, `cache_control` or `citations`. `read` passes over them too.
//! - [`Call::repaired`]. Only the host knows it, so it is not written, and what is read never has it. Nothing depends on it
//!   when a transcript is folded: the receipt that answers the call says what was selected.
//!
//! A host whose messages hold more than this, for example thinking that has to be sent back, keeps its own messages and
//! uses `read` alone.
//!
//! # Example
//!
//! ```
//! use deferbench_core::messages::{anthropic, openai};
//! use serde_json::{Value, json};
//!
//! let found = r#"{"selected":["get_weather"]}"#;
//! let chat = vec![
//!     json!({"role": "user", "content": "Is it raining in Bern?"}),
//!     json!({"role": "assistant", "content": null, "tool_calls": [{
//!         "id": "c1", "type": "function", "function": {"name": "tool_search", "arguments": r#"{"query":"weather"}"#}
//!     }]}),
//!     json!({"role": "tool", "tool_call_id": "c1", "content": found}),
//!     json!({"role": "assistant", "content": "One moment."}),
//! ];
//! let messages = vec![
//!     json!({"role": "user", "content": "Is it raining in Bern?"}),
//!     json!({"role": "assistant", "content": [
//!         {"type": "tool_use", "id": "c1", "name": "tool_search", "input": {"query": "weather"}}
//!     ]}),
//!     json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": found}]}),
//!     json!({"role": "assistant", "content": "One moment."}),
//! ];
//!
//! let transcript = openai::read("run-1", "tool_search", &chat).unwrap();
//! assert_eq!(transcript.last_step().unwrap().0, "message-1");
//! assert_eq!(anthropic::read("run-1", "tool_search", &messages).unwrap(), transcript);
//! assert_eq!(openai::write(&transcript).unwrap(), chat);
//! assert_eq!(anthropic::write(&transcript).unwrap(), messages);
//! ```

pub mod anthropic;
pub mod openai;

use std::collections::HashMap;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::transcript::{Call, Event, Output, Transcript, step_id};

/// Why messages cannot be read, or a transcript cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// A part of a message is not what it has to be.
    #[error("message {position}, \"{member}\": expected {expected}, found {found}; {remedy}")]
    Member {
        /// Position of the message, from 0.
        position: usize,
        /// The member: its path below the message, without positions in arrays.
        member: &'static str,
        /// What it has to be.
        expected: &'static str,
        /// What it is.
        found: String,
        /// What helps.
        remedy: &'static str,
    },
    /// A result answers a call that is not there.
    #[error(
        "message {position}: expected the result of an earlier call, found one of \"{call}\", which no assistant message before it makes; begin with the assistant message of that call, or leave the result out"
    )]
    UnknownCall {
        /// Position of the message, from 0.
        position: usize,
        /// The call's id.
        call: String,
    },
    /// Two calls have one id.
    #[error(
        "message {position}: expected a call id that is new, found \"{call}\" a second time; give each call an id of its own, in its result too"
    )]
    RepeatedCall {
        /// Position of the message, from 0.
        position: usize,
        /// The call's id.
        call: String,
    },
    /// A result holds an image, and the wire has no place for it.
    #[error(
        "event {event}, result of call \"{call}\": expected text, for a tool message of Chat Completions holds nothing else, found an image ({media_type}); describe the image as text, or send it in a user message"
    )]
    Image {
        /// Position of the event in the transcript, from 0.
        event: usize,
        /// The call's id.
        call: String,
        /// The image's media type.
        media_type: String,
    },
    /// The arguments of a call are no object, and the wire takes nothing else.
    #[error(
        "event {event}, arguments of call \"{call}\": expected a JSON object, for the Messages API takes nothing else, found {found}; replace them by an object, for example {{}}"
    )]
    Arguments {
        /// Position of the event in the transcript, from 0.
        event: usize,
        /// The call's id.
        call: String,
        /// What they are, or the parser's words.
        found: String,
    },
}

/// What helps where a part is no text and the transcript holds text only.
const TEXT_INSTEAD: &str = "put a text in its place, for example [image]";

/// The message that is read: it knows how its errors begin and end.
#[derive(Clone, Copy)]
struct At {
    position: usize,
    remedy: &'static str,
}

impl At {
    fn wrong(self, member: &'static str, expected: &'static str, value: Option<&Value>) -> MessageError {
        self.refused(member, expected, found(value), self.remedy)
    }

    fn refused(
        self,
        member: &'static str,
        expected: &'static str,
        found: String,
        remedy: &'static str,
    ) -> MessageError {
        MessageError::Member { position: self.position, member, expected, found, remedy }
    }

    fn text<'v>(self, member: &'static str, value: Option<&'v Value>) -> Result<&'v str, MessageError> {
        value.and_then(Value::as_str).ok_or_else(|| self.wrong(member, "a text", value))
    }

    fn object<'v>(
        self,
        member: &'static str,
        value: Option<&'v Value>,
    ) -> Result<&'v Map<String, Value>, MessageError> {
        value.and_then(Value::as_object).ok_or_else(|| self.wrong(member, "an object", value))
    }

    fn part(self, value: &Value) -> Result<(&str, &Map<String, Value>), MessageError> {
        let part = self.object("content", Some(value))?;
        Ok((self.text("content.type", part.get("type"))?, part))
    }
}

/// The transcript so far, and what a result needs to know about the calls before it.
struct Reader<'a> {
    transcript: Transcript,
    search: &'a str,
    // Call id to the name of its tool.
    tools: HashMap<String, String>,
    steps: usize,
}

impl<'a> Reader<'a> {
    fn new(run: &str, search: &'a str) -> Self {
        let mut transcript = Transcript::new();
        transcript.push(Event::Run { id: run.to_string() });
        Self { transcript, search, tools: HashMap::new(), steps: 0 }
    }

    fn user(&mut self, text: String) {
        self.transcript.push(Event::User { text });
    }

    fn assistant(&mut self, at: At, text: String, calls: Vec<Call>) -> Result<(), MessageError> {
        for call in &calls {
            if self.tools.insert(call.id.clone(), call.name.clone()).is_some() {
                return Err(MessageError::RepeatedCall { position: at.position, call: call.id.clone() });
            }
        }
        self.transcript.push(Event::Assistant { step: step_id(&calls, self.steps), text, calls });
        self.steps += 1;
        Ok(())
    }

    /// Appends a result; a text of the search tool may turn out to be JSON.
    fn result(&mut self, at: At, call: &str, output: Output) -> Result<(), MessageError> {
        let unknown = || MessageError::UnknownCall { position: at.position, call: call.to_string() };
        let tool = self.tools.get(call).ok_or_else(unknown)?.clone();
        let json = tool == self.search && matches!(&output, Output::Text(text) if object(text).is_ok());
        let output = if json { Output::Json(output.text().into_owned()) } else { output };
        self.transcript.push(Event::Result { call: call.to_string(), tool, output });
        Ok(())
    }
}

/// The object that a JSON text is, or what it is instead.
fn object(json: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(json) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(found(Some(&other))),
        Err(error) => Err(format!("no JSON: {error}")),
    }
}

/// A member that is there; providers' own libraries write `null` for one that is not.
fn optional<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    object.get(key).filter(|v| !v.is_null())
}

fn found(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_string(),
        Some(Value::String(text)) => quoted(text),
        Some(Value::Array(_)) => "an array".to_string(),
        Some(Value::Object(_)) => "an object".to_string(),
        Some(scalar) => scalar.to_string(),
    }
}

/// The beginning of a text, for an image in base64 makes no readable error.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{:?} and more", &text[..end]),
        None => format!("{text:?}"),
    }
}
