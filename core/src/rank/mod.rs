//! Which tools answer a query, and in which order?
//!
//! A ranker is built once for a catalog and searched many times. Scores are rounded to nine decimals before they are
//! ordered, so that the last bits of a sum decide nothing; ties end at the code-point order of the name. What a ranker
//! does otherwise, it declares.

use std::sync::Arc;

use crate::catalog::{Catalog, ToolId};
use crate::error::SpecError;
use crate::explain::Explanation;
use crate::spec::{Param, Spec, Values};

crate::entries! {
    /// Every ranker, in the order of `list`.
    pub static RANKERS: [RankerEntry] = { fielded, bm25, exact, dsh, phrase }
}

/// The ranker that is used where none is named.
pub const DEFAULT_RANKER: &str = "fielded";

/// One answer of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The tool.
    pub tool: ToolId,
    /// Its score, rounded to nine decimals; comparable within one answer only.
    pub score: f64,
}

/// The answer of a search: the best hits first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// At most as many as were asked for.
    pub hits: Vec<Hit>,
    /// How many tools matched at all.
    pub matching: usize,
}

impl Hits {
    /// The tools, best first.
    pub fn tools(&self) -> impl Iterator<Item = ToolId> {
        self.hits.iter().map(|h| h.tool)
    }
}

/// Orders the tools of the catalog it was built for.
pub trait Ranker: Send + Sync {
    /// The best `limit` tools for a query; empty when nothing matches.
    fn search(&self, query: &str, limit: usize) -> Hits;

    /// Why a tool has its score. `catalog` has to be the one the ranker was built for.
    fn explain(&self, catalog: &Catalog, query: &str, tool: ToolId) -> Explanation;
}

/// What may change without changing a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invariance {
    /// The order in which tools were registered.
    Registration,
    /// The seed of the standard library's hash maps, which differs from process to process.
    HashSeed,
}

/// The declaration of a ranker.
pub struct RankerEntry {
    /// The name used in specs.
    pub name: &'static str,
    /// One sentence: how it ranks.
    pub summary: &'static str,
    /// Paper, document or system it comes from.
    pub source: &'static str,
    /// Its parameters with defaults.
    pub params: &'static [Param],
    /// What its rankings do not depend on; a test holds it to that.
    pub invariant_to: &'static [Invariance],
    /// Builds it for a catalog.
    pub build: fn(&Catalog, &Values) -> Box<dyn Ranker>,
}

/// A ranker that is ready to search, with the spec that made it.
pub struct BuiltRanker {
    /// Canonical spec: defaults left out.
    pub spec: String,
    /// The declaration.
    pub entry: &'static RankerEntry,
    /// The ranker.
    pub ranker: Arc<dyn Ranker>,
}

/// Builds a ranker from a spec such as `bm25(text=stem)`.
///
/// # Errors
/// [`SpecError`] for an unknown name (the message lists the known ones), an unknown parameter or a value out of range.
///
/// ```
/// use deferbench_core::{Catalog, Tool, rank};
/// let catalog = Catalog::new(vec![Tool::new("send_email", Some("Sends a message."), "{}").unwrap()]).unwrap();
/// let built = rank::build("bm25(text=split)", &catalog).unwrap();
/// assert_eq!(built.ranker.search("email", 5).hits.len(), 1);
/// assert_eq!(built.ranker.search("weather", 5).hits.len(), 0);
/// assert!(rank::build("bm52", &catalog).err().unwrap().to_string().contains("known: fielded, bm25"));
/// ```
pub fn build(spec: &str, catalog: &Catalog) -> Result<BuiltRanker, SpecError> {
    let (entry, values) = resolve(spec)?;
    Ok(BuiltRanker { spec: values.to_string(), entry, ranker: (entry.build)(catalog, &values).into() })
}

/// Checks a spec without building anything; the values print in canonical form.
///
/// # Errors
/// As for [`build`].
pub fn resolve(spec: &str) -> Result<(&'static RankerEntry, Values), SpecError> {
    let spec: Spec = spec.parse()?;
    let entry = RANKERS
        .iter()
        .find(|r| r.name == spec.name)
        .copied()
        .ok_or_else(|| SpecError::unknown("ranker", &spec.name, RANKERS.iter().map(|r| r.name)))?;
    Ok((entry, spec.resolve("ranker", entry.params)?))
}

/// Rounds to nine decimals, halves to even, as the reference program does.
pub(crate) fn round9(score: f64) -> f64 {
    (score * 1e9).round_ties_even() / 1e9
}

