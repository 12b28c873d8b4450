//! How do the messages of Anthropic's Messages API become a transcript, and back?
//!
//! Beside the rules of [`messages`](super):
//!
//! - `thinking` and `redacted_thinking` are passed over: a transcript has no place for them. A host that has to send them
//!   back keeps its own messages.
//! - `input` is an object on this wire. Its compact JSON text becomes the arguments; numbers are those of
//!   [`serde_json::Value`], so that the last digits of a long one may change when it is written.
//! - Results that follow each other are one user message, as the API requires of the results of a step; what is said
//!   after them is another. A user message with both is read as its results and then its text.
//! - A result of one text is [`Output::Text`] or [`Output::Json`]; of several blocks, of none or with an image it is
//!   [`Output::Content`]. [`Block::Structured`] is written as the text that it is, and read back as text.

use serde_json::{Map, Value, json};

use super::{At, MessageError, Reader, TEXT_INSTEAD, object, optional, quoted};
use crate::transcript::{Block, Call, Event, Output, Transcript};

const REMEDY: &str = "pass the message as the Messages API gives and takes it";

/// The nesting that serde_json reads back by default, so that what was read can be written.
const DEEPEST: usize = 127;

/// Reads the `messages` of a request, all of them as part of one run; `search` is the name of the search tool.
///
/// # Errors
/// [`MessageError`] for the first message that is malformed, answers no earlier call, repeats a call id, or holds what a
/// transcript cannot, such as an image of the user or a call that the provider runs itself.
///
/// ```
/// use deferbench_core::messages::anthropic;
/// let result = serde_json::json!({"type": "tool_result", "tool_use_id": "c1", "content": "Done."});
/// let messages = [serde_json::json!({"role": "user", "content": [result]})];
/// let error = anthropic::read("r1", "tool_search", &messages).unwrap_err().to_string();
/// assert!(error.starts_with("message 0: expected the result of an earlier call, found one of \"c1\""));
/// ```
pub fn read(run: &str, search: &str, messages: &[Value]) -> Result<Transcript, MessageError> {
    let mut reader = Reader::new(run, search);
    for (position, message) in messages.iter().enumerate() {
        let at = At { position, remedy: REMEDY };
        let message = at.object("message", Some(message))?;
        let content = message.get("content");
        match at.text("role", message.get("role"))? {
            "user" => user(&mut reader, at, content)?,
            "assistant" => assistant(&mut reader, at, content)?,
            other => {
                let remedy = "leave the message out; system text stands in the request, not in a message";
                return Err(at.refused("role", "\"user\" or \"assistant\"", quoted(other), remedy));
            }
        }
    }
    Ok(reader.transcript)
}

fn blocks(at: At, content: Option<&Value>) -> Result<&[Value], MessageError> {
    let blocks = content.and_then(Value::as_array).map(Vec::as_slice);
    blocks.ok_or_else(|| at.wrong("content", "a text or an array of blocks", content))
}

fn user(reader: &mut Reader, at: At, content: Option<&Value>) -> Result<(), MessageError> {
    if let Some(Value::String(text)) = content {
        reader.user(text.clone());
        return Ok(());
    }
    let (mut texts, mut results) = (Vec::new(), 0);
    for block in blocks(at, content)? {
        match at.part(block)? {
            ("text", block) => texts.push(at.text("content.text", block.get("text"))?),
            ("tool_result", block) => {
                let call = at.text("content.tool_use_id", block.get("tool_use_id"))?;
                reader.result(at, call, output(at, block)?)?;
                results += 1;
            }
            (other, _) => {
                return Err(at.refused("content.type", "\"text\" or \"tool_result\"", quoted(other), TEXT_INSTEAD));
            }
        }
    }
    if results == 0 || !texts.is_empty() {
        reader.user(texts.join("\n"));
    }
    Ok(())
}

fn assistant(reader: &mut Reader, at: At, content: Option<&Value>) -> Result<(), MessageError> {
    if let Some(Value::String(text)) = content {
        return reader.assistant(at, text.clone(), Vec::new());
    }
    let (mut texts, mut calls) = (Vec::new(), Vec::new());
    for block in blocks(at, content)? {
        match at.part(block)? {
            ("text", block) => texts.push(at.text("content.text", block.get("text"))?),
            ("tool_use", block) => calls.push(call(at, block)?),
            ("thinking" | "redacted_thinking", _) => {}
            (other, _) => {
                let expected = "\"text\", \"tool_use\", \"thinking\" or \"redacted_thinking\"";
                let remedy = "leave the block out; only calls that the host runs become part of a transcript";
                return Err(at.refused("content.type", expected, quoted(other), remedy));
            }
        }
    }
    reader.assistant(at, texts.join("\n"), calls)
}

