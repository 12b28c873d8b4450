//! How much of each recorded request lives on in the next, and what should a cache have read?

use std::collections::BTreeMap;
use std::path::Path;

use deferbench_core::cache::{
    CacheError, Descent, Divergence, Grain, Length, Request, Section, Stability, Usage, descents, divergence,
    simulate_on,
};
use rayon::prelude::*;

use super::render::{self, Order};
use super::totals::{Totals, totals};
use super::{Entry, LogError, Reported};
use crate::counter::CounterEntry;
use crate::profiles::CacheProfile;

/// One request.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its line, from 1.
    pub line: usize,
    /// The form of its body.
    pub shape: &'static str,
    /// The model.
    pub model: String,
    /// Second at which it started.
    pub at_s: Option<u64>,
    /// The order in which it is laid out for the figures beside the profiles.
    pub order: &'static str,
    /// Its tools section.
    pub tools: Length,
    /// All of it.
    pub prompt: Length,
    /// Line of the request before: of the same form and model.
    pub before: Option<usize>,
    /// The tools section against that of the request before.
    pub tools_stability: Option<Stability>,
    /// The whole against the request before.
    pub stability: Option<Stability>,
    /// Where it parts from the request before.
    pub divergence: Option<Divergence>,
    /// What the provider says.
    pub reported: Option<Reported>,
    /// What each profile makes of it.
    pub uses: Vec<Use>,
}

/// What one profile makes of a request.
#[derive(Debug, Clone)]
pub struct Use {
    /// Position of the profile.
    pub profile: usize,
    /// Tokens.
    pub usage: Usage,
}

impl Use {
    /// Reported cached tokens over the expected ones, where both are known.
    pub fn difference(&self, reported: Option<Reported>) -> Option<i64> {
        Some(reported?.cached? as i64 - self.usage.hit.ok()? as i64)
    }
}

/// A whole log.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Each request, in the order of the lines.
    pub rows: Vec<Row>,
    /// Sums.
    pub totals: Totals,
}

/// Requests that can read each other's entries: those of one form and model.
fn streams(entries: &[Entry]) -> Vec<Vec<usize>> {
    let mut streams: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (i, entry) in entries.iter().enumerate() {
        streams.entry((entry.shape.name, &entry.model)).or_default().push(i);
    }
    streams.into_values().collect()
}

/// Measures a log under each profile; with `own`, each request under the profile of its form only.
///
/// # Errors
/// [`LogError`] for a request that cannot be counted, or that the provider of a profile would have refused.
pub fn measure(
    path: &Path,
    entries: &[Entry],
    profiles: &[CacheProfile],
    own: bool,
    counter: &CounterEntry,
) -> Result<Measured, LogError> {
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    let mut uses: BTreeMap<usize, Vec<Use>> = BTreeMap::new();
    let mut sessions = Vec::new();
    for stream in streams(entries) {
        let Some(first) = stream.first().map(|i| &entries[*i]) else { continue };
        let fits = |cache: &&CacheProfile| !own || cache.profile.name == first.shape.profile;
        let main = profiles.iter().find(fits).map(Order::of);
        for order in Order::ALL {
            let chosen: Vec<usize> =
                (0..profiles.len()).filter(|i| fits(&&profiles[*i]) && Order::of(&profiles[*i]) == order).collect();
            if chosen.is_empty() {
                continue;
            }
            let requests = requests(path, entries, &stream, order, counter)?;
            if main == Some(order) {
                let of = |(at, i): (usize, &usize)| (*i, row(entries, &stream, &requests, at, order));
                rows.extend(stream.iter().enumerate().map(of));
                sessions.push(super::totals::session(&requests));
            }
            let descents = descents(requests.iter().map(|r| &r.prompt), Grain::Token);
            for profile in chosen {
                let usages = usages(path, entries, &stream, &profiles[profile], &requests, &descents)?;
                for (i, usage) in stream.iter().zip(usages) {
                    uses.entry(*i).or_default().push(Use { profile, usage });
                }
            }
        }
    }
    let finished = |(i, row): (usize, Row)| {
        let mut uses = uses.remove(&i).unwrap_or_default();
        uses.sort_by_key(|u| u.profile);
        Row { uses, ..row }
    };
    let rows: Vec<Row> = rows.into_iter().map(finished).collect();
    let totals = totals(&rows, profiles, &sessions);
    Ok(Measured { rows, totals })
}

fn requests(
    path: &Path,
    entries: &[Entry],
    stream: &[usize],
    order: Order,
    counter: &CounterEntry,
) -> Result<Vec<Request>, LogError> {
    let one = |i: &usize| {
        let entry = &entries[*i];
        let refused = |source| LogError::Prompt { path: path.into(), line: entry.line, source };
        let request = render::request(&entry.body, order, (counter.counter)()).map_err(refused)?;
        let request = request.ok_or(LogError::Counter { counter: counter.name })?;
        Ok(request.at(entry.at_s.unwrap_or(0), 0, 0))
    };
    // Collected twice, so that the first of several wrong lines is told whichever thread was faster.
    stream.par_iter().map(one).collect::<Vec<Result<_, _>>>().into_iter().collect()
}

fn usages(
    path: &Path,
    entries: &[Entry],
    stream: &[usize],
    cache: &CacheProfile,
    requests: &[Request],
    descents: &[Descent],
) -> Result<Vec<Usage>, LogError> {
    simulate_on(&cache.profile, requests, descents).map_err(|source| {
        let request = match source {
            CacheError::TooManyBreakpoints { request, .. } | CacheError::NoSuchSegment { request, .. } => request,
            _ => 0,
        };
        let line = stream.get(request).map_or(0, |i| entries[*i].line);
        LogError::Cache { path: path.into(), line, profile: cache.profile.name.clone(), source }
    })
}

fn row(entries: &[Entry], stream: &[usize], requests: &[Request], at: usize, order: Order) -> Row {
    let entry = &entries[stream[at]];
    let now = &requests[at].prompt;
    let before = at.checked_sub(1).map(|at| (&requests[at].prompt, entries[stream[at]].line));
    let stability = |section| Stability::of(before.map(|(prompt, _)| prompt), now, section);
    Row {
        line: entry.line,
        shape: entry.shape.name,
        model: entry.model.clone(),
        at_s: entry.at_s,
        order: order.name(),
        tools: now.length(Section::Tools),
        prompt: now.length(Section::Prompt),
        before: before.map(|(_, line)| line),
        tools_stability: stability(Section::Tools),
        stability: stability(Section::Prompt),
        divergence: before.and_then(|(prompt, _)| divergence(prompt, now)),
        reported: entry.reported,
        uses: Vec::new(),
    }
}
