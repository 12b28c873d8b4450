//! What would each prefix cache make of a played session?

use std::collections::BTreeSet;

use deferbench_core::cache::{
    Breakpoints, CacheError, Cheaper, Churn, Crossing, Descent, Grain, Kind, Matcher, Placement, Prompt, Request,
    Totals, Usage, breaks, crossings, descents, grain, simulate, simulate_on,
};
use deferbench_reports::record::{CacheRow, CrossingRow, SessionCell};

use crate::profiles::CacheProfile;

/// A request that was sent, as a cache sees it.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The rendered request.
    pub prompt: Prompt,
    /// Its first part, before any message; in the first request of a session.
    pub shared: Option<Prompt>,
    /// Seconds since the request before.
    pub idle_seconds: u64,
    /// Turn of the user that it belongs to, from 0.
    pub turn: u64,
    /// Tokens of its answer.
    pub output_tokens: u64,
}

/// What the cache holds when a session begins.
const STARTS: [&str; 2] = ["cold", "warm"];

/// One row for each profile and start.
///
/// Each session of a script meets the cache as its start says. Requests take no time, pauses do.
///
/// # Errors
/// [`CacheError`] for a request that the provider would refuse.
pub fn rows(profiles: &[CacheProfile], counter: &str, sent: &[Sent]) -> Result<Vec<CacheRow>, CacheError> {
    let sessions = || sent.chunk_by(|_, next| next.shared.is_none());
    let prompts = |session: &'_ [Sent]| session.iter().map(|s| s.prompt.clone()).collect::<Vec<_>>();
    let stability = sessions()
        .map(prompts)
        .fold((0, 0), |(broken, churn), prompts| (broken + breaks(&prompts), churn + Churn::of_session(&prompts).sent));
    let mut rows = Vec::with_capacity(profiles.len() * STARTS.len());
    for (start, warm) in STARTS.into_iter().zip([false, true]) {
        let mut played: Vec<Played> = sessions().map(|session| Played::new(session, warm)).collect();
        for cache in profiles {
            let mut usages: Vec<Usage> = Vec::with_capacity(sent.len());
            for session in &mut played {
                usages.extend(session.usages(cache)?);
            }
            rows.push(row(cache, counter, start, sent, &usages, stability));
        }
    }
    rows.sort_by_key(|row| profiles.iter().position(|p| p.profile.name == row.profile));
    Ok(rows)
}

/// The requests of one session, and what they have in common: the same for every cache.
struct Played {
    requests: Vec<Request>,
    descents: Vec<Descent>,
    /// Requests of an earlier session in front.
    before: usize,
}

impl Played {
    fn new(session: &[Sent], warm: bool) -> Self {
        let shared = session.first().and_then(|first| first.shared.clone()).filter(|_| warm);
        let before = usize::from(shared.is_some());
        let mut requests: Vec<Request> = shared.into_iter().map(Request::new).collect();
        let mut second = 0_u64;
        for sent in session {
            second = second.saturating_add(sent.idle_seconds);
            requests.push(Request::new(sent.prompt.clone()).answered(sent.output_tokens).at(second, 0, 0));
        }
        let descents = descents(requests.iter().map(|r| &r.prompt), Grain::Token);
        Self { requests, descents, before }
    }

    fn usages(&mut self, cache: &CacheProfile) -> Result<Vec<Usage>, CacheError> {
        let asks = matches!(&cache.profile.matcher, Matcher::Entry(entry) if entry.placement == Placement::None);
        for request in &mut self.requests {
            request.breakpoints =
                if asks { Breakpoints::Explicit(breakpoints(&request.prompt)) } else { Breakpoints::Automatic };
        }
        let usages = match grain(&cache.profile) {
            Grain::Token => simulate_on(&cache.profile, &self.requests, &self.descents),
            Grain::Segment => simulate(&cache.profile, &self.requests),
        };
        Ok(usages?.split_off(self.before))
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

fn row(
    cache: &CacheProfile,
    counter: &str,
    start: &str,
    sent: &[Sent],
    usages: &[Usage],
    (breaks, churn): (u64, u64),
) -> CacheRow {
    let profile = &cache.profile;
    let totals = Totals::of(profile, usages);
    let unanswered: Vec<Usage> = usages.iter().map(|usage| Usage { output: 0, ..usage.clone() }).collect();
    let priced = if totals.cost.is_some() { usages } else { &unanswered };
    // A turn ends with its last request.
    let last = |end: &usize| sent.get(*end).is_none_or(|next| next.turn != sent[end - 1].turn);
    let turns = (1..=sent.len()).filter(last).map(|end| Totals::of(profile, &priced[..end]).cost);
    CacheRow {
        profile: profile.name.clone(),
        basis: cache.basis(),
        assumed: cache.assumed.clone(),
        counter: counter.to_string(),
        start: start.to_string(),
        prefill: totals.prefill,
        peak: totals.peak,
        output: totals.output,
        hit: totals.hit,
        written: totals.written,
        hit_ratio: totals.hit_ratio(),
        input_cost: Totals::of(profile, &unanswered).cost,
        cost: totals.cost,
        turns: turns.collect::<Option<_>>().unwrap_or_default(),
        break_tax: None,
        breaks,
        churn,
        crossings: None,
        unknown: totals.unknown.iter().map(|field| (*field).to_string()).collect(),
    }
}

/// What one cell says about others on the same corpus, script and layout.
struct Peer {
    place: [String; 3],
    policy: String,
    entry: String,
    limit: Option<u64>,
    requests: usize,
    caches: Vec<CacheRow>,
}

impl Peer {
    fn of(cell: &SessionCell) -> Self {
        Self {
            place: [&cell.corpus, &cell.script, &cell.layout].map(Clone::clone),
            policy: cell.policy.clone(),
            entry: cell.entry.clone(),
            limit: cell.limit,
            requests: cell.requests.len(),
            caches: cell.caches.clone(),
        }
    }

    fn row(&self, like: &CacheRow) -> Option<&CacheRow> {
        self.caches.iter().find(|row| (&row.profile, &row.start) == (&like.profile, &like.start))
    }
}

/// Compares the cells of a run with each other: crossings against `eager`, and what breaks cost against definitions that
/// enter the history, where the requests are as many.
pub fn compare(cells: &mut [SessionCell], profiles: &[CacheProfile]) {
    let peers: Vec<Peer> = cells.iter().filter(|c| !c.caches.is_empty()).map(Peer::of).collect();
    for cell in cells.iter_mut().filter(|c| !c.caches.is_empty()) {
        let own = Peer::of(cell);
        let near = || peers.iter().filter(|peer| peer.place == own.place);
        // With a need unmet the two sessions did different work.
        let complete = own.policy != "eager" && cell.needs > 0 && cell.met == cell.needs;
        let eager = near().find(|peer| complete && peer.policy == "eager");
        let same = |peer: &&Peer| (&peer.policy, peer.limit, peer.requests) == (&own.policy, own.limit, own.requests);
        let ideal = near().filter(same).find(|peer| peer.entry == "message");
        for row in &mut cell.caches {
            row.crossings = eager.and_then(|peer| peer.row(row)).and_then(|eager| changes(row, eager));
            let ratios = profiles.iter().find(|p| p.profile.name == row.profile).map(|p| p.profile.ratios);
            row.break_tax = ideal.and_then(|peer| peer.row(row)).zip(ratios).and_then(|(ideal, ratios)| {
                Some((ratios.write? - ratios.read?) * (ideal.hit? as f64 - row.hit? as f64))
            });
        }
    }
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
