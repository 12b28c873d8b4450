//! May the protocol have a line of the client, and what is answered where not?
//!
//! rmcp drops what it cannot read, calls a known method with wrong parameters unknown, and names no request then.

use rmcp::model::{CallToolRequestParams, InitializeRequestParams, PaginatedRequestParams};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A text that is no JSON.
const PARSE_ERROR: i32 = -32700;

/// JSON that is no message.
const INVALID_REQUEST: i32 = -32600;

/// A request whose parameters do not fit its method.
const INVALID_PARAMS: i32 = -32602;

/// What becomes of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// Nothing to answer and nothing to hand on.
    Nothing,
    /// A request, with its id.
    Request(Value),
    /// A notification that the client waits for the answer of this id no longer.
    Cancelled(Value),
    /// Another notification, or an answer.
    Other,
    /// Not for the protocol; the client gets this answer.
    Refused {
        /// A JSON-RPC error.
        answer: String,
        /// True: it names the request that it answers.
        named: bool,
    },
}

/// Sorts a line.
pub(super) fn read(line: &[u8]) -> Incoming {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(e) => {
            let detail = format!("not JSON: byte {} of the line (from 0) is not UTF-8", e.valid_up_to());
            return refusal(&Value::Null, PARSE_ERROR, &detail);
        }
    };
    if text.trim().is_empty() {
        return Incoming::Nothing;
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(message)) => of_object(&message),
        Ok(_) => refusal(&Value::Null, INVALID_REQUEST, "expected one JSON object a line; batches are not spoken here"),
        Err(e) => refusal(&Value::Null, PARSE_ERROR, &format!("not JSON: {e}")),
    }
}

fn of_object(message: &Map<String, Value>) -> Incoming {
    let id = message.get("id");
    let named = id.filter(|id| id.is_string() || id.is_i64());
    let invalid = |detail: &str| refusal(named.unwrap_or(&Value::Null), INVALID_REQUEST, detail);
    if message.get("jsonrpc") != Some(&Value::from("2.0")) {
        return invalid("member \"jsonrpc\": expected \"2.0\"");
    }
    if id.is_some() && named.is_none() {
        return invalid("member \"id\": expected a text or an integer of 64 bits");
    }
    let method = match message.get("method") {
        Some(Value::String(method)) => method.as_str(),
        None if message.contains_key("result") || message.contains_key("error") => return Incoming::Other,
        _ => return invalid("member \"method\": expected a text"),
    };
    let params = message.get("params").filter(|params| !params.is_null());
    match (named, params) {
        // Nobody waits for an answer, not even for one that says what is wrong.
        (None, Some(params)) if !params.is_object() => Incoming::Nothing,
        (None, Some(params)) if method == "notifications/cancelled" => {
            params.get("requestId").map_or(Incoming::Other, |id| Incoming::Cancelled(id.clone()))
        }
        (None, _) => Incoming::Other,
        (Some(id), params) => match problem(method, params) {
            None => Incoming::Request(id.clone()),
            Some(problem) => refusal(id, INVALID_PARAMS, &format!("params of {method}: {problem}")),
        },
    }
}

/// Why parameters do not fit a method.
fn problem(method: &str, params: Option<&Value>) -> Option<String> {
    fn fit<T: DeserializeOwned>(params: &Value) -> Option<String> {
        T::deserialize(params).err().map(|e| e.to_string())
    }
    let none = json!({});
    let params = params.unwrap_or(&none);
    if !params.is_object() {
        return Some("expected an object".to_string());
    }
    match method {
        "initialize" => fit::<InitializeRequestParams>(params),
        "tools/list" => fit::<PaginatedRequestParams>(params),
        "tools/call" => fit::<CallToolRequestParams>(params),
        _ => None,
    }
}

fn refusal(id: &Value, code: i32, message: &str) -> Incoming {
    Incoming::Refused { answer: error(id, code, message), named: !id.is_null() }
}

fn error(id: &Value, code: i32, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

/// What a client is told whose line is not read to its end.
pub(super) fn too_long(message: &str) -> String {
    error(&Value::Null, INVALID_REQUEST, message)
}
