//! For which requests about one concept would a person also accept a tool for another?
//!
//! An object is a kind of another where its noun is the other's noun with words in front: a text message is a message. A
//! message template is none, for its head is another. What words cannot tell is listed, each pair with its reason.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{Action, Object, objects};

/// Two concepts of which a person takes one for the other, and why.
type Pair = (&'static str, &'static str, &'static str);

/// Objects that are alike although their nouns are not.
#[rustfmt::skip]
const OBJECTS: &[Pair] = &[
    ("message", "voicemail", "a voicemail is a message that somebody left"),
    ("file", "document", "people call a stored document a file"),
    ("file", "attachment", "what is attached is a file"),
    ("file", "download", "what was downloaded is a file"),
    ("file", "asset", "a media asset is a file"),
    ("photo", "image", "an image is a photo unless it is said to be one of a container"),
    ("task", "action_item", "an action item is a task from a meeting"),
    ("task", "assignment", "homework is a task"),
    ("issue", "ticket", "bug trackers call their issues tickets"),
    ("ticket", "service_request", "a request for service is a support ticket"),
    ("ticket", "admission_pass", "what lets people in is a ticket"),
    ("page", "article", "a page of a wiki is an article"),
    ("page", "document", "a written page is a document"),
    ("article", "post", "a blog post is an article"),
    ("event", "meeting", "a meeting is an event of a calendar"),
    ("event", "appointment", "an appointment is an event of a calendar"),
    ("meeting", "appointment", "people make an appointment for a meeting"),
    ("booking", "appointment", "people book an appointment"),
    ("trip", "itinerary", "a planned trip is an itinerary"),
    ("survey", "poll", "a poll is a survey of one question"),
    ("survey", "form", "form builders make surveys"),
    ("survey", "quiz", "a quiz is a questionnaire with right answers"),
    ("rule", "automation", "an automatic rule is an automation"),
    ("contract", "lease", "a lease is a contract"),
    ("permit", "license", "offices use both words for one paper"),
    ("payee", "beneficiary", "banks call their payees beneficiaries"),
    ("backup", "snapshot", "a snapshot of a disk is a backup"),
    ("product", "inventory_item", "what is in stock is a product"),
    ("member", "employee", "the members of a firm's teams are its employees"),
    ("place", "venue", "a venue is a place"),
    ("event", "performance", "a performance is an event that people attend"),
    ("payment", "payout", "a payout is a payment to a seller"),
    ("payment", "bank_transfer", "a transfer is a payment"),
    ("customer", "contact", "people keep their customers as contacts"),
    ("message", "draft", "a draft is a message that is not sent yet"),
    ("device", "sensor", "a sensor is a device"),
    ("device", "meter", "a meter is a device"),
    ("device", "solar_panel", "a panel is a device of a home"),
    ("job", "job_posting", "what is posted is a job"),
    ("payment", "donation", "a donation is a payment"),
    ("payment", "dividend", "a dividend is a payment"),
    ("payment", "premium", "a premium is a payment"),
    ("document", "contract", "a contract is a document"),
    ("issue", "finding", "what an audit finds is an issue"),
    ("permission", "access_role", "a role is a bundle of permissions"),
    ("inventory_item", "part", "a spare part is in stock"),
    ("template", "canned_reply", "a canned reply is a template of a message"),
    ("monitor", "alert", "a monitor raises alerts, and is set up as one"),
    ("shift", "schedule", "shifts make a schedule"),
];

/// Actions that are alike in their outcome.
#[rustfmt::skip]
const ACTIONS: &[Pair] = &[
    ("list", "search", "a search without words lists, a list with a filter searches"),
    ("get", "preview", "either shows the thing"),
    ("create", "send", "what is sent is created by that"),
    ("create", "import", "an import creates"),
    ("update", "rename", "another title is a change"),
    ("delete", "cancel", "what is cancelled is gone"),
    ("cancel", "stop", "what is under way is stopped when it is called off"),
    ("stop", "disable", "either switches it off"),
    ("run", "enable", "either sets it going"),
    ("lock", "disable", "a frozen card is a disabled one"),
    ("approve", "acknowledge", "to confirm may mean to accept"),
    ("share", "send", "people are shown something by sending it"),
    ("assign", "move", "what is handed over is transferred"),
    ("validate", "acknowledge", "to verify may mean to confirm"),
    ("create", "schedule", "what is scheduled is created by that"),
    ("create", "run", "to start a build creates one"),
    ("close", "stop", "what is closed goes on no longer"),
    ("publish", "send", "a circular goes live by being sent"),
    ("stop", "delete", "a link that is deleted is switched off"),
    ("stop", "lock", "what is frozen is switched off"),
    ("list", "export", "either brings all of them"),
];

type Relations = BTreeMap<&'static str, Vec<&'static str>>;

static RELATED_OBJECTS: LazyLock<Relations> = LazyLock::new(|| {
    let listed = OBJECTS.iter().map(|(one, other, _)| (*one, *other));
    let kinds = objects().flat_map(|one| {
        let others = objects().filter(move |other| other.name != one.name && is_kind(other, one));
        others.map(move |other| (one.name, other.name))
    });
    both_ways(listed.chain(kinds))
});

static RELATED_ACTIONS: LazyLock<Relations> =
    LazyLock::new(|| both_ways(ACTIONS.iter().map(|(one, other, _)| (*one, *other))));

/// Names of the other objects of which a tool could answer a request for this one.
#[must_use]
pub fn related(object: &Object) -> &'static [&'static str] {
    RELATED_OBJECTS.get(object.name).map_or(&[], Vec::as_slice)
}

