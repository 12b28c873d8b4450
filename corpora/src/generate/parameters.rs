//! Which parameters does a tool take?

use super::draw::Draw;
use super::name::join;
use super::plan::Slot;
use super::style::{Case, Style};
use super::target::Target;
use crate::lexicon::Effect;
use crate::lexicon::fields::{self, Field, Kind};
use crate::lexicon::phrases;

/// The parameter that takes what no other one does.
pub const ATTRIBUTES: &str = "attributes";

/// One parameter of one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name as written in the schema.
    pub name: String,
    /// Kind of its values.
    pub kind: Kind,
    /// Its meaning in a few words.
    pub about: String,
    /// Whether it must be given.
    pub required: bool,
}

impl Parameter {
    /// Sentences about it that are true of its kind, in a random order.
    #[must_use]
    pub fn hints(&self, draw: &mut Draw) -> Vec<&'static str> {
        let of_kind = match self.kind {
            Kind::Text if self.name == "cursor" => &[],
            Kind::Text => phrases::FREE_TEXT,
            Kind::Id => phrases::IDENTIFIER,
            Kind::Texts => phrases::TEXTS,
            Kind::Number | Kind::Integer(..) => phrases::NUMBER,
            _ => &[],
        };
        let of_need = if self.required { phrases::REQUIRED } else { phrases::OPTIONAL };
        let mut all: Vec<&str> = of_kind.iter().chain(of_need).chain(phrases::PARAMETER).copied().collect();
        draw.shuffle(&mut all);
        all
    }
}

/// The parameters of one tool, as many as its target says, the required ones first.
#[must_use]
pub fn parameters(draw: &mut Draw, slot: &Slot, style: &Style, target: &Target, noun: &str) -> Vec<Parameter> {
    let count = target.parameters as usize;
    let mut list: Vec<Parameter> = Vec::with_capacity(count);
    if count == 0 {
        return list;
    }
    list.extend(identifier(draw, slot, style, noun));
    for (field, required) in offered(draw, slot, style) {
        if list.len() >= count {
            break;
        }
        let name = spell(field.name, style);
        if list.iter().all(|known| known.name != name) {
            list.push(Parameter { name, kind: field.kind, about: field.about.to_owned(), required });
        }
    }
    shape(&mut list, slot, target, style);
    list.sort_by_key(|parameter| !parameter.required);
    list
}

fn spell(name: &str, style: &Style) -> String {
    let name = if name == "title" && style.name_for_title { "name" } else { name };
    if style.camel_parameters { join(&name.split('_').collect::<Vec<_>>(), Case::Camel) } else { name.to_owned() }
}

/// Whether a tool works on objects that are known by an identifier.
#[must_use]
pub fn takes_identifier(slot: &Slot) -> bool {
    let fresh = matches!(slot.action.name, "create" | "send" | "import" | "count" | "solve");
    !fresh && slot.action.effect != Effect::List
}

/// How many parameters a tool cannot do without.
#[must_use]
pub fn needed(slot: &Slot) -> u32 {
    let required = fields::needed(slot.action.name).iter().filter(|(_, required)| *required).count();
    let own = matches!(slot.action.name, "create" | "send" | "update" | "import" | "search" | "export");
    u32::from(takes_identifier(slot)) + u32::from(own) + u32::try_from(required).unwrap_or(0)
}

/// Whether a parameter that the tool cannot do without is a list.
#[must_use]
pub fn needs_list(slot: &Slot) -> bool {
    let list = |name: &str| fields::field_named(name).is_some_and(|field| field.kind == Kind::Texts);
    let several = slot.action.many && takes_identifier(slot);
    several || fields::needed(slot.action.name).iter().any(|(name, required)| *required && list(name))
}

/// The identifier of the object, for tools that work on known objects.
fn identifier(draw: &mut Draw, slot: &Slot, style: &Style, noun: &str) -> Option<Parameter> {
    if !takes_identifier(slot) {
        return None;
    }
    let ending = if slot.action.many { "ids" } else { "id" };
    let name = if style.short_id { ending.to_owned() } else { format!("{}_{ending}", slot.object.name) };
    let (kind, about) = if slot.action.many {
        (Kind::Texts, format!("Identifiers of the {noun} entries, at least two"))
    } else if draw.percent(50) {
        (Kind::Id, format!("Identifier of the {noun}"))
    } else {
        (Kind::Id, format!("Identifier of the {noun}, as returned by other tools of this server"))
    };
    Some(Parameter { name: spell(&name, style), kind, about, required: true })
}

