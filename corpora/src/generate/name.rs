//! What is each tool called?

use std::collections::BTreeSet;

use super::plan::Slot;
use super::style::{Case, Naming, Style};
use super::words::{capital, plural};

/// Unique names for a plan, one a slot. A server whose names clash with those of an earlier server
/// gets a longer habit: first the service's noun, then its name.
#[must_use]
pub fn names(plan: &[Slot], styles: &[Style]) -> Vec<String> {
    let mut named = vec![String::new(); plan.len()];
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (server, style) in styles.iter().enumerate() {
        let mine: Vec<(usize, &Slot)> = plan.iter().enumerate().filter(|(_, slot)| slot.server == server).collect();
        let habits = match style.naming {
            Naming::Bare => &[Naming::Bare, Naming::Qualified, Naming::Prefixed][..],
            Naming::Qualified => &[Naming::Qualified, Naming::Prefixed][..],
            Naming::Prefixed => &[Naming::Prefixed][..],
            Naming::Both => &[Naming::Both][..],
        };
        for (tried, habit) in habits.iter().enumerate() {
            let wanted: Vec<(usize, String)> = mine.iter().map(|(at, slot)| (*at, name(slot, style, *habit))).collect();
            let free = wanted.iter().all(|(_, name)| !used.contains(&key(name)));
            if free || tried + 1 == habits.len() {
                for (at, name) in wanted {
                    used.insert(key(&name));
                    if let Some(place) = named.get_mut(at) {
                        *place = name;
                    }
                }
                break;
            }
        }
    }
    named
}

/// Names that differ only in case or in separators are too alike to stand side by side.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn name(slot: &Slot, style: &Style, habit: Naming) -> String {
    let noun = slot.object.name.replace('_', " ");
    let noun = if slot.action.many { plural(&noun) } else { noun };
    let mut object: Vec<&str> = noun.split(' ').collect();
    let qualifier = slot.service.qualifier;
    if matches!(habit, Naming::Qualified | Naming::Both) && !slot.object.name.contains(qualifier) {
        object.insert(0, qualifier);
    }
    let mut words = Vec::new();
    if matches!(habit, Naming::Prefixed | Naming::Both) {
        words.push(slot.service.name);
    }
    if style.object_first {
        words.extend(object);
        words.push(slot.action.name);
    } else {
        words.push(slot.action.name);
        words.extend(object);
    }
    cased(&words, style.case)
}

/// Words joined in a case.
#[must_use]
pub fn cased(words: &[&str], case: Case) -> String {
    match case {
        Case::Snake => words.join("_"),
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
    use std::collections::BTreeSet;

    use super::{cased, names};
    use crate::generate::plan::plan;
    use crate::generate::style::{Case, styles};
    use crate::lexicon::services::SERVICES;

    #[test]
    fn names_are_unique_and_acceptable_to_every_provider() {
        for seed in 0..30 {
            let all = names(&plan(seed, 1_000), &styles(seed, SERVICES.len()));
            let distinct: BTreeSet<_> = all.iter().map(|name| super::key(name)).collect();
            assert_eq!(distinct.len(), 1_000, "seed {seed}");
            for name in &all {
                assert!((3..=64).contains(&name.len()), "{name}");
                assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
            }
        }
    }

    #[test]
    fn every_case_joins_words() {
        let words = ["get", "ssh", "key"];
        assert_eq!(cased(&words, Case::Snake), "get_ssh_key");
        assert_eq!(cased(&words, Case::Kebab), "get-ssh-key");
        assert_eq!(cased(&words, Case::Camel), "getSshKey");
        assert_eq!(cased(&words, Case::Pascal), "GetSshKey");
    }
}
