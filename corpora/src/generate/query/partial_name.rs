//! A part of a name.

use super::{QueryClass, one};
use crate::generate::name::verbs;
use crate::generate::words::words_of;
use crate::lexicon::{self, Object, services};

/// Most letters that are cut from the end of a name.
const CUT: u32 = 3;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "partial-name",
    summary: "a name without its last letters, or its words without some of them; only names of which the part is clear",
    source: "openai/codex pull request 30085",
    pose: |front| {
        let clear = |tool: &super::Asked<'_>| tool.alone || words_of(tool.name).iter().any(|word| word == tool.label);
        let mut out = front.each("cut", |draw, tool| {
            let cut = draw.between(1, CUT) as usize;
            let kept = tool.name.len().saturating_sub(cut);
            let last = words_of(tool.name).last().map_or(0, String::len);
            if !clear(tool) || last < cut + 3 {
                return Vec::new();
            }
            let part = &tool.name[..kept];
            let verbs = verbs(tool.slot.action);
            let verb = |word: &String| verbs.contains(&word.as_str());
            if !words_of(part).iter().any(verb) || begins_another(part, tool.slot.object) {
                Vec::new()
            } else {
                vec![one(tool, part.to_owned())]
            }
        });
        out.extend(front.each("words", |draw, tool| {
            let mut words = words_of(tool.name);
            if !clear(tool) || words.len() < 2 {
                return Vec::new();
            }
            // Verb and object stay: what else the name holds may go.
            let verbs = verbs(tool.slot.action);
            let needed = words_of(&format!("{} {} {}", verbs.join(" "), tool.written.noun, tool.slot.object.name));
            let whole = words.len();
            if !words.iter().any(|word| verbs.contains(&word.as_str())) {
                return Vec::new();
            }
            words.retain(|word| needed.contains(word) || word == tool.label || draw.percent(20));
            if words.len() < 2 || (words.len() == whole && whole < 3) {
                return Vec::new();
            }
            if words.len() == whole {
                words.rotate_left(1);
            }
            vec![one(tool, words.join(" "))]
        }));
        out
    },
};

/// Whether the last words of a part of a name also begin the name of another object or what stands before one: `list_pay`
/// could go on as payments or as payouts.
fn begins_another(part: &str, object: &Object) -> bool {
    let words = words_of(part);
    let ends: Vec<String> = (1..words.len()).map(|from| words[from..].concat()).collect();
    let others = lexicon::objects().filter(|other| *other != object);
    let nouns = others.flat_map(|other| other.describe.iter().copied().chain([other.name]));
    let mut nouns = nouns.chain(services::SERVICES.iter().map(|service| service.qualifier));
    nouns.any(|noun| {
        let noun = words_of(noun).concat();
        ends.iter().any(|end| noun.starts_with(end.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::begins_another;
    use crate::lexicon::object;

    #[test]
    fn a_part_that_could_go_on_in_two_ways_is_found() {
        let payment = object("payment").unwrap();
        assert!(begins_another("listPay", payment));
        assert!(!begins_another("listPaymen", payment));
    }
}
