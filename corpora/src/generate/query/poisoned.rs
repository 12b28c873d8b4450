//! A request whose words another tool has stuffed into its description.

use super::{Asked, QueryClass, one};
use crate::generate::poison;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "poisoned",
    summary: "a request whose words stand in the description of a tool that cannot fulfil it; the tag poison names that tool",
    source: "",
    pose: |front| {
        front.each("poisoned", |_, tool| {
            let Some(place) = poison::beside(tool.at) else { return Vec::new() };
            let mut posed = one(tool, text(tool));
            posed.beside.push(place);
            posed.tags.push(format!("poison={}", poison::name(place)));
            vec![posed]
        })
    },
};

/// The request; the poisonous tool repeats its words.
pub(crate) fn text(tool: &Asked<'_>) -> String {
    format!("how do i {} {}, {}", tool.written.verb, tool.a_noun(), tool.place())
}
