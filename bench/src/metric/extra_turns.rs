//! How many requests does deferral cost?

use deferbench_reports::record::Better;

use super::{Kind, Metric};

pub(super) static ENTRY: Metric = Metric {
    name: "extra_turns",
    version: 1,
    summary: "model requests of a session minus those of eager on the same script; parallel searches count once",
    unit: "requests",
    better: Better::Lower,
    undefined: "the script has no need, so eager has nothing to do in it; or a need stayed unmet, so the two sessions did different work",
    source: "this project",
    kind: Kind::Session { members: "extra_turns" },
};
