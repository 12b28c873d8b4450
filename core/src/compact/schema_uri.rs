//! The dialect that every schema of a listing repeats.

use super::{Compaction, Effect, drop_members};

pub(super) static ENTRY: Compaction = Compaction {
    name: "schema-uri",
    summary: "$schema is left out",
    source: "JSON Schema core, section 8.1.1: the keyword names a dialect and asserts nothing",
    effect: Effect::Lossless,
    rewrite: |wire, _| drop_members(wire, |key, value| key == "$schema" && value.as_text().is_some()),
};
