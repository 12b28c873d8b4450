//! How much of the previous request survives at the start of the next one? What a prompt cache can reuse.

use super::figure::{DASH, share};
use super::labels::{Labels, is_eager};
use super::page::{Block, Table};
use super::saving::{CONTEXT, context};
use super::{Detail, largest};
use crate::Run;
use crate::aggregate::{Break, SessionSummary};
use crate::record::CorpusInfo;

/// The section, or nothing when no session defers.
pub(super) fn blocks(run: &Run, detail: Detail) -> Vec<Block> {
    let sessions: Vec<&SessionSummary> =
        run.aggregates().sessions.iter().filter(|session| !is_eager(session)).collect();
    let corpora = || run.scores().corpora.iter().filter(|corpus| sessions.iter().any(|s| s.corpus == corpus.name));
    let shown: Vec<&CorpusInfo> = match detail {
        Detail::Screen => largest(corpora()).into_iter().collect(),
        Detail::Full => corpora().collect(),
    };
    let tables: Vec<Block> = shown.iter().filter_map(|corpus| table(&sessions, corpus, detail)).collect();
    if tables.is_empty() {
        return Vec::new();
    }
    let text = "A prompt cache reuses a request only up to the first place where it differs from the one before. These \
                are the shares of the previous request that stand unchanged at the start of the next one: the smallest \
                and the mean over all requests after the first.";
    let breaks = match detail {
        Detail::Screen => "The Markdown report has every corpus, and names the first tool that broke each prefix.",
        Detail::Full => "\"First break\" is the first change inside the tool definitions.",
    };
    let mut blocks = vec![
        Block::Heading("How much of the previous request survives".to_owned()),
        Block::Text(format!("{text} {breaks}")),
    ];
    blocks.extend(tables);
    let undefined: u64 = sessions.iter().map(|session| session.tools.undefined + session.prompt.undefined).sum();
    if undefined > 0 {
        blocks.push(Block::Text(format!(
            "{undefined} shares of all sessions are undefined, because the part before was empty; they are in no mean."
        )));
    }
    blocks
}

fn table(sessions: &[&SessionSummary], corpus: &CorpusInfo, detail: Detail) -> Option<Block> {
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let mut table = Table::new(format!("Corpus {}.", corpus.name)).folding(CONTEXT).words("order").figures([
        "tools min",
        "tools mean",
        "prompt min",
        "prompt mean",
    ]);
    if detail == Detail::Full {
        table = table.words("first break");
    }
    for session in sessions.iter().filter(|session| session.corpus == corpus.name) {
        let mut row = context(session, &labels).to_vec();
        row.push(session.order.clone());
        row.extend([session.tools.min, session.tools.mean, session.prompt.min, session.prompt.mean].map(share));
        if detail == Detail::Full {
            row.push(session.first_break.as_ref().map_or_else(|| DASH.to_owned(), named));
        }
        table.row(row);
    }
    table.block()
}

fn named(broken: &Break) -> String {
    let divergence = &broken.divergence;
    match divergence.name.as_str() {
        "" => format!("request {}: {}", broken.request, divergence.kind),
        name => format!("request {}: {} {name}", broken.request, divergence.kind),
    }
}
