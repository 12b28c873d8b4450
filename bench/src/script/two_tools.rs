//! What does it cost to go back and forth between two tools?

use super::ten_needs::{drawn, pooled};
use super::{Script, ScriptEntry, When, turn};

pub(super) static ENTRY: ScriptEntry = ScriptEntry {
    name: "two-tools",
    summary: "ten user turns that need two tools by turns; the model searches for each once, by its exact name, and from then on calls it by that name, whether it can be seen or not",
    source: "this project; the thrash between two tools that stitchkit's repair of inactive calls leads to",
    build: |draw| {
        let tools: Vec<_> =
            drawn(draw, 2).into_iter().filter_map(|(_, needs)| Some(*needs.first()?.first()?)).collect();
        let names = tools.iter().map(|t| (draw.corpus.catalog[*t].name(), *t));
        let turns = names.cycle().take(5 * tools.len()).map(|(name, tool)| turn(name, vec![vec![tool]])).collect();
        vec![Script { name: pooled("two-tools", draw), search: When::Unknown, turns }]
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Draw;

    #[test]
    fn two_tools_take_turns() {
        let corpus = deferbench_corpora::generated::load(&"gen(tools=30)".parse().unwrap()).unwrap();
        let script = (ENTRY.build)(&Draw { corpus: &corpus, pool: 30, seed: 7 }).remove(0);
        let needs: Vec<_> = script.turns.iter().map(|t| t.tasks[0].needs[0][0]).collect();
        assert_eq!(needs.len(), 10);
        assert!(needs[0] != needs[1] && (2..10).all(|i| needs[i] == needs[i - 2]));
    }
}
