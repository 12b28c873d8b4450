//! How does a speaker of another language name the concepts of the lexicon?

mod actions;
mod objects_business;
mod objects_technical;
mod objects_trades;
mod objects_work;
mod services;

/// The query words of one concept, one field for each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Translation {
    /// Name of the concept in the lexicon.
    pub name: &'static str,
    /// Chinese.
    pub zh: &'static str,
    /// Japanese; of an action a verb that may follow the particle を.
    pub ja: &'static str,
    /// German; of an action the infinitive.
    pub de: &'static str,
    /// Spanish; of an action the infinitive.
    pub es: &'static str,
}

const fn word(
    name: &'static str,
    zh: &'static str,
    ja: &'static str,
    de: &'static str,
    es: &'static str,
) -> Translation {
    Translation { name, zh, ja, de, es }
}

impl Translation {
    /// The word in that language.
    #[must_use]
    pub const fn text(&self, language: Language) -> &'static str {
        match language {
            Language::Zh => self.zh,
            Language::Ja => self.ja,
            Language::De => self.de,
            Language::Es => self.es,
        }
    }
}

/// A language of queries beside English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Chinese.
    Zh,
    /// Japanese.
    Ja,
    /// German.
    De,
    /// Spanish.
    Es,
}

impl Language {
    /// All languages. Append only: the position takes part in the draw.
    pub const ALL: [Self; 4] = [Self::Zh, Self::Ja, Self::De, Self::Es];

    /// Its two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::Ja => "ja",
            Self::De => "de",
            Self::Es => "es",
        }
    }
}

fn services() -> impl Iterator<Item = &'static Translation> {
    services::WORDS.iter()
}

fn objects() -> impl Iterator<Item = &'static Translation> {
    objects_work::WORDS
        .iter()
        .chain(objects_technical::WORDS)
        .chain(objects_business::WORDS)
        .chain(objects_trades::WORDS)
}

fn actions() -> impl Iterator<Item = &'static Translation> {
    actions::WORDS.iter()
}

/// The words of the service of that name.
#[must_use]
pub fn of_service(name: &str) -> Option<&'static Translation> {
    services().find(|word| word.name == name)
}

/// The words of the object of that name.
#[must_use]
pub fn of_object(name: &str) -> Option<&'static Translation> {
    objects().find(|word| word.name == name)
}

/// The words of the action of that name.
#[must_use]
pub fn of_action(name: &str) -> Option<&'static Translation> {
    actions().find(|word| word.name == name)
}

/// A short request in that language. It has no article, so no word of it needs a gender or a case.
#[must_use]
pub fn query(language: Language, action: &Translation, object: &Translation, service: Option<&Translation>) -> String {
    let (verb, noun) = (action.text(language), object.text(language));
    let place = service.map(|service| service.text(language));
    match (language, place) {
        (Language::Zh, Some(place)) => format!("在{place}中{verb}{noun}"),
        (Language::Zh, None) => format!("{verb}{noun}"),
        (Language::Ja, Some(place)) => format!("{place}で{noun}を{verb}"),
        (Language::Ja, None) => format!("{noun}を{verb}"),
        (Language::De, Some(place)) => format!("{noun} {verb} – {place}"),
        (Language::De, None) => format!("{noun} {verb}"),
        (Language::Es, Some(place)) => format!("{verb} {noun} – {place}"),
        (Language::Es, None) => format!("{verb} {noun}"),
    }
}

#[cfg(test)]
mod tests;
