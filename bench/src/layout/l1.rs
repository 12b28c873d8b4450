//! Tools, then the system text, then the messages.

use deferbench_core::transcript::Event;
use serde_json::{Value, json};

use super::{Kind, Layout, Parts, Rendered, Unit};

pub(super) static ENTRY: Layout = Layout {
    name: "L1",
    summary: "tools < system < messages: one compact array of OpenAI chat items, then one JSON message a line",
    source: "the prefix order of Anthropic Messages, GLM, Kimi and Qwen3.5; item shape of OpenAI Chat Completions",
    unit: Unit::Utf8,
    render,
};

fn render<'a>(parts: &Parts<'a, '_>) -> Rendered<'a> {
    let mut out = Rendered::new();
    out.tools_array(&parts.tools, "{\"type\":\"function\",\"function\":", "parameters", "}");
    out.text.push('\n');
    out.segment(Kind::System, "", |text| {
        text.push_str(&json!({"role": "system", "content": parts.system}).to_string());
    });
    for message in parts.events.iter().filter_map(message) {
        out.text.push('\n');
        out.segment(Kind::Message, "", |text| text.push_str(&message.to_string()));
    }
    out
}

/// The chat message of an event; none for what the model does not see.
fn message(event: &Event) -> Option<Value> {
    match event {
        Event::User { text } => Some(json!({"role": "user", "content": text})),
        Event::Assistant { text, calls, .. } if calls.is_empty() => Some(json!({"role": "assistant", "content": text})),
        Event::Assistant { text, calls, .. } => {
            let call = |c: &deferbench_core::transcript::Call| json!({"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}});
            let calls: Vec<Value> = calls.iter().map(call).collect();
            Some(json!({"role": "assistant", "content": text, "tool_calls": calls}))
        }
        Event::Result { call, output, .. } => {
            Some(json!({"role": "tool", "tool_call_id": call, "content": output.text()}))
        }
        Event::Run { .. } | Event::Deferral { .. } | Event::Selection { .. } => None,
    }
}
