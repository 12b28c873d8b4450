//! How does one server write its tools?
//!
//! In real tool lists more than half of the variance of lengths lies between servers, so a style is drawn for each server
//! first. The shares are those of real tools: the servers of a block are dealt out so that each habit gets its part.

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
    /// `papernest-create_page`
    Mixed,
    /// `CreatePage`
    Pascal,
}

/// In which order the keys of a schema stand and which it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `type`, `properties`, `required`.
    Plain,
    /// `type`, `properties`, `required`, `additionalProperties`, `$schema`.
    SchemaLast,
    /// `properties`, `required`, `title`, `type`, with a title for every parameter and `anyOf` for optional ones.
    Titled,
    /// `additionalProperties`, `type`, `properties`, `required`.
    Closed,
    /// `$schema`, `type`, `properties`, `required`, `additionalProperties`.
    SchemaFirst,
}

/// The habits of one server.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Case of tool names.
    pub case: Case,
    /// Whether names begin with the server's label.
    pub prefixed: bool,
    /// Whether parameters are written in camel case.
    pub camel_parameters: bool,
    /// Object before action in names.
    pub object_first: bool,
    /// "Creates a page" instead of "Create a page".
    pub third_person: bool,
    /// Whether the service is named by its label (else by a noun phrase).
    pub by_name: bool,
    /// Shape of schemas.
    pub dialect: Dialect,
    /// Whether identifiers are called `id` instead of `<object>_id`.
    pub short_id: bool,
    /// Whether a title is called `name`.
    pub name_for_title: bool,
    /// Whether lists are cut into numbered pages instead of cursors.
    pub numbered_pages: bool,
    /// Where the server's name lengths, description lengths, numbers of parameters, schema sizes, annotations and output
    /// schemas lie among those of all servers; sums of uniform draws around 0, each with standard deviation 1.
    pub habits: [f64; 6],
}

/// Percent of the tools of a block that have each case. Of real tools 12 % have no case of these; the others share that part.
const CASES: &[u32] = &[77, 14, 6, 2, 1];
/// Percent of the tools that have each dialect.
const DIALECTS: &[u32] = &[40, 26, 21, 8, 5];
/// Percent of the tools whose names begin with the label of their server, and of the others.
const PREFIXED: &[u32] = &[16, 84];

/// How many tools a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// At the front of the catalog.
    pub front: usize,
    /// In all.
    pub whole: usize,
}

/// Styles for the servers of one block, of which the sizes are given; `first` is the position of the first one.
#[must_use]
pub fn styles(seed: u64, first: usize, sizes: &[Size]) -> Vec<Style> {
    let mut draw = Draw::new(seed, "style", first as u64);
    let cases = deal(&mut draw, CASES, sizes);
    let dialects = deal(&mut draw, DIALECTS, sizes);
    let prefixed = deal(&mut draw, PREFIXED, sizes);
    let kind = |at: usize| {
        let case = [Case::Snake, Case::Kebab, Case::Camel, Case::Mixed, Case::Pascal][cases[at].min(4)];
        let dialect = [Dialect::Plain, Dialect::SchemaLast, Dialect::Titled, Dialect::Closed, Dialect::SchemaFirst]
            [dialects[at].min(4)];
        (case, dialect, prefixed[at] == 0)
    };
    let style = |at: usize| {
        let mut draw = Draw::new(seed, "habit", (first + at) as u64);
        let (case, dialect, prefixed) = kind(at);
        let wide = matches!(case, Case::Camel | Case::Pascal);
        Style {
            case,
            prefixed: prefixed || case == Case::Mixed,
            camel_parameters: if wide { true } else { draw.percent(15) },
            object_first: draw.percent(10),
            third_person: draw.percent(35),
            by_name: draw.percent(60),
            dialect,
            short_id: draw.percent(40),
            name_for_title: draw.percent(50),
            numbered_pages: draw.percent(35),
            habits: [(); 6].map(|()| draw.bell()),
        }
    };
    (0..sizes.len()).map(style).collect()
}

/// Deals servers out to habits, each to the habit that is furthest from its share. First come those with tools at the front,
/// counted there, because every query needs a tool of the front; then the others, the largest first.
fn deal(draw: &mut Draw, shares: &[u32], sizes: &[Size]) -> Vec<usize> {
    let missing = |total: usize| -> Vec<f64> { shares.iter().map(|s| f64::from(*s) * total as f64 / 100.0).collect() };
    let mut front = missing(sizes.iter().map(|size| size.front).sum());
    let mut whole = missing(sizes.iter().map(|size| size.whole).sum());
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    draw.shuffle(&mut order);
    order.sort_by_key(|at| std::cmp::Reverse((sizes[*at].front, sizes[*at].whole)));
    let mut dealt = vec![0; sizes.len()];
    for at in order {
        let counted = if sizes[at].front > 0 { &front } else { &whole };
        let mut most = 0;
        for habit in 1..counted.len() {
            if counted[habit] > counted[most] {
                most = habit;
            }
        }
        front[most] -= sizes[at].front as f64;
        whole[most] -= sizes[at].whole as f64;
        dealt[at] = most;
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::{Case, Dialect, styles};
    use crate::generate::plan::{BLOCK, plan};

    /// Shares over the tools of a block, and of its first hundred: snake case 68 %, kebab 13 %, camel 5 % of real tools.
    #[test]
    fn habits_have_the_measured_shares() {
        for seed in 0..100 {
            let plan = plan(seed, BLOCK);
            let sizes = plan.sizes(0);
            let all = styles(seed, 0, &sizes);
            let front =
                |case| all.iter().zip(&sizes).filter(|(s, _)| s.case == case).map(|(_, n)| n.front).sum::<usize>();
            let cases = [Case::Snake, Case::Kebab, Case::Camel, Case::Mixed, Case::Pascal].map(front);
            println!("{seed}: {cases:?}");
            assert!((60..=85).contains(&cases[0]) && (5..=25).contains(&cases[1]), "seed {seed}: {cases:?}");
            assert!(cases[2] <= 15 && cases[3] + cases[4] <= 5, "seed {seed}: {cases:?}");
            let share = |has: &dyn Fn(&super::Style) -> bool| {
                all.iter().zip(&sizes).filter(|(s, _)| has(s)).map(|(_, n)| n.whole).sum::<usize>()
            };
            assert!((640..830).contains(&share(&|s| s.case == Case::Snake)));
            assert!((90..190).contains(&share(&|s| s.case == Case::Kebab)));
            assert!((30..100).contains(&share(&|s| s.case == Case::Camel)));
            assert!((210..320).contains(&share(&|s| matches!(s.dialect, Dialect::SchemaLast))));
            assert_eq!(all, styles(seed, 0, &sizes));
        }
    }
}
