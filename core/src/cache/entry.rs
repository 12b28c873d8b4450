//! Exactly the positions that an earlier request wrote.
//!
//! A request writes an entry at each of its breakpoints, and reads the longest live entry among the positions it looks
//! at: as in Anthropic's `cache_control`, OpenAI's `prompt_cache_breakpoint` and DeepSeek's cache prefix units. A long
//! common prefix is no hit where nobody wrote an entry inside it.

use std::collections::{BTreeMap, BTreeSet};

use super::breakpoints::{CacheError, Marks, marks, probes};
use super::life::{Stamp, alive, pending};
use super::lineage::Descent;
use super::profile::{Entry, Profile, Unknown};
use super::request::{Request, Usage};
use super::units;

/// Entries by owner of their last token and by position.
pub(super) type Entries = BTreeMap<(usize, u64), Stamp>;

struct Cache<'a> {
    profile: &'a Profile,
    matcher: &'a Entry,
    requests: &'a [Request],
    entries: Entries,
}

/// Simulates a cache of written positions over all requests.
pub(super) fn simulate(
    profile: &Profile,
    matcher: &Entry,
    requests: &[Request],
    descents: &[Descent],
) -> Result<Vec<Usage>, CacheError> {
    let mut cache = Cache { profile, matcher, requests, entries: Entries::new() };
    let mut answered = BTreeSet::new();
    let mut out = Vec::new();
    for (now, (request, descent)) in requests.iter().zip(descents).enumerate() {
        if let Some(units) = matcher.units {
            units::answers(units, &mut cache.entries, &mut answered, requests, now, descent);
        }
        let marks = marks(matcher, now, request)?;
        let read = marks.as_ref().map_err(|u| *u).and_then(|marks| cache.read(descent, now, marks));
        let hit = read.map(|key| key.map_or(0, |(_, end)| end));
        if let Ok(Some(key)) = read {
            cache.entries.entry(key).and_modify(|stamp| stamp.used = now);
        }
        let written = hit.and_then(|hit| cache.written(request, marks.as_ref().map_err(|u| *u)?, hit));
        let units = matcher.units.map(|units| units::ends(units, request, descent));
        let ends = marks.map(|m| m.written).unwrap_or_default().into_iter().chain(units.into_iter().flatten());
        ends.for_each(|end| cache.write(descent, end, now));
        let (prompt, ceiling) = (request.prompt.tokens(), descent.longest());
        out.push(Usage { prompt, hit, written, ceiling, output: request.output_tokens });
    }
    Ok(out)
}

impl Cache<'_> {
    /// The longest live entry among the positions that are looked at.
    fn read(&self, descent: &Descent, now: usize, marks: &Marks) -> Result<Option<(usize, u64)>, Unknown> {
        let positions = match self.matcher.units {
            Some(_) => units::positions(&self.entries, descent),
            None => probes(self.matcher, &self.requests[now], marks)?,
        };
        let mut best = None;
        for end in positions.into_iter().rev() {
            let Some(key) = descent.owner_before(end).map(|owner| (owner, end)) else { continue };
            let Some(stamp) = self.entries.get(&key) else { continue };
            if alive(self.profile, self.requests, *stamp, now)? {
                best = Some(key);
                break;
            }
        }
        if let Some(units) = self.matcher.units {
            units::certain(units, best.map_or(0, |(_, end)| end), self.profile.min_tokens, descent)?;
        }
        match (best, self.profile.min_tokens) {
            (Some(_), None) => Err(Unknown("min_tokens")),
            // Under the minimum nothing was written, except an answer whose length nobody knew.
            (best, min) => Ok(best.filter(|(_, end)| min.is_some_and(|min| *end >= min))),
        }
    }

    /// Tokens that become cached: up to the last breakpoint, or the whole prompt where the cache writes units.
    fn written(&self, request: &Request, marks: &Marks, hit: u64) -> Result<u64, Unknown> {
        if self.matcher.units.is_some() {
            return Ok(request.prompt.tokens() - hit);
        }
        match marks.written.last() {
            Some(&last) if last > hit => {
                let min = self.profile.min_tokens.ok_or(Unknown("min_tokens"))?;
                Ok(if last < min { 0 } else { last - hit })
            }
            _ => Ok(0),
        }
    }

    /// Writes an entry, or uses the one that lives; one that somebody is writing stays as it is.
    fn write(&mut self, descent: &Descent, end: u64, now: usize) {
        let Some(owner) = descent.owner_before(end) else { return };
        if self.profile.min_tokens.is_some_and(|min| end < min) {
            return;
        }
        let stamp = match self.entries.get(&(owner, end)) {
            Some(&old) if alive(self.profile, self.requests, old, now) != Ok(false) => Stamp { used: now, ..old },
            Some(&old) if pending(self.profile, self.requests, old, now) => old,
            _ => Stamp::new(now),
        };
        self.entries.insert((owner, end), stamp);
    }
}
