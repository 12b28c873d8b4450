//! A part of a name.

use super::{Asked, QueryClass, one};
use crate::generate::name::verbs;
use crate::generate::words::{plural, words_of};
use crate::lexicon::{self, Object, services};

/// Most letters that are cut from the end of a name.
const CUT: usize = 3;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "partial-name",
    summary: "the beginning of a name, as spelled or in words; only where no other name begins so",
    source: "openai/codex pull request 30085",
    pose: |front| {
        let mut out = front.each("cut", |draw, tool| {
            let last = words_of(tool.name).last().map_or(0, String::len);
            let mut cuts: Vec<usize> = (1..=CUT).filter(|cut| last >= cut + 3).collect();
            draw.shuffle(&mut cuts);
            let parts = cuts.into_iter().map(|cut| tool.name[..tool.name.len() - cut].to_owned());
            parts.filter(|part| is_clear(part, tool)).map(|part| one(tool, part)).collect()
        });
        out.extend(front.each("words", |draw, tool| {
            let words = words_of(tool.name);
            let last = words.last().map_or(0, String::len);
            // Whole words of the beginning, or else all of them without the last letters.
            let mut texts: Vec<String> = (2..words.len()).map(|count| words[..count].join(" ")).collect();
            draw.shuffle(&mut texts);
            let whole = words.join(" ");
            texts.extend((1..=CUT).filter(|cut| last >= cut + 3).map(|cut| whole[..whole.len() - cut].to_owned()));
            texts.into_iter().filter(|text| is_clear(text, tool)).map(|text| one(tool, text)).collect()
        }));
        out
    },
};

/// Whether no other name of a catalog of any size can begin like this part of the name of a tool.
fn is_clear(part: &str, tool: &Asked<'_>) -> bool {
    let words = words_of(part);
    let labelled = words.first().is_some_and(|word| word == tool.label);
    let verbs = verbs(tool.slot.action);
    let verb = |word: &str| verbs.contains(&word);
    (tool.alone || labelled)
        && words.iter().any(|word| verb(word))
        && words.iter().any(|word| !verb(word) && word != tool.label)
        && !begins_another(&words, tool.slot.object, |word| verb(word) || word == tool.label)
}

/// Whether the last words of a part of a name also begin the name of another object or what stands before one: `list_pay`
/// could go on as payments or as payouts. A noun stands at the start or behind words that `lead` to it.
fn begins_another(part: &[String], object: &Object, lead: impl Fn(&str) -> bool) -> bool {
    let qualifier = |word: &str| services::SERVICES.iter().any(|service| service.qualifier == word);
    let leads = |from: &usize| lead(&part[from - 1]) || qualifier(&part[from - 1]);
    let mut ends: Vec<String> = (1..part.len()).take_while(leads).map(|from| part[from..].concat()).collect();
    // "videos" begins like a social post of the video host.
    let behind = |end: &String| {
        let rests = services::SERVICES.iter().filter_map(|service| end.strip_prefix(service.qualifier));
        rests.filter(|rest| !rest.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    ends.extend(ends.iter().flat_map(behind).collect::<Vec<_>>());
    let begun = |noun: &str| {
        let noun = words_of(noun).concat();
        ends.iter().any(|end| noun.starts_with(end.as_str()))
    };
    let own: Vec<String> = object.nouns().collect();
    let mut nouns = lexicon::objects().filter(|other| *other != object).flat_map(Object::nouns);
    nouns.any(|noun| {
        // A compound may be called by its last word alone, unless this object is called so too.
        let last = noun.rsplit(' ').next().filter(|last| own.iter().all(|noun| noun.rsplit(' ').next() != Some(last)));
        begun(&noun) || begun(&plural(&noun)) || last.is_some_and(|last| begun(last) || begun(&plural(last)))
    }) || services::SERVICES.iter().any(|service| begun(service.qualifier))
}

#[cfg(test)]
mod tests {
    use super::begins_another;
    use crate::generate::words::words_of;
    use crate::lexicon::object;

    #[test]
    fn a_part_that_could_go_on_in_two_ways_is_found() {
        let lead = |word: &str| ["list", "get"].contains(&word);
        let begins = |part: &str, of: &str| begins_another(&words_of(part), object(of).unwrap(), lead);
        assert!(begins("listPay", "payment") && !begins("listPaymen", "payment"));
        assert!(begins("get photo", "photo"), "`get_photo_tenant` is a name of a photo library");
        assert!(begins("list videos", "video"), "`list_video_social_posts` is a name of a video host");
        assert!(begins("get term", "crop"), "a glossary term may be called a term");
        assert!(!begins("get photo by", "photo") && !begins("list invoices pag", "invoice"));
    }
}
