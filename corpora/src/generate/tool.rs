//! What does the description of a tool say, and with which words?

use super::draw::Draw;
use super::fill::Fill;
use super::parameters::{Parameter, parameters};
use super::plan::Slot;
use super::schema::schema;
use super::style::Style;
use super::target::Target;
use super::words::{article, capital, plural, third_person};
use crate::lexicon::fields::{FIELDS, Kind};
use crate::lexicon::{Effect, phrases};

/// A written tool and the words chosen for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The description.
    pub description: String,
    /// Compact JSON of the input schema.
    pub input_schema: String,
    /// Further members of the definition, as compact JSON.
    pub extra: Vec<(&'static str, String)>,
    /// Its parameters, the required ones first.
    pub parameters: Vec<Parameter>,
    /// The verb in its plain form.
    pub verb: &'static str,
    /// The noun as it stands in the first sentence.
    pub noun: String,
    /// The words for the service in the first sentence, if it is named there.
    pub place: Option<String>,
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
    /// How long it shall be.
    pub target: &'a Target,
    /// Its name.
    pub name: &'a str,
    /// The label of its server.
    pub label: &'a str,
    /// Earlier tools of the same server.
    pub siblings: &'a [(Slot, &'a str)],
}

/// Writes one tool.
#[must_use]
pub fn write(draw: &mut Draw, about: &Context<'_>) -> Written {
    let Context { slot, style, target, .. } = *about;
    let one = draw.pick(slot.object.describe).unwrap_or(slot.object.name);
    let verb = draw.pick(slot.action.describe).unwrap_or(slot.action.name);
    let title = capital(about.label);
    let list = parameters(draw, slot, style, target, one);
    let fill = Fill::new(draw, slot, one, &title, &list, about.siblings);
    let noun = if slot.action.many { plural(one) } else { one.to_owned() };
    let tails: Vec<String> = phrases::tails(slot.action.effect).iter().filter_map(|text| fill.sentence(text)).collect();
    let tail = tails.get(draw.index(tails.len())).cloned().unwrap_or_default();
    let joint = joint(slot.action.effect);
    let (place, named) = if style.by_name {
        (about.label.to_owned(), format!("{joint} {title}"))
    } else {
        let place = draw.pick(slot.service.describe).unwrap_or(slot.service.name);
        (place.to_owned(), format!("{joint} the {place}"))
    };
    let start = if style.third_person { capital(&third_person(verb)) } else { capital(verb) };
    let start = if slot.action.many { format!("{start} {noun}") } else { format!("{start} {} {noun}", article(&noun)) };
    let wanted = target.description as usize;
    // What the first sentence holds besides verb and noun: as much as the wanted length allows.
    let leads = [
        (format!("{start} {named} {tail}"), true, true),
        (format!("{start} {named}"), true, false),
        (format!("{start} {tail}"), false, true),
        (start.clone(), false, false),
    ];
    let (lead, with_place, with_tail) = if wanted > 60 {
        draw.pick(&[&leads[1], &leads[1], &leads[0]]).unwrap_or(&leads[1])
    } else {
        leads.iter().min_by_key(|(lead, ..)| lead.len().abs_diff(wanted)).unwrap_or(&leads[1])
    };
    let description = describe(draw, lead, wanted, slot, &fill, &list);
    let input_schema = schema(draw, about.name, &list, style, target);
    Written {
        description,
        input_schema,
        extra: extra(draw, slot, &start, target),
        parameters: list,
        verb,
        noun,
        place: with_place.then_some(place),
        tail: if *with_tail { tail } else { String::new() },
    }
}

/// The joining word between object and service.
#[must_use]
pub fn joint(effect: Effect) -> &'static str {
    match effect {
        Effect::Read | Effect::List | Effect::Remove => "from",
        Effect::Create | Effect::Change => "in",
    }
}

