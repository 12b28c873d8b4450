use std::collections::BTreeMap;

use deferbench_core::cache::Kind;
use serde_json::{Map, Value, json};

use super::json::{compact, each, list, member, name, text, tokens, unmarked};
use super::{Body, Piece, Reported, Shape, Wrong};

pub(super) static ENTRY: Shape = Shape {
    name: "anthropic",
    summary: "Anthropic Messages; each content block is a segment, cache_control a breakpoint after it",
    source: "platform.claude.com/docs/en/api/messages",
    profile: "anthropic",
    knows,
    read,
    usage,
};

/// Only bodies of Anthropic have one of these; a history of plain texts is told by its model.
fn knows(body: &Map<String, Value>) -> bool {
    let items = |key: &str| body.get(key).and_then(Value::as_array).into_iter().flatten();
    let ours = |block: &Value| {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(kind, "tool_use" | "tool_result" | "thinking") || kind.starts_with("server_tool")
    };
    let named = body.get("model").and_then(Value::as_str).is_some_and(|m| m.starts_with("claude"));
    let foreign = items("messages").any(|m| m.get("tool_calls").is_some() || m["role"] == "tool");
    let blocks = || items("messages").filter_map(|m| m.get("content")?.as_array()).flatten();
    body.contains_key("messages")
        && !foreign
        && (["system", "anthropic_version", "cache_control"].iter().any(|key| body.contains_key(*key))
            || items("tools").any(|tool| tool.get("input_schema").is_some())
            || blocks().any(ours)
            || (named && items("tools").all(|tool| tool.get("function").is_none())))
}

fn read(body: &Map<String, Value>) -> Result<Body, Wrong> {
    let mut out = Body { automatic: member(body, "cache_control")?.is_some(), ..Body::default() };
    let mut definitions = BTreeMap::new();
    for tool in list(body, "tools")? {
        let (object, marked) = unmarked(tool, &["defer_loading"]);
        let name = name(tool, &["name", "mcp_server_name", "type"]);
        let piece = Piece { kind: Kind::Tool, name: name.clone(), text: compact(object), blocks: 1, marked };
        definitions.insert(name, piece.text.clone());
        // A deferred definition is no part of the prefix until a search refers to it.
        if tool.get("defer_loading") != Some(&Value::Bool(true)) {
            out.tools.push(piece);
        }
    }
    for block in blocks(body, "system")? {
        let (object, marked) = unmarked(&block, &[]);
        let text = compact(object);
        out.system.push(Piece { kind: Kind::System, name: String::new(), text, blocks: 1, marked });
    }
    each(body, "messages", |message| {
        let role = text(message, "role")?.unwrap_or_default();
        for block in blocks(message, "content")? {
            let (object, marked) = unmarked(&block, &[]);
            let kind = kind(role, &name(&block, &["type"]));
            let text = json!({"role": role, "content": object}).to_string();
            out.messages.push(Piece { kind, name: String::new(), text, blocks: 1, marked });
            // The provider expands a reference in its place; a breakpoint stands after what was expanded.
            for name in references(&block) {
                if let Some(text) = definitions.get(name) {
                    let marked = out.messages.last_mut().is_some_and(|last| std::mem::take(&mut last.marked));
                    let (name, text) = (name.to_string(), text.clone());
                    out.messages.push(Piece { kind: Kind::Definition, name, text, blocks: 0, marked });
                }
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// Content blocks; a plain text is one.
fn blocks(of: &Map<String, Value>, key: &str) -> Result<Vec<Map<String, Value>>, Wrong> {
    match of.get(key) {
        Some(Value::String(text)) => {
            Ok(vec![Map::from_iter([("type".to_string(), "text".into()), ("text".to_string(), text.as_str().into())])])
        }
        _ => Ok(list(of, key)?.into_iter().cloned().collect()),
    }
}

fn kind(role: &str, block: &str) -> Kind {
    match (role, block) {
        (_, "tool_use" | "server_tool_use" | "mcp_tool_use") => Kind::Call,
        _ if block.ends_with("tool_result") => Kind::Result,
        ("assistant", _) => Kind::Assistant,
        _ => Kind::User,
    }
}

/// Names of tools whose definitions a result refers to.
fn references(block: &Map<String, Value>) -> Vec<&str> {
    let content = block.get("content");
    let direct = content.and_then(Value::as_array);
    let found = content.and_then(|c| c.get("tool_references")).and_then(Value::as_array);
    let items = direct.into_iter().chain(found).flatten();
    items.filter(|item| item["type"] == "tool_reference").filter_map(|item| item.get("tool_name")?.as_str()).collect()
}

/// Here the input is what was neither read nor written.
fn usage(usage: &Map<String, Value>) -> Result<Reported, Wrong> {
    let cached = tokens(usage, "cache_read_input_tokens")?;
    let written = tokens(usage, "cache_creation_input_tokens")?;
    let input = tokens(usage, "input_tokens")?;
    let prompt = input.map(|input| input.saturating_add(cached.unwrap_or(0)).saturating_add(written.unwrap_or(0)));
    Ok(Reported { cached, written, prompt })
}
