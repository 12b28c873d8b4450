//! A plain request whose verb many tools share.

use super::{Asked, Front, QueryClass, one};
use crate::generate::name::verbs;
use crate::generate::words::words_of;

/// Tools of the front that make a verb crowded.
const CROWD: usize = 3;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "verb-crowded",
    summary: "a plain request with the words of the name or the description, whose verb stands in those of many tools",
    source: "",
    pose: |front| {
        let mut out = front.each("crowded", |_, tool| {
            let short = crowded(front, tool).filter(|_| tool.alone).map(|verb| tool.request_to(verb, false));
            short.map(|text| one(tool, text)).collect()
        });
        out.extend(front.each("crowded", |_, tool| {
            let long = crowded(front, tool).filter_map(|verb| with_service(tool, verb));
            long.map(|text| one(tool, text)).collect()
        }));
        out
    },
};

/// The verbs of a tool that many tools have.
fn crowded<'a>(front: &'a Front<'_>, tool: &'a Asked<'_>) -> impl Iterator<Item = &'static str> + use<'a> {
    // Names have "new" and "set" for verbs, requests have not.
    let own = verbs(tool.slot.action).into_iter().filter(|verb| !matches!(*verb, "new" | "set") && has(tool, verb));
    own.filter(|verb| front.tools.iter().filter(|other| has(other, verb)).count() >= CROWD)
}

/// Whether the name or the first sentence of a tool has a verb.
fn has(tool: &Asked<'_>, verb: &str) -> bool {
    tool.written.verb == verb || words_of(tool.name).iter().any(|word| word == verb)
}

/// The request with the service, where the text of the tool says which one it is.
fn with_service(tool: &Asked<'_>, verb: &str) -> Option<String> {
    if tool.written_place().is_some() {
        return Some(tool.request_to(verb, true));
    }
    let qualifier = tool.named_qualifier()?;
    if words_of(&tool.written.noun).iter().any(|word| word == qualifier) {
        return None;
    }
    let noun = format!("{qualifier} {}", tool.written.noun);
    Some(format!("{verb} {}", tool.determined(&noun)))
}
