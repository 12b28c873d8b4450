//! Which parameters does a tool take?

use super::draw::Draw;
use super::name::cased;
use super::plan::Slot;
use super::style::{Case, Length, Style};
use crate::lexicon::Effect;
use crate::lexicon::fields::{self, Field, Kind};

/// One parameter of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name as written in the schema.
    pub name: String,
    /// Kind of its values.
    pub kind: Kind,
    /// Its meaning; empty if the server does not say.
    pub about: String,
    /// Whether it must be given.
    pub required: bool,
}

/// The parameters of one tool, the required ones first.
#[must_use]
pub fn parameters(draw: &mut Draw, slot: &Slot, style: &Style, noun: &str) -> Vec<Parameter> {
    let mut list = Vec::new();
    for (field, required) in fields_of(draw, slot, style) {
        if list.iter().any(|known: &Parameter| known.name == spell(field.name, style)) {
            continue;
        }
        let about = if draw.percent(style.described) { about(draw, &field, style) } else { String::new() };
        list.push(Parameter { name: spell(field.name, style), kind: field.kind, about, required });
    }
    identify(draw, slot, style, noun, &mut list);
    list.sort_by_key(|parameter| !parameter.required);
    list
}

fn spell(name: &str, style: &Style) -> String {
    let name = if name == "title" && style.name_for_title { "name" } else { name };
    if style.camel_parameters { cased(&name.split('_').collect::<Vec<_>>(), Case::Camel) } else { name.to_owned() }
}

fn about(draw: &mut Draw, field: &Field, style: &Style) -> String {
    let mut text = field.about.to_owned();
    if style.length < Length::Medium && draw.percent(60) {
        return text;
    }
    let more = match field.kind {
        Kind::DateTime => "; ISO 8601 with time zone, for example 2026-03-01T09:30:00Z",
        Kind::Date => ", written as YYYY-MM-DD",
        Kind::Choice(_) => "; any other value is rejected",
        Kind::Integer(..) => "; values outside the bounds are rejected",
        Kind::Flag => " (false unless stated)",
        Kind::Id => "; take it from an earlier response, never construct it",
        Kind::Texts => "; the order is preserved and duplicates are ignored",
        Kind::Object(_) | Kind::Objects(_) => "; unknown members are rejected",
        Kind::Text | Kind::Email | Kind::Link | Kind::Number => "",
    };
    if style.richness >= 70 || draw.percent(55) {
        text.push_str(more);
    }
    if style.length >= Length::Long || draw.percent(25) {
        text.push('.');
    }
    text
}

/// Adds the identifier of the object to tools that work on known objects.
fn identify(draw: &mut Draw, slot: &Slot, style: &Style, noun: &str, list: &mut Vec<Parameter>) {
    let fresh = matches!(slot.action.name, "create" | "send" | "import" | "count" | "export");
    if fresh || slot.action.effect == Effect::List {
        return;
    }
    let ending = if slot.action.many { "ids" } else { "id" };
    let name = if style.short_id { ending.to_owned() } else { format!("{}_{ending}", slot.object.name) };
    let name = spell(&name, style);
    let (kind, about) = if slot.action.many {
        (Kind::Texts, format!("Identifiers of the {noun} entries, at least two"))
    } else if draw.percent(50) {
        (Kind::Id, format!("Identifier of the {noun}"))
    } else {
        (Kind::Id, format!("Identifier of the {noun}, as returned by other tools of this server"))
    };
    let about = if draw.percent(style.described) { about } else { String::new() };
    list.retain(|known| known.name != name);
    list.insert(0, Parameter { name, kind, about, required: true });
}

fn fields_of(draw: &mut Draw, slot: &Slot, style: &Style) -> Vec<(Field, bool)> {
    let mut list = Vec::new();
    let own = || slot.object.fields.iter().filter_map(|name| fields::field_named(name)).copied();
    let known = |name: &str| fields::field_named(name).copied();
    match (slot.action.name, slot.action.effect) {
        ("create" | "send", _) => {
            for (at, field) in own().enumerate() {
                let required = at == 0 || (at == 1 && draw.percent(45)) || (at == 2 && draw.percent(15));
                if required || draw.percent(style.richness + 15) {
                    list.push((field, required));
                }
            }
            sample(draw, fields::WRITE, style.richness / 5, &mut list);
        }
        ("update", _) => {
            for field in own() {
                if list.is_empty() || draw.percent(style.richness + 15) {
                    list.push((field, false));
                }
            }
            sample(draw, fields::WRITE, style.richness / 5, &mut list);
        }
        ("import", _) => {
            list.extend(known("source_url").map(|field| (field, true)));
            list.extend(known("overwrite").map(|field| (field, false)));
            sample(draw, fields::WRITE, style.richness / 4, &mut list);
        }
        (name, Effect::List) => {
            if name == "search" {
                let query = Field { name: "query", kind: Kind::Text, about: "Words or phrase that must occur" };
                list.push((query, true));
            }
            let skipped = if style.numbered_pages { "cursor" } else { "page" };
            let chance = if name == "export" { style.richness / 3 } else { style.richness / 2 + 5 };
            for field in fields::LIST.iter().filter(|field| field.name != skipped) {
                let paging = matches!(field.name, "limit" | "page" | "cursor");
                let chance = if paging && name != "export" { chance + 25 } else { chance };
                if draw.percent(chance) {
                    list.push((*field, false));
                }
            }
            if name == "export" {
                list.extend(fields::READ.iter().filter(|f| f.name == "format").map(|f| (*f, true)));
            }
        }
        ("count", _) => sample(draw, fields::LIST, style.richness / 3, &mut list),
        (_, Effect::Read) => sample(draw, fields::READ, style.richness / 2, &mut list),
        (name, _) => {
            for (wanted, required) in fields::needed(name) {
                list.extend(known(wanted).map(|field| (field, *required)));
            }
            sample(draw, fields::WRITE, style.richness / 3, &mut list);
        }
    }
    let common = match style.richness {
        0..=69 => 0,
        70..=99 => 12,
        _ => 65,
    };
    sample(draw, fields::COMMON, common, &mut list);
    list
}

fn sample(draw: &mut Draw, from: &[Field], percent: u32, into: &mut Vec<(Field, bool)>) {
    for field in from {
        if draw.percent(percent) {
            into.push((*field, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::parameters;
    use crate::generate::draw::Draw;
    use crate::generate::plan::plan;
    use crate::generate::style::styles;
    use crate::lexicon::services::SERVICES;

    #[test]
    fn parameter_names_are_unique_in_a_tool_and_required_ones_come_first() {
        let all = styles(3, SERVICES.len());
        for (at, slot) in plan(3, 1_000).iter().enumerate() {
            let mut draw = Draw::new(3, "tool", at as u64);
            let list = parameters(&mut draw, slot, &all[slot.server], "thing");
            let names: BTreeSet<_> = list.iter().map(|p| &p.name).collect();
            assert_eq!(names.len(), list.len(), "{list:?}");
            assert!(list.is_sorted_by_key(|p| !p.required));
        }
    }
}
