//! A request in another language.

use super::{QueryClass, one};
use crate::lexicon::translate::{self, Language};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "cross-lingual",
    summary: "a request in Chinese, Japanese, German or Spanish; the tag language names which",
    source: "",
    pose: |front| {
        front.each("language", |_, tool| {
            let language = Language::ALL[tool.at % Language::ALL.len()];
            let (action, object) = (tool.slot.action.name, tool.slot.object.name);
            let (Some(action), Some(object)) = (translate::of_action(action), translate::of_object(object)) else {
                return Vec::new();
            };
            let service = translate::of_service(tool.slot.service.name);
            let mut named = one(tool, translate::query(language, action, object, service));
            let mut short = one(tool, translate::query(language, action, object, None));
            for posed in [&mut named, &mut short] {
                posed.tags.push(format!("language={}", language.code()));
            }
            if tool.alone && tool.at % 2 == 0 { vec![short, named] } else { vec![named] }
        })
    },
};
