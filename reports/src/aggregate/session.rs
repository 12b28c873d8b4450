//! What did one session send, how many turns did it take, and how much of it survived from request to request?

use crate::record::{Basis, Divergence, RequestRow, SectionRow, SessionCell};
use crate::stats::mean;

/// Token totals of one session under one counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterTotals {
    /// Name of the counter.
    pub counter: String,
    /// Tokens of the tools section of the first request.
    pub tools_first: u64,
    /// Tokens of the tools section of the last request.
    pub tools_last: u64,
    /// Tokens of the first prompt.
    pub prompt_first: u64,
    /// Tokens of the last prompt.
    pub prompt_last: u64,
    /// Tokens of all prompts together.
    pub prompt_sum: u64,
}

/// How much of a part survived from one request to the next, over all requests after the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Survival {
    /// Smallest share, 0 to 1; `None` when no request has one.
    pub min: Option<f64>,
    /// Mean share, 0 to 1; `None` when no request has one.
    pub mean: Option<f64>,
    /// Requests with a share.
    pub n: u64,
    /// Requests after the first without one.
    pub undefined: u64,
}

/// The first place that broke the prefix inside the tools section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// Request that differs from the one before it, from 0.
    pub request: u64,
    /// What differs there.
    pub divergence: Divergence,
}

/// One session in a few figures.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the script.
    pub script: String,
    /// Canonical spec of the policy.
    pub policy: String,
    /// Name of the order.
    pub order: String,
    /// Name of the entry.
    pub entry: String,
    /// Name of the layout.
    pub layout: String,
    /// Canonical spec of the ranker; `None` under `eager`.
    pub ranker: Option<String>,
    /// Largest number of tools one search may activate; `None` under `eager`.
    pub limit: Option<u64>,
    /// How the figures came about.
    pub basis: Basis,
    /// Model requests.
    pub requests: u64,
    /// Totals of every counter that counted all requests, by name of the counter.
    pub counters: Vec<CounterTotals>,
    /// Survival of the tools section.
    pub tools: Survival,
    /// Survival of the whole prompt.
    pub prompt: Survival,
    /// The first break inside the tools section; `None` when there is none.
    pub first_break: Option<Break>,
    /// Model requests beyond those of `eager`; `None` where eager cannot run the script, or a need stayed unmet.
    pub extra_turns: Option<i64>,
    /// Needs of the script.
    pub needs: u64,
    /// Needs whose tool became callable and was called.
    pub met: u64,
    /// Needs whose tool the first search brought, or that needed no search.
    pub at_once: u64,
    /// Searches that ran.
    pub searches: u64,
    /// Searches per met need; `None` when no need was met.
    pub searches_per_success: Option<f64>,
    /// Share of the activated tools that nobody needed, 0 to 1; `None` when no tool was activated or nothing is needed.
    pub false_activation: Option<f64>,
}

impl SessionSummary {
    /// The totals of a counter.
    pub fn counter(&self, name: &str) -> Option<&CounterTotals> {
        self.counters.iter().find(|totals| totals.counter == name)
    }
}

/// Aggregates one session.
pub fn summarize_session(cell: &SessionCell) -> SessionSummary {
    SessionSummary {
        corpus: cell.corpus.clone(),
        script: cell.script.clone(),
        policy: cell.policy.clone(),
        order: cell.order.clone(),
        entry: cell.entry.clone(),
        layout: cell.layout.clone(),
        ranker: cell.ranker.clone(),
        limit: cell.limit,
        basis: cell.basis,
        requests: cell.requests.len() as u64,
        counters: totals(&cell.requests),
        tools: survival(&cell.requests, |row| &row.tools),
        prompt: survival(&cell.requests, |row| &row.prompt),
        first_break: first_break(&cell.requests),
        extra_turns: cell.extra_turns,
        needs: cell.needs,
        met: cell.met,
        at_once: cell.met.saturating_sub(cell.retried + cell.repaired),
        searches: cell.searches,
        searches_per_success: share(cell.searches, cell.met),
        false_activation: cell.activated_unneeded.and_then(|unneeded| share(unneeded, cell.activated)),
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn totals(requests: &[RequestRow]) -> Vec<CounterTotals> {
    let (Some(first), Some(last)) = (requests.first(), requests.last()) else { return Vec::new() };
    let tokens = |section: &SectionRow, counter: &str| section.tokens.get(counter).copied();
    let of = |counter: &String| {
        Some(CounterTotals {
            counter: counter.clone(),
            tools_first: tokens(&first.tools, counter)?,
            tools_last: tokens(&last.tools, counter)?,
            prompt_first: tokens(&first.prompt, counter)?,
            prompt_last: tokens(&last.prompt, counter)?,
            prompt_sum: requests.iter().map(|row| tokens(&row.prompt, counter)).sum::<Option<u64>>()?,
        })
    };
    first.prompt.tokens.keys().filter_map(of).collect()
}

fn survival(requests: &[RequestRow], section: impl Fn(&RequestRow) -> &SectionRow) -> Survival {
    // The first request of a session has none before it.
    let follows = |pair: &&[RequestRow]| pair[0].session == pair[1].session;
    let later: Vec<&RequestRow> = requests.windows(2).filter(follows).map(|pair| &pair[1]).collect();
    let shares: Vec<f64> = later.iter().filter_map(|row| section(row).survival).collect();
    Survival {
        min: shares.iter().copied().min_by(f64::total_cmp),
        mean: mean(&shares),
        n: shares.len() as u64,
        undefined: (later.len() - shares.len()) as u64,
    }
}

/// A tool, or scaffolding in a request that did not keep the whole tools section of the one before.
fn first_break(requests: &[RequestRow]) -> Option<Break> {
    requests.windows(2).find_map(|pair| {
        let [before, row] = pair else { return None };
        let divergence = row.divergence.as_ref()?;
        let inside = match divergence.kind.as_str() {
            "tool" => true,
            "scaffolding" => row.tools.kept.is_some_and(|kept| kept < before.tools.units),
            _ => false,
        };
        inside.then(|| Break { request: row.request, divergence: divergence.clone() })
    })
}
