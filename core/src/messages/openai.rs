//! How do the messages of OpenAI's Chat Completions become a transcript, and back?
//!
//! Beside the rules of [`messages`](super):
//!
//! - The roles `system` and `developer` hold system text; `read` passes over them.
//! - `arguments` is text on this wire, kept byte for byte even where it is not JSON.
//! - A refusal is what the model says: it is read as text, and written as text.
//! - Only calls of functions are read. A custom call has arguments that are no JSON; `function_call` has no id.
//! - A tool message holds one text. [`Output::Error`] and [`Output::Content`] are written as theirs and read back like any
//!   other text, for the wire marks neither.

use serde_json::{Map, Value, json};

use super::{At, MessageError, Reader, TEXT_INSTEAD, found, optional, quoted};
use crate::transcript::{Block, Call, Event, Output, Transcript};

const REMEDY: &str = "pass the message as the Chat Completions API gives and takes it";

/// Reads the `messages` of a request, all of them as part of one run; `search` is the name of the search tool.
///
/// # Errors
/// [`MessageError`] for the first message that is malformed, answers no earlier call, repeats a call id, or holds what a
/// transcript cannot, such as an image of the user.
///
/// ```
/// use deferbench_core::messages::openai;
/// let image = serde_json::json!({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]});
/// assert_eq!(
///     openai::read("r1", "tool_search", &[image]).unwrap_err().to_string(),
///     "message 0, \"content.type\": expected \"text\", found \"image_url\"; put a text in its place, for example [image]"
/// );
/// ```
pub fn read(run: &str, search: &str, messages: &[Value]) -> Result<Transcript, MessageError> {
    let mut reader = Reader::new(run, search);
    for (position, message) in messages.iter().enumerate() {
        let at = At { position, remedy: REMEDY };
        let message = at.object("message", Some(message))?;
        let content = message.get("content");
        match at.text("role", message.get("role"))? {
            "system" | "developer" => {}
            "user" => reader.user(text(at, content, &["text"])?),
            "assistant" => reader.assistant(at, says(at, message)?, calls(at, message)?)?,
            "tool" => {
                let call = at.text("tool_call_id", message.get("tool_call_id"))?;
                reader.result(at, call, Output::Text(text(at, content, &["text"])?))?;
            }
            other => {
                let expected = "\"system\", \"developer\", \"user\", \"assistant\" or \"tool\"";
                return Err(at.refused("role", expected, quoted(other), REMEDY));
            }
        }
    }
    Ok(reader.transcript)
}

/// What an assistant message says, a refusal included.
fn says(at: At, message: &Map<String, Value>) -> Result<String, MessageError> {
    let content = optional(message, "content").map(|c| text(at, Some(c), &["text", "refusal"])).transpose()?;
    let refusal = optional(message, "refusal").map(|r| at.text("refusal", Some(r))).transpose()?;
    let content = content.unwrap_or_default();
    Ok(match refusal {
        None => content,
        Some(refusal) if content.is_empty() => refusal.to_string(),
        Some(refusal) => format!("{content}\n{refusal}"),
    })
}

/// A text, or text parts of the given kinds; each kind has its text in the member of its own name.
fn text(at: At, content: Option<&Value>, kinds: &[&str]) -> Result<String, MessageError> {
    let parts = match content {
        Some(Value::String(text)) => return Ok(text.clone()),
        Some(Value::Array(parts)) => parts,
        other => return Err(at.wrong("content", "a text or an array of text parts", other)),
    };
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let (kind, part) = at.part(part)?;
        if !kinds.contains(&kind) {
            return Err(at.refused("content.type", "\"text\"", quoted(kind), TEXT_INSTEAD));
        }
        texts.push(at.text("content.text", part.get(kind))?);
    }
    Ok(texts.join("\n"))
}