/// Sentences, then a list of situations and the parameters once more, until the wanted length is reached.
fn describe(draw: &mut Draw, lead: &str, wanted: usize, slot: &Slot, fill: &Fill, list: &[Parameter]) -> String {
    let mut text = lead.to_owned();
    if wanted < text.len() + 12 {
        return text;
    }
    text.push('.');
    let mut room = wanted.saturating_sub(text.len());
    let mut order: Vec<&str> = phrases::sentences(slot.action.effect).to_vec();
    draw.shuffle(&mut order);
    let mut general: Vec<&str> = phrases::GENERAL.to_vec();
    draw.shuffle(&mut general);
    order.extend(general);
    let lines = room > 500 && draw.percent(60);
    let sections = room > 700;
    // Where sections follow, sentences leave room for them.
    let mut prose = if sections { room * 2 / 5 } else { room };
    for template in order {
        let Some(sentence) = fill.sentence(template) else { continue };
        if sentence.len() < prose {
            prose -= sentence.len() + 1;
            room -= sentence.len() + 1;
            text.push(if lines { '\n' } else { ' ' });
            text.push_str(&sentence);
        }
    }
    if sections {
        let parameters = list.iter().map(|parameter| {
            let need = if parameter.required { "required" } else { "optional" };
            format!("    {} ({need}): {}", parameter.name, parameter.about)
        });
        section(&mut text, &mut room, "\n\nArgs:", parameters);
        let mut situations: Vec<&str> = phrases::SITUATIONS.to_vec();
        draw.shuffle(&mut situations);
        section(&mut text, &mut room, "\n\nWhen to use:", situations.iter().filter_map(|t| fill.sentence(t)));
        let shown: Vec<(&Parameter, &str)> =
            list.iter().flat_map(|p| p.hints(draw).into_iter().take(3).map(move |hint| (p, hint))).collect();
        section(&mut text, &mut room, "\n\nNotes:", shown.iter().map(|(p, hint)| format!("- {}: {hint}", p.name)));
    }
    text
}

/// A heading and as many lines as there is room for; nothing where not one line fits.
fn section(text: &mut String, room: &mut usize, heading: &str, lines: impl Iterator<Item = String>) {
    let mut opened = false;
    for line in lines {
        let cost = line.len() + 1 + if opened { 0 } else { heading.len() };
        if cost > *room {
            continue;
        }
        if !opened {
            text.push_str(heading);
            opened = true;
        }
        *room -= cost;
        text.push('\n');
        text.push_str(&line);
    }
}

/// Title, annotations and output schema, where the target asks for them.
fn extra(draw: &mut Draw, slot: &Slot, title: &str, target: &Target) -> Vec<(&'static str, String)> {
    let mut extra = Vec::new();
    if target.titled {
        extra.push(("title", format!("\"{title}\"")));
    }
    if target.annotated {
        let reads = matches!(slot.action.effect, Effect::Read | Effect::List);
        let removes = slot.action.effect == Effect::Remove;
        let mut hints = vec![format!("\"readOnlyHint\":{reads}")];
        if draw.percent(75) {
            hints.push(format!("\"destructiveHint\":{removes}"));
        }
        if draw.percent(50) {
            hints.push(format!("\"idempotentHint\":{}", reads || slot.action.name == "update" || removes));
        }
        if draw.percent(70) {
            hints.push(format!("\"openWorldHint\":{}", draw.percent(50)));
        }
        if target.titled {
            hints.insert(0, format!("\"title\":\"{title}\""));
        }
        extra.push(("annotations", format!("{{{}}}", hints.join(","))));
    }
    if target.output > 0 {
        extra.push(("outputSchema", output(slot, target.output as usize)));
    }
    extra
}

/// An output schema of about `wanted` bytes: the fields of the object, as far as they fit.
fn output(slot: &Slot, wanted: usize) -> String {
    let mut properties = vec!["\"id\":{\"type\":\"string\"}".to_owned()];
    let around = if slot.action.effect == Effect::List { 66 } else { 0 };
    let mut length = 36 + around + properties[0].len();
    let of_object = slot.object.fields.iter().map(|name| (*name).to_owned());
    let general = ["created_at", "updated_at", "owner_id", "version", "etag", "links", "state", "warnings"];
    let of_any = general.iter().map(|name| (*name).to_owned());
    let of_others = FIELDS.iter().filter(|field| field.kind != Kind::Text).map(|field| field.name.to_owned());
    let mut seen = std::collections::HashSet::new();
    for name in of_object.chain(of_any).chain(of_others).filter(|name| seen.insert(name.clone())) {
        let about = format!("The {} as stored", name.replace('_', " "));
        let short = format!("\"{name}\":{{\"type\":\"string\"}}");
        let long = format!("\"{name}\":{{\"type\":\"string\",\"description\":\"{about}\"}}");
        let text = if wanted > 400 { long } else { short };
        if length + text.len() + 1 > wanted {
            break;
        }
        length += text.len() + 1;
        properties.push(text);
    }
    let one = format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", properties.join(","));
    if slot.action.effect == Effect::List {
        return format!("{{\"type\":\"object\",\"properties\":{{\"items\":{{\"type\":\"array\",\"items\":{one}}}}}}}");
    }
    one
}
