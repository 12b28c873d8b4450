//! Chinese, Japanese and Korean text.

use serde_json::Value;

use super::{Check, Counted, Point, Rule, Severity, quoted};
use crate::pointer::escaped;

pub(super) static ENTRY: Rule = Rule {
    name: "cjk-text",
    severity: Severity::Info,
    summary: "Chinese, Japanese or Korean text in the definition",
    why: "rankers that split at spaces never find it, and estimates of tokens by characters are far too low",
    remedy: "add an English sentence, or use a ranker that makes bigrams",
    source: "anthropics/anthropic-sdk-python#1116, ooples/token-optimizer-mcp#222",
    counted: Counted::Tools("cjk_text"),
    check: Check::Each(|subject, found| {
        let d = subject.definition;
        let own = [("/name", d.name()), ("/description", d.description())];
        let of_texts =
            own.into_iter().find_map(|(pointer, text)| cjk(text).then(|| (pointer.to_string(), text.to_string())));
        let schema = || {
            let text = first(d.schema())?;
            Some(("/inputSchema".to_string(), text.to_string()))
        };
        let others = || {
            d.extra().iter().find_map(|(key, value)| {
                let text = if cjk(key) { Some(key.as_str()) } else { first(value) };
                Some((format!("/{}", escaped(key)), text?.to_string()))
            })
        };
        if let Some((pointer, text)) = of_texts.or_else(schema).or_else(others) {
            found(Point::new(pointer, quoted(&text), "text that is split at spaces"));
        }
    }),
};

/// Kana, Han and Hangul of the Basic Multilingual Plane.
fn cjk(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
}

/// The first such text of a value, keys included; the nesting is limited when a definition is read.
fn first(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => cjk(text).then_some(text.as_str()),
        Value::Array(items) => items.iter().find_map(first),
        Value::Object(map) => map.iter().find_map(|(k, v)| if cjk(k) { Some(k.as_str()) } else { first(v) }),
        _ => None,
    }
}
