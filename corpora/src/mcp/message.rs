//! What kind of JSON-RPC message is a text?

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::error::{Problem, excerpt};

/// A message, as far as it has to be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// The answer to the request with our id.
    Answer,
    /// An answer to a request that was never made: its id as spelled.
    Foreign(String),
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
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// A member that is there, `null` too.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
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
    let marked = |c: char| c.is_whitespace() || c == '\u{feff}';
    let begins = |c: char| text.trim_start_matches(marked).starts_with(c) && text.contains("\"jsonrpc\"");
    let looks_like_one = || begins('{');
    // A log line may begin so too.
    if begins('[') && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return Message::Broken(Some("an array; each message stands alone".to_string()));
    }
    let envelope: Envelope = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(e) if e.is_data() => return Message::Stray,
        Err(e) => return Message::Broken(looks_like_one().then(|| e.to_string())),
    };
    let answers = envelope.result.is_some() || envelope.error.is_some();
    let named = envelope.id.is_some_and(|id| id.get() != "null");
    match (envelope.id, envelope.method) {
        // An error that names no request answers the open one: the server could not read its id.
        (_, None) if !named && envelope.error.is_some() => Message::Answer,
        (Some(found), None) if found.get() == id.to_string() => Message::Answer,
        // An earlier request may be answered twice.
        (Some(found), None) if answers && found.get().parse::<u64>().is_ok_and(|n| n < id) => Message::Stray,
        (found, None) if answers => Message::Foreign(found.map_or("missing", RawValue::get).to_string()),
        (Some(found), Some(method)) if named => Message::Request(found.get().to_string(), method.into_owned()),
        (_, Some(method)) => Message::Notification(method.into_owned()),
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
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":3,"result":null}"#, 3), Message::Answer);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":3}"#, 3), Message::Answer);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, 4), Message::Stray);
        for (id, shown) in [("\"id\":\"3\",", "\"3\""), ("\"id\":4,", "4"), ("\"id\":null,", "null"), ("", "missing")] {
            let text = format!("{{\"jsonrpc\":\"2.0\",{id}\"result\":{{}}}}");
            assert_eq!(classify(&text, 3), Message::Foreign(shown.to_string()));
        }
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#, 3), Message::Answer);
        let request = Message::Request("\"a\"".to_string(), "ping".to_string());
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, 3), request);
        let note = Message::Notification("notifications/message".to_string());
        assert_eq!(classify(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#, 3), note);
        assert_eq!(classify(r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, 3), Message::Notification("m".to_string()));
        assert_eq!(classify(r#"[1] got {"jsonrpc":"2.0"}"#, 3), Message::Stray);
        assert!(matches!(classify("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":3}", 3), Message::Broken(Some(_))));
        for stray in ["[1]", "7", "\"x\"", "null", "{}", r#"{"id":[],"method":7}"#] {
            assert_eq!(classify(stray, 3), Message::Stray, "{stray}");
        }
        assert_eq!(classify("Listening on port 80", 3), Message::Broken(None));
        assert!(matches!(classify(r#"{"jsonrpc":"2.0","id":3,"resu"#, 3), Message::Broken(Some(_))));
        assert!(matches!(classify(r#"[{"jsonrpc":"2.0","id":3,"result":{}}]"#, 3), Message::Broken(Some(_))));
    }
}
