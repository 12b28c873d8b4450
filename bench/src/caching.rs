//! What would each prefix cache make of a played session?

use std::collections::BTreeSet;

use deferbench_core::cache::{
    Breakpoints, CacheError, Cheaper, Churn, Crossing, Descent, Grain, Kind, Matcher, Placement, Prompt, Request,
    Totals, Usage, breaks, crossings, descents, simulate_on,
};
use deferbench_reports::record::{CacheRow, CrossingRow, SessionCell};

use crate::profiles::CacheProfile;
use crate::synthetic::Start;

/// A session, as a cache sees it.
#[derive(Debug, Clone)]
pub struct SentSession {
    /// The first part of its first request, before any message: what an earlier session may have left in the cache.
    pub shared: Prompt,
    /// What was sent.
    pub requests: Vec<Sent>,
}

/// A request that was sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The rendered request.
    pub prompt: Prompt,
    /// Seconds since the request before.
    pub idle_seconds: u64,
    /// Turn of the user that it belongs to, from 0.
    pub turn: u64,
    /// Tokens of its answer.
    pub output_tokens: u64,
}

/// One row for each profile and start.
///
/// Each session of a script meets the cache as its start says. Requests take no time, pauses do.
///
/// # Errors
/// [`CacheError`] for a request that the provider would refuse.
pub fn rows(profiles: &[CacheProfile], counter: &str, sessions: Vec<SentSession>) -> Result<Vec<CacheRow>, CacheError> {
    let turns = sessions.iter().flat_map(|session| session.requests.iter().map(|sent| sent.turn)).collect();
    let mut sessions: Vec<Simulated> = sessions.into_iter().map(Simulated::new).collect();
    let breaks = sessions.iter().map(|session| breaks(session.prompts())).sum();
    let churn = sessions.iter().map(|session| Churn::of_session(session.prompts())).sum();
    let common = Common { counter, turns, breaks, churn };
    let mut rows = Vec::with_capacity(profiles.len() * Start::ALL.len());
    for cache in profiles {
        sessions.iter_mut().for_each(|session| session.mark(cache));
        for start in Start::ALL {
            let usages = sessions.iter().map(|session| session.usages(cache, start)).collect::<Result<Vec<_>, _>>()?;
            rows.push(row(&common, cache, start, &usages.concat()));
        }
    }
    Ok(rows)
}

/// The requests of one session, and what they have in common: the same for every cache.
struct Simulated {
    /// In front what is shared.
    requests: Vec<Request>,
    /// Of the requests without what is shared.
    cold: Vec<Descent>,
    /// Of all.
    warm: Vec<Descent>,
}

impl Simulated {
    fn new(session: SentSession) -> Self {
        let mut second = 0_u64;
        let mut requests = vec![Request::new(session.shared)];
        for sent in session.requests {
            second = second.saturating_add(sent.idle_seconds);
            requests.push(Request::new(sent.prompt).answered(sent.output_tokens).at(second, 0, 0));
        }
        let by_token = |requests: &[Request]| descents(requests.iter().map(|r| &r.prompt), Grain::Token);
        Self { cold: by_token(&requests[1..]), warm: by_token(&requests), requests }
    }

    fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.requests[1..].iter().map(|request| &request.prompt)
    }

    /// Marks the requests where the cache places no breakpoint itself.
    fn mark(&mut self, cache: &CacheProfile) {
        let asks = matches!(&cache.profile.matcher, Matcher::Entry(entry) if entry.placement == Placement::None);
        for request in &mut self.requests {
            request.breakpoints =
                if asks { Breakpoints::Explicit(breakpoints(&request.prompt)) } else { Breakpoints::Automatic };
        }
    }

    fn usages(&self, cache: &CacheProfile, start: Start) -> Result<Vec<Usage>, CacheError> {
        match start {
            Start::Cold => simulate_on(&cache.profile, &self.requests[1..], &self.cold),
            Start::Warm => Ok(simulate_on(&cache.profile, &self.requests, &self.warm)?.split_off(1)),
        }
    }
}

/// Where a harness marks a request for a cache that places no breakpoint itself: after the tools, after the system text, at
/// the end.
fn breakpoints(prompt: &Prompt) -> Vec<usize> {
    let segments = prompt.segments();
    let last = |kind| segments.iter().rposition(|segment| segment.kind == kind);
    let ends = [last(Kind::Tool), last(Kind::System), segments.len().checked_sub(1)];
    let marked: BTreeSet<usize> = ends.into_iter().flatten().collect();
    marked.into_iter().collect()
}

