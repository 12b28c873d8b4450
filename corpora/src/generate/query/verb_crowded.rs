//! A plain request whose verb many tools share.

use super::{QueryClass, one};
use crate::lexicon::actions;

/// Tools of the front that make a verb crowded.
const CROWD: usize = 3;

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
            vec![one(tool, tool.request(false)), one(tool, tool.request(true))]
        })
    },
};
