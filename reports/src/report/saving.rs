//! How much is saved? Size of the tools section with and without deferral.

use super::basis;
use super::figure::{DASH, dash, share, whole};
use super::labels::{Labels, eager_of, first_orders};
use super::page::{Block, Table};
use crate::Run;
use crate::aggregate::SessionSummary;
use crate::record::CounterInfo;

/// The columns of [`context`].
pub(super) const CONTEXT: [&str; 6] = ["policy", "script", "entry", "layout", "ranker", "limit"];

/// The section, or nothing when no session defers: every counter in turn.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let sessions = first_orders(&run.aggregates().sessions);
    if sessions.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Heading("How much is saved".to_owned())];
    for counter in &run.scores().counters {
        blocks.extend(tools_section(run, &sessions, counter));
        blocks.extend(whole_session(run, &sessions, counter));
    }
    blocks.extend(Labels::new(sessions.iter().map(|session| session.policy.as_str())).legend().map(Block::Text));
    blocks
}

fn tools_section(run: &Run, sessions: &[&SessionSummary], counter: &CounterInfo) -> Option<Block> {
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let caption = format!(
        "Size of the tool definitions in one request, counted with {} ({}). \"All\" sends every tool from the start \
         (policy eager); \"first\" and \"last\" are the first and the last request of the session with deferred tools.",
        counter.name,
        basis(counter.basis)
    );
    let mut table = Table::new(caption).words("corpus").figures(["tools"]).folding(CONTEXT).figures([
        "all",
        "first",
        "last",
        "saved first",
        "saved last",
    ]);
    for session in sessions {
        let corpus = run.scores().corpora.iter().find(|corpus| corpus.name == session.corpus);
        let totals = session.counter(&counter.name);
        let all = eager_of(&run.aggregates().sessions, session)
            .and_then(|eager| eager.counter(&counter.name))
            .map(|eager| eager.tools_first);
        let (first, last) = (totals.map(|totals| totals.tools_first), totals.map(|totals| totals.tools_last));
        let mut row = vec![session.corpus.clone(), dash(corpus, |corpus| whole(corpus.tools))];
        row.extend(context(session, &labels));
        row.extend([dash(all, whole), dash(first, whole), dash(last, whole)]);
        row.extend([share(saved(all, first)), share(saved(all, last))]);
        table.row(row);
    }
    table.block()
}

/// Only where eager ran the same script: a session of searches alone has no eager side.
fn whole_session(run: &Run, sessions: &[&SessionSummary], counter: &CounterInfo) -> Option<Block> {
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let caption = format!(
        "Size of all prompts of a session added up, counted with {} ({}), extra requests included. What a prompt cache \
         would save is left out.",
        counter.name,
        basis(counter.basis)
    );
    let mut table = Table::new(caption).words("corpus").folding(CONTEXT).figures([
        "requests",
        "requests of eager",
        "all tools",
        "deferred",
        "saved",
    ]);
    for session in sessions {
        let eager = eager_of(&run.aggregates().sessions, session);
        let Some(eager) = eager.filter(|eager| eager.script == session.script && eager.layout == session.layout) else {
            continue;
        };
        let sum = |of: &SessionSummary| of.counter(&counter.name).map(|totals| totals.prompt_sum);
        let mut row = vec![session.corpus.clone()];
        row.extend(context(session, &labels));
        row.extend([whole(session.requests), whole(eager.requests)]);
        row.extend([dash(sum(eager), whole), dash(sum(session), whole), share(saved(sum(eager), sum(session)))]);
        table.row(row);
    }
    table.block()
}

/// What tells sessions apart; a column whose cells are all equal folds into the caption.
pub(super) fn context(session: &SessionSummary, policies: &Labels) -> [String; 6] {
    [
        policies.short(&session.policy).to_owned(),
        session.script.clone(),
        session.entry.clone(),
        session.layout.clone(),
        session.ranker.clone().unwrap_or_else(|| DASH.to_owned()),
        dash(session.limit, whole),
    ]
}

/// The share of `all` that `sent` saves; negative when it sends more.
pub(super) fn saved(all: Option<u64>, sent: Option<u64>) -> Option<f64> {
    let (all, sent) = (all?, sent?);
    (all > 0).then(|| (all as f64 - sent as f64) / all as f64)
}
