use deferbench_core::cache::Kind;
use serde_json::{Map, Value};

use super::json::{compact, each, list, member, name, refuse_reference, text, tokens};
use super::{Body, Piece, Reported, Shape, Wrong};

pub(super) static ENTRY: Shape = Shape {
    name: "gemini",
    summary: "Gemini generateContent; each content is a segment",
    source: "ai.google.dev/api/generate-content",
    profile: "gemini_implicit",
    knows: |body| body.contains_key("contents"),
    read,
    usage,
};

fn read(body: &Map<String, Value>) -> Result<Body, Wrong> {
    ["cachedContent", "cached_content"].iter().try_for_each(|key| refuse_reference(body, key))?;
    let mut out = Body { automatic: true, ..Body::default() };
    let piece = |kind, name, object: &Map<String, Value>, blocks: usize| {
        let text = compact(object.clone());
        Piece { kind, name, text, blocks: blocks.max(1) as u64, marked: false }
    };
    for group in list(body, "tools")? {
        let declared = [list(group, "functionDeclarations")?, list(group, "function_declarations")?].concat();
        if declared.is_empty() {
            let name = group.keys().next().cloned().unwrap_or_default();
            out.tools.push(piece(Kind::Tool, name, group, 1));
        }
        out.tools.extend(declared.into_iter().map(|tool| piece(Kind::Tool, name(tool, &["name"]), tool, 1)));
    }
    let instruction = [member(body, "systemInstruction")?, member(body, "system_instruction")?];
    out.system.extend(instruction.into_iter().flatten().map(|system| piece(Kind::System, String::new(), system, 1)));
    each(body, "contents", |content| {
        let parts = list(content, "parts")?;
        let has = |keys: [&str; 2]| parts.iter().any(|part| keys.iter().any(|key| part.contains_key(*key)));
        let kind = match text(content, "role")? {
            Some("model") if has(["functionCall", "function_call"]) => Kind::Call,
            Some("model") => Kind::Assistant,
            _ if has(["functionResponse", "function_response"]) => Kind::Result,
            _ => Kind::User,
        };
        out.messages.push(piece(kind, String::new(), content, parts.len()));
        Ok(())
    })?;
    Ok(out)
}

/// A count of 0 is left out of the JSON form of these answers.
fn usage(usage: &Map<String, Value>) -> Result<Reported, Wrong> {
    let prompt = tokens(usage, "promptTokenCount")?;
    let cached = tokens(usage, "cachedContentTokenCount")?.or(prompt.map(|_| 0));
    Ok(Reported { cached, written: None, prompt })
}
