//! Ten user turns, each with one thing to do.

use std::collections::HashSet;

use deferbench_core::ToolId;
use deferbench_corpora::Query;
use deferbench_corpora::generate::draw::Draw as Source;

use super::{Draw, Script, ScriptEntry, When, turn};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "ten-needs",
    summary: "ten user turns with different needed tools, drawn with the seed from the labelled queries, or from the tool names where there are none; the model searches when a needed tool is not visible, calls what it found, and searches once more, by the exact name, for what it did not find",
    source: "this project",
    build: |draw| {
        let turns = drawn(draw, 10).into_iter().map(|(query, needs)| turn(&query, needs)).collect();
        vec![Script { name: pooled("ten-needs", draw), search: When::Hidden, turns }]
    },
};

/// The first `n` needs of a drawing with the seed, each with another tool.
pub(super) fn drawn(draw: &Draw, n: usize) -> Vec<(String, Vec<Vec<ToolId>>)> {
    let mut candidates = candidates(draw);
    Source::new(draw.seed, "ten-needs", 0).shuffle(&mut candidates);
    let mut used = HashSet::new();
    candidates.retain(|(_, needs)| {
        let first = needs.first().and_then(|n| n.first()).copied();
        first.is_some_and(|t| used.insert(t))
    });
    candidates.truncate(n);
    candidates
}

/// The name of a script: all sizes of one generated catalog share their needs, so the pool belongs to it.
pub(super) fn pooled(name: &str, draw: &Draw) -> String {
    if draw.corpus.generated > 0 { format!("{name}(pool={})", draw.pool) } else { name.to_string() }
}

/// Queries whose needs lie in the pool; or the names of the pool's tools, as their servers call them.
fn candidates(draw: &Draw) -> Vec<(String, Vec<Vec<ToolId>>)> {
    let corpus = draw.corpus;
    let inside =
        |needs: &Vec<Vec<ToolId>>| !needs.is_empty() && needs.iter().all(|n| n.iter().any(|t| t.index() < draw.pool));
    // A query that another tool poisons is there only where that tool is.
    let unspoiled =
        |q: &&Query| q.poison().is_none_or(|name| corpus.catalog.find(name).is_some_and(|t| t.index() < draw.pool));
    let queries: Vec<_> = corpus
        .queries
        .iter()
        .filter(unspoiled)
        .map(|q| (q.text.clone(), corpus.needs(q)))
        .filter(|(_, needs)| inside(needs))
        .collect();
    if !queries.is_empty() {
        return queries;
    }
    // By name, so that the drawing does not depend on the registration order.
    let mut names: Vec<_> =
        corpus.catalog.ids().take(draw.pool).map(|id| (corpus.catalog[id].bare_name(), id)).collect();
    names.sort_by_key(|(_, id)| corpus.catalog.code_point_rank(*id));
    names.into_iter().map(|(name, id)| (name.to_string(), vec![vec![id]])).collect()
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
    fn another_seed_draws_another_order() {
        let corpus = deferbench_corpora::generated::load(&"gen(tools=30)".parse().unwrap()).unwrap();
        let draw = |seed| (ENTRY.build)(&Draw { corpus: &corpus, pool: 30, seed }).remove(0).turns;
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let tools: HashSet<ToolId> = draw(1).iter().map(|t| t.tasks[0].needs[0][0]).collect();
        assert_eq!(tools.len(), 10);
    }
}
