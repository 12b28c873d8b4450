//! How many extra turns does deferral take, and are the needs met?

use super::figure::{dash, decimal, share, whole};
use super::labels::{Labels, first_orders};
use super::page::{Block, Table};
use super::saving::{CONTEXT, context};
use crate::Run;

/// The section, or nothing when no session defers.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let sessions = first_orders(&run.aggregates().sessions);
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let caption = "\"Extra turns\" are model requests beyond those of the same session with every tool sent from the \
                   start; a dash: that session cannot run without a search. \"Unneeded\" is the share of the activated \
                   tools that nobody asked for.";
    let mut table = Table::new(caption).words("corpus").folding(CONTEXT).figures([
        "extra turns",
        "needs met",
        "searches",
        "searches per success",
        "unneeded",
    ]);
    for session in sessions {
        let mut row = vec![session.corpus.clone()];
        row.extend(context(session, &labels));
        row.push(dash(session.extra_turns, |turns| turns.to_string()));
        let needs = (session.needs > 0).then(|| format!("{} of {}", whole(session.met), whole(session.needs)));
        row.push(dash(needs, |needs| needs));
        row.extend([whole(session.searches), decimal(session.searches_per_success, 2)]);
        row.push(share(session.false_activation));
        table.row(row);
    }
    let heading = Block::Heading("How many extra turns, and are the needs met".to_owned());
    table.block().map_or_else(Vec::new, |table| vec![heading, table])
}
