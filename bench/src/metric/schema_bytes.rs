//! How large are the definitions of a request?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "schema_bytes",
    version: 1,
    summary: "UTF-8 bytes of name, description and input schema of every definition that a request carries",
    unit: "bytes",
    better: Better::Lower,
    undefined: "never",
    source: "stitchkit schema bytes",
    kind: Kind::Session { members: "requests[].schema_bytes" },
};
