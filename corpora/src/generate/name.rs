//! What is each tool called?

use std::collections::{HashMap, HashSet};

use super::draw::Draw;
use super::plan::{FRONT, Plan, Slot};
use super::style::{Case, Style};
use super::target::Target;
use super::words::{capital, plural};
use crate::lexicon::{self, Action, Effect, Object};

/// Percent of the tools that keep a name which another server has too, so that it has to be told apart by its label.
const CLASHES: u32 = 20;

/// Unique names for the tools of a plan. A name near the wanted length is taken from a few ways to say the same; where two
/// servers would have one name, the later one says it in another way, or has its label in front: `label__name`.
#[must_use]
pub fn names(seed: u64, plan: &Plan, styles: &[Style], targets: &[Target]) -> Vec<String> {
    let lasts = last_words();
    let mut owners: HashMap<String, usize> = HashMap::new();
    // What queries ask for by name has no near twin; behind it, names of other servers may differ in case and separators.
    let mut front: HashSet<String> = HashSet::new();
    let mut named = Vec::with_capacity(plan.slots.len());
    for (at, (slot, target)) in plan.slots.iter().zip(targets).enumerate() {
        let mut draw = Draw::new(seed, "name", at as u64);
        let label = &plan.servers[slot.server].label;
        // Behind the front the short names are used up; a short sign of the server makes more.
        let sign = label.get(..3).filter(|_| at >= FRONT);
        let mut ways = ways(slot, &styles[slot.server], label, sign, &lasts);
        let wanted = target.name as usize;
        ways.sort_by_key(|way| (way.len().abs_diff(wanted), way.len()));
        let told_apart = |way: &String| format!("{label}__{way}");
        let free = |way: &&String| !owners.contains_key(*way) && !front.contains(&key(way));
        let elsewhere = |way: &&String| owners.get(*way).is_some_and(|owner| *owner != slot.server);
        let clash =
            if draw.percent(CLASHES) { ways.iter().filter(elsewhere).min_by_key(|way| way.len()) } else { None };
        let name = match (clash, ways.iter().find(free)) {
            (Some(way), _) => told_apart(way),
            (None, Some(way)) => way.clone(),
            (None, None) => told_apart(&ways[0]),
        };
        let mut unique = name.clone();
        for number in 2.. {
            if free(&&unique) {
                break;
            }
            unique = format!("{name}_{number}");
        }
        if at < FRONT {
            front.insert(key(&unique));
        }
        owners.insert(unique.clone(), slot.server);
        named.push(unique);
    }
    named
}

