//! Where do the bytes and tokens of the definitions go, and what would saying less save?
//!
//! Bytes are cut by [`deferbench_core::cost`]. Tokens of a joined text are not the sum of the tokens of its parts, so that
//! the whole text is counted and each token belongs to the part that holds its first byte: the parts sum to the whole.
//! A counter that cannot say where its tokens begin is asked for the text up to the end of each piece, and a piece has
//! what it adds to the highest count so far (never more than the whole).

use deferbench_core::compact::{COMPACTIONS, Compaction, Settings};
use deferbench_core::cost::{PARTS, Split, Wire};
use deferbench_core::lint::Definition;
use rayon::prelude::*;

use crate::counter::{CountError, Counter};

mod show;

pub use show::{Rows, blocks, csv, json};

/// Bytes and tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// Tokens of the counter.
    pub tokens: u64,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.tokens += other.tokens;
    }
}

/// The sizes of the parts of one definition or of several, in the order of [`PARTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes(pub [Size; 9]);

impl Sizes {
    /// The size of the whole.
    pub fn total(&self) -> Size {
        let mut out = Size::default();
        self.0.iter().for_each(|s| out += *s);
        out
    }

    /// Adds those of another definition.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

/// Bytes and tokens of each part.
///
/// # Errors
/// [`CountError`] for a text that the counter cannot count.
pub fn sizes(split: &Split, counter: &dyn Counter) -> Result<Sizes, CountError> {
    let mut out = Sizes::default();
    for (size, bytes) in out.0.iter_mut().zip(split.bytes()) {
        size.bytes = bytes as u64;
    }
    match counter.starts(&split.text)? {
        Some(starts) => {
            let mut pieces = split.pieces.iter();
            let mut piece = pieces.next();
            for start in starts {
                while let Some((_, end)) = piece.filter(|(_, end)| start >= *end) {
                    // A token of no bytes behind the text would belong to the last piece.
                    if *end == split.text.len() {
                        break;
                    }
                    piece = pieces.next();
                }
                if let Some((part, _)) = piece {
                    out.0[*part as usize].tokens += 1;
                }
            }
        }
        None => {
            let whole = counter.count(&split.text)?;
            let mut highest = 0;
            for (i, &(part, end)) in split.pieces.iter().enumerate() {
                let last = i + 1 == split.pieces.len();
                let count = if last { whole } else { counter.count(&split.text[..end])?.min(whole) };
                out.0[part as usize].tokens += count.saturating_sub(highest);
                highest = highest.max(count);
            }
        }
    }
    Ok(out)
}

/// One tool and what its definition costs.
#[derive(Debug, Clone)]
pub struct ToolCost {
    /// The label of its server.
    pub server: String,
    /// Its name on that server.
    pub tool: String,
    /// `schema_bytes`: what every other figure of this program counts.
    pub schema_bytes: u64,
    /// Its parts.
    pub sizes: Sizes,
}

/// What one compaction saves over all tools.
#[derive(Debug, Clone)]
pub struct Saving {
    /// The compaction; none: all of them, one after the other.
    pub compaction: Option<&'static Compaction>,
    /// Tools that it changes.
    pub tools: usize,
    /// Bytes saved.
    pub bytes: u64,
    /// Tokens saved; negative where a shorter text has more.
    pub tokens: i64,
}

/// What the definitions of a listing cost.
#[derive(Debug, Clone)]
pub struct Cost {
    /// Each tool, in the order of the listing.
    pub tools: Vec<ToolCost>,
    /// Each compaction on its own, then all together.
    pub savings: Vec<Saving>,
}

/// Counts a listing, and counts it again after each compaction.
///
/// # Errors
/// [`CountError`] for a text that the counter cannot count.
pub fn cost(definitions: &[Definition], counter: &dyn Counter, settings: &Settings) -> Result<Cost, CountError> {
    let of = |d: &Definition| -> Result<(ToolCost, Vec<(bool, Size)>), CountError> {
        let wire = Wire::of(d.tool());
        let sizes = sizes(&wire.split(), counter)?;
        let tool = ToolCost {
            server: d.server().to_string(),
            tool: d.name().to_string(),
            schema_bytes: d.tool().schema_bytes() as u64,
            sizes,
        };
        let before = sizes.total();
        Ok((tool, after(&wire, before, counter, settings)?))
    };
    let counted: Vec<_> = definitions.par_iter().map(of).collect::<Result<_, _>>()?;
    let mut savings: Vec<Saving> = COMPACTIONS
        .iter()
        .map(|c| Some(*c))
        .chain([None])
        .map(|compaction| Saving { compaction, tools: 0, bytes: 0, tokens: 0 })
        .collect();
    for (tool, after) in &counted {
        let before = tool.sizes.total();
        for (saving, (changed, after)) in savings.iter_mut().zip(after) {
            saving.tools += usize::from(*changed);
            saving.bytes += before.bytes.saturating_sub(after.bytes);
            saving.tokens += before.tokens as i64 - after.tokens as i64;
        }
    }
    Ok(Cost { tools: counted.into_iter().map(|(tool, _)| tool).collect(), savings })
}

/// The size after each compaction, and after all of them; whether it changed anything.
fn after(
    wire: &Wire,
    before: Size,
    counter: &dyn Counter,
    settings: &Settings,
) -> Result<Vec<(bool, Size)>, CountError> {
    let measure = |changed: Wire| -> Result<(bool, Size), CountError> {
        if changed == *wire {
            return Ok((false, before));
        }
        let text = changed.split().text;
        Ok((true, Size { bytes: text.len() as u64, tokens: counter.count(&text)? }))
    };
    let mut out = Vec::new();
    for compaction in COMPACTIONS {
        let mut one = wire.clone();
        (compaction.rewrite)(&mut one, settings);
        out.push(measure(one)?);
    }
    let mut all = wire.clone();
    COMPACTIONS.iter().for_each(|c| (c.rewrite)(&mut all, settings));
    out.push(measure(all)?);
    Ok(out)
}

/// The names of the parts.
pub fn part_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|p| p.name())
}

