//! Ten user turns, each with one thing to do.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use deferbench_core::ToolId;

use super::{Draw, Script, ScriptEntry, When, turn};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "ten-needs",
    summary: "ten user turns with different needed tools, drawn with the seed from the labelled queries, or from the tool names where there are none; the model searches when a needed tool is not visible, calls what it found, and searches once more, by the exact name, for what it did not find",
    source: "this project",
    build: |draw| {
        let mut candidates = candidates(draw);
        shuffle(&mut candidates, draw.seed);
        let mut used = HashSet::new();
        candidates.retain(|(_, needs)| {
            let first = needs.first().and_then(|n| n.first()).copied();
            first.is_some_and(|t| used.insert(t))
        });
        candidates.truncate(10);
        let turns = candidates.into_iter().map(|(query, needs)| turn(&query, needs)).collect();
        // All sizes of one generated catalog share their needs, so the pool belongs to the name.
        let shared = draw.corpus.generated > 0;
        let name = if shared { format!("ten-needs(pool={})", draw.pool) } else { "ten-needs".to_string() };
        vec![Script { name, search: When::Hidden, turns }]
    },
};

/// Queries whose needs lie in the pool; or the names of the pool's tools, as their servers call them.
fn candidates(draw: &Draw) -> Vec<(String, Vec<Vec<ToolId>>)> {
    let corpus = draw.corpus;
    let inside =
        |needs: &Vec<Vec<ToolId>>| !needs.is_empty() && needs.iter().all(|n| n.iter().any(|t| t.index() < draw.pool));
    let queries: Vec<_> =
        corpus.queries.iter().map(|q| (q.text.clone(), corpus.needs(q))).filter(|(_, needs)| inside(needs)).collect();
    if !queries.is_empty() {
        return queries;
    }
    // By name, so that the drawing does not depend on the registration order.
    let mut names: Vec<_> = corpus.bare_names().into_iter().zip(corpus.catalog.ids()).take(draw.pool).collect();
    names.sort_by_key(|(_, id)| corpus.catalog.code_point_rank(*id));
    names.into_iter().map(|(name, id)| (name.to_string(), vec![vec![id]])).collect()
}

/// Fisher-Yates with a bounded draw of our own, so that another release of a library changes nothing.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for i in (1..items.len()).rev() {
        let bound = i as u64 + 1;
        // Rejection keeps the draw unbiased.
        let limit = u64::MAX - u64::MAX % bound;
        let drawn = std::iter::repeat_with(|| rng.next_u64()).find(|v| *v < limit).unwrap_or(0);
        items.swap(i, (drawn % bound) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every size of one catalog gets the same needs, so that size adds distractors only.
    #[test]
    fn the_same_needs_at_every_size() {
        let texts = |size: usize| {
            let corpus = deferbench_corpora::generated::load(&format!("gen(tools={size})").parse().unwrap()).unwrap();
            let scripts = (ENTRY.build)(&Draw { corpus: &corpus, pool: 10, seed: 7 });
            scripts[0].turns.iter().map(|t| t.user.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts(10).len(), 10);
        assert_eq!(texts(10), texts(300));
    }

    #[test]
    fn the_shuffle_is_a_permutation_that_depends_on_the_seed() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..50).collect();
            shuffle(&mut items, seed);
            items
        };
        let mut sorted = shuffled(1);
        sorted.sort();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_ne!(shuffled(1), shuffled(2));
        assert_eq!(shuffled(1), shuffled(1));
    }
}
