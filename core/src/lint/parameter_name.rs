//! Arguments whose names are no identifiers.

use serde_json::Value;

use super::{Check, Counted, Point, Profile, Rule, Severity, quoted, refusing};
use crate::pointer::escaped;

pub(super) static ENTRY: Rule = Rule {
    name: "parameter-name",
    severity: Severity::Warning,
    summary: "the name of an argument is no identifier",
    why: "clients that turn tools into functions or types rename it, and providers may refuse the request",
    remedy: "use letters, digits and _, not a digit first",
    source: "Anthropic documentation as quoted in diegosouzapw/OmniRoute#13552: letters, digits, _ . and -, at most 64",
    counted: Counted::Tools("parameter_name_not_identifier"),
    check: Check::Each(|subject, found| {
        let properties = subject.definition.schema().get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(|p| p.keys()).filter(|name| !identifier(name)) {
            let refuses = |p: &Profile| {
                let outside = |s: &super::Characters| name.is_empty() || name.chars().any(|c| !s.holds(c));
                p.parameter_characters.value.as_ref().is_some_and(outside)
                    || p.parameter_length.value.is_some_and(|n| name.chars().count() > n)
            };
            let profiles = refusing(subject.profiles, refuses);
            let pointer = format!("/inputSchema/properties/{}", escaped(name));
            found(Point { pointer, found: quoted(name), expected: "an identifier".into(), profiles });
        }
    }),
};

fn identifier(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(word) && name.starts_with(|c: char| !c.is_ascii_digit())
}
