//! Which concepts can a generated tool be about, and with which words do people speak of them?
//!
//! A concept is a service, an object or an action. Each has words for descriptions (`describe`)
//! and other words for queries (`ask`); the two sets of one concept share no stem, so a paraphrase
//! built from `ask` words cannot be answered by matching words. Everything here is data; the rules
//! that compose it live in `generate`.

pub mod actions;
pub mod fields;
mod objects_business;
mod objects_technical;
mod objects_trades;
mod objects_work;
pub mod phrases;
pub mod related;
pub mod reserved;
pub mod services;
pub mod translate;

/// One invented service, the home of a server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Service {
    /// Invented name in lower case; also the server's label.
    pub name: &'static str,
    /// The trade it belongs to.
    pub domain: &'static str,
    /// One short noun that sets its tools apart inside a tool name.
    pub qualifier: &'static str,
    /// Noun phrases for descriptions.
    pub describe: &'static [&'static str],
    /// Noun phrases for paraphrase queries; no other service has their words.
    pub ask: &'static [&'static str],
    /// Names of the objects it holds.
    pub objects: &'static [&'static str],
}

/// One kind of thing a service holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Name in snake case, as it stands in tool names.
    pub name: &'static str,
    /// Singular nouns for descriptions.
    pub describe: &'static [&'static str],
    /// Singular nouns for paraphrase queries; no other object has their words.
    pub ask: &'static [&'static str],
    /// Actions it allows beyond [`actions::FAMILY`].
    pub actions: &'static [&'static str],
    /// Names of its fields in [`fields::FIELDS`].
    pub fields: &'static [&'static str],
}

impl Object {
    /// Every noun that names it in tools, in lower case.
    pub(crate) fn nouns(&self) -> impl Iterator<Item = String> {
        let name = self.name.replace('_', " ");
        std::iter::once(name).chain(self.describe.iter().map(|noun| noun.to_lowercase()))
    }
}

/// One line of the tables of objects.
const fn declared(
    name: &'static str,
    describe: &'static [&'static str],
    ask: &'static [&'static str],
    actions: &'static [&'static str],
    fields: &'static [&'static str],
) -> Object {
    Object { name, describe, ask, actions, fields }
}

/// What an action does to the state of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Reads one thing.
    Read,
    /// Reads several things.
    List,
    /// Makes a new thing.
    Create,
    /// Changes a thing.
    Change,
    /// Takes a thing away.
    Remove,
}

/// One thing that can be done to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// Verb as it stands in tool names.
    pub name: &'static str,
    /// Plain verbs for descriptions.
    pub describe: &'static [&'static str],
    /// Sentences for paraphrase queries, `{one}` and `{many}` standing for the object.
    pub ask: &'static [&'static str],
    /// Whether it works on several objects at once.
    pub many: bool,
    /// What it does to the state.
    pub effect: Effect,
}

/// All objects, in the order of the data files.
pub fn objects() -> impl Iterator<Item = &'static Object> {
    objects_work::OBJECTS
        .iter()
        .chain(objects_technical::OBJECTS)
        .chain(objects_business::OBJECTS)
        .chain(objects_trades::OBJECTS)
}

/// The object of that name.
#[must_use]
pub fn object(name: &str) -> Option<&'static Object> {
    objects().find(|object| object.name == name)
}

/// The action of that name.
#[must_use]
pub fn action(name: &str) -> Option<&'static Action> {
    actions::ACTIONS.iter().find(|action| action.name == name)
}

#[cfg(test)]
mod ask_tests;
#[cfg(test)]
pub(crate) mod tests;
