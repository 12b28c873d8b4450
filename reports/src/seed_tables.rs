//! Which rows make the three tables of the scenario `seed`?

use crate::Run;
use crate::aggregate::Summary;
use crate::record::{CorpusInfo, RequestRow, SectionRow, SessionCell};
use crate::render::RenderError;

const ORDERS: [&str; 4] = ["registry", "sorted", "search_first", "append"];

/// The published table, the single queries and the ten-query sessions.
#[derive(Debug)]
pub(crate) struct SeedTables {
    /// Name of the counter.
    pub counter: String,
    /// Number of tools behind the single queries and the ten-query sessions.
    pub session_tools: u64,
    /// One row for each corpus size.
    pub sizes: Vec<SizeRow>,
    /// One row for each capability query.
    pub single: Vec<SingleRow>,
    /// One for each order and limit.
    pub sessions: Vec<SeedSession>,
}

/// One corpus size.
#[derive(Debug)]
pub(crate) struct SizeRow {
    pub tools: u64,
    pub first_party: u64,
    pub mcp: u64,
    pub full_tokens: u64,
    pub initial_tokens: u64,
    pub selected_tokens: u64,
    pub exact_name: Option<f64>,
    pub capability: Option<f64>,
    pub extra_turns: Option<i64>,
    pub initial_survival: Option<f64>,
    pub repeat_stable: bool,
}

impl SizeRow {
    /// Percent of the full tokens that are not sent; `None` for an empty catalog.
    pub fn saved(&self, sent: u64) -> Option<f64> {
        let full = self.full_tokens as f64;
        (self.full_tokens > 0).then(|| 100.0 * (full - sent as f64) / full)
    }
}

/// One capability query asked alone.
#[derive(Debug)]
pub(crate) struct SingleRow {
    pub query: String,
    pub tokens: u64,
}

/// The ten queries in a row under one order and limit.
#[derive(Debug)]
pub(crate) struct SeedSession {
    pub order: String,
    pub limit: u64,
    pub steps: Vec<StepRow>,
}

/// One request of such a session.
#[derive(Debug)]
pub(crate) struct StepRow {
    pub active_tools: u64,
    pub tokens: u64,
    pub survival: Option<f64>,
}

/// Whether the run is one of the scenario `seed`.
pub(crate) fn is_seed(run: &Run) -> bool {
    run.scores().scenario == "seed"
}

impl SeedTables {
    /// Collects the rows; names the first one that is missing.
    pub fn new(run: &Run) -> Result<Self, RenderError> {
        let scores = run.scores();
        let counter = scores.counters.iter().map(|counter| &counter.name).find(|name| name.starts_with("chars4"));
        let counter = counter.ok_or_else(|| missing("any", "a counter chars4"))?;
        let is_mix = |corpus: &&CorpusInfo| ["first_party", "mcp"].iter().all(|part| corpus.parts.contains_key(*part));
        let mut corpora: Vec<&CorpusInfo> = scores.corpora.iter().filter(is_mix).collect();
        corpora.sort_by_key(|corpus| corpus.tools);
        let in_sessions = |corpus: &&&CorpusInfo| {
            scores.sessions.iter().any(|cell| cell.script == "ten-queries" && cell.corpus == corpus.name)
        };
        let large = corpora.iter().find(in_sessions);
        let large = large.ok_or_else(|| missing("any", "a mix of first_party and mcp with sessions ten-queries"))?;
        Ok(Self {
            counter: counter.clone(),
            session_tools: large.tools,
            sizes: corpora.iter().map(|corpus| size(run, corpus, counter)).collect::<Result<_, _>>()?,
            single: single(run, &large.name, counter)?,
            sessions: sessions(run, &large.name, counter)?,
        })
    }
}

fn missing(corpus: &str, expected: &str) -> RenderError {
    RenderError::SeedCell { corpus: corpus.to_owned(), expected: expected.to_owned() }
}

fn policy(cell: &SessionCell) -> &str {
    cell.policy.split('(').next().unwrap_or_default()
}

