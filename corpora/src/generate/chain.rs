//! Which chains of tasks does a catalog carry?
//!
//! A chain has several turns, each with one to three tools to call: tools come again, searches go out in one batch, and
//! between turns lie pauses, some of them longer than a prompt cache lives.

use std::collections::HashSet;

use super::draw::Draw;
use super::query::{Asked, Front};
use crate::lexicon::Effect;
use crate::sessions::{ChainTurn, TaskChain};

/// Chains need tools among the first this many; so a small catalog has some too.
const TIERS: &[usize] = &[10, 30, 50, 100];
/// Chains of each tier.
const EACH: u64 = 10;
/// Pauses before a turn in seconds: none, a cup of coffee, past five minutes, past an hour.
const PAUSES: &[u64] = &[0, 0, 0, 0, 45, 45, 400, 4_000];

/// The chains whose tools lie among the first `tools`.
pub(crate) fn chains(front: &Front<'_>, tools: usize) -> Vec<TaskChain> {
    let mut out = Vec::new();
    for tier in TIERS.iter().filter(|tier| **tier <= tools) {
        for number in 0..EACH {
            let mut draw = Draw::new(front.seed, "chain", *tier as u64 * EACH + number);
            out.push(chain(front, *tier, format!("chain-{tier:03}-{:02}", number + 1), &mut draw));
        }
    }
    out
}

fn chain(front: &Front<'_>, tier: usize, id: String, draw: &mut Draw) -> TaskChain {
    let pool: Vec<_> = front.tools.iter().filter(|tool| tool.at < tier).collect();
    let mut called = Vec::new();
    let turns = (0..draw.between(3, 8)).map(|turn| {
        let mut wanted = Vec::new();
        for _ in 0..1 + draw.index(3) {
            let again = turn > 0 && draw.percent(30);
            wanted.extend(if again { draw.pick(&called) } else { draw.pick(&pool).copied() });
            // One turn asks for one thing once.
            let mut seen = HashSet::new();
            wanted.retain(|tool: &Asked<'_>| seen.insert(tool.at));
        }
        let mut seen = HashSet::new();
        let mut requests: Vec<String> = wanted.iter().map(|tool| tool.request(true)).collect();
        requests.retain(|request| seen.insert(request.clone()));
        let mut calls: Vec<String> = wanted.iter().map(|tool| tool.name.to_owned()).collect();
        // Only reading is done twice in a row.
        let reads = wanted.last().is_some_and(|tool| matches!(tool.slot.action.effect, Effect::Read | Effect::List));
        if reads && draw.percent(40) {
            calls.extend(calls.last().cloned());
        }
        called.extend(wanted);
        ChainTurn {
            user: format!("please {}", requests.join(", then ")),
            calls,
            searches: if requests.len() > 1 && draw.percent(50) { requests } else { Vec::new() },
            idle_seconds: if turn == 0 { 0 } else { draw.pick(PAUSES).unwrap_or(0) },
        }
    });
    TaskChain { id, turns: turns.collect() }
}

#[cfg(test)]
mod tests {
    use crate::generate::generate;

    /// Every kind of step occurs, and a smaller catalog has the first chains of a larger one.
    #[test]
    fn chains_repeat_rest_and_search_in_parallel() {
        for seed in [1, 7, 42] {
            let all = generate(100, seed).unwrap().sessions;
            let turns: Vec<_> = all.iter().flat_map(|chain| &chain.turns).collect();
            assert_eq!(all.len(), 40);
            assert!(turns.iter().any(|turn| turn.searches.len() > 1));
            assert!(turns.iter().any(|turn| turn.idle_seconds > 300) && turns.iter().any(|turn| turn.calls.len() >= 3));
            assert!(turns.iter().any(|turn| turn.calls.windows(2).any(|pair| pair[0] == pair[1])));
            assert_eq!(generate(30, seed).unwrap().sessions[..], all[..20]);
            assert!(generate(9, seed).unwrap().sessions.is_empty());
        }
    }
}
