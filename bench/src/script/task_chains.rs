//! The chains of tasks of a corpus, one session after another.

use super::{Script, ScriptEntry, Task, Turn, When};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "task-chains",
    summary: "the chains of tasks of the corpus (sessions.jsonl), each a session of its own; the model searches with the user's words, or with several texts at once, when a needed tool is not visible, and once more, by the exact name, for what it did not find",
    source: "this project",
    build: |draw| {
        let corpus = draw.corpus;
        let inside = |name: &String| corpus.catalog.find(name).filter(|tool| tool.index() < draw.pool);
        let mut turns = Vec::new();
        for chain in &corpus.sessions {
            // A chain with a tool outside the pool would be another session at another size.
            if chain.turns.iter().flat_map(|turn| &turn.calls).any(|name| inside(name).is_none()) {
                continue;
            }
            for (at, turn) in chain.turns.iter().enumerate() {
                let queries = if turn.searches.is_empty() { vec![turn.user.clone()] } else { turn.searches.clone() };
                let needs = turn.calls.iter().filter_map(inside).map(|tool| vec![tool]).collect();
                turns.push(Turn {
                    fresh: at == 0,
                    idle_seconds: turn.idle_seconds,
                    user: turn.user.clone(),
                    tasks: vec![Task { queries, needs }],
                });
            }
        }
        if turns.is_empty() {
            return Vec::new();
        }
        vec![Script { name: super::ten_needs::pooled("task-chains", draw), search: When::Hidden, turns }]
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Draw;

    /// Every size of one catalog plays the chains of the smallest one.
    #[test]
    fn the_same_chains_at_every_size() {
        let turns = |size: usize, pool: usize| {
            let corpus = deferbench_corpora::generated::load(&format!("gen(tools={size})").parse().unwrap()).unwrap();
            let scripts = (ENTRY.build)(&Draw { corpus: &corpus, pool, seed: 7 });
            scripts.into_iter().next().map(|script| script.turns).unwrap_or_default()
        };
        assert_eq!(turns(30, 30).iter().filter(|turn| turn.fresh).count(), 20);
        assert_eq!(turns(30, 10), turns(10, 10));
        assert!(turns(9, 9).is_empty());
    }
}