/// The cumulative session of a script in one order at one limit.
fn cumulative<'a>(
    run: &'a Run,
    corpus: &str,
    script: &str,
    order: &str,
    limit: u64,
) -> Result<&'a SessionCell, RenderError> {
    let fits = |cell: &&SessionCell| {
        (cell.corpus.as_str(), cell.script.as_str(), policy(cell), cell.order.as_str(), cell.limit)
            == (corpus, script, "cumulative", order, Some(limit))
    };
    let expected = || format!("a session: script {script}, policy cumulative, order {order}, limit {limit}");
    run.scores().sessions.iter().find(fits).ok_or_else(|| missing(corpus, &expected()))
}

fn request(cell: &SessionCell, place: usize) -> Result<&RequestRow, RenderError> {
    let expected = || format!("request {place} of script {}, policy {}", cell.script, cell.policy);
    cell.requests.get(place).ok_or_else(|| missing(&cell.corpus, &expected()))
}

fn tokens(section: &SectionRow, counter: &str, corpus: &str) -> Result<u64, RenderError> {
    section.tokens.get(counter).copied().ok_or_else(|| missing(corpus, &format!("counts of {counter}")))
}

fn size(run: &Run, corpus: &CorpusInfo, counter: &str) -> Result<SizeRow, RenderError> {
    let name = corpus.name.as_str();
    let part = |key: &str| corpus.parts.get(key).copied().unwrap_or_default();
    let is_full =
        |cell: &&SessionCell| (cell.corpus.as_str(), cell.script.as_str(), policy(cell)) == (name, "full", "eager");
    let full = run.scores().sessions.iter().find(is_full);
    let full = request(full.ok_or_else(|| missing(name, "a session: script full, policy eager"))?, 0)?;
    let selection = cumulative(run, name, "one-selection", "registry", 1)?;
    let (initial, selected, repeated) = (request(selection, 0)?, request(selection, 1)?, request(selection, 2)?);
    let call = cumulative(run, name, "one-call", "registry", 1)?;
    let cells = &run.aggregates().retrieval;
    let found = cells.iter().find(|cell| cell.corpus == name && cell.ranker.split('(').next() == Some("dsh"));
    let found = found.ok_or_else(|| missing(name, "retrieval with the ranker dsh"))?;
    let mean = |metric: &str| {
        let summary: Option<&Summary> = found.metric(metric);
        summary.map(|summary| summary.mean).ok_or_else(|| missing(name, &format!("the metric {metric}")))
    };
    Ok(SizeRow {
        tools: corpus.tools,
        first_party: part("first_party"),
        mcp: part("mcp"),
        full_tokens: tokens(&full.tools, counter, name)?,
        initial_tokens: tokens(&initial.tools, counter, name)?,
        selected_tokens: tokens(&selected.tools, counter, name)?,
        exact_name: mean("exact_name@1")?,
        capability: mean("hit@5")?,
        extra_turns: call.extra_turns,
        initial_survival: selected.tools.survival,
        repeat_stable: repeated.tools.kept == Some(selected.tools.units)
            && repeated.tools.units == selected.tools.units,
    })
}

fn single(run: &Run, corpus: &str, counter: &str) -> Result<Vec<SingleRow>, RenderError> {
    let mut rows = Vec::new();
    for cell in &run.scores().sessions {
        let Some(query) = cell.script.strip_prefix("single/") else { continue };
        let known = rows.iter().any(|row: &SingleRow| row.query == query);
        if !known && cell.corpus == corpus && cell.limit == Some(5) && policy(cell) == "cumulative" {
            let tokens = tokens(&request(cell, 1)?.tools, counter, corpus)?;
            rows.push(SingleRow { query: query.to_owned(), tokens });
        }
    }
    if rows.is_empty() {
        return Err(missing(corpus, "sessions with scripts single/<query>, limit 5"));
    }
    Ok(rows)
}

fn sessions(run: &Run, corpus: &str, counter: &str) -> Result<Vec<SeedSession>, RenderError> {
    let mut all = Vec::new();
    for order in ORDERS {
        for limit in [1, 5] {
            let cell = cumulative(run, corpus, "ten-queries", order, limit)?;
            let step = |row: &RequestRow| {
                let tokens = tokens(&row.tools, counter, corpus)?;
                Ok(StepRow { active_tools: row.active_tools, tokens, survival: row.tools.survival })
            };
            let steps = cell.requests.iter().map(step).collect::<Result<_, RenderError>>()?;
            all.push(SeedSession { order: order.to_owned(), limit, steps });
        }
    }
    Ok(all)
}