/// Everything the tool could take besides the identifier: what its action needs, then what fits the object, then what any
/// tool may take, and at last parameters of other objects.
fn offered<'a>(draw: &mut Draw, slot: &Slot, style: &Style) -> impl Iterator<Item = (Field, bool)> + use<'a> {
    let known = |name: &str, required: bool| fields::field_named(name).map(|field| (*field, required));
    let mut own: Vec<(Field, bool)> = slot.object.fields.iter().filter_map(|name| known(name, false)).collect();
    let mut first: Vec<(Field, bool)> = Vec::new();
    let mut second: Vec<(Field, bool)>;
    let optional = |list: &[Field]| list.iter().map(|field| (*field, false)).collect::<Vec<_>>();
    match (slot.action.name, slot.action.effect) {
        ("create" | "send", _) => {
            for (at, (_, required)) in own.iter_mut().enumerate() {
                *required = at == 0 || (at == 1 && draw.percent(70)) || (at == 2 && draw.percent(40));
            }
            first = std::mem::take(&mut own);
            second = optional(fields::WRITE);
        }
        ("update", _) => {
            draw.shuffle(&mut own);
            first = std::mem::take(&mut own);
            second = optional(fields::WRITE);
        }
        ("import", _) => {
            first.extend(known("source_url", true));
            first.extend(known("overwrite", false));
            second = optional(fields::WRITE);
        }
        (name, Effect::List) => {
            if name == "search" {
                let query = Field { name: "query", kind: Kind::Text, about: "Words or phrase that must occur" };
                first.push((query, true));
            }
            if name == "export" {
                first.extend(fields::READ.iter().filter(|f| f.name == "format").map(|f| (*f, true)));
            }
            let skipped = if style.numbered_pages { "cursor" } else { "page" };
            second = optional(fields::LIST);
            second.retain(|(field, _)| field.name != skipped);
            // Of all optional parameters real tools have this one most often.
            if let (true, Some(at)) = (draw.percent(60), second.iter().position(|(field, _)| field.name == "limit")) {
                first.push(second.remove(at));
            }
        }
        ("count", _) => second = optional(fields::LIST),
        (_, Effect::Read) => second = optional(fields::READ),
        (name, _) => {
            first.extend(fields::needed(name).iter().filter_map(|(wanted, required)| known(wanted, *required)));
            second = optional(fields::WRITE);
        }
    }
    draw.shuffle(&mut second);
    draw.shuffle(&mut own);
    let mut common = optional(fields::COMMON);
    draw.shuffle(&mut common);
    // Past all that fits, a tool with very many parameters takes those of other objects.
    let start = draw.index(fields::FIELDS.len());
    let others =
        (0..fields::FIELDS.len()).filter_map(move |step| fields::FIELDS.get((start + step * 7) % fields::FIELDS.len()));
    first.into_iter().chain(second).chain(own).chain(common).chain(others.map(|field| (*field, false)))
}

/// Makes the kinds of the parameters what the target says: whether there is a choice, a list, an object.
fn shape(list: &mut [Parameter], slot: &Slot, target: &Target, style: &Style) {
    for parameter in list.iter_mut() {
        let (kind, form) = match parameter.kind {
            Kind::Choice(words) if !target.choice => (Kind::Text, format!(", such as {}", words.join(" or "))),
            Kind::Texts if !target.list && !parameter.required => (Kind::Text, ", separated by commas".to_owned()),
            Kind::Object(_) if !target.nested => (Kind::Text, ", as a JSON text".to_owned()),
            Kind::Objects(members) => match (target.nested, target.list) {
                (true, true) => continue,
                (true, false) => (Kind::Object(members), String::new()),
                (false, true) => (Kind::Texts, ", each as a JSON text".to_owned()),
                (false, false) => (Kind::Text, ", as a JSON text".to_owned()),
            },
            _ => continue,
        };
        parameter.kind = kind;
        parameter.about.push_str(&form);
    }
    let choice = |kind: &Kind| matches!(kind, Kind::Choice(_));
    let lists = |kind: &Kind| matches!(kind, Kind::Texts | Kind::Objects(_));
    let nested = |kind: &Kind| matches!(kind, Kind::Object(_) | Kind::Objects(_));
    let both = target.nested && target.list;
    if target.nested && list.iter().all(|p| !nested(&p.kind)) {
        let (name, kind, about) = match (both, slot.action.effect) {
            (true, Effect::List) => {
                ("conditions", Kind::Objects(&["field", "operator", "value"]), "Conditions that are combined with AND")
            }
            (false, Effect::List) => {
                ("match", Kind::Object(&["owner", "state", "origin"]), "Values that the entries must have")
            }
            (true, _) => (ATTRIBUTES, Kind::Objects(&["key", "value"]), "Further attributes, each with key and value"),
            (false, _) => (ATTRIBUTES, Kind::Object(&["source", "reference"]), "Further attributes of the call"),
        };
        replace(list, style, name, kind, about, &[&lists]);
    }
    if target.list && list.iter().all(|p| !lists(&p.kind)) {
        replace(list, style, "tags", Kind::Texts, "Short words attached for grouping", &[&nested]);
    }
    if target.choice && list.iter().all(|p| !choice(&p.kind)) {
        let kind = Kind::Choice(&["compact", "standard", "complete"]);
        replace(list, style, "detail_level", kind, "How much the response contains", &[&nested, &lists]);
    }
}

/// Gives the last optional parameter that is not there for something else another name and kind.
fn replace(
    list: &mut [Parameter],
    style: &Style,
    name: &str,
    kind: Kind,
    about: &str,
    kept: &[&dyn Fn(&Kind) -> bool],
) {
    let free = |p: &Parameter| kept.iter().all(|is| !is(&p.kind));
    let at = list.iter().rposition(|p| free(p) && !p.required);
    let name = spell(name, style);
    if list.iter().any(|known| known.name == name) {
        return;
    }
    if let Some(parameter) = at.and_then(|at| list.get_mut(at)) {
        *parameter = Parameter { name, kind, about: about.to_owned(), required: false };
    }
}
