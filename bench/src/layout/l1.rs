//! Tools, then the system text, then the messages.

use deferbench_core::Tool;
use deferbench_core::entry::Form;
use deferbench_core::transcript::Event;
use serde_json::{Value, json};

use super::{Kind, Layout, Parts, Rendered, Unit, item};

pub(super) static ENTRY: Layout = Layout {
    name: "L1",
    summary: "tools < system < messages: one compact array of OpenAI chat items, then one JSON message a line",
    source: "the prefix order of Anthropic Messages, GLM, Kimi and Qwen3.5; item shape of OpenAI Chat Completions",
    unit: Unit::Utf8,
    render,
};

/// What stands around a definition, in the array and in the history.
const OPEN: &str = "{\"type\":\"function\",\"function\":";
const CLOSE: &str = "}";

fn render<'a>(parts: &Parts<'a, '_>) -> Rendered<'a> {
    let mut out = Rendered::new();
    out.tools_array(&parts.tools, OPEN, "parameters", CLOSE);
    out.text.push('\n');
    out.segment(Kind::System, "", |text| {
        text.push_str(&json!({"role": "system", "content": parts.system}).to_string());
    });
    for (at, event) in parts.events.iter().enumerate() {
        if let Some(message) = message(event) {
            out.text.push('\n');
            out.segment(Kind::Message, "", |text| text.push_str(&message.to_string()));
        }
        for placed in parts.behind(at) {
            out.text.push('\n');
            out.segment(Kind::Definition, placed.tool.name(), |text| define(text, placed.tool, placed.form, event));
        }
    }
    out
}

/// A definition as a message behind an event.
fn define(text: &mut String, tool: &Tool, form: Form, event: &Event) {
    let mut definition = OPEN.to_string();
    item(&mut definition, tool, "parameters");
    definition.push_str(CLOSE);
    match (form, event) {
        (Form::Block, _) => text.push_str(&format!("{{\"role\":\"system\",\"tools\":[{definition}]}}")),
        (Form::Reference, _) => {
            let name = tool.name_json();
            text.push_str(&format!("{{\"type\":\"tool_reference\",\"tool_name\":{name},\"tool\":{definition}}}"));
        }
        (Form::ResultText, Event::Result { call, .. }) => {
            text.push_str(&json!({"role": "tool", "tool_call_id": call, "content": definition}).to_string());
        }
        (Form::ResultText, _) => text.push_str(&json!({"role": "system", "content": definition}).to_string()),
    }
}

/// The chat message of an event; none for what the model does not see.
fn message(event: &Event) -> Option<Value> {
    match event {
        Event::User { text } => Some(json!({"role": "user", "content": text})),
        Event::Assistant { text, calls, .. } if calls.is_empty() => Some(json!({"role": "assistant", "content": text})),
        Event::Assistant { text, calls, .. } => {
            let call = |c: &deferbench_core::transcript::Call| {
                let (name, arguments) = c.shown();
                json!({"id": c.id, "type": "function", "function": {"name": name, "arguments": arguments}})
            };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            Some(json!({"role": "assistant", "content": text, "tool_calls": calls}))
        }
        Event::Result { call, output, .. } => {
            Some(json!({"role": "tool", "tool_call_id": call, "content": output.text()}))
        }
        Event::Run { .. } | Event::Deferral { .. } | Event::Selection { .. } => None,
    }
}
