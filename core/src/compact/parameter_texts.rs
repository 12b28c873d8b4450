//! Descriptions of parameters that go on.

use super::{Compaction, Effect, each_schema};
use crate::json_tree::Json;

pub(super) static ENTRY: Compaction = Compaction {
    name: "parameter-texts",
    summary: "descriptions inside schemas are cut after their first characters (100 unless told)",
    source: "this project",
    effect: Effect::Reading,
    rewrite: |wire, settings| {
        each_schema(wire, &mut |members| {
            for member in members.iter_mut().filter(|m| m.key() == "description") {
                let cut = member.value.as_text().and_then(|text| {
                    let (at, _) = text.char_indices().nth(settings.parameter_text)?;
                    Some(Json::text(text[..at].trim_end()))
                });
                if let Some(cut) = cut {
                    member.value = cut;
                }
            }
        });
    },
};