fn call(at: At, block: &Map<String, Value>) -> Result<Call, MessageError> {
    let input = block.get("input").filter(|input| input.is_object());
    let input = input.ok_or_else(|| at.wrong("content.input", "an object", block.get("input")))?;
    if deeper(input, DEEPEST) {
        let (expected, remedy) = ("at most 127 levels", "leave the call and its result out");
        return Err(at.refused("content.input", expected, "deeper nesting".to_string(), remedy));
    }
    let (id, name) = (at.text("content.id", block.get("id"))?, at.text("content.name", block.get("name"))?);
    Ok(Call::new(id, name, input.to_string()))
}

/// Whether a value nests deeper than a limit. Its text is written by recursion, so that this comes first, without.
fn deeper(value: &Value, limit: usize) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(_) | Value::Object(_) if depth > limit => return true,
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    false
}

fn output(at: At, result: &Map<String, Value>) -> Result<Output, MessageError> {
    let failed = match optional(result, "is_error") {
        None => false,
        Some(Value::Bool(failed)) => *failed,
        other => return Err(at.wrong("content.is_error", "true or false", other)),
    };
    let mut read = match optional(result, "content") {
        None => vec![Block::Text(String::new())],
        Some(Value::String(text)) => vec![Block::Text(text.clone())],
        Some(Value::Array(blocks)) => blocks.iter().map(|b| block(at, b)).collect::<Result<_, _>>()?,
        other => return Err(at.wrong("content.content", "a text or an array of blocks", other)),
    };
    if failed {
        if read.iter().any(|b| matches!(b, Block::Image { .. })) {
            let remedy = "describe the image as text: an error of a transcript is a text";
            return Err(at.refused("content.content.type", "\"text\" in an error", quoted("image"), remedy));
        }
        return Ok(Output::Error(Output::Content(read).text().into_owned()));
    }
    Ok(match read.pop() {
        Some(Block::Text(text)) if read.is_empty() => Output::Text(text),
        last => Output::Content(read.into_iter().chain(last).collect()),
    })
}

fn block(at: At, value: &Value) -> Result<Block, MessageError> {
    let block = at.object("content.content", Some(value))?;
    match at.text("content.content.type", block.get("type"))? {
        "text" => Ok(Block::Text(at.text("content.content.text", block.get("text"))?.to_string())),
        "image" => {
            let source = at.object("content.content.source", block.get("source"))?;
            let text = |member, key| at.text(member, source.get(key)).map(str::to_string);
            let kind = text("content.content.source.type", "type")?;
            if kind != "base64" {
                let remedy = "put the image's bytes in its place, or a text";
                return Err(at.refused("content.content.source.type", "\"base64\"", quoted(&kind), remedy));
            }
            let media_type = text("content.content.source.media_type", "media_type")?;
            Ok(Block::Image { media_type, data: text("content.content.source.data", "data")? })
        }
        other => Err(at.refused("content.content.type", "\"text\" or \"image\"", quoted(other), TEXT_INSTEAD)),
    }
}

/// Writes the `messages` of a request, without system text; runs and snapshots are left out.
///
/// Events keep their order: where a result has to stand, and that no message is empty, is the host's concern.
///
/// # Errors
/// [`MessageError::Arguments`] when the arguments of a call are not a JSON object.
///
/// ```
/// use deferbench_core::messages::anthropic;
/// use deferbench_core::transcript::{Call, Event, Transcript};
/// let mut transcript = Transcript::new();
/// let calls = vec![Call::new("c1", "ping", "now")];
/// transcript.push(Event::Assistant { step: "c1".into(), text: String::new(), calls });
/// let error = anthropic::write(&transcript).unwrap_err().to_string();
/// assert!(error.starts_with("event 0, arguments of call \"c1\": expected a JSON object"));
/// ```
pub fn write(transcript: &Transcript) -> Result<Vec<Value>, MessageError> {
    let (mut messages, mut results) = (Vec::with_capacity(transcript.events().len()), Vec::new());
    for (at, event) in transcript.events().iter().enumerate() {
        let message = match event {
            // They are not on the wire, so that they do not part two results either.
            Event::Run { .. } | Event::Deferral { .. } | Event::Selection { .. } => continue,
            Event::Result { call, output, .. } => {
                results.push(result(call, output));
                continue;
            }
            Event::User { text } => json!({"role": "user", "content": text}),
            Event::Assistant { text, calls, .. } => json!({"role": "assistant", "content": says(at, text, calls)?}),
        };
        messages.extend(together(&mut results));
        messages.push(message);
    }
    messages.extend(together(&mut results));
    Ok(messages)
}

