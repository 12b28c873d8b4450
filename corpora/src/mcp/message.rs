//! What kind of JSON-RPC message is a text?

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{Problem, excerpt};

/// A message, as far as it has to be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// The answer to the request with our id.
    Answer,
    /// A request of the server: its id as spelled, and the method.
    Request(String, String),
    /// A notification.
    Notification(String),
    /// JSON, but nothing that was asked.
    Stray,
    /// No JSON at all: the parser's words, where the text looks like a message.
    Broken(Option<String>),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RpcError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

/// Sorts a text; `id` is that of the open request.
pub(super) fn classify(text: &str, id: u64) -> Message {
    let looks_like_one = || text.trim_start().starts_with('{') && text.contains("\"jsonrpc\"");
    let envelope: Envelope = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(e) if e.is_data() => return Message::Stray,
        Err(e) => return Message::Broken(looks_like_one().then(|| e.to_string())),
    };
    let answers = envelope.result.is_some() || envelope.error.is_some();
    match (envelope.id, envelope.method) {
        (Some(found), None) if answers && found.get() == id.to_string() => Message::Answer,
        // An error that names no request answers the open one: the server could not read its id.
        (None, None) if envelope.error.is_some() => Message::Answer,
        (Some(found), Some(method)) => Message::Request(found.get().to_string(), method.into_owned()),
        (None, Some(method)) => Message::Notification(method.into_owned()),
        _ => Message::Stray,
    }
}

/// The `result` of an answer, as spelled.
pub(super) fn result<'a>(text: &'a str, asked: &str) -> Result<&'a RawValue, Problem> {
    let nonsense = |detail: String| Problem::Nonsense { asked: asked.to_string(), expected: "a result", detail };
    let envelope: Envelope = serde_json::from_str(text).map_err(|e| nonsense(e.to_string()))?;
    if let Some(error) = envelope.error {
        let RpcError { code, message } = serde_json::from_str(error.get()).map_err(|e| nonsense(e.to_string()))?;
        return Err(Problem::Refused { asked: asked.to_string(), code, message: excerpt(&message) });
    }
    envelope.result.ok_or_else(|| nonsense(excerpt(text)))
}

/// What a request of the server is answered with: it may ask whether we live, and nothing else.
pub(super) fn reply(id: &str, method: &str) -> String {
    match method {
        "ping" => format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}"),
        _ => format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"this client only lists tools\"}}}}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, 3), Message::Answer);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, 4), Message::Stray);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":"3","result":{}}"#, 3), Message::Stray);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#, 3), Message::Answer);
        let request = Message::Request("\"a\"".to_string(), "ping".to_string());
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, 3), request);
        let note = Message::Notification("notifications/message".to_string());
        assert_eq!(classify(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#, 3), note);
        for stray in ["[1]", "7", "\"x\"", "null", "{}", r#"{"id":[],"method":7}"#] {
            assert_eq!(classify(stray, 3), Message::Stray, "{stray}");
        }
        assert_eq!(classify("Listening on port 80", 3), Message::Broken(None));
        assert!(matches!(classify(r#"{"jsonrpc":"2.0","id":3,"resu"#, 3), Message::Broken(Some(_))));
    }
}
