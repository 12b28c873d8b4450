//! The tools array alone, as the seed's benchmark measured it.

use super::{Layout, Rendered, Unit};

pub(super) static ENTRY: Layout = Layout {
    name: "seed-json",
    summary: "the tools array alone: compact JSON of name, description, parameters; no system text, no messages",
    source: "the published benchmark of dsh-tool-search",
    unit: Unit::Utf16,
    render: |parts| {
        let mut out = Rendered::new();
        out.tools_array(&parts.tools, "", "parameters", "");
        out
    },
};
