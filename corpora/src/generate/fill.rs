//! How are the placeholders of description sentences filled?

use super::draw::Draw;
use super::parameters::{Parameter, takes_identifier};
use super::plan::Slot;
use super::words::{article, plural, words_of};
use crate::lexicon::fields::{self, Kind};

/// The values of the placeholders of one tool.
#[derive(Debug, Clone)]
pub struct Fill {
    values: Vec<(&'static str, String)>,
}

impl Fill {
    /// The values for one tool with these parameters; `one` is its noun, `title` the name of its service.
    #[must_use]
    pub fn new(
        draw: &mut Draw,
        slot: &Slot,
        one: &str,
        title: &str,
        list: &[Parameter],
        siblings: &[(Slot, &str)],
    ) -> Self {
        let field = |at: usize| field_words(slot.object.fields.get(at).unwrap_or(&"description"));
        let first = draw.index(slot.object.fields.len());
        let second = (first + 1) % slot.object.fields.len().max(1);
        let number = draw.pick(&[10, 20, 25, 50, 60, 100, 120, 250, 500]).unwrap_or(10);
        let mut values = vec![
            ("{one}", one.to_owned()),
            ("{many}", plural(one)),
            ("{service}", title.to_owned()),
            ("{noun}", slot.service.describe.first().copied().unwrap_or_default().to_owned()),
            ("{field}", field(first)),
            ("{other}", field(second)),
            ("{n}", number.to_string()),
        ];
        values.extend(given(draw, slot, list));
        let mut near: Vec<&(Slot, &str)> = siblings.iter().filter(|(other, _)| other.object == slot.object).collect();
        if let Some((_, sibling)) = draw.pick(&near) {
            values.push(("{sibling}", (*sibling).to_owned()));
        }
        near.retain(|(other, _)| matches!(other.action.name, "list" | "search"));
        if let Some((_, lister)) = draw.pick(&near) {
            values.push(("{lister}", (*lister).to_owned()));
        }
        Self { values }
    }

    /// The template with its values.
    #[must_use]
    pub fn text(&self, template: &str) -> String {
        let mut text = template.to_owned();
        for (key, value) in &self.values {
            if *key == "{one}" {
                text = text.replace("a {one}", &format!("{} {value}", article(value)));
            }
            text = text.replace(key, value);
        }
        text
    }

    /// The template with its values; none where a placeholder has no value.
    #[must_use]
    pub fn sentence(&self, template: &str) -> Option<String> {
        let text = self.text(template);
        (!text.contains('{')).then_some(text)
    }
}

/// The placeholders for parameters that the tool has.
fn given(draw: &mut Draw, slot: &Slot, list: &[Parameter]) -> Vec<(&'static str, String)> {
    let words = |p: &Parameter| field_words(&words_of(&p.name).join("_"));
    let mut values = Vec::new();
    let (identifier, others) = list.split_at(usize::from(takes_identifier(slot)).min(list.len()));
    values.extend(identifier.first().map(|p| ("{id}", p.name.clone())));
    let required: Vec<&Parameter> = others.iter().filter(|p| p.required).collect();
    values.extend(draw.pick(&required).map(|p| ("{must}", words(p))));
    let technical = |p: &Parameter| {
        let name = words_of(&p.name).join("_");
        fields::COMMON.iter().chain(fields::WRITE).chain(fields::READ).any(|field| field.name == name)
    };
    let fits = |p: &&Parameter| !p.required && p.kind != Kind::Flag && (p.name == "page" || !technical(p));
    let mut optional: Vec<&Parameter> = others.iter().filter(fits).collect();
    let page = optional.iter().position(|p| matches!(p.name.as_str(), "cursor" | "page"));
    values.extend(page.map(|at| ("{page}", optional.remove(at).name.clone())));
    draw.shuffle(&mut optional);
    values.extend(["{may}", "{might}"].into_iter().zip(optional).map(|(key, p)| (key, words(p))));
    values
}

/// A field name as words of a sentence.
fn field_words(name: &str) -> String {
    match name {
        "starts_at" => "start time".to_owned(),
        "ends_at" => "end time".to_owned(),
        "due_at" => "deadline".to_owned(),
        "send_at" => "delivery time".to_owned(),
        "expires_at" => "expiry date".to_owned(),
        "closes_at" => "closing time".to_owned(),
        "created_after" => "creation date".to_owned(),
        "base_ref" => "base branch".to_owned(),
        "departs_at" => "departure time".to_owned(),
        _ => {
            let short = name.strip_suffix("_id").or_else(|| name.strip_suffix("_url"));
            short.unwrap_or(name).replace("_ids", "s").replace('_', " ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fill, field_words};
    use crate::generate::draw::Draw;
    use crate::generate::plan::plan;

    #[test]
    fn a_sentence_without_a_value_is_left_out() {
        let slot = plan(7, 1).slots[0];
        let mut draw = Draw::new(7, "test", 0);
        let fill = Fill::new(&mut draw, &slot, "issue", "Quillhut", &[], &[]);
        assert_eq!(fill.text("a {one} of {service}, {many}"), "an issue of Quillhut, issues");
        assert_eq!(fill.sentence("See {sibling}."), None);
        assert_eq!(fill.sentence("All {many}.").as_deref(), Some("All issues."));
    }

    #[test]
    fn field_names_become_words() {
        assert_eq!(field_words("starts_at"), "start time");
        assert_eq!(field_words("folder_id"), "folder");
        assert_eq!(field_words("member_ids"), "members");
        assert_eq!(field_words("line_items"), "line items");
    }
}
