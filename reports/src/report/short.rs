//! What is the answer, in one table and a few sentences?

use super::figure::{dash, interval, share, whole};
use super::labels::{Labels, eager_of, first_orders, is_eager};
use super::page::{Block, Table};
use super::saving::saved;
use super::turns::of_needs;
use super::{basis, largest, main_counter};
use crate::Run;
use crate::aggregate::SessionSummary;

/// The section, or nothing when no session defers.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let all = &run.aggregates().sessions;
    let sessions = first_orders(all);
    let Some(counter) = main_counter(&run.scores().counters).filter(|_| !sessions.is_empty()) else {
        return Vec::new();
    };
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let caption = format!(
        "Tokens of the tool definitions in one request ({}, {}): \"all\" sends every tool, \"last\" is the end of the \
         session with deferred tools. \"Session\": what is saved over all prompts of the session, extra requests included, no \
         cache counted. \"hit@5\": a needed tool is among the first five, with its 95 % interval. \"At \
         once\": needs of the session whose tool was visible already or came with the first search. \"Extra\": additional model requests in the \
         session, second searches and repaired calls included.",
        counter.name,
        basis(counter.basis)
    );
    let mut table = Table::new(caption)
        .words("corpus")
        .folding(["policy", "script", "limit"])
        .figures(["all", "last", "saved", "session", "hit@5", "at once", "extra"]);
    for session in &sessions {
        let tokens = |s: &SessionSummary| s.counter(&counter.name).map(|totals| totals.tools_last);
        let all_tools = eager_of(all, session).and_then(tokens);
        let prompts = |s: &SessionSummary| s.counter(&counter.name).map(|totals| totals.prompt_sum);
        let same_script = eager_of(all, session).filter(|e| e.script == session.script && e.layout == session.layout);
        let found = run
            .aggregates()
            .retrieval
            .iter()
            .find(|cell| cell.corpus == session.corpus && Some(&cell.ranker) == session.ranker.as_ref());
        table.row(vec![
            session.corpus.clone(),
            labels.short(&session.policy).to_owned(),
            session.script.clone(),
            dash(session.limit, whole),
            dash(all_tools, whole),
            dash(tokens(session), whole),
            share(saved(all_tools, tokens(session))),
            share(saved(same_script.and_then(prompts), prompts(session))),
            interval(found.and_then(|cell| cell.metric("hit@5")), 2),
            of_needs(session, session.at_once),
            dash(session.extra_turns, |turns| turns.to_string()),
        ]);
    }
    let mut blocks = vec![Block::Heading("In short".to_owned())];
    blocks.extend(table.block());
    let sentences: Vec<String> = sentences(run);
    if !sentences.is_empty() {
        blocks.push(Block::Bullets(sentences));
    }
    blocks
}

/// For each policy on the largest corpus: which order keeps most.
fn sentences(run: &Run) -> Vec<String> {
    let all = &run.aggregates().sessions;
    let deferred = |s: &&SessionSummary| !is_eager(s);
    let corpora = run.scores().corpora.iter();
    let Some(corpus) = largest(corpora.filter(|c| all.iter().filter(deferred).any(|s| s.corpus == c.name))) else {
        return Vec::new();
    };
    let on_largest: Vec<&SessionSummary> = all.iter().filter(deferred).filter(|s| s.corpus == corpus.name).collect();
    let labels = Labels::new(all.iter().filter(deferred).map(|s| s.policy.as_str()));
    let mut out = Vec::new();
    for first in first_orders(all).into_iter().filter(|s| s.corpus == corpus.name) {
        let limit = first.limit.map(|l| format!(" at limit {l}")).unwrap_or_default();
        let whose = format!("{}{limit} on {}", labels.short(&first.policy), corpus.name);
        let orders = on_largest.iter().filter(|s| {
            (&s.policy, s.limit, &s.script, &s.entry, &s.layout)
                == (&first.policy, first.limit, &first.script, &first.entry, &first.layout)
        });
        let mut kept: Vec<(&str, f64)> = orders.filter_map(|s| Some((s.order.as_str(), s.prompt.mean?))).collect();
        // A stable sort: orders that keep the same share stay in the order of the run.
        kept.sort_by(|a, b| b.1.total_cmp(&a.1));
        if let ([best, ..], Some(worst)) = (kept.as_slice(), kept.last().filter(|_| kept.len() > 1)) {
            out.push(format!(
                "{whose}: the order {} keeps most of the previous prompt, {} on average; {} keeps least, {}.",
                best.0,
                share(Some(best.1)),
                worst.0,
                share(Some(worst.1))
            ));
        }
    }
    out
}
