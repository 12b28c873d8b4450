//! What do the requests of a log come to?

use deferbench_core::cache::{self, Churn, Length, Request, Stability, Usage, breaks};
use deferbench_reports::record::Basis;

use super::measure::Row;
use super::render::Order;
use crate::profiles::CacheProfile;

/// The sums over a log.
#[derive(Debug, Clone)]
pub struct Totals {
    /// Requests.
    pub requests: usize,
    /// Of these, requests with one before.
    pub compared: usize,
    /// Tools sections, lengths summed up over all requests with one before.
    pub tools: Option<Stability>,
    /// Whole prompts.
    pub prompt: Option<Stability>,
    /// Requests that change something before the last segment of the request before.
    pub breaks: u64,
    /// Definitions sent after the first change.
    pub churn: Churn,
    /// Each profile.
    pub profiles: Vec<Sum>,
}

/// The sums under one profile.
#[derive(Debug, Clone)]
pub struct Sum {
    /// Its name.
    pub profile: String,
    /// Computed by a model, or resting on an assumption too.
    pub basis: Basis,
    /// What is assumed.
    pub assumed: Vec<String>,
    /// The order of the sections.
    pub order: &'static str,
    /// False: none is published, and the order is assumed.
    pub order_published: bool,
    /// Tokens and cost.
    pub totals: cache::Totals,
    /// Requests of which both the reported and the expected cached tokens are known.
    pub reconciled: u64,
    /// Their reported cached tokens.
    pub reported: u64,
    /// Their expected ones.
    pub expected: u64,
}

impl Sum {
    /// Reported over expected; none where nothing could be compared.
    pub fn difference(&self) -> Option<i64> {
        (self.reconciled > 0).then_some(self.reported as i64 - self.expected as i64)
    }
}

/// Breaks and churn of requests that follow each other.
pub(super) fn session(requests: &[Request]) -> (u64, Churn) {
    let prompts = || requests.iter().map(|request| &request.prompt);
    (breaks(prompts()), Churn::of_session(prompts()))
}

pub(super) fn totals(rows: &[Row], profiles: &[CacheProfile], sessions: &[(u64, Churn)]) -> Totals {
    Totals {
        requests: rows.len(),
        compared: rows.iter().filter(|row| row.stability.is_some()).count(),
        tools: joined(rows.iter().filter_map(|row| row.tools_stability)),
        prompt: joined(rows.iter().filter_map(|row| row.stability)),
        breaks: sessions.iter().map(|(breaks, _)| breaks).sum(),
        churn: sessions.iter().map(|(_, churn)| *churn).sum(),
        profiles: profiles.iter().enumerate().map(|(i, cache)| sum(rows, i, cache)).collect(),
    }
}

fn joined(all: impl Iterator<Item = Stability>) -> Option<Stability> {
    let add = |a: Length, b: Length| Length {
        bytes: a.bytes.zip(b.bytes).map(|(a, b)| a + b),
        tokens: a.tokens + b.tokens,
        segments: a.segments + b.segments,
    };
    all.reduce(|a, b| Stability {
        common: add(a.common, b.common),
        before: add(a.before, b.before),
        now: add(a.now, b.now),
    })
}

fn sum(rows: &[Row], profile: usize, cache: &CacheProfile) -> Sum {
    let uses =
        || rows.iter().flat_map(|row| row.uses.iter().map(move |u| (row, u))).filter(|(_, u)| u.profile == profile);
    let usages: Vec<Usage> = uses().map(|(_, u)| u.usage.clone()).collect();
    let both = |(row, u): (&Row, &super::Use)| Some((row.reported?.cached?, u.usage.hit.ok()?));
    let pairs: Vec<(u64, u64)> = uses().filter_map(both).collect();
    Sum {
        profile: cache.profile.name.clone(),
        basis: cache.basis(),
        assumed: cache.assumed.clone(),
        order: Order::of(cache).name(),
        order_published: cache.fact("prefix_order").is_some_and(|fact| fact.value != "unknown"),
        totals: cache::Totals::of(&cache.profile, &usages),
        reconciled: pairs.len() as u64,
        reported: pairs.iter().map(|(reported, _)| reported).sum(),
        expected: pairs.iter().map(|(_, expected)| expected).sum(),
    }
}
