//! How is a list of parameters written as a JSON schema?

use serde_json::{Map, Value, json};

use super::draw::Draw;
use super::parameters::Parameter;
use super::style::{Dialect, Style};
use super::words::capital;
use crate::lexicon::fields::Kind;

/// The compact JSON text of a tool's input schema.
#[must_use]
pub fn schema(draw: &mut Draw, name: &str, list: &[Parameter], style: &Style) -> String {
    let mut properties = Map::new();
    for parameter in list {
        properties.insert(parameter.name.clone(), property(draw, parameter, style));
    }
    let required: Vec<&str> =
        list.iter().filter(|parameter| parameter.required).map(|parameter| parameter.name.as_str()).collect();
    let mut parts = vec![("type", json!("object")), ("properties", Value::Object(properties))];
    if !required.is_empty() {
        parts.push(("required", json!(required)));
    }
    match style.dialect {
        Dialect::Plain => {}
        Dialect::SchemaLast => {
            parts.push(("additionalProperties", json!(false)));
            parts.push(("$schema", json!("http://json-schema.org/draft-07/schema#")));
        }
        Dialect::SchemaFirst => {
            parts.insert(0, ("$schema", json!("https://json-schema.org/draft/2020-12/schema")));
            parts.push(("additionalProperties", json!(false)));
        }
        Dialect::Closed => parts.insert(0, ("additionalProperties", json!(false))),
        Dialect::Titled => {
            parts.remove(0);
            parts.push(("title", json!(format!("{name}Arguments"))));
            parts.push(("type", json!("object")));
        }
    }
    object(parts).to_string()
}

fn object(parts: Vec<(&str, Value)>) -> Value {
    Value::Object(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn property(draw: &mut Draw, parameter: &Parameter, style: &Style) -> Value {
    let mut parts = kind(draw, parameter.kind, style);
    let about = json!(parameter.about);
    if style.dialect == Dialect::Titled {
        if !parameter.required && draw.percent(70) {
            parts = vec![("anyOf", json!([object(parts), { "type": "null" }])), ("default", Value::Null)];
        }
        if !parameter.about.is_empty() {
            parts.push(("description", about));
        }
        parts.push(("title", json!(title(&parameter.name))));
        return object(parts);
    }
    if !parameter.about.is_empty() {
        let place = if style.dialect == Dialect::Closed { 0 } else { 1 };
        parts.insert(place.min(parts.len()), ("description", about));
    }
    if !parameter.required && draw.percent(25) {
        let fallback = match parameter.kind {
            Kind::Flag => Some(json!(false)),
            Kind::Integer(low, high) => {
                let usual = if parameter.name == "limit" { 20 } else { low };
                Some(json!(usual.clamp(low, high)))
            }
            Kind::Choice(words) => words.first().map(|word| json!(word)),
            _ => None,
        };
        parts.extend(fallback.map(|value| ("default", value)));
    }
    object(parts)
}

fn kind(draw: &mut Draw, kind: Kind, style: &Style) -> Vec<(&'static str, Value)> {
    let text = || ("type", json!("string"));
    match kind {
        Kind::Text => vec![text()],
        Kind::Id => {
            let mut parts = vec![text()];
            if draw.percent(15) {
                parts.push(("format", json!("uuid")));
            } else if draw.percent(15) {
                parts.push(("minLength", json!(1)));
            }
            parts
        }
        Kind::DateTime => vec![text(), ("format", json!("date-time"))],
        Kind::Date => vec![text(), ("format", json!("date"))],
        Kind::Email => vec![text(), ("format", json!("email"))],
        Kind::Link => vec![text(), ("format", json!("uri"))],
        Kind::Number => vec![("type", json!("number"))],
        Kind::Flag => vec![("type", json!("boolean"))],
        Kind::Choice(words) => vec![text(), ("enum", json!(words))],
        Kind::Integer(low, high) => {
            let word = if draw.percent(40) { "number" } else { "integer" };
            let mut parts = vec![("type", json!(word))];
            if style.dialect != Dialect::Titled && draw.percent(60) {
                parts.push(("minimum", json!(low)));
                parts.push(("maximum", json!(high)));
            }
            parts
        }
        Kind::Texts => vec![("type", json!("array")), ("items", json!({ "type": "string" }))],
        Kind::Object(members) => record(members, style),
        Kind::Objects(members) => {
            vec![("type", json!("array")), ("items", object(record(members, style)))]
        }
    }
}

fn record(members: &[&str], style: &Style) -> Vec<(&'static str, Value)> {
    let properties: Map<String, Value> = members
        .iter()
        .map(|member| {
            let mut parts = vec![("type", json!("string"))];
            if style.richness >= 70 {
                let about = format!("The {} of this entry", member.replace('_', " "));
                parts.push(("description", json!(about)));
            }
            ((*member).to_owned(), object(parts))
        })
        .collect();
    let first: Vec<&str> = members.iter().take(1).copied().collect();
    vec![("type", json!("object")), ("properties", Value::Object(properties)), ("required", json!(first))]
}

fn title(name: &str) -> String {
    name.split('_').map(capital).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::schema;
    use crate::generate::draw::Draw;
    use crate::generate::parameters::Parameter;
    use crate::generate::style::{Dialect, styles};
    use crate::lexicon::fields::Kind;

    #[test]
    fn key_order_follows_the_dialect() {
        let list = [Parameter {
            name: "page_id".to_owned(),
            kind: Kind::Text,
            about: "Which page".to_owned(),
            required: true,
        }];
        let mut style = styles(1, 1)[0];
        let mut write = |dialect| {
            style.dialect = dialect;
            schema(&mut Draw::new(1, "test", 0), "get_page", &list, &style)
        };
        assert_eq!(
            write(Dialect::Plain),
            r#"{"type":"object","properties":{"page_id":{"type":"string","description":"Which page"}},"required":["page_id"]}"#
        );
        assert_eq!(
            write(Dialect::Closed),
            r#"{"additionalProperties":false,"type":"object","properties":{"page_id":{"description":"Which page","type":"string"}},"required":["page_id"]}"#
        );
        assert_eq!(
            write(Dialect::Titled),
            r#"{"properties":{"page_id":{"type":"string","description":"Which page","title":"Page Id"}},"required":["page_id"],"title":"get_pageArguments","type":"object"}"#
        );
        assert!(write(Dialect::SchemaFirst).starts_with(r#"{"$schema":"#));
        assert!(write(Dialect::SchemaLast).ends_with(r#"draft-07/schema#"}"#));
    }
}
