//! Two listings with two contents.

use std::collections::HashMap;

use super::{Check, Counted, Definition, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "listing-content",
    severity: Severity::Warning,
    summary: "a tool differs in the second listing, or is in one of the two only",
    why: "the definition is sent again, and a selection that names its fingerprint is dropped",
    remedy: "keep what changes out of the definition",
    source: "openai/codex#33266, PrefectHQ/fastmcp#5153",
    counted: Counted::No,
    check: Check::All(|lint, found| {
        let Some(other) = lint.against else { return };
        let (here, there) = (places(lint.definitions), places(other));
        for (i, d) in lint.definitions.iter().enumerate() {
            match there.get(&(d.server(), d.name())) {
                None => {
                    found(Some(i), Point::new("", "a tool that the second listing does not have", "the same tools"))
                }
                Some(&j) => {
                    if let Some((pointer, a, b)) = difference(d, &other[j]) {
                        let what = format!("{} here and {} there", quoted(&a), quoted(&b));
                        found(Some(i), Point::new(pointer, what, "the same text in both"));
                    }
                }
            }
        }
        for d in other.iter().filter(|d| !here.contains_key(&(d.server(), d.name()))) {
            let what = format!("{} of {} in the second listing only", quoted(d.name()), d.server());
            found(None, Point::new("", what, "the same tools"));
        }
    }),
};

/// The place of each tool, by server and name; the first of several.
pub(super) fn places(definitions: &[Definition]) -> HashMap<(&str, &str), usize> {
    let mut out = HashMap::new();
    for (i, d) in definitions.iter().enumerate() {
        out.entry((d.server(), d.name())).or_insert(i);
    }
    out
}

/// The first member that differs, with what differs of it: spelling counts, because bytes are what a cache compares.
fn difference(a: &Definition, b: &Definition) -> Option<(&'static str, String, String)> {
    let (a, b) = (a.tool(), b.tool());
    let text = |t: &crate::Tool| t.description_json().unwrap_or("nothing").to_string();
    let extra = |t: &crate::Tool| t.extra().iter().map(|(k, v)| format!("{k}:{v}")).collect::<Vec<_>>().join(",");
    let members: [(&'static str, String, String); 3] = [
        ("/description", text(a), text(b)),
        ("/inputSchema", a.schema_json().to_string(), b.schema_json().to_string()),
        ("", extra(a), extra(b)),
    ];
    let (pointer, a, b) = members.into_iter().find(|(_, a, b)| a != b)?;
    let same = a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y).map_or(a.len().min(b.len()), |((i, _), _)| i);
    let from = a[..same].char_indices().rev().nth(15).map_or(0, |(i, _)| i);
    Some((pointer, a[from..].to_string(), b[from..].to_string()))
}
