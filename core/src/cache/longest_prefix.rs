//! The longest common prefix with whatever is cached, in whole blocks.
//!
//! A prompt's blocks are looked up from the first on, and the walk stops at the first one that is not cached, as in
//! vLLM's automatic prefix caching and SGLang's RadixAttention. A block belongs to the earliest request that has the same
//! tokens up to its end; its stamps are kept as runs of equal ones.

use super::life::{Stamp, alive, pending};
use super::lineage::Descent;
use super::profile::{Against, LongestPrefix, Profile, Setting, Unknown};
use super::request::{Request, Usage};
use super::shift::shifted;

/// Blocks with one stamp, from the end of the run before on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    end: u64,
    stamp: Stamp,
}

/// The cached blocks of one owner: runs from block `start` on.
#[derive(Debug, Clone, Default)]
struct Owned {
    start: u64,
    runs: Vec<Run>,
}

impl Owned {
    fn end(&self) -> u64 {
        self.runs.last().map_or(self.start, |r| r.end)
    }

    /// Stamps the blocks up to `end`: those up to the hit were read, the rest was written. What somebody else is still
    /// writing stays.
    fn touch(&mut self, end: u64, hit: u64, now: usize, pending: impl Fn(Stamp) -> bool) {
        let mut runs: Vec<Run> = Vec::new();
        let mut from = self.start;
        for run in &self.runs {
            let (stop, kept) = (run.end.min(end), Stamp { used: now, ..run.stamp });
            let read = stop.min(hit);
            if read > from {
                runs.push(Run { end: read, stamp: kept });
            }
            if stop > from.max(hit) {
                let stamp = if pending(run.stamp) { kept } else { Stamp::new(now) };
                runs.push(Run { end: stop, stamp });
            }
            from = run.end;
        }
        if end > from {
            runs.push(Run { end, stamp: Stamp::new(now) });
        }
        runs.extend(self.runs.iter().filter(|r| r.end > end));
        self.runs = runs;
    }
}

/// Simulates a cache of blocks over all requests.
pub(super) fn simulate(
    profile: &Profile,
    matcher: &LongestPrefix,
    requests: &[Request],
    descents: &[Descent],
) -> Vec<Usage> {
    // With an unknown block nothing is kept: every hit that is not 0 anyway is unknown.
    let mut cache = Cache { owned: vec![Owned::default(); requests.len()], block: matcher.block.unwrap_or(1).max(1) };
    let mut out = Vec::new();
    for (now, (request, descent)) in requests.iter().zip(descents).enumerate() {
        let prompt = request.prompt.tokens();
        let path = cache.path(descent, prompt);
        let reach = cache.reach(profile, requests, &path, now);
        let hit = reach.and_then(|blocks| {
            let tokens = blocks * cache.block;
            let tokens = match matcher.against {
                Against::All => tokens,
                Against::Previous => tokens.min(floor(descent.with_previous.unwrap_or(0), cache.block)),
            };
            let hit = cut(profile, matcher, tokens, prompt)?;
            Ok(hit + shifted_reuse(matcher, requests, descents, now, hit)?)
        });
        // A prompt under the minimum is not kept, and a match that does not count is written again.
        if profile.min_tokens.is_none_or(|min| prompt >= min) {
            let read = if hit == Ok(0) { 0 } else { reach.unwrap_or(u64::MAX) };
            cache.touch(&path, read, now, |stamp| pending(profile, requests, stamp, now));
        }
        if let Some(Setting::At(capacity)) = matcher.capacity_tokens {
            cache.evict(capacity / cache.block);
        }
        let hit = match matcher.capacity_tokens {
            None if hit != Ok(0) => Err(Unknown("capacity_tokens")),
            _ => hit,
        };
        let ceiling = descent.longest();
        let written = hit.map(|hit| prompt - hit);
        out.push(Usage { prompt, hit, written, ceiling, output: request.output_tokens });
    }
    out
}

fn floor(tokens: u64, block: u64) -> u64 {
    tokens / block * block
}

