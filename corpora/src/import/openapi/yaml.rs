//! Which JSON is a YAML text?
//!
//! YAML 1.2 with its core schema, one document. Key order stays, and every number that JSON could spell so.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::spelled::Node;

/// Nested sequences and mappings.
const DEEPEST: usize = 512;

/// Values with every alias written out: a text of aliases to aliases grows without bounds.
const MAX_VALUES: usize = 2_000_000;

/// A collection that is not closed yet: its node, its anchor, the key that waits for a value, the values inside.
struct Open {
    node: Node,
    anchor: usize,
    key: Option<String>,
    keys: HashSet<String>,
    values: usize,
}

impl Open {
    fn new(node: Node, anchor: usize) -> Self {
        Self { node, anchor, key: None, keys: HashSet::new(), values: 1 }
    }
}

/// What aliases stand for, with the number of values.
type Anchors = HashMap<usize, (Node, usize)>;

/// Reads the only document; an error comes with its line, from 1.
pub(super) fn parse(text: &str) -> Result<Node, (usize, String)> {
    let (mut open, mut anchors, mut values): (Vec<Open>, Anchors, usize) = (Vec::new(), HashMap::new(), 0);
    let mut document = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| (e.marker().line().max(1), e.info().to_string()))?;
        let line = span.start.line().max(1);
        let fail = |problem: String| Err((line, problem));
        let (node, anchor, inside) = match event {
            Event::Scalar(value, style, anchor, tag) => {
                let is_text = tag.is_some_and(|t| t.suffix == "str");
                let plain = style == ScalarStyle::Plain && !is_text;
                // A key is a text, whatever it looks like.
                if let Some(Open { node: Node::Object(_), key: key @ None, .. }) = open.last_mut() {
                    *key = Some(value.into_owned());
                    continue;
                }
                (if plain { resolve(&value) } else { Node::text(&value) }, anchor, 1)
            }
            Event::Alias(id) => match anchors.get(&id) {
                Some((node, inside)) => {
                    values += inside;
                    (node.clone(), 0, *inside)
                }
                None => return fail("an alias inside of what it stands for".to_string()),
            },
            Event::SequenceStart(anchor, _) => {
                open.push(Open::new(Node::Array(Vec::new()), anchor));
                continue;
            }
            Event::MappingStart(anchor, _) => {
                if matches!(open.last(), Some(Open { node: Node::Object(_), key: None, .. })) {
                    return fail("a key that is a mapping; JSON has texts only".to_string());
                }
                open.push(Open::new(Node::Object(Vec::new()), anchor));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(done) => (done.node, done.anchor, done.values),
                None => return fail("an end without a beginning".to_string()),
            },
            Event::DocumentStart(..) if document.is_some() => {
                return fail("a second document begins here, and one file is one document; split it".to_string());
            }
            _ => continue,
        };
        // What has an anchor is kept once more.
        values += if anchor > 0 { 1 + inside } else { 1 };
        if values > MAX_VALUES || open.len() > DEEPEST {
            return fail(format!("more than {MAX_VALUES} values with aliases written out, or {DEEPEST} levels"));
        }
        if anchor > 0 {
            anchors.insert(anchor, (node.clone(), inside));
        }
        let Some(parent) = open.last_mut() else {
            document = Some(node);
            continue;
        };
        parent.values += inside;
        match (&mut parent.node, parent.key.take()) {
            (Node::Object(members), Some(key)) => {
                if !parent.keys.insert(key.clone()) {
                    return fail(format!("the key {key:?} stands here twice; take one out"));
                }
                members.push((key, node));
            }
            (Node::Array(items), _) => items.push(node),
            _ => return fail("a key that is no text".to_string()),
        }
    }
    document.ok_or_else(|| (1, "the text holds no document".to_string()))
}

/// What a plain scalar means.
fn resolve(plain: &str) -> Node {
    let spelled = |text: &str| Node::Scalar(text.to_string());
    match plain {
        "" | "~" | "null" | "Null" | "NULL" => return spelled("null"),
        "true" | "True" | "TRUE" => return spelled("true"),
        "false" | "False" | "FALSE" => return spelled("false"),
        _ => {}
    }
    let radix = |prefix: &str, radix: u32| u64::from_str_radix(plain.strip_prefix(prefix)?, radix).ok();
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return spelled(&number.to_string());
    }
    number(plain).map_or_else(|| Node::text(plain), Node::Scalar)
}

/// A decimal number as JSON spells it: unchanged where that is possible.
fn number(plain: &str) -> Option<String> {
    let (sign, rest) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(plain)),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let power = exponent.get(1..).unwrap_or_default();
    let power_digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    if whole.len() + fraction.len() == 0 || !digits(whole) || !digits(fraction) || !digits(power_digits) {
        return None;
    }
    if !exponent.is_empty() && power_digits.is_empty() {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if mantissa.contains('.') { "." } else { "" };
    let fraction = if point == "." && fraction.is_empty() { "0" } else { fraction };
    Some(format!("{sign}{whole}{point}{fraction}{exponent}"))
}
