//! What the tests of the cache share.

mod closed_forms;
mod edges;
mod entries;
mod oracle;
mod oracle_entries;
mod properties;
mod stability;
mod time;
mod unknowns;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

use super::*;

/// So many cases, the same in every run.
fn seeded(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() }
}

/// A prompt of sizes. The first letter of a label is its kind: T tool, D definition, S system, U user, A assistant,
/// C call, R result.
fn prompt(pieces: &[(&str, u64)]) -> Prompt {
    Prompt::of_sizes(pieces.iter().map(|(label, tokens)| piece(label, *tokens)))
}

fn piece(label: &str, tokens: u64) -> Piece {
    let kind = match label.as_bytes()[0] {
        b'T' => Kind::Tool,
        b'D' => Kind::Definition,
        b'S' => Kind::System,
        b'U' => Kind::User,
        b'A' => Kind::Assistant,
        b'C' => Kind::Call,
        b'R' => Kind::Result,
        other => panic!("no kind {other}"),
    };
    Piece::new(kind, label, tokens)
}

fn request(pieces: &[(&str, u64)]) -> Request {
    Request::new(prompt(pieces))
}

/// A prompt in which every character is a token and the whole is one message.
fn letters(text: &str) -> Prompt {
    let tokens = text.char_indices().map(|(at, c)| (at + c.len_utf8()) as u64).collect();
    Prompt::of_text(text.to_string(), tokens, 0..0, [label(Kind::User, "", 0..text.len())])
}

fn label(kind: Kind, name: &str, bytes: std::ops::Range<usize>) -> Label {
    Label { kind, name: name.to_string(), bytes, blocks: 1 }
}

/// Blocks of some size, no minimum, and nothing else that takes from a hit.
fn blocks(block: u64) -> Profile {
    with_matcher(Profile { min_tokens: Some(0), ..Profile::example() }, |m| {
        m.block = Some(block);
        m.recompute_last = Some(false);
    })
}

fn with_matcher(mut profile: Profile, change: impl FnOnce(&mut LongestPrefix)) -> Profile {
    match &mut profile.matcher {
        Matcher::LongestPrefix(matcher) => change(matcher),
        Matcher::Entry(_) => panic!("a cache of blocks"),
    }
    profile
}

/// Anthropic's rules: an entry after the last block, four breakpoints, twenty positions, 1.25 and 0.1.
fn entries(min: u64) -> Profile {
    let matcher = Matcher::Entry(Entry {
        placement: Placement::LastBlock,
        max_breakpoints: Some(Setting::At(4)),
        beyond: Some(Beyond::Refused),
        lookback_positions: Some(Setting::At(20)),
        lookback_joins_runs: Some(false),
        lookback_breakpoints: Some(Setting::Off),
        units: None,
    });
    let ratios = Ratios { write: Some(1.25), ..Profile::example().ratios };
    Profile { min_tokens: Some(min), ttl_s: Some(Setting::At(300)), ratios, matcher, ..Profile::example() }
}

fn with_entry(mut profile: Profile, change: impl FnOnce(&mut Entry)) -> Profile {
    match &mut profile.matcher {
        Matcher::Entry(matcher) => change(matcher),
        Matcher::LongestPrefix(_) => panic!("a cache of entries"),
    }
    profile
}

fn hits(profile: &Profile, requests: &[Request]) -> Vec<u64> {
    simulate(profile, requests).unwrap().iter().map(|u| u.hit.unwrap()).collect()
}

fn written(profile: &Profile, requests: &[Request]) -> Vec<u64> {
    simulate(profile, requests).unwrap().iter().map(|u| u.written.unwrap()).collect()
}

fn cost(profile: &Profile, requests: &[Request]) -> f64 {
    Totals::of(profile, &simulate(profile, requests).unwrap()).cost.unwrap()
}

/// Equal to a billionth of the larger one.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
