//! Which earlier request does each token of a prompt come from?
//!
//! Common prefixes are nested: of three prompts, no pair shares less than the smaller of the other two pairs. So every
//! position of a prompt has one first owner, the earliest request that has the same tokens up to there, and a cache can
//! be kept as a stamp for each owned position.

use std::collections::BTreeMap;

use super::prompt::Prompt;

/// In which steps two prompts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// Token by token.
    Token,
    /// Whole segments only.
    Segment,
}

/// A stretch of a prompt with one owner, from the end of the stretch before it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The earliest request that has the same tokens up to `end`.
    pub owner: usize,
    /// Position after its last token.
    pub end: u64,
}

/// Where a prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descent {
    /// The owners of its tokens, in prompt order; together they cover the prompt.
    pub path: Vec<Stretch>,
    /// Tokens in common with the request before; none for the first.
    pub with_previous: Option<u64>,
    /// The longest earlier prompt that this one begins with, the latest of equals.
    pub extends: Option<usize>,
}

impl Descent {
    /// The longest common prefix with any earlier request, in tokens.
    pub fn longest(&self) -> u64 {
        self.path.iter().rev().nth(1).map_or(0, |s| s.end)
    }

    /// The owner of the token before a position.
    pub fn owner_before(&self, end: u64) -> Option<usize> {
        self.path.iter().find(|s| s.end >= end && end > 0).map(|s| s.owner)
    }
}

/// The descent of every prompt of a sequence.
pub fn descents<'a>(prompts: impl IntoIterator<Item = &'a Prompt>, grain: Grain) -> Vec<Descent> {
    let mut seen: Vec<&Prompt> = Vec::new();
    let mut row: Vec<u64> = Vec::new();
    let mut out = Vec::new();
    for prompt in prompts {
        row = common_with(&seen, &row, prompt, grain);
        out.push(descent(&seen, &row, prompt));
        seen.push(prompt);
    }
    out
}

/// The common prefix with every earlier prompt; `before` holds the same of the latest of them with those before it.
fn common_with(seen: &[&Prompt], before: &[u64], prompt: &Prompt, grain: Grain) -> Vec<u64> {
    let Some((latest, earlier)) = seen.split_last() else { return Vec::new() };
    let compare = |other: &Prompt, from: u64| match grain {
        Grain::Token => prompt.common_tokens(other, from),
        Grain::Segment => prompt.common_segments(other),
    };
    let shared = compare(latest, 0);
    let one = |(other, known): (&&Prompt, &u64)| match known.cmp(&shared) {
        std::cmp::Ordering::Less => *known,
        std::cmp::Ordering::Greater => shared,
        std::cmp::Ordering::Equal => compare(other, shared),
    };
    earlier.iter().zip(before).map(one).chain([shared]).collect()
}

fn descent(seen: &[&Prompt], row: &[u64], prompt: &Prompt) -> Descent {
    let mut path = Vec::new();
    let mut covered = 0;
    for (owner, &end) in row.iter().enumerate().filter(|(_, end)| **end > 0) {
        if end > covered {
            path.push(Stretch { owner, end });
            covered = end;
        }
    }
    path.push(Stretch { owner: seen.len(), end: prompt.tokens() });
    let whole = row.iter().enumerate().filter(|(s, end)| seen[*s].tokens() == **end);
    let lengths: BTreeMap<u64, usize> = whole.map(|(s, end)| (*end, s)).collect();
    Descent { path, with_previous: row.last().copied(), extends: lengths.last_key_value().map(|(_, s)| *s) }
}
