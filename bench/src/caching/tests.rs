//! Rows, crossings and breakpoints by hand.

use deferbench_core::cache::Piece;

use super::*;
use crate::profiles::open;

fn prompt(pieces: &[(Kind, &str, u64)]) -> Prompt {
    Prompt::of_sizes(pieces.iter().map(|(kind, label, tokens)| Piece::new(*kind, label, *tokens)))
}

const TOOLS: (Kind, &str, u64) = (Kind::Tool, "tools", 2_000);
const SYSTEM: (Kind, &str, u64) = (Kind::System, "system", 1_000);

/// Two requests, the second longer by one message.
fn sent() -> Vec<SentSession> {
    let first = [TOOLS, SYSTEM, (Kind::User, "a", 100)];
    let second = [TOOLS, SYSTEM, (Kind::User, "a", 100), (Kind::Assistant, "b", 50)];
    let one = |pieces: &[_], turn| Sent { prompt: prompt(pieces), idle_seconds: 0, turn, output_tokens: 10 };
    vec![SentSession { shared: prompt(&[TOOLS, SYSTEM]), requests: vec![one(&first, 0), one(&second, 1)] }]
}

/// A cell without a session.
fn empty() -> SessionCell {
    let json = r#"{"corpus":"c","script":"s","policy":"","order":"append","entry":"list","layout":"L1","unit":"utf8","ranker":null,
        "limit":null,"basis":"measured","needs":0,"met":0,"retried":0,"searches":0,"empty_searches":0,"activated":0,
        "activated_unneeded":null,"extra_turns":null,"requests":[],"notes":[]}"#;
    serde_json::from_str(json).unwrap()
}

/// G03: a harness that marks tools, system text and end reads 3,100 of the second prompt, and writes the rest.
#[test]
fn marks_of_a_harness_are_found_again() {
    let rows = rows(&[open("anthropic").unwrap()], "tokens", sent()).unwrap();
    let cold = &rows[0];
    assert_eq!((cold.hit, cold.written, cold.prefill), (Some(3_100), Some(3_150), 6_250));
    // 1.25 x 3,150 + 0.1 x 3,100, and two answers of 10 at 5.
    assert!((cold.cost.unwrap() - 4_347.5).abs() < 1e-9 && (cold.input_cost.unwrap() - 4_247.5).abs() < 1e-9);
    // The first turn: 1.25 x 3,100 + 50.
    assert!((cold.turns[0] - 3_925.0).abs() < 1e-9);
    let warm = &rows[1];
    assert_eq!(
        (warm.start.as_str(), warm.hit),
        ("warm", Some(6_100)),
        "3,000 of the first prompt, 3,100 of the second"
    );
}

/// N01: cheaper sides over turns are told against eager, and what breaks cost against definitions in the history.
#[test]
fn sessions_are_compared_with_each_other() {
    let row = |turns: &[f64], hit: u64| CacheRow {
        turns: turns.to_vec(),
        hit: Some(hit),
        ..rows(&[open("anthropic").unwrap()], "tokens", sent()).unwrap().swap_remove(0)
    };
    let cell = |policy: &str, entry: &str, row: CacheRow| SessionCell {
        policy: policy.to_string(),
        entry: entry.to_string(),
        needs: 2,
        met: 2,
        caches: vec![row],
        ..empty()
    };
    let mut cells = [
        cell("eager", "list", row(&[5.0, 6.0, 9.0], 0)),
        cell("cumulative", "list", row(&[4.0, 6.0, 8.0], 1_000)),
        cell("cumulative", "message", row(&[1.0, 2.0, 3.0], 3_000)),
    ];
    compare(&mut cells, &[open("anthropic").unwrap()]);
    let named = |cell: &SessionCell| {
        let points = cell.caches[0].crossings.as_ref().unwrap();
        points.iter().map(|c| (c.turn, c.cheaper.clone())).collect::<Vec<_>>()
    };
    let expected = [(1, "deferred"), (2, "eager"), (3, "deferred")].map(|(turn, side)| (turn, side.to_string()));
    assert_eq!(named(&cells[1]), expected, "equal costs count as eager");
    assert_eq!(cells[0].caches[0].crossings, None);
    // (1.25 - 0.1) x (3,000 - 1,000)
    assert!((cells[1].caches[0].break_tax.unwrap() - 2_300.0).abs() < 1e-9);
    assert_eq!(cells[2].caches[0].break_tax, Some(0.0));
    cells[1].met = 1;
    compare(&mut cells, &[open("anthropic").unwrap()]);
    assert_eq!(cells[1].caches[0].crossings, None, "a need unmet: less work was done");
}