fn calls(at: At, message: &Map<String, Value>) -> Result<Vec<Call>, MessageError> {
    for (member, expected, remedy) in [
        ("function_call", "calls in \"tool_calls\"", "rewrite it as an entry of tool_calls, with an id"),
        ("audio", "text", "put its transcript into content"),
    ] {
        if let Some(value) = optional(message, member) {
            return Err(at.refused(member, expected, found(Some(value)), remedy));
        }
    }
    let calls = match optional(message, "tool_calls") {
        None => return Ok(Vec::new()),
        Some(Value::Array(calls)) => calls,
        other => return Err(at.wrong("tool_calls", "an array of calls", other)),
    };
    let mut read = Vec::with_capacity(calls.len());
    for call in calls {
        let call = at.object("tool_calls", Some(call))?;
        // Some servers that speak this wire leave the type out: there is one kind of call for them.
        if let Some(kind) = optional(call, "type").filter(|kind| *kind != "function") {
            let remedy = "declare the tool as a function, whose arguments are JSON";
            return Err(at.refused("tool_calls.type", "\"function\"", found(Some(kind)), remedy));
        }
        let function = at.object("tool_calls.function", call.get("function"))?;
        read.push(Call::new(
            at.text("tool_calls.id", call.get("id"))?,
            at.text("tool_calls.function.name", function.get("name"))?,
            at.text("tool_calls.function.arguments", function.get("arguments"))?,
        ));
    }
    Ok(read)
}

/// Writes the `messages` of a request, without system text; runs and snapshots are left out.
///
/// Events keep their order: where a result has to stand is the host's concern.
///
/// # Errors
/// [`MessageError::Image`] when a result holds an image.
///
/// ```
/// use deferbench_core::messages::openai;
/// use deferbench_core::transcript::{Event, Transcript};
/// let mut transcript = Transcript::new();
/// transcript.push(Event::Run { id: "r1".into() });
/// transcript.push(Event::User { text: "Hello.".into() });
/// let messages = openai::write(&transcript).unwrap();
/// assert_eq!(messages, [serde_json::json!({"role": "user", "content": "Hello."})]);
/// ```
pub fn write(transcript: &Transcript) -> Result<Vec<Value>, MessageError> {
    let mut messages = Vec::with_capacity(transcript.events().len());
    for (at, event) in transcript.events().iter().enumerate() {
        messages.push(match event {
            Event::Run { .. } | Event::Deferral { .. } | Event::Selection { .. } => continue,
            Event::User { text } => json!({"role": "user", "content": text}),
            Event::Assistant { text, calls, .. } if calls.is_empty() => json!({"role": "assistant", "content": text}),
            Event::Assistant { text, calls, .. } => {
                let calls: Vec<Value> = calls.iter().map(written).collect();
                let text = Some(text).filter(|t| !t.is_empty());
                json!({"role": "assistant", "content": text, "tool_calls": calls})
            }
            Event::Result { call, output, .. } => {
                if let Some(media_type) = image(output) {
                    let (call, media_type) = (call.clone(), media_type.to_string());
                    return Err(MessageError::Image { event: at, call, media_type });
                }
                json!({"role": "tool", "tool_call_id": call, "content": output.text()})
            }
        });
    }
    Ok(messages)
}

