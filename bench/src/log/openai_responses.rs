use deferbench_core::cache::Kind;
use serde_json::{Map, Value, json};

use super::json::{compact, each, list, member, name, refuse_reference, text, tokens, unmarked};
use super::{Body, Piece, Reported, Shape, Wrong};

pub(super) static ENTRY: Shape = Shape {
    name: "openai-responses",
    summary: "OpenAI Responses; each item of the input is a segment, loaded definitions stand where they came in",
    source: "platform.openai.com/docs/api-reference/responses",
    profile: "openai_to_5_5",
    knows: |body| body.contains_key("input") && !body.contains_key("messages"),
    read,
    usage,
};

fn read(body: &Map<String, Value>) -> Result<Body, Wrong> {
    ["previous_response_id", "conversation"].iter().try_for_each(|key| refuse_reference(body, key))?;
    let mut out = Body { automatic: true, ..Body::default() };
    let piece = |kind, text| Piece { kind, name: String::new(), text, blocks: 1, marked: false };
    out.tools = list(body, "tools")?.into_iter().map(|tool| definition(tool, Kind::Tool)).collect();
    let format = member(body, "text")?.map(|text| member(text, "format")).transpose()?.flatten();
    // The schema of the answer is laid out in front of the system text.
    if let Some(format) = format.filter(|f| f.contains_key("schema")) {
        out.system.push(piece(Kind::System, compact(format.clone())));
    }
    if let Some(instructions) = body.get("instructions").filter(|i| !i.is_null()) {
        out.system.push(piece(Kind::System, json!({"role": "system", "content": instructions}).to_string()));
    }
    if let Some(Value::String(input)) = body.get("input") {
        out.messages.push(piece(Kind::User, json!({"role": "user", "content": input}).to_string()));
        return Ok(out);
    }
    each(body, "input", |item| {
        if item.get("type").is_some_and(|t| t == "item_reference") {
            refuse_reference(item, "id")?;
        }
        let loaded = item.get("type").is_some_and(|t| t == "tool_search_output");
        // Ids and states of stored items are the transport's.
        let without: &[&str] = if loaded { &["id", "status", "tools"] } else { &["id", "status"] };
        let (object, marked) = unmarked(item, without);
        let kind = kind(item, out.messages.is_empty())?;
        let parts = item.get("content").and_then(Value::as_array).map_or(1, Vec::len).max(1);
        let section = if kind == Kind::System { &mut out.system } else { &mut out.messages };
        section.push(Piece { kind, name: String::new(), text: compact(object), blocks: parts as u64, marked });
        if loaded {
            out.messages.extend(list(item, "tools")?.into_iter().map(|tool| Piece {
                text: compact(unmarked(tool, &["defer_loading"]).0),
                ..definition(tool, Kind::Definition)
            }));
        }
        Ok(())
    })?;
    Ok(out)
}

/// What the model sees of a definition: of a deferred function its name and description, of a namespace or server whose
/// tools are deferred its own.
fn definition(tool: &Map<String, Value>, kind: Kind) -> Piece {
    let deferred = |tool: &Map<String, Value>| tool.get("defer_loading") == Some(&Value::Bool(true));
    let hidden: &[&str] =
        if deferred(tool) { &["defer_loading", "parameters", "strict", "allowed_tools"] } else { &["defer_loading"] };
    let (mut object, marked) = unmarked(tool, hidden);
    if let Some(Value::Array(tools)) = object.get_mut("tools") {
        tools.retain(|tool| !tool.as_object().is_some_and(deferred));
    }
    Piece { kind, name: name(tool, &["name", "server_label", "type"]), text: compact(object), blocks: 1, marked }
}

fn kind(item: &Map<String, Value>, leading: bool) -> Result<Kind, Wrong> {
    let of = name(item, &["type"]);
    Ok(match text(item, "role")? {
        Some("system" | "developer") if leading => Kind::System,
        Some("assistant") => Kind::Assistant,
        Some(_) => Kind::User,
        None if of.ends_with("_output") => Kind::Result,
        None if of.ends_with("_call") => Kind::Call,
        None if of == "reasoning" => Kind::Assistant,
        None => Kind::User,
    })
}

fn usage(usage: &Map<String, Value>) -> Result<Reported, Wrong> {
    let details = member(usage, "input_tokens_details")?;
    let of = |key: &str| details.map(|d| tokens(d, key)).transpose().map(Option::flatten);
    Ok(Reported { cached: of("cached_tokens")?, written: None, prompt: tokens(usage, "input_tokens")? })
}