/// The message of the results that wait for one.
fn together(results: &mut Vec<Value>) -> Option<Value> {
    let blocks = std::mem::take(results);
    (!blocks.is_empty()).then(|| json!({"role": "user", "content": blocks}))
}

fn says(event: usize, text: &str, calls: &[Call]) -> Result<Value, MessageError> {
    if calls.is_empty() {
        return Ok(Value::from(text));
    }
    let mut blocks = Vec::with_capacity(calls.len() + 1);
    // The API refuses an empty text block.
    if !text.is_empty() {
        blocks.push(json!({"type": "text", "text": text}));
    }
    for call in calls {
        let refused = |found| MessageError::Arguments { event, call: call.id.clone(), found };
        let (name, arguments) = call.shown();
        let input = object(arguments).map_err(refused)?;
        blocks.push(json!({"type": "tool_use", "id": call.id, "name": name, "input": input}));
    }
    Ok(Value::Array(blocks))
}

fn result(call: &str, output: &Output) -> Value {
    let content = match output {
        Output::Text(text) | Output::Json(text) | Output::Error(text) => Value::from(text.as_str()),
        Output::Content(blocks) => blocks.iter().map(written).collect(),
    };
    let failed = matches!(output, Output::Error(_)).then_some(("is_error", Value::from(true)));
    let members = [("type", "tool_result".into()), ("tool_use_id", call.into()), ("content", content)];
    members.into_iter().chain(failed).collect()
}

