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
fn sent() -> Vec<Sent> {
    let first = [TOOLS, SYSTEM, (Kind::User, "a", 100)];
    let second = [TOOLS, SYSTEM, (Kind::User, "a", 100), (Kind::Assistant, "b", 50)];
    let one =
        |pieces: &[_], shared, turn| Sent { prompt: prompt(pieces), shared, idle_seconds: 0, turn, output_tokens: 10 };
    vec![one(&first, Some(prompt(&[TOOLS, SYSTEM])), 0), one(&second, None, 1)]
}

/// G03: a harness that marks tools, system text and end reads 3,100 of the second prompt, and writes the rest.
#[test]
fn marks_of_a_harness_are_found_again() {
    let rows = rows(&[open("anthropic").unwrap()], "tokens", &sent()).unwrap();
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
