//! Titles that repeat the name of the parameter.

use super::{Compaction, Effect, drop_members};

pub(super) static ENTRY: Compaction = Compaction {
    name: "titles",
    summary: "titles inside schemas are left out",
    source: "this project: schema generators write the parameter's name a second time",
    effect: Effect::Reading,
    rewrite: |wire, _| drop_members(wire, |key, value| key == "title" && value.as_text().is_some()),
};
