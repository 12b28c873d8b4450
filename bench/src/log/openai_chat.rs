use deferbench_core::cache::Kind;
use serde_json::{Map, Value};

use super::json::{compact, each, list, member, name, text, tokens, unmarked};
use super::{Body, Piece, Reported, Shape, Wrong};

pub(super) static ENTRY: Shape = Shape {
    name: "openai-chat",
    summary: "OpenAI Chat Completions, and everybody who speaks it; each message is a segment",
    source: "platform.openai.com/docs/api-reference/chat",
    profile: "openai_to_5_5",
    knows: |body| body.contains_key("messages"),
    read,
    usage,
};

fn read(body: &Map<String, Value>) -> Result<Body, Wrong> {
    let mut out = Body { automatic: true, ..Body::default() };
    for tool in list(body, "tools")?.into_iter().chain(list(body, "functions")?) {
        let function = member(tool, "function")?.unwrap_or(tool);
        let (object, marked) = unmarked(tool, &[]);
        let name = name(function, &["name", "type"]);
        out.tools.push(Piece { kind: Kind::Tool, name, text: compact(object), blocks: 1, marked });
    }
    // The schema of the answer is laid out in front of the system text.
    if let Some(format) = member(body, "response_format")?.filter(|f| f.contains_key("json_schema")) {
        let text = compact(format.clone());
        out.system.push(Piece { kind: Kind::System, name: String::new(), text, blocks: 1, marked: false });
    }
    each(body, "messages", |message| {
        let (object, marked) = unmarked(message, &[]);
        let (role, calls) = (text(message, "role")?.unwrap_or_default(), list(message, "tool_calls")?.len());
        let parts = message.get("content").map_or(0, |c| c.as_array().map_or(usize::from(c.is_string()), Vec::len));
        let blocks = (parts + calls).max(1) as u64;
        let kind = match role {
            "system" | "developer" if out.messages.is_empty() => Kind::System,
            "assistant" if calls > 0 || message.contains_key("function_call") => Kind::Call,
            "assistant" => Kind::Assistant,
            "tool" | "function" => Kind::Result,
            _ => Kind::User,
        };
        let section = if kind == Kind::System { &mut out.system } else { &mut out.messages };
        section.push(Piece { kind, name: String::new(), text: compact(object), blocks, marked });
        Ok(())
    })?;
    Ok(out)
}

fn usage(usage: &Map<String, Value>) -> Result<Reported, Wrong> {
    let details = member(usage, "prompt_tokens_details")?;
    let cached = details.map(|d| tokens(d, "cached_tokens")).transpose()?.flatten();
    // DeepSeek's spelling.
    let cached = cached.map_or_else(|| tokens(usage, "prompt_cache_hit_tokens"), |cached| Ok(Some(cached)))?;
    Ok(Reported { cached, written: None, prompt: tokens(usage, "prompt_tokens")? })
}