/// Rounds, drops scores of 0 and less, and sorts: score descending, then `tie` ascending.
pub(crate) fn best(scored: impl Iterator<Item = (ToolId, f64)>, tie: impl Fn(ToolId) -> u32, limit: usize) -> Hits {
    let mut hits: Vec<(Hit, u32)> = scored
        .map(|(tool, score)| (Hit { tool, score: round9(score) }, tie(tool)))
        .filter(|(h, _)| h.score > 0.0)
        .collect();
    let matching = hits.len();
    let order = |a: &(Hit, u32), b: &(Hit, u32)| b.0.score.total_cmp(&a.0.score).then(a.1.cmp(&b.1));
    if limit < hits.len() {
        hits.select_nth_unstable_by(limit, order);
        hits.truncate(limit);
    }
    hits.sort_unstable_by(order);
    Hits { hits: hits.into_iter().map(|(h, _)| h).collect(), matching }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::catalog;

    fn names(catalog: &Catalog, hits: &Hits) -> Vec<(String, f64)> {
        hits.hits.iter().map(|h| (catalog[h.tool].name().to_string(), h.score)).collect()
    }

    #[test]
    fn equal_scores_end_at_code_points() {
        let catalog = catalog(&[("b", "same text"), ("B", "same text"), ("a", "same text")]);
        let built = build("bm25(text=split)", &catalog).unwrap();
        let found: Vec<String> = names(&catalog, &built.ranker.search("same", 2)).into_iter().map(|n| n.0).collect();
        assert_eq!(found, ["B", "a"]);
        assert_eq!(built.ranker.search("same", 2).matching, 3);
    }

    proptest! {
        /// D09, N03: what a ranker declares, it keeps: another registration order or hash seed gives the same names and scores.
        #[test]
        fn rankings_survive_another_registration_order(
            order in Just((0..8usize).collect::<Vec<_>>()).prop_shuffle(),
            query in "(read|write|file|note|send|list|get_file|sendNote)( (read|note|file|all|of|the)){0,4}",
        ) {
            let tools = [
                ("read_file", "Reads a file."), ("write_file", "Writes a file."), ("get_file", "Gets one file."),
                ("sendNote", "Sends a note to a person."), ("listNotes", "Lists all notes."), ("note.read", "Reads a note."),
                ("a", "Same words here."), ("b", "Same words here."),
            ];
            let first = catalog(&tools);
            let second = catalog(&order.iter().map(|&i| tools[i]).collect::<Vec<_>>());
            let variants = ["bm25(text=split)", "bm25(text=schema)", "bm25(text=stem)", "fielded(function_words=0)"];
            for spec in RANKERS.iter().map(|r| r.name).chain(variants) {
                let build = |catalog| build(spec, catalog).unwrap();
                let (a, again, b) = (build(&first), build(&first), build(&second));
                for limit in [1, 3, 8] {
                    let found = names(&first, &a.ranker.search(&query, limit));
                    // Every map of the standard library has a seed of its own, so a second index shows what depends on it.
                    if a.entry.invariant_to.contains(&Invariance::HashSeed) {
                        prop_assert_eq!(&found, &names(&first, &again.ranker.search(&query, limit)), "{}", spec);
                    }
                    if a.entry.invariant_to.contains(&Invariance::Registration) {
                        prop_assert_eq!(&found, &names(&second, &b.ranker.search(&query, limit)), "{}", spec);
                    }
                }
            }
        }

        /// The leaves of an explanation sum to the score of the hit, for every ranker.
        #[test]
        fn leaves_sum_to_the_score(query in "[a-z_ ]{0,30}|read_file now|sendNote") {
            let catalog = catalog(&[
                ("read_file", "Read a file from the disk."), ("sendNote", "Send a note."), ("read", "Read the note."),
            ]);
            for entry in RANKERS {
                let built = build(entry.name, &catalog).unwrap();
                for hit in built.ranker.search(&query, 3).hits {
                    let tree = built.ranker.explain(&catalog, &query, hit.tool);
                    prop_assert!((tree.leaves() - hit.score).abs() < 1e-8, "{}: {} {}", entry.name, tree, hit.score);
                }
            }
        }
    }

    #[test]
    fn no_query_finds_everything_by_being_empty() {
        let catalog = catalog(&[("read_file", "Read a file."), ("x", "")]);
        for entry in RANKERS {
            let built = build(entry.name, &catalog).unwrap();
            for query in ["", "   ", "---", "\u{3000}"] {
                assert_eq!(built.ranker.search(query, 5), Hits::default(), "{} {query:?}", entry.name);
            }
        }
    }
}