#[cfg(test)]
mod tests {
    use deferbench_core::{Limits, Tool};
    use proptest::prelude::*;

    use super::*;
    use crate::counter::COUNTERS;

    /// Counts words, and cannot say where they are.
    struct Words;

    impl Counter for Words {
        fn count(&self, text: &str) -> Result<u64, CountError> {
            Ok(text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).count() as u64)
        }
    }

    fn split(json: &str) -> Split {
        Wire::of(&Tool::from_json(json, &Limits::default()).unwrap()).split()
    }

    /// N13: tokens belong to the part where they begin; by hand for `bytes`, `chars4` and a counter without places.
    #[test]
    fn tokens_belong_where_they_begin() {
        let split = split(r#"{"name":"a","description":"two words","inputSchema":{}}"#);
        let of = |counter: &dyn Counter| sizes(&split, counter).unwrap().0.map(|s| s.tokens);
        let named = |name: &str| (crate::counter::CounterEntry::find(name).unwrap().counter)();
        // {"name":"a" and the last brace; ,"description":"two words"; ,"inputSchema":{}
        assert_eq!(of(named("bytes"))[..3], [12, 26, 17]);
        // Tokens begin at 0, 0, 0, 0, 0, 4, 8, then 12 to 36, then 40, 44, 48, 52; the brace at 54 begins none.
        assert_eq!(of(named("chars4"))[..3], [4 + 3, 7, 4]);
        assert_eq!(of(&Words)[..3], [2, 3, 1]);
    }

    proptest! {
        /// N13: with every counter the parts sum to the whole.
        #[test]
        fn parts_sum_to_the_whole(
            text in "[a-z é好🙂\\n]{0,40}", title in "[A-Za-z '_.]{0,20}", values in prop::collection::vec("[a-z0-9 ]{0,6}", 0..6),
        ) {
            let quote = |s: &str| serde_json::Value::from(s).to_string();
            let json = format!(
                "{{\"name\":\"a\",\"description\":{},\"inputSchema\":{{\"properties\":{{\"p\":{{\"title\":{},\"enum\":{}}}}},\"$defs\":{{\"d\":{{\"title\":{}}}}}}},\"annotations\":{{\"title\":{}}}}}",
                quote(&text), quote(&title), serde_json::Value::from(values), quote(&text), quote(&title)
            );
            let split = split(&json);
            prop_assert_eq!(&split.text, &json);
            for counter in COUNTERS.iter().map(|c| (c.counter)()).chain([&Words as &dyn Counter]) {
                let total = sizes(&split, counter).unwrap().total();
                prop_assert_eq!(total, Size { bytes: json.len() as u64, tokens: counter.count(&json).unwrap() });
            }
        }

        /// One place for each token that is counted, ascending, inside the text.
        #[test]
        fn places_are_as_many_as_tokens(text in "\\PC{0,120}") {
            for entry in COUNTERS {
                let counter = (entry.counter)();
                let Some(starts) = counter.starts(&text).unwrap() else { continue };
                prop_assert_eq!(starts.len() as u64, counter.count(&text).unwrap(), "{}", entry.name);
                prop_assert!(starts.is_sorted() && starts.last().is_none_or(|s| *s < text.len()), "{}", entry.name);
            }
        }
    }
}
