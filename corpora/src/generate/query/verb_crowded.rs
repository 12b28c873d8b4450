//! A plain request whose verb many tools share.

use super::{QueryClass, one};
use crate::generate::tool::joint;
use crate::lexicon::actions;

/// Tools of the front that make a verb crowded.
const CROWD: usize = 4;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "verb-crowded",
    summary: "a plain request with the words of the description, whose verb many tools share",
    source: "",
    pose: |front| {
        front.each("crowded", |_, tool| {
            let action = tool.slot.action;
            let same = front.tools.iter().filter(|other| other.slot.action == action).count();
            if same < CROWD && !actions::FAMILY.contains(&action.name) {
                return Vec::new();
            }
            let request = format!("{} {}", tool.written.verb, tool.a_noun());
            let joint = joint(action.effect);
            let named = format!("{request} {joint} {}", tool.the_place());
            if tool.alone { vec![one(tool, request), one(tool, named)] } else { vec![one(tool, named)] }
        })
    },
};
