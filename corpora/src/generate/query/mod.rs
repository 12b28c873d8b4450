//! Which requests does a catalog answer, and how are they worded?
//!
//! Every query needs tools among the first hundred. It names its tool at the level of concepts: object and action, and
//! the service unless no other tool of any size has this object and action. So it stays valid at every size.

use std::collections::HashSet;

use deferbench_core::text::Splitter;

use super::GeneratedQuery;
use super::draw::Draw;
use super::plan::{FRONT, Slot};
use super::poison;
use super::tool::{Written, joint};
use super::words::{article, capital, words_of};
use crate::lexicon::actions;

deferbench_core::entries! {
    /// Every class of queries, in the order of the bundle's lines.
    pub static CLASSES: [QueryClass] = {
        exact_name, several_names, partial_name, keyword, paraphrase, vendor, verb_crowded, typo, cross_lingual,
        over_specified, unanswerable, poisoned,
    }
}

/// The declaration of a class of queries.
pub struct QueryClass {
    /// Name in bundles and reports.
    pub name: &'static str,
    /// One sentence: how such a query is worded.
    pub summary: &'static str,
    /// Where the class shows in the field; empty where it is this project's own.
    pub source: &'static str,
    /// Poses the queries of a front.
    pose: fn(&Front<'_>) -> Vec<Posed>,
}

/// A query and what it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Posed {
    /// What is typed.
    pub text: String,
    /// Positions of the needed tools.
    pub needed: Vec<usize>,
    /// Positions of tools without which the query has no point.
    pub beside: Vec<usize>,
    /// Anything to slice by.
    pub tags: Vec<String>,
}

/// A tool as queries need it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Its position.
    pub at: usize,
    /// Its concepts.
    pub slot: &'a Slot,
    /// Its name.
    pub name: &'a str,
    /// The label of its server.
    pub label: &'a str,
    /// Its words.
    pub written: &'a Written,
    /// Whether no other tool of any size does this to this object.
    pub alone: bool,
}

impl Asked<'_> {
    /// The words that tell which service is meant: those of its text, or else the label of the server.
    fn place(&self) -> &str {
        self.written_place().unwrap_or(self.label)
    }

    /// The words for the service that stand in its text, if any do.
    fn written_place(&self) -> Option<&str> {
        let known = words_of(&format!("{} {}", self.name, self.written.description));
        let mut others = std::iter::once(self.label).chain(self.slot.service.describe.iter().copied());
        let place = self.written.place.as_deref();
        place.or_else(|| others.find(|place| words_of(place).iter().all(|word| known.contains(word))))
    }

    /// The word that sets the service apart in the name, if it stands there.
    fn named_qualifier(&self) -> Option<&'static str> {
        let qualifier = self.slot.service.qualifier;
        words_of(self.name).iter().any(|word| word == qualifier).then_some(qualifier)
    }

    /// Whether name and description hold every word of a text, in whichever form.
    fn says(&self, text: &str) -> bool {
        let Some(splitter) = Splitter::find("stem") else { return false };
        let known = splitter.words(&format!("{} {}", words_of(self.name).join(" "), self.written.description));
        splitter.words(text).iter().all(|word| known.contains(word))
    }

    /// The place as it stands in a sentence.
    fn the_place(&self) -> String {
        let place = self.place();
        if place == self.label { capital(place) } else { format!("the {place}") }
    }

    /// A plain request with the words of the description; with the service where it takes the service to be clear.
    pub(crate) fn request(&self, with_place: bool) -> String {
        self.request_to(self.written.verb, with_place)
    }

    /// The same request with a verb of the name or the description.
    fn request_to(&self, verb: &str, with_place: bool) -> String {
        let request = format!("{verb} {}", self.a_noun());
        if self.alone && !with_place {
            return request;
        }
        format!("{request} {} {}", joint(self.slot.action.effect), self.the_place())
    }

    /// The noun as it stands in a sentence.
    fn a_noun(&self) -> String {
        self.determined(&self.written.noun)
    }

    /// A noun with the article or the number that goes with the action.
    fn determined(&self, noun: &str) -> String {
        match self.slot.action {
            action if actions::PAIRS.contains(&action.name) => format!("two {noun}"),
            action if action.many => format!("all {noun}"),
            _ => format!("{} {noun}", article(noun)),
        }
    }
}

/// The tools that queries ask for.
pub(crate) struct Front<'a> {
    /// The seed of the catalog.
    pub seed: u64,
    /// Tools in registration order; the places of poisonous tools are left out.
    pub tools: Vec<Asked<'a>>,
}

impl Front<'_> {
    /// For each tool the first candidate whose text this class does not have yet.
    fn each(&self, part: &str, pose: impl Fn(&mut Draw, &Asked<'_>) -> Vec<Posed>) -> Vec<Posed> {
        let mut texts = HashSet::new();
        let mut out = Vec::new();
        for tool in &self.tools {
            let mut draw = Draw::new(self.seed, part, tool.at as u64);
            out.extend(pose(&mut draw, tool).into_iter().find(|posed| texts.insert(posed.text.clone())));
        }
        out
    }

    /// The texts of the queries that the poisonous tool at a place repeats.
    pub(crate) fn texts_beside(&self, place: usize) -> Vec<String> {
        let victims = self.tools.iter().filter(|tool| poison::beside(tool.at) == Some(place));
        victims.map(poisoned::text).collect()
    }
}

/// A query for one tool.
fn one(tool: &Asked<'_>, text: String) -> Posed {
    Posed { text, needed: vec![tool.at], ..Posed::default() }
}

/// All queries of a front whose tools lie among the first `tools`; a text occurs once.
pub(crate) fn pose(front: &Front<'_>, names: &[&str], tools: usize) -> Vec<GeneratedQuery> {
    let (mut texts, mut ids) = (HashSet::new(), HashSet::new());
    let mut out = Vec::new();
    for class in CLASSES {
        for (number, posed) in (class.pose)(front).into_iter().enumerate() {
            let valid = posed.needed.iter().chain(&posed.beside).all(|at| *at < tools);
            // Text and id are given out at every size alike.
            if !texts.insert(posed.text.clone()) {
                continue;
            }
            let at = posed.needed.last().copied().unwrap_or(number);
            let mut id = format!("{}-{:03}", class.name, at + 1);
            if !ids.insert(id.clone()) {
                id.push_str("-b");
                ids.insert(id.clone());
            }
            if !valid {
                continue;
            }
            out.push(GeneratedQuery {
                id,
                text: posed.text,
                relevant: posed.needed.iter().filter_map(|at| names.get(*at)).map(|n| (*n).to_owned()).collect(),
                class: class.name,
                tags: posed.tags,
            });
        }
    }
    out
}

/// Whether a place belongs to a tool that queries ask for.
pub(crate) fn is_asked(at: usize) -> bool {
    at < FRONT && !poison::PLACES.contains(&at)
}

#[cfg(test)]
mod tests;
