//! How is a list of parameters written as a JSON schema of a wanted size?
//!
//! Texts are written directly, in the key order of the server's dialect: names, texts and words of the lexicon hold
//! nothing that JSON would escape, which a test makes sure of.

use super::draw::Draw;
use super::parameters::{ATTRIBUTES, Parameter};
use super::style::{Dialect, Style};
use super::target::Target;
use super::words::{capital, words_of};
use crate::lexicon::fields::{self, Kind};

/// Bytes of `,"description":""`.
const DESCRIPTION: usize = 17;
/// Percent of the points in time, days and addresses whose schema says so.
const FORMATS: u32 = 20;
/// Bytes at most for describing a parameter without members, where another has members that can take the rest.
const FLAT: usize = 115;
/// Further members of an object that has a meaning of its own.
const MEMBERS: usize = 12;
/// How many times the bytes of other parameters one with members gets.
const DEEP: usize = 6;

/// The compact JSON text of a tool's input schema, near the size of its target.
#[must_use]
pub fn schema(draw: &mut Draw, name: &str, list: &[Parameter], style: &Style, target: &Target) -> String {
    let mut parts: Vec<Property> = list.iter().map(|p| Property::new(draw, p, style, target)).collect();
    if target.any_of && !parts.iter().any(|part| part.body.contains("anyOf")) {
        let at = list.iter().rposition(|p| matches!(p.kind, Kind::Id | Kind::Number | Kind::Integer(..)));
        if let Some(part) = at.and_then(|at| parts.get_mut(at)) {
            part.body = r#""anyOf":[{"type":"string"},{"type":"number"}]"#.to_owned();
        }
    }
    let titled = style.dialect == Dialect::Titled;
    let frame = frame(name, list, style);
    let defs = if target.reference { refer(list, &mut parts) } else { String::new() };
    let written = |parts: &[Property]| -> usize {
        parts.iter().map(|part| part.len(titled)).sum::<usize>() + parts.len().saturating_sub(1)
    };
    let base = frame.0.len() + frame.1.len() + defs.len() + written(&parts);
    let mut room = (target.schema as usize).saturating_sub(base);
    // Parameters with members come last: they take what others leave.
    let deep = |at: &usize| matches!(list[*at].kind, Kind::Object(_) | Kind::Objects(_));
    let (last, mut order): (Vec<usize>, Vec<usize>) = (0..list.len()).partition(deep);
    let most = if last.is_empty() { usize::MAX } else { FLAT };
    let flat = order.len();
    order.extend(last);
    let mut weight = flat + DEEP * (order.len() - flat);
    for (turn, at) in order.iter().copied().enumerate() {
        let own = if turn < flat { 1 } else { DEEP };
        let share = room * own / weight;
        let end = turn + 1 == order.len();
        let want = if end { share } else { share * draw.between(50, 150) as usize / 100 };
        let want = if turn < flat { want.min(most) } else { want };
        weight -= own;
        let before = parts[at].len(titled);
        parts[at].describe(draw, &list[at], want.min(room));
        room = room.saturating_sub(parts[at].len(titled) - before);
    }
    let properties: Vec<String> = parts.iter().map(|part| part.text(style.dialect)).collect();
    [frame.0, properties.join(","), frame.1.replacen("}", &format!("}}{defs}"), 1)].concat()
}

