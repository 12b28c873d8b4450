//! A request in other words.

use std::collections::HashSet;

use deferbench_core::text::Splitter;

use super::{QueryClass, one};
use crate::generate::tool::joint;
use crate::generate::words::{article, collides, plural, words_of};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "paraphrase",
    summary: "a request in other words, no topic word of which shares a stem with the name or the description of its tool",
    source: "",
    pose: |front| {
        front.each("paraphrase", |draw, tool| {
            let slot = tool.slot;
            let mut taken = words_of(tool.name);
            taken.extend(words_of(&tool.written.description));
            let free = |list: &'static [&'static str]| -> Vec<&'static str> {
                let bare = |text: &str| text.replace("{one}", "").replace("{many}", "");
                list.iter().copied().filter(|text| !collides(&bare(text), &taken)).collect()
            };
            let (objects, places) = (free(slot.object.ask), free(slot.service.ask));
            // Some small words are stems too: no request may share one of those either.
            let stems = Stems::of(&format!("{} {}", tool.name, tool.written.description));
            let joint = ["in", "inside", "within", "at", joint(slot.action.effect)]
                .into_iter()
                .filter(|joint| !stems.meet(joint))
                .nth(usize::from(draw.percent(50)))
                .unwrap_or("in");
            let mut texts = Vec::new();
            for action in free(slot.action.ask) {
                for object in &objects {
                    let text = action
                        .replace("a {one}", &format!("{} {object}", article(object)))
                        .replace("{one}", object)
                        .replace("{many}", &plural(object));
                    texts.extend(places.iter().map(|place| format!("{text} {joint} the {place}")));
                    if tool.alone {
                        texts.push(text);
                    }
                }
            }
            texts.retain(|text| !collides(text, &taken) && !stems.meet(text));
            draw.shuffle(&mut texts);
            let opening = ["", "", "", "", "please ", "can you "][draw.index(6)];
            let question = |text: &str| text.starts_with("how ") || text.starts_with("is ");
            let opening = if stems.meet(opening) { "" } else { opening };
            let polite = |text: String| if question(&text) { text } else { format!("{opening}{text}") };
            texts.into_iter().map(|text| one(tool, polite(text))).collect()
        })
    },
};

/// The stems of a text, as the measured overlap counts them.
struct Stems(HashSet<String>);

impl Stems {
    fn of(text: &str) -> Self {
        Self(Splitter::find("stem").map(|splitter| splitter.words(text)).unwrap_or_default().into_iter().collect())
    }

    fn meet(&self, text: &str) -> bool {
        !self.0.is_disjoint(&Self::of(text).0)
    }
}
