//! The schema of results.

use super::{Compaction, Effect};

pub(super) static ENTRY: Compaction = Compaction {
    name: "output-schema",
    summary: "outputSchema is left out",
    source: "Model Context Protocol, 2025-06-18: a client should validate results against it",
    effect: Effect::Validation,
    rewrite: |wire, _| wire.extra.retain(|(key, _)| key != "outputSchema"),
};