fn written(call: &Call) -> Value {
    let (name, arguments) = call.shown();
    json!({"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// The media type of the first image.
fn image(output: &Output) -> Option<&str> {
    let Output::Content(blocks) = output else { return None };
    blocks.iter().find_map(|block| match block {
        Block::Image { media_type, .. } => Some(media_type.as_str()),
        Block::Text(_) | Block::Structured(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(messages: Value) -> Result<Transcript, MessageError> {
        read("r1", "tool_search", messages.as_array().unwrap())
    }

    fn call(id: &str, name: &str, arguments: &str) -> Value {
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    }

    /// A whole conversation, event by event: the spelling of arguments and receipts stays, system text goes.
    #[test]
    fn a_conversation_by_hand() {
        let receipt = "{ \"b\":1e2, \"a\" : [] }";
        let transcript = chat(json!([
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
            {"role": "user", "content": "Weather?", "name": "ann"},
            {"role": "assistant", "content": null, "refusal": null, "tool_calls": [
                call("c1", "tool_search", "{ \"query\":\"weather\"}"), call("c2", "read_file", "not JSON")
            ]},
            {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "{}"}]},
            {"role": "tool", "tool_call_id": "c1", "content": receipt},
            {"role": "assistant", "content": [{"type": "text", "text": "Rain."}, {"type": "text", "text": "Still."}]},
            {"role": "user", "content": [{"type": "text", "text": "And"}, {"type": "text", "text": "now?"}]},
            {"role": "assistant", "tool_calls": [{"id": "c3", "function": {"name": "tool_search", "arguments": ""}}]},
            {"role": "tool", "tool_call_id": "c3", "content": "[1]"},
            {"role": "assistant", "content": "I cannot.", "refusal": "Sorry.", "tool_calls": null}
        ]));
        let step = |step: &str, text: &str, calls| Event::Assistant { step: step.into(), text: text.into(), calls };
        let result = |call: &str, tool: &str, output| Event::Result { call: call.into(), tool: tool.into(), output };
        let expected = [
            Event::Run { id: "r1".into() },
            Event::User { text: "Weather?".into() },
            step(
                "c1",
                "",
                vec![
                    Call::new("c1", "tool_search", "{ \"query\":\"weather\"}"),
                    Call::new("c2", "read_file", "not JSON"),
                ],
            ),
            result("c2", "read_file", Output::Text("{}".into())),
            result("c1", "tool_search", Output::Json(receipt.into())),
            step("message-1", "Rain.\nStill.", vec![]),
            Event::User { text: "And\nnow?".into() },
            step("c3", "", vec![Call::new("c3", "tool_search", "")]),
            result("c3", "tool_search", Output::Text("[1]".into())),
            step("message-3", "I cannot.\nSorry.", vec![]),
        ];
        assert_eq!(transcript.unwrap().events(), expected);
    }

    /// What the wire cannot mark is written as the text that the model reads; a repair is the host's own knowledge.
    #[test]
    fn outputs_are_written_as_their_text() {
        let mut transcript = Transcript::new();
        let mut repaired = Call::new("c1", "tool_search", "{}");
        repaired.repaired =
            Some(crate::transcript::Original { name: "get_weather".into(), arguments: "{\"a\":1}".into() });
        transcript.push(Event::Assistant { step: "c1".into(), text: "Hm.".into(), calls: vec![repaired] });
        let blocks = vec![Block::Text("A".into()), Block::Structured("{\"b\":1}".into())];
        for output in [Output::Error("No.".into()), Output::Json("{\"x\":1}".into()), Output::Content(blocks)] {
            transcript.push(Event::Result { call: "c1".into(), tool: "any".into(), output });
        }
        let tool = |text: &str| json!({"role": "tool", "tool_call_id": "c1", "content": text});
        let assistant = json!({"role": "assistant", "content": "Hm.", "tool_calls": [call("c1", "tool_search", "{}")]});
        let expected = [assistant, tool("No."), tool("{\"x\":1}"), tool("A\n{\"b\":1}")];
        assert_eq!(write(&transcript).unwrap(), expected);
    }

    #[test]
    fn an_image_in_a_result_is_refused() {
        let mut transcript = Transcript::new();
        transcript.push(Event::Run { id: "r1".into() });
        let image = Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
        let output = Output::Content(vec![Block::Text("A chart.".into()), image]);
        transcript.push(Event::Result { call: "c9".into(), tool: "plot".into(), output });
        let error = write(&transcript).unwrap_err();
        let typed = MessageError::Image { event: 1, call: "c9".into(), media_type: "image/png".into() };
        assert_eq!(error, typed);
        assert_eq!(
            error.to_string(),
            "event 1, result of call \"c9\": expected text, for a tool message of Chat Completions holds nothing else, \
             found an image (image/png); describe the image as text, or send it in a user message"
        );
    }

    /// Every refusal says where, what was expected and what was found.
    #[test]
    fn refusals_name_what_was_found() {
        let assistant = |calls: Value| json!([{"role": "assistant", "tool_calls": calls}]);
        let (long, cut) = ("é".repeat(41), format!("\"{}\" and more", "é".repeat(40)));
        for (messages, member, expected, found) in [
            (json!([7]), "message", "an object", "7"),
            (json!([{}]), "role", "a text", "nothing"),
            (json!([{"role": []}]), "role", "a text", "an array"),
            (
                json!([{"role": "function"}]),
                "role",
                "\"system\", \"developer\", \"user\", \"assistant\" or \"tool\"",
                "\"function\"",
            ),
            (json!([{"role": "user"}]), "content", "a text or an array of text parts", "nothing"),
            (json!([{"role": "user", "content": null}]), "content", "a text or an array of text parts", "null"),
            (json!([{"role": "user", "content": ["a"]}]), "content", "an object", "\"a\""),
            (json!([{"role": "user", "content": [{"type": long}]}]), "content.type", "\"text\"", &cut),
            (
                json!([{"role": "user", "content": [{"type": "text", "text": {}}]}]),
                "content.text",
                "a text",
                "an object",
            ),
            (
                json!([{"role": "user", "content": [{"type": "refusal", "refusal": "No."}]}]),
                "content.type",
                "\"text\"",
                "\"refusal\"",
            ),
            (json!([{"role": "tool", "content": ""}]), "tool_call_id", "a text", "nothing"),
            (json!([{"role": "assistant", "content": 1}]), "content", "a text or an array of text parts", "1"),
            (json!([{"role": "assistant", "refusal": true}]), "refusal", "a text", "true"),
            (json!([{"role": "assistant", "audio": {"id": "a"}}]), "audio", "text", "an object"),
            (
                json!([{"role": "assistant", "function_call": {}}]),
                "function_call",
                "calls in \"tool_calls\"",
                "an object",
            ),
            (assistant(json!({})), "tool_calls", "an array of calls", "an object"),
            (assistant(json!([null])), "tool_calls", "an object", "null"),
            (assistant(json!([{"type": "custom"}])), "tool_calls.type", "\"function\"", "\"custom\""),
            (assistant(json!([{"function": 1}])), "tool_calls.function", "an object", "1"),
            (assistant(json!([{"function": {}}])), "tool_calls.id", "a text", "nothing"),
            (assistant(json!([{"id": "c", "function": {}}])), "tool_calls.function.name", "a text", "nothing"),
            (
                assistant(json!([{"id": "c", "function": {"name": "n", "arguments": {}}}])),
                "tool_calls.function.arguments",
                "a text",
                "an object",
            ),
        ] {
            let mut all = vec![json!({"role": "system"})];
            all.extend(messages.as_array().unwrap().clone());
            let Err(MessageError::Member { position, member: m, expected: e, found: f, .. }) = chat(Value::Array(all))
            else {
                panic!("{messages} was read");
            };
            assert_eq!((position, m, e, f.as_str()), (1, member, expected, found), "{messages}");
        }
    }

    #[test]
    fn ids_of_calls_are_held_to() {
        let assistant = json!({"role": "assistant", "tool_calls": [call("c1", "read_file", "{}")]});
        let result = json!({"role": "tool", "tool_call_id": "c1", "content": ""});
        let unknown = MessageError::UnknownCall { position: 0, call: "c1".into() };
        assert_eq!(chat(json!([result, assistant])), Err(unknown));
        let repeated = MessageError::RepeatedCall { position: 1, call: "c1".into() };
        assert_eq!(chat(json!([assistant, assistant])), Err(repeated));
        let twice = json!([call("c2", "a", "{}"), call("c2", "b", "{}")]);
        let repeated = MessageError::RepeatedCall { position: 0, call: "c2".into() };
        assert_eq!(chat(json!([{"role": "assistant", "tool_calls": twice}])), Err(repeated));
    }
}
