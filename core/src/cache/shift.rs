//! What can an engine reuse beyond the common prefix by shifting its cache?
//!
//! As llama.cpp's server does with `--cache-reuse N`: after the common prefix it walks over the old tokens, skips what
//! is gone, and keeps each chunk of at least N tokens that the new prompt continues with.

use super::prompt::Prompt;
use super::segment::content_id;

/// Tokens of `new` beyond the first `from` that are reused from `old` in chunks of at least `chunk` tokens.
pub(super) fn shifted(old: &Prompt, new: &Prompt, from: u64, chunk: u64) -> u64 {
    match (old.token_texts(), new.token_texts()) {
        (Some(a), Some(b)) => {
            let one = |tokens: &[&[u8]]| tokens.iter().map(|t| (content_id(t), 1)).collect::<Vec<_>>();
            walk(&one(&a), &one(&b), from, chunk)
        }
        _ => {
            let piece = |p: &Prompt| p.segments().iter().map(|s| (s.id, s.len())).collect::<Vec<_>>();
            walk(&piece(old), &piece(new), from, chunk)
        }
    }
}

/// Both sides as symbols with their sizes.
fn walk(old: &[(u128, u64)], new: &[(u128, u64)], from: u64, chunk: u64) -> u64 {
    let skip = |side: &[(u128, u64)]| {
        let mut at = 0;
        side.iter()
            .take_while(|(_, size)| {
                at += size;
                at <= from
            })
            .count()
    };
    let (mut i, mut j, mut reused) = (skip(old), skip(new), 0);
    while i < old.len() && j < new.len() {
        let run = old[i..].iter().zip(&new[j..]).take_while(|(a, b)| a == b).count();
        let tokens: u64 = old[i..i + run].iter().map(|(_, size)| size).sum();
        if run > 0 && tokens >= chunk {
            (i, j, reused) = (i + run, j + run, reused + tokens);
        } else {
            i += 1;
        }
    }
    reused
}