/// What is the same whatever the cache.
struct Common<'a> {
    counter: &'a str,
    /// The turn of each request.
    turns: Vec<u64>,
    breaks: u64,
    churn: Churn,
}

fn row(common: &Common<'_>, cache: &CacheProfile, start: Start, usages: &[Usage]) -> CacheRow {
    let turns = &common.turns;
    let profile = &cache.profile;
    let totals = Totals::of(profile, usages);
    let unanswered: Vec<Usage> = usages.iter().map(|usage| Usage { output: 0, ..usage.clone() }).collect();
    let priced = if totals.cost.is_some() { usages } else { &unanswered };
    // A turn ends with its last request.
    let last = |end: &usize| turns.get(*end) != turns.get(end - 1);
    let after = (1..=turns.len()).filter(last).map(|end| Totals::of(profile, &priced[..end]).cost);
    CacheRow {
        profile: profile.name.clone(),
        basis: cache.basis(),
        assumed: cache.assumed.clone(),
        counter: common.counter.to_string(),
        start: start.name().to_string(),
        prefill: totals.prefill,
        peak: totals.peak,
        output: totals.output,
        hit: totals.hit,
        written: totals.written,
        hit_ratio: totals.hit_ratio(),
        input_cost: Totals::of(profile, &unanswered).cost,
        cost: totals.cost,
        turns: after.collect::<Option<_>>().unwrap_or_default(),
        break_tax: None,
        breaks: common.breaks,
        churn: common.churn.sent,
        crossings: None,
        unknown: totals.unknown.iter().map(|field| (*field).to_string()).collect(),
    }
}

/// Compares the cells of a run with each other: crossings against `eager`, and what breaks cost against definitions that
/// enter the history, where the requests are as many.
pub fn compare(cells: &mut [SessionCell], profiles: &[CacheProfile]) {
    let found: Vec<Vec<_>> = cells.iter().map(|cell| against(cell, cells, profiles)).collect();
    for (cell, found) in cells.iter_mut().zip(found) {
        for (row, (crossings, break_tax)) in cell.caches.iter_mut().zip(found) {
            (row.crossings, row.break_tax) = (crossings, break_tax);
        }
    }
}

/// The crossings and the break tax of each row of a cell.
fn against(
    cell: &SessionCell,
    cells: &[SessionCell],
    profiles: &[CacheProfile],
) -> Vec<(Option<Vec<CrossingRow>>, Option<f64>)> {
    let near = || cells.iter().filter(|other| !other.caches.is_empty() && place(other) == place(cell));
    // With a need unmet the two sessions did different work.
    let complete = cell.policy != "eager" && cell.needs > 0 && cell.met == cell.needs;
    let eager = near().find(|other| complete && other.policy == "eager");
    let alike = |other: &&SessionCell| {
        (&other.policy, other.limit, other.requests.len()) == (&cell.policy, cell.limit, cell.requests.len())
    };
    let ideal = near().filter(alike).find(|other| other.entry == "message");
    let of = |row: &CacheRow| {
        let crossings = eager.and_then(|other| other.cache_like(row)).and_then(|eager| changes(row, eager));
        let cache = profiles.iter().find(|cache| cache.profile.name == row.profile);
        let tax = ideal.and_then(|other| other.cache_like(row)).zip(cache).and_then(|(ideal, cache)| {
            Some(cache.profile.ratios.spread().ok()? * (ideal.hit? as f64 - row.hit? as f64))
        });
        (crossings, tax)
    };
    cell.caches.iter().map(of).collect()
}

fn place(of: &SessionCell) -> [&str; 3] {
    [&of.corpus, &of.script, &of.layout]
}

/// Every change of the cheaper side over turns.
fn changes(row: &CacheRow, eager: &CacheRow) -> Option<Vec<CrossingRow>> {
    let known = !row.turns.is_empty() && row.turns.len() == eager.turns.len();
    let points = row.turns.iter().zip(&eager.turns).zip(1_u64..).map(|((own, eager), turn)| (turn, *own, *eager));
    let named = |c: Crossing| {
        let cheaper = if c.cheaper == Cheaper::First { "deferred" } else { "eager" };
        CrossingRow { turn: c.at, cheaper: cheaper.to_string() }
    };
    known.then(|| crossings(points).into_iter().map(named).collect())
}

#[cfg(test)]
mod tests;
