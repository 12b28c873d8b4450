//! A request that names the service by its own name.

use super::{QueryClass, one};
use crate::generate::words::capital;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "vendor",
    summary: "a request that names the service by the label of its server",
    source: "NousResearch/hermes-agent issue 92693",
    pose: |front| {
        front.each("vendor", |draw, tool| {
            let (verb, noun, label) = (tool.written.verb, &tool.written.noun, tool.label);
            let (title, a_noun) = (capital(label), tool.a_noun());
            let mut texts = vec![
                format!("{label}: {verb} {noun}"),
                format!("use {title} to {verb} {a_noun}"),
                format!("{verb} {noun} with {title}"),
                format!("{title} {noun}, {verb}"),
            ];
            draw.shuffle(&mut texts);
            texts.into_iter().map(|text| one(tool, text)).collect()
        })
    },
};
