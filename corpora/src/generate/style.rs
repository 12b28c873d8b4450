//! How does one server write its tools?
//!
//! In real tool lists more than half of the variance of lengths lies between servers, so a style is
//! drawn for each server first. Shares follow the measured statistics of real servers; decks hand
//! them out exactly, so that a seed cannot give all servers one habit.

use super::draw::Draw;

/// How the words of a name are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `create_page`
    Snake,
    /// `create-page`
    Kebab,
    /// `createPage`
    Camel,
    /// `CreatePage`
    Pascal,
}

/// What a name holds besides action and object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Action and object only.
    Bare,
    /// The service's short noun before the object.
    Qualified,
    /// The service's name in front.
    Prefixed,
    /// The service's name in front and its noun before the object.
    Both,
}

/// How much a description says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// One sentence of a few words.
    Terse,
    /// One or two sentences.
    Short,
    /// Some sentences.
    Medium,
    /// Sentences and a list.
    Long,
    /// Sentences, lists and all parameters once more.
    Full,
}

/// In which order the keys of a schema stand and which it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `type`, `properties`, `required`.
    Plain,
    /// `type`, `properties`, `required`, `additionalProperties`, `$schema`.
    SchemaLast,
    /// `$schema`, `type`, `properties`, `required`, `additionalProperties`.
    SchemaFirst,
    /// `additionalProperties`, `type`, `properties`, `required`.
    Closed,
    /// `properties`, `required`, `title`, `type`, with a title for every parameter.
    Titled,
}

/// The habits of one server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Case of tool names.
    pub case: Case,
    /// Whether parameters are written in camel case.
    pub camel_parameters: bool,
    /// What names hold.
    pub naming: Naming,
    /// Object before action in names.
    pub object_first: bool,
    /// "Creates a page" instead of "Create a page".
    pub third_person: bool,
    /// Length of descriptions.
    pub length: Length,
    /// Whether the service is named by its invented name (else by a noun phrase).
    pub by_name: bool,
    /// Whether the service is left out where the tool is clear without it.
    pub silent: bool,
    /// Percent of the optional parameters it offers.
    pub richness: u32,
    /// Percent of parameters with a description.
    pub described: u32,
    /// Shape of schemas.
    pub dialect: Dialect,
    /// Whether identifiers are called `id` instead of `<object>_id`.
    pub short_id: bool,
    /// Whether a title is called `name`.
    pub name_for_title: bool,
    /// Whether lists are cut into numbered pages instead of cursors.
    pub numbered_pages: bool,
}

/// Styles for `count` servers.
#[must_use]
pub fn styles(seed: u64, count: usize) -> Vec<Style> {
    let mut draw = Draw::new(seed, "style", 0);
    let cases = draw.deck(&[74, 14, 9, 3], count);
    let namings = draw.deck(&[42, 29, 21, 8], count);
    let lengths = draw.deck(&[23, 21, 25, 18, 13], count);
    let rich = draw.deck(&[34, 32, 19, 15], count);
    let dialects = draw.deck(&[38, 14, 12, 14, 22], count);
    let object_first = draw.deck(&[88, 12], count);
    (0..count)
        .map(|at| {
            let card = |deck: &[usize]| deck.get(at).copied().unwrap_or(0);
            let case = [Case::Snake, Case::Kebab, Case::Camel, Case::Pascal][card(&cases).min(3)];
            let wide = matches!(case, Case::Camel | Case::Pascal);
            Style {
                case,
                camel_parameters: if wide { true } else { draw.percent(15) },
                naming: [Naming::Bare, Naming::Qualified, Naming::Prefixed, Naming::Both][card(&namings).min(3)],
                object_first: card(&object_first) == 1,
                third_person: draw.percent(35),
                length: [Length::Terse, Length::Short, Length::Medium, Length::Long, Length::Full]
                    [card(&lengths).min(4)],
                by_name: draw.percent(60),
                silent: draw.percent(60),
                richness: [22, 45, 70, 100][card(&rich).min(3)],
                described: draw.pick(&[0, 60, 85, 100, 100]).unwrap_or(100),
                dialect: [Dialect::Plain, Dialect::SchemaLast, Dialect::SchemaFirst, Dialect::Closed, Dialect::Titled]
                    [card(&dialects).min(4)],
                short_id: draw.percent(40),
                name_for_title: draw.percent(50),
                numbered_pages: draw.percent(35),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Case, Length, styles};

    #[test]
    fn every_habit_occurs_and_snake_case_leads() {
        for seed in 0..20 {
            let all = styles(seed, 44);
            let share = |case| all.iter().filter(|style| style.case == case).count();
            assert!(share(Case::Snake) > 28 && share(Case::Kebab) > 3 && share(Case::Camel) > 2);
            for length in [Length::Terse, Length::Short, Length::Medium, Length::Long, Length::Full] {
                assert!(all.iter().any(|style| style.length == length));
            }
            assert_eq!(all, styles(seed, 44));
        }
    }
}