fn written(block: &Block) -> Value {
    match block {
        Block::Text(text) | Block::Structured(text) => json!({"type": "text", "text": text}),
        Block::Image { media_type, data } => {
            json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXEL: &str = "iVBORw0KGgo=";

    fn chat(messages: &Value) -> Result<Transcript, MessageError> {
        read("r1", "tool_search", messages.as_array().unwrap())
    }

    fn tool_use(id: &str, name: &str) -> Value {
        json!({"type": "tool_use", "id": id, "name": name, "input": {}})
    }

    /// A transcript whose first step makes one call, and then what a result with this content and flag is read as.
    fn output_of(tool: &str, result: Value) -> Output {
        let mut block = json!({"type": "tool_result", "tool_use_id": "c1"});
        block.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        let messages =
            json!([{"role": "assistant", "content": [tool_use("c1", tool)]}, {"role": "user", "content": [block]}]);
        match chat(&messages).unwrap().events() {
            [_, _, Event::Result { call, tool: t, output }] if call == "c1" && t == tool => output.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// A whole conversation, event by event.
    #[test]
    fn a_conversation_by_hand() {
        let messages = json!([
            {"role": "user", "content": [{"type": "text", "text": "Weather?", "cache_control": {"type": "ephemeral"}}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "tool_search", "input": {"z": 1, "a": [1.5, "é\n"]}},
                tool_use("c2", "read_file")
            ]},
            {"role": "user", "content": [
                {"type": "text", "text": "Hurry"},
                {"type": "tool_result", "tool_use_id": "c1", "content": "{\"b\": 1}"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "No.", "is_error": true},
                {"type": "text", "text": "up."}
            ]},
            {"role": "assistant", "content": "Rain."}
        ]);
        let transcript = chat(&messages).unwrap();
        let calls =
            vec![Call::new("c1", "tool_search", "{\"z\":1,\"a\":[1.5,\"é\\n\"]}"), Call::new("c2", "read_file", "{}")];
        let result = |call: &str, tool: &str, output| Event::Result { call: call.into(), tool: tool.into(), output };
        let expected = [
            Event::Run { id: "r1".into() },
            Event::User { text: "Weather?".into() },
            Event::Assistant { step: "c1".into(), text: "I look.".into(), calls },
            result("c1", "tool_search", Output::Json("{\"b\": 1}".into())),
            result("c2", "read_file", Output::Error("No.".into())),
            Event::User { text: "Hurry\nup.".into() },
            Event::Assistant { step: "message-1".into(), text: "Rain.".into(), calls: vec![] },
        ];
        assert_eq!(transcript.events(), expected);
        // Written, results and what is said after them are two messages, and a single text is no block.
        let written = json!([
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "tool_search", "input": {"z": 1, "a": [1.5, "é\n"]}},
                tool_use("c2", "read_file")
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "{\"b\": 1}"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "No.", "is_error": true}
            ]},
            {"role": "user", "content": "Hurry\nup."},
            {"role": "assistant", "content": "Rain."}
        ]);
        // As texts: the order of members is part of what is sent.
        assert_eq!(Value::Array(write(&transcript).unwrap()).to_string(), written.to_string());
    }

    #[test]
    fn an_image_goes_both_ways() {
        let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}});
        let messages = json!([
            {"role": "assistant", "content": [tool_use("c1", "plot"), tool_use("c2", "plot")]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "A chart."}, image]},
                {"type": "tool_result", "tool_use_id": "c2", "content": [image]}
            ]}
        ]);
        let transcript = chat(&messages).unwrap();
        let image = Block::Image { media_type: "image/png".into(), data: PIXEL.into() };
        let both = Output::Content(vec![Block::Text("A chart.".into()), image.clone()]);
        let outputs: Vec<&Output> = transcript
            .events()
            .iter()
            .filter_map(|e| match e {
                Event::Result { output, .. } => Some(output),
                _ => None,
            })
            .collect();
        assert_eq!(outputs, [&both, &Output::Content(vec![image])]);
        assert_eq!(write(&transcript).unwrap(), *messages.as_array().unwrap());
    }

    #[test]
    fn outputs_by_hand() {
        let text = |t: &str| json!({"type": "text", "text": t});
        for (tool, result, expected) in [
            ("tool_search", json!({"content": [text("{ }")]}), Output::Json("{ }".into())),
            ("read_file", json!({"content": [text("{ }")]}), Output::Text("{ }".into())),
            ("tool_search", json!({"content": "{}", "is_error": false}), Output::Json("{}".into())),
            ("tool_search", json!({"content": "{}", "is_error": true}), Output::Error("{}".into())),
            ("tool_search", json!({"content": "{}x", "is_error": null}), Output::Text("{}x".into())),
            ("tool_search", json!({}), Output::Text(String::new())),
            ("tool_search", json!({"content": []}), Output::Content(vec![])),
            ("a", json!({"content": [text("1"), text("2")], "is_error": true}), Output::Error("1\n2".into())),
            (
                "tool_search",
                json!({"content": [text("{}"), text("")]}),
                Output::Content(vec![Block::Text("{}".into()), Block::Text(String::new())]),
            ),
        ] {
            assert_eq!(output_of(tool, result.clone()), expected, "{tool} {result}");
        }
    }

    /// Events that are not on the wire do not part two results; a structured block is the text that it is.
    #[test]
    fn results_stay_together() {
        let mut transcript = Transcript::new();
        let snapshot = crate::transcript::Snapshot::new("q", vec!["a".into()]);
        let result = |call: &str, output| Event::Result { call: call.into(), tool: "t".into(), output };
        transcript.push(result("c1", Output::Content(vec![Block::Structured("{\"a\":1}".into())])));
        transcript.push(Event::Selection { snapshot, added: vec![] });
        transcript.push(Event::Run { id: "r2".into() });
        transcript.push(result("c2", Output::Json("{}".into())));
        let blocks = json!([
            {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "{\"a\":1}"}]},
            {"type": "tool_result", "tool_use_id": "c2", "content": "{}"}
        ]);
        assert_eq!(write(&transcript).unwrap(), [json!({"role": "user", "content": blocks})]);
    }

    #[test]
    fn arguments_have_to_be_an_object() {
        for (arguments, found) in [
            ("[1]", "an array"),
            ("\"x\"", "\"x\""),
            ("null", "null"),
            ("", "no JSON: EOF while parsing a value at line 1 column 0"),
            ("{} {}", "no JSON: trailing characters at line 1 column 4"),
        ] {
            let mut transcript = Transcript::new();
            transcript.push(Event::User { text: "Go.".into() });
            let calls = vec![Call::new("c1", "a", "{}"), Call::new("c2", "a", arguments)];
            transcript.push(Event::Assistant { step: "c1".into(), text: String::new(), calls });
            let typed = MessageError::Arguments { event: 1, call: "c2".into(), found: found.into() };
            assert_eq!(write(&transcript), Err(typed), "{arguments}");
        }
    }

    /// What is read can be written, and deep nesting does not recurse.
    #[test]
    fn nesting_has_an_end() {
        let nested = |levels: usize| {
            let mut value = json!({});
            for _ in 1..levels {
                value = json!({"a": value});
            }
            json!([{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "n", "input": value}]}])
        };
        let deepest = nested(DEEPEST);
        assert_eq!(write(&chat(&deepest).unwrap()).unwrap(), *deepest.as_array().unwrap());
        let error = chat(&nested(DEEPEST + 1)).unwrap_err().to_string();
        assert!(error.contains("\"content.input\": expected at most 127 levels, found deeper nesting"), "{error}");
    }

    /// Every refusal says where, what was expected and what was found.
    #[test]
    fn refusals_name_what_was_found() {
        let user = |block: Value| json!({"role": "user", "content": [block]});
        let assistant = |block: Value| json!({"role": "assistant", "content": [block]});
        let result = |content: Value| user(json!({"type": "tool_result", "tool_use_id": "c1", "content": content}));
        let image = |source: Value| result(json!([{"type": "image", "source": source}]));
        let blocks = "a text or an array of blocks";
        let pixel = json!({"type": "base64", "media_type": "image/png", "data": PIXEL});
        let pixel = json!([{"type": "image", "source": pixel}]);
        let failed = json!({"type": "tool_result", "tool_use_id": "c1", "is_error": true, "content": pixel});
        for (message, member, expected, found) in [
            (json!(null), "message", "an object", "null"),
            (json!({"role": "system"}), "role", "\"user\" or \"assistant\"", "\"system\""),
            (json!({"role": "user"}), "content", blocks, "nothing"),
            (json!({"role": "assistant", "content": null}), "content", blocks, "null"),
            (user(json!("a")), "content", "an object", "\"a\""),
            (user(json!({"type": 1})), "content.type", "a text", "1"),
            (user(json!({"type": "image"})), "content.type", "\"text\" or \"tool_result\"", "\"image\""),
            (user(json!({"type": "text"})), "content.text", "a text", "nothing"),
            (user(json!({"type": "tool_result"})), "content.tool_use_id", "a text", "nothing"),
            (result(json!({})), "content.content", blocks, "an object"),
            (result(json!(["a"])), "content.content", "an object", "\"a\""),
            (result(json!([{"type": "document"}])), "content.content.type", "\"text\" or \"image\"", "\"document\""),
            (image(json!(1)), "content.content.source", "an object", "1"),
            (image(json!({"type": "url"})), "content.content.source.type", "\"base64\"", "\"url\""),
            (image(json!({"type": "base64"})), "content.content.source.media_type", "a text", "nothing"),
            (
                image(json!({"type": "base64", "media_type": "image/png", "data": 0})),
                "content.content.source.data",
                "a text",
                "0",
            ),
            (user(failed), "content.content.type", "\"text\" in an error", "\"image\""),
            (
                user(json!({"type": "tool_result", "tool_use_id": "c1", "is_error": "yes"})),
                "content.is_error",
                "true or false",
                "\"yes\"",
            ),
            (
                assistant(json!({"type": "server_tool_use"})),
                "content.type",
                "\"text\", \"tool_use\", \"thinking\" or \"redacted_thinking\"",
                "\"server_tool_use\"",
            ),
            (assistant(json!({"type": "tool_use", "input": "{}"})), "content.input", "an object", "\"{}\""),
            (assistant(json!({"type": "tool_use", "input": {}})), "content.id", "a text", "nothing"),
            (assistant(json!({"type": "tool_use", "input": {}, "id": "c"})), "content.name", "a text", "nothing"),
        ] {
            let all = json!([{"role": "assistant", "content": [tool_use("c1", "a")]}, message]);
            let Err(MessageError::Member { position, member: m, expected: e, found: f, .. }) = chat(&all) else {
                panic!("{message} was read");
            };
            assert_eq!((position, m, e, f.as_str()), (1, member, expected, found), "{message}");
        }
        let repeated = MessageError::RepeatedCall { position: 1, call: "c1".into() };
        let twice = assistant(tool_use("c1", "a"));
        assert_eq!(chat(&json!([twice, twice])), Err(repeated));
    }
}
