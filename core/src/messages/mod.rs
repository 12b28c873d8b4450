//! How do a provider's messages become a transcript, and a transcript messages?
//!
//! One file for each wire shape, with a `read` and a `write`: [`openai`] for Chat Completions, [`anthropic`] for
//! Messages. Both follow these rules:
//!
//! - Every assistant message is one step. Its id is [`step_id`] with the number of assistant messages before it; receipts
//!   that a host wrote for steps of other ids are dropped.
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
//! - Run ids. `read` puts every message into the one run that it is given, and `write` leaves [`Event::Run`] out. A
//!   receipt names its own run, so that one of an earlier run is dropped with its reason and activates nothing.
//! - The decision of a threshold: `write` leaves [`Event::Deferral`] out, and the host pushes it back after `read`.
//! - The snapshots of the policy `cumulative`: `write` leaves [`Event::Selection`] out.
//! - The system text: `read` passes over it, for policies never look at it.
//! - Members without a place in a transcript, such as `name`, `cache_control` or `citations`: `read` passes over them.
//! - [`Call::repaired`]. Only the host knows it, so it is not written, and what is read never has it. Nothing depends on
//!   it when a transcript is folded: the receipt that answers the call says what was selected.
//! - [`Call::bridged`]. What is written is the executor's call, and a call that is read is the executor's.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::transcript::Block;

    const SEARCH: &str = "tool_search";

    /// What is generated: an event without ids, for the ids follow from the position.
    #[derive(Debug, Clone)]
    enum Part {
        User(String),
        /// Text, and calls: whether of the search tool, and with which arguments.
        Assistant(String, Vec<(bool, Value)>),
        /// Which of the calls before is answered, and with what; without a call before it nothing.
        Result(usize, Reply),
    }

    #[derive(Debug, Clone)]
    enum Reply {
        Text(String),
        Object(Value),
        Error(String),
        Images(Vec<Option<String>>),
    }

    /// The words of both wires, so that generated JSON comes close to messages.
    fn word() -> impl Strategy<Value = String> {
        let words = "role content tool tool_calls tool_call_id id type function name arguments user assistant system text \
                     refusal image source base64 media_type data tool_use tool_result tool_use_id input is_error thinking \
                     tool_search c0 c1";
        prop::sample::select(words.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            word().prop_map(Value::from),
            "\\PC{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::from), members(inner)]
        })
    }

    fn members(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
        vec((word(), value), 0..6).prop_map(|members| members.into_iter().collect())
    }

    fn parts(blocks: bool) -> impl Strategy<Value = Vec<Part>> {
        let text = || "\\PC{0,8}|\\{\"a\": *1\\}";
        let plain = prop_oneof![text().prop_map(Reply::Text), members(any_json()).prop_map(Reply::Object)];
        let images = vec(prop::option::of(text()), 0..3).prop_map(Reply::Images);
        let all = prop_oneof![plain.clone(), text().prop_map(Reply::Error), images];
        let reply = if blocks { all.boxed() } else { plain.boxed() };
        let calls = vec((any::<bool>(), members(any_json())), 0..4);
        let part = prop_oneof![
            1 => text().prop_map(Part::User),
            2 => (text(), calls).prop_map(|(text, calls)| Part::Assistant(text, calls)),
            4 => (0..8usize, reply).prop_map(|(call, reply)| Part::Result(call, reply)),
        ];
        vec(part, 0..12)
    }

    fn name(search: bool) -> &'static str {
        if search { SEARCH } else { "read_file" }
    }

    fn output(search: bool, reply: &Reply) -> Output {
        let block = |text: &Option<String>| match text {
            Some(text) => Block::Text(text.clone()),
            None => Block::Image { media_type: "image/png".into(), data: "AA==".into() },
        };
        match reply {
            Reply::Object(object) if search => Output::Json(object.to_string()),
            Reply::Object(object) => Output::Text(object.to_string()),
            // An object as the text of a search is the other case.
            Reply::Text(text) if search => Output::Text(format!("-{text}")),
            Reply::Text(text) => Output::Text(text.clone()),
            Reply::Error(text) => Output::Error(text.clone()),
            Reply::Images(texts) => Output::Content(texts.iter().chain([&None]).map(block).collect()),
        }
    }

    fn transcript(parts: &[Part]) -> Transcript {
        let (mut transcript, mut tools, mut steps) = (Transcript::new(), Vec::new(), 0);
        transcript.push(Event::Run { id: "r1".into() });
        for part in parts {
            transcript.push(match part {
                Part::User(text) => Event::User { text: text.clone() },
                Part::Assistant(text, asked) => {
                    let mut calls = Vec::new();
                    for (search, arguments) in asked {
                        calls.push(Call::new(format!("c{}", tools.len()), name(*search), arguments.to_string()));
                        tools.push(*search);
                    }
                    steps += 1;
                    Event::Assistant { step: step_id(&calls, steps - 1), text: text.clone(), calls }
                }
                Part::Result(_, _) if tools.is_empty() => continue,
                Part::Result(call, reply) => {
                    let (call, search) = (call % tools.len(), tools[call % tools.len()]);
                    Event::Result { call: format!("c{call}"), tool: name(search).into(), output: output(search, reply) }
                }
            });
        }
        transcript
    }

    /// The messages of the same parts, written down without [`openai::write`].
    fn chat(parts: &[Part]) -> Vec<Value> {
        let (mut messages, mut tools) = (Vec::new(), Vec::new());
        for part in parts {
            messages.push(match part {
                Part::User(text) => json!({"role": "user", "content": text}),
                Part::Assistant(text, asked) if asked.is_empty() => json!({"role": "assistant", "content": text}),
                Part::Assistant(text, asked) => {
                    let mut calls = Vec::new();
                    for (search, arguments) in asked {
                        let function = json!({"name": name(*search), "arguments": arguments.to_string()});
                        calls
                            .push(json!({"id": format!("c{}", tools.len()), "type": "function", "function": function}));
                        tools.push(*search);
                    }
                    let content = if text.is_empty() { Value::Null } else { json!(text) };
                    json!({"role": "assistant", "content": content, "tool_calls": calls})
                }
                Part::Result(_, _) if tools.is_empty() => continue,
                Part::Result(call, reply) => {
                    let call = call % tools.len();
                    let content = output(tools[call], reply).text().into_owned();
                    json!({"role": "tool", "tool_call_id": format!("c{call}"), "content": content})
                }
            });
        }
        messages
    }

    /// The messages of the same parts, written down without [`anthropic::write`].
    fn blocks(parts: &[Part]) -> Vec<Value> {
        let (mut messages, mut tools, mut open): (Vec<Value>, _, _) = (Vec::new(), Vec::new(), false);
        for part in parts {
            let (role, content) = match part {
                Part::User(text) => ("user", json!(text)),
                Part::Assistant(text, asked) if asked.is_empty() => ("assistant", json!(text)),
                Part::Assistant(text, asked) => {
                    let mut blocks = if text.is_empty() { vec![] } else { vec![json!({"type": "text", "text": text})] };
                    for (search, input) in asked {
                        let id = format!("c{}", tools.len());
                        blocks.push(json!({"type": "tool_use", "id": id, "name": name(*search), "input": input}));
                        tools.push(*search);
                    }
                    ("assistant", json!(blocks))
                }
                Part::Result(_, _) if tools.is_empty() => continue,
                Part::Result(call, reply) => {
                    let call = call % tools.len();
                    let source = json!({"type": "base64", "media_type": "image/png", "data": "AA=="});
                    let block = |text: &Option<String>| match text {
                        Some(text) => json!({"type": "text", "text": text}),
                        None => json!({"type": "image", "source": source}),
                    };
                    let content = match reply {
                        Reply::Images(texts) => json!(texts.iter().chain([&None]).map(block).collect::<Vec<_>>()),
                        _ => json!(output(tools[call], reply).text()),
                    };
                    let mut result =
                        json!({"type": "tool_result", "tool_use_id": format!("c{call}"), "content": content});
                    if matches!(reply, Reply::Error(_)) {
                        result["is_error"] = json!(true);
                    }
                    if open {
                        let last = messages.last_mut().unwrap();
                        last["content"].as_array_mut().unwrap().push(result);
                        continue;
                    }
                    ("user", json!([result]))
                }
            };
            open = matches!(part, Part::Result(_, _));
            messages.push(json!({"role": role, "content": content}));
        }
        messages
    }

    /// Puts a value in the place of the `at`-th value below the messages, the messages themselves included.
    fn replace(messages: &mut [Value], at: usize, value: Value) {
        let mut paths: Vec<(usize, String)> = Vec::new();
        let mut open: Vec<(usize, String, &Value)> =
            messages.iter().enumerate().map(|(i, m)| (i, String::new(), m)).collect();
        while let Some((i, path, value)) = open.pop() {
            match value {
                Value::Array(items) => {
                    open.extend(items.iter().enumerate().map(|(k, v)| (i, format!("{path}/{k}"), v)))
                }
                Value::Object(members) => open.extend(members.iter().map(|(k, v)| (i, format!("{path}/{k}"), v))),
                _ => {}
            }
            paths.push((i, path));
        }
        if let Some((i, path)) = paths.get(at % paths.len().max(1)) {
            *messages[*i].pointer_mut(path).unwrap() = value;
        }
    }

    type Read = fn(&str, &str, &[Value]) -> Result<Transcript, MessageError>;
    type Write = fn(&Transcript) -> Result<Vec<Value>, MessageError>;
    const WIRES: [(Read, Write); 2] = [(openai::read, openai::write), (anthropic::read, anthropic::write)];

    /// Hostile messages are refused with a short error, or read; what is read is written and then read as the same.
    fn survives(messages: &[Value]) -> Result<(), TestCaseError> {
        for (read, write) in WIRES {
            match read("r1", SEARCH, messages) {
                Ok(transcript) => {
                    let written = write(&transcript);
                    prop_assert!(written.is_ok(), "{:?}", written);
                    prop_assert_eq!(read("r1", SEARCH, &written.unwrap()), Ok(transcript));
                }
                Err(error) => prop_assert!(error.to_string().starts_with("message ")),
            }
        }
        Ok(())
    }

    /// What a receipt activates is activated after either wire too, a repaired call included.
    #[test]
    fn an_activation_survives_the_wire() {
        use crate::session::Session;
        use crate::surface::{Surface, SurfaceConfig};
        let catalog =
            crate::testing::catalog(&[("get_weather", "Tells the weather."), ("send_mail", "Sends a letter.")]);
        let (_, policy) = crate::policy::build("replace").unwrap();
        let surface = Arc::new(Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap());
        let mut session = Session::new(surface.clone(), "r1");
        let request = session.step(&[]).unwrap();
        let calls = vec![Call::new("c1", "get_weather", r#"{"city":"Bern"}"#)];
        let calls = session.receive(&request, &step_id(&calls, 0), "", calls);
        session.search(&calls[0]);
        let transcript = session.transcript();
        let request = surface.request(transcript, &[]).unwrap();
        assert_eq!(request.activated.len(), 1);
        for (read, write) in WIRES {
            let messages = write(transcript).unwrap();
            let again = |run| surface.request(&read(run, "tool_search", &messages).unwrap(), &[]).unwrap();
            assert_eq!(again("r1"), request);
            let other = again("r2");
            assert_eq!((other.activated.len(), other.dropped.len()), (0, 1));
        }
    }

    proptest! {
        /// The wire keeps a transcript, and a transcript keeps messages to the byte: Chat Completions.
        #[test]
        fn chat_completions_round_trip(parts in parts(false)) {
            let (transcript, messages) = (transcript(&parts), chat(&parts));
            let written = openai::write(&transcript).unwrap();
            prop_assert_eq!(Value::from(written).to_string(), Value::from(messages.clone()).to_string());
            prop_assert_eq!(openai::read("r1", SEARCH, &messages), Ok(transcript));
        }

        /// The wire keeps a transcript, and a transcript keeps messages to the byte: Messages.
        #[test]
        fn messages_round_trip(parts in parts(true)) {
            let (transcript, messages) = (transcript(&parts), blocks(&parts));
            let written = anthropic::write(&transcript).unwrap();
            prop_assert_eq!(Value::from(written).to_string(), Value::from(messages.clone()).to_string());
            prop_assert_eq!(anthropic::read("r1", SEARCH, &messages), Ok(transcript));
        }

        #[test]
        fn no_json_makes_reading_panic(messages in vec(prop_oneof![any_json(), members(any_json())], 0..4)) {
            survives(&messages)?;
        }

        /// One value of real messages replaced: this gets past the first checks.
        #[test]
        fn one_hostile_value_is_survived(parts in parts(true), at in any::<usize>(), value in any_json()) {
            for mut messages in [chat(&parts), blocks(&parts)] {
                replace(&mut messages, at, value.clone());
                survives(&messages)?;
            }
        }
    }
}