/// Names that differ only in case or in separators are too alike to stand side by side.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The verbs that a name may have for an action.
#[must_use]
pub fn verbs(action: &'static Action) -> Vec<&'static str> {
    let short: &[&str] = match action.name {
        "create" => &["new"],
        "update" => &["set"],
        "search" => &["find"],
        "delete" => &["drop"],
        _ => &[],
    };
    let described = action.describe.iter().filter(|verb| **verb != action.name && !verb.contains(' '));
    std::iter::once(action.name).chain(short.iter().copied()).chain(described.copied()).collect()
}

/// Whether a name may leave the action out: the thing alone stands for listing or reading it.
#[must_use]
pub fn goes_without_saying(action: &Action) -> bool {
    matches!(action.name, "list" | "get")
}

/// Which object alone is called by a word.
type LastWords = HashMap<String, Option<&'static Object>>;

/// The last words of all names of objects, in lower case; none where several objects are called so.
fn last_words() -> LastWords {
    let mut owners = HashMap::new();
    for object in lexicon::objects() {
        for name in object.describe.iter().copied().chain([object.name]) {
            let last = name.rsplit(['_', ' ']).next().unwrap_or(name).to_ascii_lowercase();
            let owner = owners.entry(last).or_insert(Some(object));
            *owner = owner.filter(|known| *known == object);
        }
    }
    owners
}

/// Every way in which a server may call a tool.
fn ways(slot: &Slot, style: &Style, label: &str, sign: Option<&str>, lasts: &LastWords) -> Vec<String> {
    let verbs = verbs(slot.action);
    let mut nouns = vec![slot.object.name.replace('_', " ")];
    nouns.extend(
        slot.object.describe.iter().filter(|noun| noun.is_ascii() && !noun.contains('-')).map(|n| n.to_lowercase()),
    );
    // Of a compound the last word may do, where no other object is called so.
    let last = slot.object.name.rsplit_once('_').map(|(_, last)| last);
    nouns.extend(last.filter(|last| lasts.get(*last).is_some_and(Option::is_some)).map(str::to_owned));
    nouns.dedup();
    if slot.action.many {
        nouns.iter_mut().for_each(|noun| *noun = plural(noun));
    }
    let endings: &[&str] = match slot.action.effect {
        Effect::Read => &["", "details", "by id", "full record"],
        Effect::List => &["", "page", "overview", "by filter", "matching filter"],
        Effect::Create => &["", "entry", "with defaults", "and return id"],
        Effect::Change => &["", "by id", "in place", "and return state"],
        Effect::Remove => &["", "by id", "permanently", "and its references"],
    };
    let mut out = Vec::new();
    for noun in &nouns {
        let object: Vec<&str> = noun.split(' ').collect();
        for qualified in [false, true] {
            if qualified && object.contains(&slot.service.qualifier) {
                continue;
            }
            for verb in &verbs {
                for ending in endings {
                    let mut words: Vec<&str> = Vec::new();
                    words.extend(qualified.then_some(slot.service.qualifier));
                    words.extend(&object);
                    words.insert(if style.object_first { words.len() } else { 0 }, verb);
                    words.extend(ending.split(' ').filter(|word| !word.is_empty()));
                    out.push(cased(&words, style, label));
                }
            }
        }
    }
    // Where the usual order is taken, the other one may be free.
    for noun in &nouns {
        for verb in &verbs {
            let words: Vec<&str> = if style.object_first {
                [*verb].into_iter().chain(noun.split(' ')).collect()
            } else {
                noun.split(' ').chain([*verb]).collect()
            };
            out.push(cased(&words, style, label));
        }
    }
    if goes_without_saying(slot.action) {
        out.extend(nouns.iter().map(|noun| cased(&noun.split(' ').collect::<Vec<_>>(), style, label)));
    }
    if let (Some(sign), false) = (sign, style.prefixed) {
        // What is done is at least abbreviated.
        let silent = goes_without_saying(slot.action).then_some("");
        let short = verbs.iter().map(|verb| verb.get(..3).unwrap_or(verb));
        let said: Vec<&str> = verbs.iter().copied().chain(short).chain(silent).collect();
        for sign in [sign, sign.get(..2).unwrap_or(sign)] {
            for noun in &nouns {
                out.extend(said.iter().map(|verb| {
                    let words = [sign, verb].into_iter().chain(noun.split(' ')).filter(|word| !word.is_empty());
                    cased(&words.collect::<Vec<_>>(), style, label)
                }));
            }
        }
    }
    out
}

fn cased(words: &[&str], style: &Style, label: &str) -> String {
    let mut all: Vec<&str> = Vec::with_capacity(words.len() + 1);
    if style.case == Case::Mixed {
        return format!("{label}-{}", words.join("_"));
    }
    all.extend(style.prefixed.then_some(label));
    all.extend(words);
    join(&all, style.case)
}

/// Words joined in a case.
#[must_use]
pub fn join(words: &[&str], case: Case) -> String {
    match case {
        Case::Snake | Case::Mixed => words.join("_"),
        Case::Kebab => words.join("-"),
        Case::Pascal => words.iter().map(|word| capital(word)).collect(),
        Case::Camel => words
            .iter()
            .enumerate()
            .map(|(at, word)| if at == 0 { (*word).to_owned() } else { capital(word) })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::join;
    use crate::generate::style::Case;

    #[test]
    fn every_case_joins_words() {
        let words = ["get", "ssh", "key"];
        assert_eq!(join(&words, Case::Snake), "get_ssh_key");
        assert_eq!(join(&words, Case::Kebab), "get-ssh-key");
        assert_eq!(join(&words, Case::Camel), "getSshKey");
        assert_eq!(join(&words, Case::Pascal), "GetSshKey");
    }
}
