//! Definitions that are used once.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{Compaction, Effect, walk};
use crate::cost::shape;
use crate::json_tree::{Json, Member};
use crate::lint::walk::{Kind, below, decoded};
use crate::pointer::unescaped;

pub(super) static ENTRY: Compaction = Compaction {
    name: "definitions",
    summary: "definitions that are used once are written where they are used; unused ones are left out",
    source: "Goldziher/basemind#50: clients that do not follow references",
    effect: Effect::Lossless,
    rewrite: |wire, _| {
        inline(&mut wire.schema);
        wire.extra.iter_mut().filter(|(key, _)| key == "outputSchema").for_each(|(_, schema)| inline(schema));
    },
};

/// A schema may nest 512 levels; what would go deeper than this after the rewriting stays a reference.
const DEEPEST: usize = 100;

/// Keywords beside a `$ref` that describe and do not assert: the older dialects ignore every other one.
const BESIDE: [&str; 7] = ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];

/// Keywords that give a place an address of its own, which moving it would change.
const ADDRESSES: [&str; 5] = ["$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef"];

fn is_store(key: &str) -> bool {
    key == "$defs" || key == "definitions"
}

/// `#/$defs/name` as the store's key and the decoded name; `rest` tells whether it goes on below.
fn parts(reference: &str) -> Option<(String, String, bool)> {
    let reference = decoded(reference)?;
    let mut parts = reference.strip_prefix("#/")?.splitn(3, '/');
    let store = parts.next().filter(|s| is_store(s))?.to_string();
    let name = unescaped(parts.next()?);
    Some((store, name, parts.next().is_some()))
}

fn inline(root: &mut Json) {
    let mut uses: HashMap<(String, String), usize> = HashMap::new();
    let mut held: HashSet<(String, String)> = HashSet::new();
    let (mut addressed, mut first) = (false, true);
    walk(root, Kind::Schema, &mut |members| {
        for member in members.iter() {
            // The address of the whole schema moves nothing.
            addressed |= ADDRESSES.contains(&member.key().as_ref()) && !(first && member.key() == "$id");
            let Some(reference) = member.value.as_text().filter(|_| member.key() == "$ref") else { continue };
            match parts(&reference) {
                Some((store, name, false)) => *uses.entry((store, name)).or_default() += 1,
                Some((store, name, true)) => drop(held.insert((store, name))),
                // A reference to a store itself, or spelled with the schema's own address.
                None => {
                    addressed |= !reference.starts_with('#')
                        || reference.starts_with("#/$defs")
                        || reference.starts_with("#/def")
                }
            }
        }
        first = false;
    });
    let Json::Object(members) = root else { return };
    if addressed {
        return;
    }
    let mut bodies: HashMap<(String, String), Json> = HashMap::new();
    for member in members.iter_mut().filter(|m| is_store(&m.key())) {
        let store = member.key().into_owned();
        let Json::Object(definitions) = &mut member.value else { continue };
        definitions.retain_mut(|d| {
            let key = (store.clone(), d.key().into_owned());
            let (used, named) = (uses.get(&key).copied().unwrap_or(0), held.contains(&key));
            let moves = used == 1 && !named && matches!(d.value, Json::Object(_));
            if moves {
                bodies.insert(key, std::mem::replace(&mut d.value, Json::Array(Vec::new())));
            }
            // What is moved keeps its place until it has found a new one.
            moves || used > 0 || named
        });
    }
    put(root, Kind::Schema, 0, &mut bodies);
    let Json::Object(members) = root else { return };
    for member in members.iter_mut().filter(|m| is_store(&m.key())) {
        let store = member.key().into_owned();
        let Json::Object(definitions) = &mut member.value else { continue };
        definitions.retain_mut(|d| {
            // A body that found no new place comes back.
            let waiting = matches!(&d.value, Json::Array(items) if items.is_empty());
            if let Some(body) = bodies.remove(&(store.clone(), d.key().into_owned())) {
                d.value = body;
                return true;
            }
            !waiting
        });
    }
    members.retain(|m| !(is_store(&m.key()) && matches!(&m.value, Json::Object(d) if d.is_empty())));
}

/// Puts bodies where they are referred to, the outer ones first, so that a body's own references are seen in their new place.
fn put<'a>(json: &mut Json<'a>, kind: Kind, depth: usize, bodies: &mut HashMap<(String, String), Json<'a>>) {
    match json {
        Json::Object(members) => {
            if kind == Kind::Schema && depth < DEEPEST {
                while let Some(key) = target(members).filter(|key| bodies.contains_key(key)) {
                    let Some(Json::Object(body)) = bodies.remove(&key) else { break };
                    members.retain(|m| m.key() != "$ref");
                    let own: HashSet<String> = members.iter().map(|m| m.key().into_owned()).collect();
                    members.extend(body.into_iter().filter(|m| !own.contains(m.key().as_ref())));
                }
            }
            for member in members {
                let of = below(kind, &member.key(), shape(&member.value));
                if of != Kind::Data {
                    put(&mut member.value, of, depth + 1, bodies);
                }
            }
        }
        Json::Array(items) if kind == Kind::Schemas => {
            items
                .iter_mut()
                .filter(|i| matches!(i, Json::Object(_)))
                .for_each(|i| put(i, Kind::Schema, depth + 1, bodies));
        }
        _ => {}
    }
}

/// The definition that a schema consists of, beside words.
fn target(members: &[Member]) -> Option<(String, String)> {
    let reference = |m: &Member| m.value.as_text().map(Cow::into_owned);
    let own = members.iter().find(|m| m.key() == "$ref").and_then(reference)?;
    let words = members.iter().all(|m| m.key() == "$ref" || BESIDE.contains(&m.key().as_ref()));
    let (store, name, _) = parts(&own).filter(|_| words)?;
    Some((store, name))
}