/// What stands before and behind the properties.
fn frame(name: &str, list: &[Parameter], style: &Style) -> (String, String) {
    let required: Vec<String> = list.iter().filter(|p| p.required).map(|p| format!("\"{}\"", p.name)).collect();
    let required = if required.is_empty() { String::new() } else { format!(",\"required\":[{}]", required.join(",")) };
    let open = "\"type\":\"object\",\"properties\":{";
    match style.dialect {
        Dialect::Plain => (format!("{{{open}"), format!("}}{required}}}")),
        Dialect::Closed => (format!("{{\"additionalProperties\":false,{open}"), format!("}}{required}}}")),
        Dialect::SchemaLast => (
            format!("{{{open}"),
            format!(
                "}}{required},\"additionalProperties\":false,\"$schema\":\"http://json-schema.org/draft-07/schema#\"}}"
            ),
        ),
        Dialect::SchemaFirst => (
            format!("{{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",{open}"),
            format!("}}{required},\"additionalProperties\":false}}"),
        ),
        Dialect::Titled => (
            "{\"properties\":{".to_owned(),
            format!("}}{required},\"title\":\"{name}Arguments\",\"type\":\"object\"}}"),
        ),
    }
}

/// Moves the members of the first object among the properties into `$defs`; returns that member of the root.
fn refer(list: &[Parameter], parts: &mut [Property]) -> String {
    let Some(at) = list.iter().position(|p| matches!(p.kind, Kind::Object(_))) else { return String::new() };
    let part = &mut parts[at];
    let title: String = list[at].name.split('_').map(capital).collect();
    let body = std::mem::replace(&mut part.body, format!("\"$ref\":\"#/$defs/{title}\""));
    format!(",\"$defs\":{{\"{title}\":{{{body}}}}}")
}

/// One property while it is written.
struct Property {
    name: String,
    /// Its members without description and title.
    body: String,
    about: String,
    title: String,
    /// Members behind the description.
    tail: String,
}

impl Property {
    fn new(draw: &mut Draw, parameter: &Parameter, style: &Style, target: &Target) -> Self {
        let titled = style.dialect == Dialect::Titled;
        let room = target.schema / target.parameters.max(1);
        let mut body = kind(draw, parameter, room, titled);
        let mut tail = String::new();
        if titled && target.any_of && !parameter.required {
            body = format!("\"anyOf\":[{{{body}}},{{\"type\":\"null\"}}]");
            tail = ",\"default\":null".to_owned();
        } else if !parameter.required && room > 60 && draw.percent(35) {
            tail = fallback(parameter);
        }
        let title =
            if titled { parameter.name.split('_').map(capital).collect::<Vec<_>>().join(" ") } else { String::new() };
        Self { name: parameter.name.clone(), body, about: String::new(), title, tail }
    }

    fn len(&self, titled: bool) -> usize {
        let about = if self.about.is_empty() { 0 } else { DESCRIPTION + self.about.len() };
        let title = if titled { 11 + self.title.len() } else { 0 };
        self.name.len() + 5 + self.body.len() + about + title + self.tail.len()
    }

    fn text(&self, dialect: Dialect) -> String {
        let about = if self.about.is_empty() { String::new() } else { format!("\"description\":\"{}\"", self.about) };
        let (name, body, tail) = (&self.name, &self.body, &self.tail);
        let comma = if about.is_empty() { "" } else { "," };
        match dialect {
            Dialect::Titled => format!("\"{name}\":{{{body}{tail}{comma}{about},\"title\":\"{}\"}}", self.title),
            Dialect::Closed => format!("\"{name}\":{{{about}{comma}{body}{tail}}}"),
            _ => format!("\"{name}\":{{{body}{comma}{about}{tail}}}"),
        }
    }

    /// Uses up to `room` bytes for a description, and in an object for the descriptions of its members.
    fn describe(&mut self, draw: &mut Draw, parameter: &Parameter, room: usize) {
        let mut room = room;
        if let (Kind::Object(members) | Kind::Objects(members), true) = (parameter.kind, room > 160) {
            let each = (room * 2 / 3 / members.len()).min(FLAT);
            for member in members {
                let meaning = format!("The {} of this entry", member.replace('_', " "));
                let about = about(&meaning, &[], each.saturating_sub(DESCRIPTION));
                let plain = format!("\"{member}\":{{\"type\":\"string\"}}");
                if about.is_empty() || !self.body.contains(&plain) {
                    continue;
                }
                room = room.saturating_sub(DESCRIPTION + about.len());
                self.body = self.body.replacen(
                    &plain,
                    &format!("\"{member}\":{{\"type\":\"string\",\"description\":\"{about}\"}}"),
                    1,
                );
            }
            let most = if matches!(parameter.name.as_str(), ATTRIBUTES | "match") { usize::MAX } else { MEMBERS };
            let more = further_members(draw, members, most, room.saturating_sub(FLAT));
            room -= more.len();
            self.body = self.body.replacen("},\"required\":", &format!("{more}}},\"required\":"), 1);
        }
        let room = room.saturating_sub(DESCRIPTION);
        self.about = about(&parameter.about, &parameter.hints(draw), room);
        if self.about.is_empty() {
            // The least that real lists say about a parameter is its name once more.
            let words = words_of(&parameter.name).join(" ");
            let texts = [
                format!("The {words} that the call works with"),
                format!("The {words} to work with"),
                format!("The {words} to use"),
                format!("Which {words}"),
                format!("The {words}"),
                capital(&words),
            ];
            self.about = texts.into_iter().find(|text| text.len() <= room).unwrap_or_default();
        }
    }
}

/// A description of at most `room` characters: the meaning, or its first clause, or the meaning and what else can be said of
/// any parameter.
fn about(meaning: &str, hints: &[&str], room: usize) -> String {
    if room < 8 {
        return String::new();
    }
    if meaning.len() > room {
        // What stands before a comma or a semicolon is clear by itself; else nothing is said.
        let mut ends = meaning.char_indices().filter(|(at, c)| matches!(c, ',' | ';') && (10..=room).contains(at));
        return ends.next_back().map(|(at, _)| meaning[..at].to_owned()).unwrap_or_default();
    }
    let mut text = meaning.to_owned();
    for hint in hints {
        if text.len() + hint.len() + 2 <= room {
            text.push_str(". ");
            text.push_str(hint);
        }
    }
    text
}

/// Optional members besides the known ones, as many as there is room for, each with a comma in front.
fn further_members(draw: &mut Draw, known: &[&str], most: usize, room: usize) -> String {
    let mut order: Vec<&fields::Field> = fields::FIELDS.iter().filter(|field| !known.contains(&field.name)).collect();
    draw.shuffle(&mut order);
    let (mut text, mut count) = (String::new(), 0);
    for field in order {
        let plain = match field.kind {
            Kind::Number => "number",
            Kind::Integer(..) => "integer",
            Kind::Flag => "boolean",
            Kind::Texts | Kind::Object(_) | Kind::Objects(_) | Kind::Choice(_) => continue,
            _ => "string",
        };
        let member = format!(",\"{}\":{{\"type\":\"{plain}\",\"description\":\"{}\"}}", field.name, field.about);
        if count < most && text.len() + member.len() <= room {
            text.push_str(&member);
            count += 1;
        }
    }
    text
}

fn fallback(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Flag => ",\"default\":false".to_owned(),
        Kind::Integer(low, high) => {
            let usual = if parameter.name == "limit" { 20 } else { low };
            format!(",\"default\":{}", usual.clamp(low, high))
        }
        Kind::Choice(words) => words.first().map(|word| format!(",\"default\":\"{word}\"")).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The members that say which values are valid; the more room a parameter has, the more they say.
fn kind(draw: &mut Draw, parameter: &Parameter, room: u32, titled: bool) -> String {
    let text = "\"type\":\"string\"";
    // Few real schemas name a format.
    let formatted = |draw: &mut Draw, format: &str| {
        if room > 50 && draw.percent(FORMATS) { format!("{text},\"format\":\"{format}\"") } else { text.to_owned() }
    };
    match parameter.kind {
        Kind::Text => text.to_owned(),
        Kind::Id if room > 90 && draw.percent(3) => format!("{text},\"format\":\"uuid\""),
        Kind::Id if room > 90 && draw.percent(20) => format!("{text},\"minLength\":1"),
        Kind::Id => text.to_owned(),
        Kind::DateTime => formatted(draw, "date-time"),
        Kind::Date => formatted(draw, "date"),
        Kind::Email => formatted(draw, "email"),
        Kind::Link => formatted(draw, "uri"),
        Kind::Number => "\"type\":\"number\"".to_owned(),
        Kind::Flag => "\"type\":\"boolean\"".to_owned(),
        Kind::Choice(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("{text},\"enum\":[{}]", words.join(","))
        }
        Kind::Integer(low, high) => {
            let word = if draw.percent(35) { "number" } else { "integer" };
            if !titled && room > 80 && draw.percent(45) {
                format!("\"type\":\"{word}\",\"minimum\":{low},\"maximum\":{high}")
            } else {
                format!("\"type\":\"{word}\"")
            }
        }
        Kind::Texts => "\"type\":\"array\",\"items\":{\"type\":\"string\"}".to_owned(),
        Kind::Object(members) => record(members),
        Kind::Objects(members) => format!("\"type\":\"array\",\"items\":{{{}}}", record(members)),
    }
}

fn record(members: &[&str]) -> String {
    let properties: Vec<String> = members.iter().map(|m| format!("\"{m}\":{{\"type\":\"string\"}}")).collect();
    format!(
        "\"type\":\"object\",\"properties\":{{{}}},\"required\":[\"{}\"]",
        properties.join(","),
        members.first().copied().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::{about, schema};
    use crate::generate::draw::Draw;
    use crate::generate::parameters::Parameter;
    use crate::generate::style::{Dialect, Size, styles};
    use crate::generate::target::Target;
    use crate::lexicon::fields::Kind;

    #[test]
    fn key_order_follows_the_dialect() {
        let list = [Parameter {
            name: "page_id".to_owned(),
            kind: Kind::Text,
            about: "Which page".to_owned(),
            required: true,
        }];
        let mut style = styles(1, 0, &[Size { front: 1, whole: 1 }])[0];
        let mut write = |dialect, bytes| {
            style.dialect = dialect;
            let target = Target { parameters: 1, schema: bytes, ..Target::default() };
            schema(&mut Draw::new(1, "test", 0), "get_page", &list, &style, &target)
        };
        assert_eq!(
            write(Dialect::Plain, 115),
            r#"{"type":"object","properties":{"page_id":{"type":"string","description":"Which page"}},"required":["page_id"]}"#
        );
        assert_eq!(
            write(Dialect::Closed, 142),
            r#"{"additionalProperties":false,"type":"object","properties":{"page_id":{"description":"Which page","type":"string"}},"required":["page_id"]}"#
        );
        assert_eq!(
            write(Dialect::Titled, 158),
            r#"{"properties":{"page_id":{"type":"string","description":"Which page","title":"Page Id"}},"required":["page_id"],"title":"get_pageArguments","type":"object"}"#
        );
        assert_eq!(
            write(Dialect::Plain, 50),
            r#"{"type":"object","properties":{"page_id":{"type":"string"}},"required":["page_id"]}"#
        );
        assert!(write(Dialect::SchemaFirst, 50).starts_with(r#"{"$schema":"#));
        assert!(write(Dialect::SchemaLast, 50).ends_with(r#"draft-07/schema#"}"#));
    }

    /// A description that does not fit ends with its first clause, or is left out.
    #[test]
    fn a_description_keeps_its_room() {
        assert_eq!(about("Identifier of the page", &[], 21), "");
        assert_eq!(about("Identifier of the page", &[], 22), "Identifier of the page");
        assert_eq!(about("Written as YYYY-MM-DD; never null", &[], 25), "Written as YYYY-MM-DD");
        assert_eq!(about("Which page", &["Case matters", "Never null"], 24), "Which page. Case matters");
        assert_eq!(about("Which page", &["Case matters", "Never null"], 23), "Which page. Never null");
    }
}
