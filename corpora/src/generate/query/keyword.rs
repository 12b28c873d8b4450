//! Words of the description, as typed into a search box.

use super::{QueryClass, one};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "keyword",
    summary: "words of the description in any order, as typed into a search box",
    source: "",
    pose: |front| {
        front.each("keyword", |draw, tool| {
            let (verb, noun, tail) = (tool.written.verb, &tool.written.noun, &tool.written.tail);
            if tool.alone && !tail.is_empty() && draw.percent(50) {
                return vec![one(tool, format!("{verb} {noun} {tail}")), one(tool, format!("{noun} {verb} {tail}"))];
            }
            let place = tool.place();
            let mut texts = vec![
                format!("{verb} {noun} {place}"),
                format!("{noun} {verb} {place}"),
                format!("{place} {noun} {verb}"),
                format!("{place} {verb} {noun}"),
            ];
            draw.shuffle(&mut texts);
            texts.into_iter().map(|text| one(tool, text)).collect()
        })
    },
};
