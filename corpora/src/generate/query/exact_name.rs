//! The name of one tool and nothing else.

use super::{QueryClass, one};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "exact-name",
    summary: "the name of one tool, as spelled",
    source: "",
    pose: |front| front.each("exact", |_, tool| vec![one(tool, tool.name.to_owned())]),
};
