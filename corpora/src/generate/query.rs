//! Which requests does a catalog answer, and how are they worded?
//!
//! Every query names its tool at the level of concepts: object and action, and the service unless no
//! other tool of the whole catalog has this object and action. So it stays valid at every size.

use std::collections::BTreeSet;

use super::GeneratedQuery;
use super::draw::Draw;
use super::plan::Slot;
use super::tool::{Written, joint};
use super::words::{article, capital, collides, plural, words_of};
use crate::lexicon::{actions, reserved};

/// Tools at the front of the catalog that get every class of query.
const DENSE: usize = 100;
/// Fewest and most words of a query.
const WORDS: std::ops::RangeInclusive<usize> = 3..=12;

/// A query and what it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posed {
    /// The query.
    pub query: GeneratedQuery,
    /// Position of its tool; none if no tool answers it.
    pub tool: Option<usize>,
    /// Whether the text names the service.
    pub names_service: bool,
}

/// A tool as queries need it.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Its concepts.
    pub slot: &'a Slot,
    /// Its name.
    pub name: &'a str,
    /// Its words.
    pub written: &'a Written,
    /// Whether no other tool of the catalog does this to this object.
    pub alone: bool,
}

/// All queries of a catalog: by tool, the unanswerable ones last.
#[must_use]
pub fn pose(seed: u64, targets: &[Target<'_>]) -> Vec<Posed> {
    let mut posed = Vec::new();
    let mut texts: BTreeSet<String> = BTreeSet::new();
    for (at, target) in targets.iter().enumerate() {
        let mut draw = Draw::new(seed, "query", at as u64);
        let dense = at < DENSE;
        let crowded = actions::FAMILY.contains(&target.slot.action.name);
        let wanted = [
            ("keyword", "kw", dense || draw.percent(30)),
            ("paraphrase", "para", dense || draw.percent(30)),
            ("verb-crowded", "verb", crowded && (dense || draw.percent(15))),
        ];
        for (class, short, wanted) in wanted {
            if !wanted {
                continue;
            }
            let candidates = match class {
                "keyword" => keyword(&mut draw, target),
                "paraphrase" => paraphrase(&mut draw, target),
                _ => crowded_verb(target),
            };
            let fit = candidates
                .into_iter()
                .find(|(text, _)| WORDS.contains(&text.split(' ').count()) && !texts.contains(text));
            let Some((text, names_service)) = fit else {
                continue;
            };
            texts.insert(text.clone());
            let id = format!("{short}-{:05}", at + 1);
            let relevant = vec![target.name.to_owned()];
            posed.push(Posed { query: GeneratedQuery { id, text, relevant, class }, tool: Some(at), names_service });
        }
    }
    let none = reserved::RESERVED.iter().flat_map(|reserved| reserved.ask);
    for (at, text) in none.enumerate() {
        let id = format!("none-{:05}", at + 1);
        let text = (*text).to_owned();
        posed.push(Posed {
            query: GeneratedQuery { id, text, relevant: Vec::new(), class: "unanswerable" },
            tool: None,
            names_service: false,
        });
    }
    posed
}

type Candidate = (String, bool);

/// Words of the description, as typed into a search box.
fn keyword(draw: &mut Draw, target: &Target<'_>) -> Vec<Candidate> {
    let Written { verb, noun, place, tail, .. } = target.written;
    let Some(place) = place else {
        return vec![(format!("{verb} {noun} {tail}"), false), (format!("{noun} {verb} {tail}"), false)];
    };
    let mut candidates = vec![
        format!("{verb} {noun} {place}"),
        format!("{noun} {verb} {place}"),
        format!("{place} {noun} {verb}"),
        format!("{place} {verb} {noun}"),
    ];
    draw.shuffle(&mut candidates);
    candidates.into_iter().map(|text| (text, true)).collect()
}

/// A plain request with the words of the description, its verb shared with many other tools.
fn crowded_verb(target: &Target<'_>) -> Vec<Candidate> {
    let Written { verb, noun, place, .. } = target.written;
    let object = if target.slot.action.many { format!("all {noun}") } else { format!("{} {noun}", article(noun)) };
    match place {
        None => vec![(format!("{verb} {object}"), false)],
        Some(place) => {
            let joint = joint(target.slot.action.effect);
            let place = if *place == target.slot.service.name { capital(place) } else { format!("the {place}") };
            vec![(format!("{verb} {object} {joint} {place}"), true)]
        }
    }
}

/// A request built from `ask` words only, none of which may share a stem with the tool.
fn paraphrase(draw: &mut Draw, target: &Target<'_>) -> Vec<Candidate> {
    let Target { slot, name, written, alone } = target;
    let mut taken = words_of(name);
    taken.extend(words_of(&written.description));
    let free = |list: &'static [&'static str]| -> Vec<&'static str> {
        list.iter()
            .copied()
            .filter(|text| !collides(&text.replace("{one}", "").replace("{many}", ""), &taken))
            .collect()
    };
    let (objects, places) = (free(slot.object.ask), free(slot.service.ask));
    let joint = if draw.percent(50) { "in" } else { joint(slot.action.effect) };
    let mut candidates = Vec::new();
    for action in free(slot.action.ask) {
        for object in &objects {
            let text = action
                .replace("a {one}", &format!("{} {object}", article(object)))
                .replace("{one}", object)
                .replace("{many}", &plural(object));
            for place in &places {
                candidates.push((format!("{text} {joint} the {place}"), true));
            }
            if *alone {
                candidates.push((text, false));
            }
        }
    }
    candidates.retain(|(text, _)| !collides(text, &taken));
    draw.shuffle(&mut candidates);
    let opening = ["", "", "", "", "please ", "can you "][draw.index(6)];
    if opening.is_empty() {
        return candidates;
    }
    let polite: Vec<Candidate> = candidates
        .iter()
        .filter(|(text, _)| !text.starts_with("how ") && !text.starts_with("is "))
        .map(|(text, named)| (format!("{opening}{text}"), *named))
        .collect();
    polite.into_iter().chain(candidates).collect()
}

#[cfg(test)]
mod tests;