/// Names of the other actions that a person would accept for this one.
#[must_use]
pub fn related_actions(action: &Action) -> &'static [&'static str] {
    RELATED_ACTIONS.get(action.name).map_or(&[], Vec::as_slice)
}

fn both_ways(pairs: impl Iterator<Item = (&'static str, &'static str)>) -> Relations {
    let mut all = Relations::new();
    for (one, other) in pairs {
        all.entry(one).or_default().push(other);
        all.entry(other).or_default().push(one);
    }
    for names in all.values_mut() {
        names.sort_unstable();
        names.dedup();
    }
    all
}

/// Whether `one` is `other` with more said about it.
fn is_kind(one: &Object, other: &Object) -> bool {
    one.nouns().any(|long| other.nouns().any(|short| is_kind_of_noun(&long, &short)))
}

/// Whether a noun is another one, perhaps with words in front: a text message is a message.
pub(super) fn is_kind_of_noun(long: &str, short: &str) -> bool {
    let words: Vec<&str> = long.split(' ').collect();
    head(long) == head(short) && short.split(' ').all(|word| words.contains(&word))
}

/// The word that says what a noun phrase is: the last one before a preposition.
fn head(phrase: &str) -> &str {
    let words = phrase.split(' ').take_while(|word| !PREPOSITIONS.contains(word));
    words.last().unwrap_or(phrase)
}

const PREPOSITIONS: &[&str] =
    &["of", "by", "on", "to", "from", "for", "at", "in", "who", "behind", "under", "with", "between"];

#[cfg(test)]
mod tests {
    use super::{ACTIONS, OBJECTS, head, is_kind_of_noun, related, related_actions};
    use crate::lexicon::{action, actions, object, objects};

    #[test]
    fn a_kind_has_the_head_of_its_class() {
        assert!(is_kind_of_noun("text message", "message") && is_kind_of_noun("message", "message"));
        assert!(!is_kind_of_noun("message", "text message"));
        assert!(!is_kind_of_noun("message template", "message") && !is_kind_of_noun("build artifact", "build"));
        assert_eq!(head("request for quotation"), "request");
    }

    #[test]
    fn kinds_and_listed_pairs_are_related_both_ways() {
        let pairs = [
            ("message", "text_message"),
            ("order", "purchase_order"),
            ("order", "work_order"),
            ("rule", "firewall_rule"),
            ("job", "maintenance_job"),
            ("session", "charging_session"),
            ("file", "document"),
            ("photo", "image"),
        ];
        for (one, other) in pairs {
            assert!(related(object(one).unwrap()).contains(&other), "{one} {other}");
            assert!(related(object(other).unwrap()).contains(&one), "{other} {one}");
        }
        for (one, other) in [("message", "thread"), ("build", "artifact"), ("work_order", "purchase_order")] {
            assert!(!related(object(one).unwrap()).contains(&other), "{one} {other}");
        }
        assert!(related_actions(action("cancel").unwrap()).contains(&"delete"));
        assert!(!related_actions(action("archive").unwrap()).contains(&"delete"));
    }

    #[test]
    fn relations_are_symmetric_sorted_and_few() {
        for one in objects() {
            let others = related(one);
            assert!(!others.contains(&one.name) && others.is_sorted() && others.len() <= 6, "{} {others:?}", one.name);
            assert!(others.iter().all(|other| related(object(other).unwrap()).contains(&one.name)), "{}", one.name);
        }
        for one in actions::ACTIONS {
            let others = related_actions(one);
            assert!(!others.contains(&one.name) && others.is_sorted() && others.len() <= 5, "{} {others:?}", one.name);
            assert!(others.iter().all(|name| related_actions(action(name).unwrap()).contains(&one.name)));
        }
    }

    #[test]
    fn listed_pairs_name_concepts_and_reasons() {
        for (one, other, why) in OBJECTS {
            assert!(object(one).is_some() && object(other).is_some() && !why.is_empty(), "{one} {other}");
        }
        for (one, other, why) in ACTIONS {
            assert!(action(one).is_some() && action(other).is_some() && !why.is_empty(), "{one} {other}");
        }
    }
}