/// The part of a match that counts: whole blocks, not the last token, and nothing under the minimum.
fn cut(profile: &Profile, matcher: &LongestPrefix, tokens: u64, prompt: u64) -> Result<u64, Unknown> {
    if tokens == 0 || profile.min_tokens.is_some_and(|min| tokens < min) {
        return Ok(0);
    }
    let block = matcher.block.ok_or(Unknown("block"))?.max(1);
    let before_last = floor(prompt.saturating_sub(1), block);
    let hit = match matcher.recompute_last {
        Some(true) => tokens.min(before_last),
        Some(false) => tokens,
        None if tokens <= before_last => tokens,
        None => return Err(Unknown("recompute_last")),
    };
    if hit == 0 {
        return Ok(0);
    }
    Ok(if hit < profile.min_tokens.ok_or(Unknown("min_tokens"))? { 0 } else { hit })
}

/// Tokens beyond the common prefix with the request that shares most, if the engine shifts what it has.
fn shifted_reuse(
    matcher: &LongestPrefix,
    requests: &[Request],
    descents: &[Descent],
    now: usize,
    hit: u64,
) -> Result<u64, Unknown> {
    let chunk = match matcher.shift_reuse {
        Some(Setting::At(chunk)) if chunk > 0 => chunk,
        Some(_) => return Ok(0),
        None => return Err(Unknown("shift_reuse")),
    };
    let sharing = descents[now].path.iter().rev().nth(1).map(|s| s.owner);
    let Some(slot) = sharing.or(now.checked_sub(1)) else { return Ok(0) };
    let (old, new) = (&requests[slot].prompt, &requests[now].prompt);
    // The last token is computed even where everything could be reused.
    Ok(shifted(old, new, hit, chunk).min(new.tokens().saturating_sub(1).saturating_sub(hit)))
}

/// A stretch of a prompt in whole blocks.
struct Blocks {
    owner: usize,
    start: u64,
    end: u64,
}

struct Cache {
    owned: Vec<Owned>,
    block: u64,
}

impl Cache {
    /// The owners of the whole blocks of a prompt: who owns the last token of a block owns the block.
    fn path(&mut self, descent: &Descent, prompt: u64) -> Vec<Blocks> {
        let mut out: Vec<Blocks> = Vec::new();
        let mut start = 0;
        for stretch in &descent.path {
            let end = stretch.end.min(prompt) / self.block;
            if end > start {
                let owned = &mut self.owned[stretch.owner];
                if owned.runs.is_empty() {
                    owned.start = start;
                }
                out.push(Blocks { owner: stretch.owner, start, end });
                start = end;
            }
        }
        out
    }

    /// Leading blocks of the path that are cached.
    fn reach(&self, profile: &Profile, requests: &[Request], path: &[Blocks], now: usize) -> Result<u64, Unknown> {
        let mut reach = 0;
        for blocks in path {
            debug_assert!(
                self.owned[blocks.owner].start == blocks.start,
                "an owner's blocks start where its own begin"
            );
            for run in &self.owned[blocks.owner].runs {
                if reach >= blocks.end {
                    break;
                }
                if !alive(profile, requests, run.stamp, now)? {
                    return Ok(reach);
                }
                reach = run.end.min(blocks.end);
            }
            if reach < blocks.end {
                break;
            }
        }
        Ok(reach)
    }

    fn touch(&mut self, path: &[Blocks], hit: u64, now: usize, pending: impl Fn(Stamp) -> bool) {
        for blocks in path {
            self.owned[blocks.owner].touch(blocks.end, hit, now, &pending);
        }
    }

    /// Drops the least recently used blocks, of one request the deepest first, until the rest fits.
    fn evict(&mut self, capacity: u64) {
        loop {
            let held: u64 = self.owned.iter().map(|o| o.end() - o.start).sum();
            let Some(over) = held.checked_sub(capacity).filter(|over| *over > 0) else { return };
            let last = |o: &Owned| o.runs.last().map(|r| (r.stamp.used, std::cmp::Reverse(r.end)));
            let oldest = self.owned.iter_mut().filter(|o| !o.runs.is_empty()).min_by_key(|o| last(o));
            let Some(owned) = oldest else { return };
            let Some(run) = owned.runs.pop() else { return };
            let from = owned.end();
            let keep = run.end.saturating_sub(over).max(from);
            if keep > from {
                owned.runs.push(Run { end: keep, ..run });
            }
        }
    }
}
