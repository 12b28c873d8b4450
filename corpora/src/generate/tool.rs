//! What does the description of a tool say, and with which words?

use super::draw::Draw;
use super::fill::Fill;
use super::parameters::{Parameter, parameters};
use super::plan::Slot;
use super::schema::schema;
use super::style::{Length, Style};
use super::words::{article, capital, plural, third_person};
use crate::lexicon::{Effect, phrases};

/// A written tool and the words chosen for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The description.
    pub description: String,
    /// Compact JSON of the input schema.
    pub input_schema: String,
    /// The verb in its plain form.
    pub verb: &'static str,
    /// The noun as it stands in the first sentence.
    pub noun: String,
    /// The words for the service in the first sentence, if it is named there.
    pub place: Option<&'static str>,
    /// The end of the first sentence.
    pub tail: String,
}

/// What is known about a tool before it is written.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Its concepts.
    pub slot: &'a Slot,
    /// Its server's habits.
    pub style: &'a Style,
    /// Its name.
    pub name: &'a str,
    /// Whether no other tool of the catalog does this to this object.
    pub alone: bool,
    /// Earlier tools of the same server.
    pub siblings: &'a [(&'a Slot, &'a str)],
}

/// Writes one tool.
#[must_use]
pub fn write(draw: &mut Draw, about: &Context<'_>) -> Written {
    let (slot, style) = (about.slot, about.style);
    let one = draw.pick(slot.object.describe).unwrap_or(slot.object.name);
    let verb = draw.pick(slot.action.describe).unwrap_or(slot.action.name);
    let named = !(style.silent && about.alone);
    let title = service_title(slot);
    let place = if !named {
        None
    } else if style.by_name {
        Some(slot.service.name)
    } else {
        draw.pick(slot.service.describe)
    };
    let list = parameters(draw, slot, style, one);
    let fill = Fill::new(draw, slot, one, &title, about.siblings);
    let noun = if slot.action.many { plural(one) } else { one.to_owned() };
    let tail = match place {
        Some(_) => String::new(),
        None => draw.pick(phrases::tails(slot.action.effect)).map(|text| fill.text(text)).unwrap_or_default(),
    };
    let mut lead = if style.third_person { capital(&third_person(verb)) } else { capital(verb) };
    if !slot.action.many {
        lead = format!("{lead} {}", article(one));
    }
    lead = format!("{lead} {noun}");
    if let Some(place) = place {
        let joint = joint(slot.action.effect);
        lead = if style.by_name { format!("{lead} {joint} {title}") } else { format!("{lead} {joint} the {place}") };
    } else {
        lead = format!("{lead} {tail}");
    }
    let description = describe(draw, &lead, style, slot, &fill, &list);
    let input_schema = schema(draw, about.name, &list, style);
    Written { description, input_schema, verb, noun, place, tail }
}

fn service_title(slot: &Slot) -> String {
    capital(slot.service.name)
}

/// The joining word between object and service.
#[must_use]
pub fn joint(effect: Effect) -> &'static str {
    match effect {
        Effect::Read | Effect::List | Effect::Remove => "from",
        Effect::Create | Effect::Change => "in",
    }
}

fn describe(draw: &mut Draw, lead: &str, style: &Style, slot: &Slot, fill: &Fill, list: &[Parameter]) -> String {
    let stop = if style.length == Length::Terse && !style.third_person { "" } else { "." };
    let mut text = format!("{lead}{stop}");
    let (own, general) = match style.length {
        Length::Terse => (0, 0),
        Length::Short => (draw.between(0, 1), draw.below(2)),
        Length::Medium => (draw.between(1, 3), draw.between(0, 2)),
        Length::Long => (draw.between(2, 4), draw.between(1, 3)),
        Length::Full => (draw.between(2, 5), draw.between(1, 4)),
    };
    let mut sentences = fill.sentences(draw, phrases::sentences(slot.action.effect), own);
    sentences.extend(fill.sentences(draw, phrases::GENERAL, general));
    if style.length == Length::Full && draw.percent(60) {
        text.push_str("\n\n");
        text.push_str(&sentences.join("\n"));
    } else if !sentences.is_empty() {
        text.push(' ');
        text.push_str(&sentences.join(" "));
    }
    if style.length == Length::Full || (style.length == Length::Long && draw.percent(25)) {
        text.push_str("\n\nWhen to use:\n");
        let count = draw.between(2, 4);
        text.push_str(&fill.sentences(draw, phrases::SITUATIONS, count).join("\n"));
    }
    if style.length == Length::Full && !list.is_empty() {
        text.push_str("\n\nArgs:");
        for parameter in list {
            let need = if parameter.required { "required" } else { "optional" };
            text.push_str(&format!("\n    {} ({need})", parameter.name));
            if !parameter.about.is_empty() {
                text.push_str(&format!(": {}", parameter.about));
            }
        }
    }
    text
}
