//! Words of the description, as typed into a search box.

use super::{QueryClass, one};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "keyword",
    summary: "words of the name and the description in any order, as typed into a search box",
    source: "",
    pose: |front| {
        front.each("keyword", |draw, tool| {
            let (verb, noun, tail) = (tool.written.verb, &tool.written.noun, &tool.written.tail);
            let mut texts = Vec::new();
            if let Some(place) = tool.written_place().or_else(|| tool.named_qualifier()) {
                texts.extend([
                    format!("{verb} {noun} {place}"),
                    format!("{noun} {verb} {place}"),
                    format!("{place} {noun} {verb}"),
                    format!("{place} {verb} {noun}"),
                ]);
            }
            // Without the service only where no other tool is meant as well.
            if tool.alone && texts.is_empty() {
                texts.extend([format!("{verb} {noun}"), format!("{noun} {verb}")]);
            }
            draw.shuffle(&mut texts);
            // Only a tail that says something of the thing itself is typed.
            let telling =
                ["with its", "for the", "permanently", "including"].iter().any(|start| tail.starts_with(start));
            if tool.alone && telling && draw.percent(50) {
                texts.splice(0..0, [format!("{verb} {noun} {tail}"), format!("{noun} {verb} {tail}")]);
            }
            texts.into_iter().filter(|text| tool.says(text)).map(|text| one(tool, text)).collect()
        })
    },
};
