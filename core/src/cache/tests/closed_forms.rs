//! Costs that can be written down as a formula, against the simulation.

use proptest::prelude::*;

use super::*;

/// A session over one array of tools: after request `t` the history grows by `growth[t]`.
fn constant(tools: u64, growth: &[u64]) -> Vec<Request> {
    let mut pieces = vec![("T".to_string(), tools), ("S".to_string(), 700)];
    let mut out = Vec::new();
    for (t, tokens) in growth.iter().enumerate() {
        out.push(Request::new(Prompt::of_sizes(pieces.iter().map(|(l, n)| piece(l, *n)))));
        pieces.push((format!("U{t}"), *tokens));
    }
    out
}

type Named = (String, u64);

/// The session of one activation after `before` requests: where the definition goes is `seam`.
fn activation(seam: fn(&mut Vec<Named>, Named), before: usize, after: usize) -> Vec<Request> {
    let mut pieces = vec![("T1".to_string(), 1500), ("T2".to_string(), 300), ("S".to_string(), 3000)];
    let mut out = Vec::new();
    for t in 0..before + after {
        if t == before {
            seam(&mut pieces, ("T9".to_string(), 250));
        }
        out.push(Request::new(Prompt::of_sizes(pieces.iter().map(|(l, n)| piece(l, *n)))));
        pieces.push((format!("U{t}"), 600));
    }
    out
}

fn profiles() -> [Profile; 2] {
    let write = Ratios { write: Some(1.25), ..Profile::example().ratios };
    [entries(0), Profile { ratios: write, ..blocks(1) }]
}

proptest! {
    /// N01: a constant array costs `w P1 + sum (r P(t-1) + w (P(t) - P(t-1)))`.
    #[test]
    fn a_constant_array(tools in 1..5000u64, growth in prop::collection::vec(1..900u64, 1..12)) {
        let session = constant(tools, &growth);
        let sizes: Vec<u64> = session.iter().map(|r| r.prompt.tokens()).collect();
        let (w, r) = (1.25, 0.1);
        let steps: f64 = sizes.windows(2).map(|p| r * p[0] as f64 + w * (p[1] - p[0]) as f64).sum();
        for profile in profiles() {
            prop_assert!(close(cost(&profile, &session), w * sizes[0] as f64 + steps));
        }
    }

    /// G18, N01: D deferred tokens fewer in a constant array save `w D + r D (N - 1)` cold, and `w D` in one request.
    #[test]
    fn what_a_constant_array_saves(deferred in 1..5000u64, growth in prop::collection::vec(1..900u64, 1..12)) {
        let (eager, deferring) = (constant(1000 + deferred, &growth), constant(1000, &growth));
        let (d, n, w, r) = (deferred as f64, growth.len() as f64, 1.25, 0.1);
        for profile in profiles() {
            let saved = cost(&profile, &eager) - cost(&profile, &deferring);
            prop_assert!((saved - (w * d + r * d * (n - 1.0))).abs() < 1e-6, "{}", saved);
            let first = cost(&profile, &eager[..1]) - cost(&profile, &deferring[..1]);
            prop_assert!((first - w * d).abs() < 1e-6);
            // Warm: one request before, which is not counted, has written the array.
            let warm = |session: &[Request]| {
                let with: Vec<Request> = session[..1].iter().chain(session).cloned().collect();
                Totals::of(&profile, &simulate(&profile, &with).unwrap()[1..]).cost.unwrap()
            };
            prop_assert!((warm(&eager) - warm(&deferring) - r * d * n).abs() < 1e-6);
        }
    }
}

/// A breakpoint after the last tool, besides the automatic one.
fn marked(session: &[Request]) -> Vec<Request> {
    let last = |r: &Request| r.prompt.segments().iter().rposition(|s| s.kind == Kind::Tool).unwrap();
    session.iter().map(|r| Request { breakpoints: Breakpoints::Both(vec![last(r)]), ..r.clone() }).collect()
}

/// N01: an activation in the array costs `(w - r) (P - L)` more than one in the history; L is what stands before it, and
/// at breakpoints nothing, unless one stands after the old tools.
#[test]
fn what_an_activation_costs() {
    let message = activation(|pieces, new| pieces.push((new.0.replace('T', "D"), new.1)), 4, 3);
    let append = activation(|pieces, new| pieces.insert(2, new), 4, 3);
    let newest_first = activation(|pieces, new| pieces.insert(0, new), 4, 3);
    let [written, blocks] = profiles();
    // The prompt before the activation is request 3: 1,500 + 300 + 3,000 + 3 x 600 = 6,600.
    let cases = [
        (&blocks, append.clone(), message.clone(), 1800.0),
        (&blocks, newest_first.clone(), message.clone(), 0.0),
        (&written, append.clone(), message.clone(), 0.0),
        (&written, newest_first.clone(), message.clone(), 0.0),
        (&written, marked(&append), marked(&message), 1800.0),
        (&written, marked(&newest_first), marked(&message), 0.0),
    ];
    for (profile, session, ideal, before) in cases {
        let tax = 1.15 * (6600.0 - before);
        assert!(close(cost(profile, &session) - cost(profile, &ideal), tax), "{before}");
        let usages = |requests: &[Request]| simulate(profile, requests).unwrap();
        let found = break_tax(profile, &usages(&ideal), &usages(&session)).unwrap().unwrap();
        assert!(close(found, tax), "{found}");
        assert_eq!(break_tax(profile, &usages(&ideal), &usages(&session[..3])), Ok(None));
        assert_eq!(breaks(session.iter().map(|r| &r.prompt)), 1);
    }
    assert_eq!(breaks(message.iter().map(|r| &r.prompt)), 0);
}

/// G18: one load at 106k tokens is repaid after 81 steps of 15k tokens that are not sent: 1.15 x 106,000 / 1,500.
#[test]
fn steps_that_repay_a_load() {
    assert_eq!(repaid_after(106_000, 15_000, 1.25, 0.1).map(f64::floor), Some(81.0));
    // Where reading costs nothing, nothing is ever repaid; where a break loses nothing, it is repaid at once.
    assert_eq!(repaid_after(106_000, 15_000, 1.0, 0.0), None);
    assert_eq!(repaid_after(0, 15_000, 1.25, 0.1), Some(0.0));
    assert_eq!(repaid_after(0, 0, 1.25, 0.1), None);
}

/// G18: the changes of the cheaper side, a tie counted as nothing saved; `never` where it ends on the other side.
#[test]
fn crossings_of_two_series() {
    let found = |costs: &[(f64, f64)]| {
        let series = costs.iter().enumerate().map(|(i, (a, b))| (i as u64 + 1, *a, *b));
        let crossings = crossings(series);
        (crossings.iter().map(|c| c.at).collect::<Vec<_>>(), break_even(&crossings))
    };
    assert_eq!(found(&[(1.0, 2.0), (2.0, 3.0)]), (vec![1], Some(1)));
    assert_eq!(found(&[(2.0, 2.0), (3.0, 3.0)]), (vec![1], None));
    assert_eq!(found(&[(1.0, 2.0), (4.0, 3.0), (5.0, 6.0), (8.0, 7.0)]), (vec![1, 2, 3, 4], None));
    assert_eq!(found(&[(3.0, 2.0), (4.0, 5.0), (5.0, 6.0)]), (vec![1, 2], Some(2)));
    assert_eq!(found(&[]), (vec![], None));
}
