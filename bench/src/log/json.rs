//! How are members of a body read, and what of them is only a marker?

use serde_json::{Map, Value};

use super::Wrong;

type Object = Map<String, Value>;

const REMEDY: &str = "record the body as it was sent";

/// Members that say where a cache should write, and no model sees.
const MARKERS: [&str; 2] = ["cache_control", "prompt_cache_breakpoint"];

/// What stands there, for a message.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("the text {:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "an array".to_string(),
        Value::Object(_) => "an object".to_string(),
    }
}

/// An object.
pub(super) fn object<'a>(value: &'a Value, place: &str, expected: &'static str) -> Result<&'a Object, Wrong> {
    value.as_object().ok_or_else(|| Wrong::new(place, kind(value), expected, REMEDY))
}

fn present<'a>(of: &'a Object, key: &str) -> Option<&'a Value> {
    of.get(key).filter(|value| !value.is_null())
}

/// An object, where there is one.
pub(super) fn member<'a>(of: &'a Object, key: &str) -> Result<Option<&'a Object>, Wrong> {
    present(of, key).map(|value| object(value, key, "an object")).transpose()
}

/// A text, where there is one.
pub(super) fn text<'a>(of: &'a Object, key: &str) -> Result<Option<&'a str>, Wrong> {
    let read = |value: &'a Value| value.as_str().ok_or_else(|| Wrong::new(key, kind(value), "a text", REMEDY));
    present(of, key).map(read).transpose()
}

/// The objects of an array; none where there is no such member.
pub(super) fn list<'a>(of: &'a Object, key: &str) -> Result<Vec<&'a Object>, Wrong> {
    let Some(value) = present(of, key) else { return Ok(Vec::new()) };
    let items = value.as_array().ok_or_else(|| Wrong::new(key, kind(value), "an array of objects", REMEDY))?;
    items.iter().enumerate().map(|(i, item)| object(item, &format!("{key}[{i}]"), "an object")).collect()
}

/// Reads each object of an array; what is wrong is told with its place.
pub(super) fn each<'a>(
    of: &'a Object,
    key: &str,
    mut read: impl FnMut(&'a Object) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let within = |(i, item)| read(item).map_err(|wrong| wrong.within(&format!("{key}[{i}]")));
    list(of, key)?.into_iter().enumerate().try_for_each(within)
}

/// A whole number of tokens, where there is one.
pub(super) fn tokens(of: &Object, key: &str) -> Result<Option<u64>, Wrong> {
    let expected = "a whole number of tokens, 0 or more";
    let read = |value: &Value| value.as_u64().ok_or_else(|| Wrong::new(key, kind(value), expected, REMEDY));
    present(of, key).map(read).transpose()
}

/// A number of seconds, where there is one; parts of a second are cut off.
pub(super) fn seconds(of: &Object, key: &str) -> Result<Option<u64>, Wrong> {
    let valid = |value: &Value| value.as_f64().filter(|s| (0.0..1e15).contains(s)).map(|s| s as u64);
    let expected = "a number of seconds, 0 or more";
    let remedy = "give seconds since any moment that all lines share, or leave \"at\" out";
    let read = |value: &Value| valid(value).ok_or_else(|| Wrong::new(key, kind(value), expected, remedy));
    present(of, key).map(read).transpose()
}

/// The first of some members that is a text: the name of a tool, whatever its form.
pub(super) fn name(of: &Object, keys: &[&str]) -> String {
    keys.iter().find_map(|key| of.get(*key)?.as_str()).unwrap_or_default().to_string()
}

/// As JSON without markers and some other members; true where there was a marker. Markers stand on the object itself, on
/// its `function`, and on the objects of its `content`; deeper, a member of that name is the user's.
pub(super) fn unmarked(of: &Object, without: &[&str]) -> (Object, bool) {
    let mut out = of.clone();
    // In the order as given: the plain `remove` moves the last member.
    without.iter().for_each(|key| _ = out.shift_remove(*key));
    let mut marked = take(&mut out);
    if let Some(Value::Object(function)) = out.get_mut("function") {
        marked |= take(function);
    }
    if let Some(Value::Array(content)) = out.get_mut("content") {
        content.iter_mut().filter_map(Value::as_object_mut).for_each(|block| marked |= take(block));
    }
    (out, marked)
}

fn take(of: &mut Object) -> bool {
    let found = MARKERS.map(|key| of.shift_remove(key).is_some_and(|value| !value.is_null()));
    found.contains(&true)
}

/// As compact JSON.
pub(super) fn compact(of: Object) -> String {
    Value::Object(of).to_string()
}

/// A member that stands for something that the body does not hold.
pub(super) fn refuse_reference(of: &Object, key: &str) -> Result<(), Wrong> {
    let wrong = |value: &Value| {
        let remedy = "record requests that carry their whole input, or leave these lines out";
        Wrong::new(key, kind(value), "no reference to what the provider keeps", remedy)
    };
    present(of, key).map_or(Ok(()), |value| Err(wrong(value)))
}
