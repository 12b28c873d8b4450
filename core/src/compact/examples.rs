//! Examples beside a description.

use super::{Compaction, Effect, drop_members};

pub(super) static ENTRY: Compaction = Compaction {
    name: "examples",
    summary: "examples inside schemas are left out",
    source: "JSON Schema validation, section 9.5: examples assert nothing",
    effect: Effect::Reading,
    rewrite: |wire, _| drop_members(wire, |key, _| key == "examples" || key == "example"),
};
