//! How many extra turns does deferral take, and are the needs met?

use super::figure::{dash, decimal, share, whole};
use super::labels::{Labels, first_orders};
use super::page::{Block, Table};
use super::saving::{CONTEXT, context};
use crate::Run;
use crate::aggregate::SessionSummary;

/// How many of a session's needs; the dash where it has none.
pub(super) fn of_needs(session: &SessionSummary, met: u64) -> String {
    let text = (session.needs > 0).then(|| format!("{} of {}", whole(met), whole(session.needs)));
    dash(text, |text| text)
}

/// The section, or nothing when no session defers.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let sessions = first_orders(&run.aggregates().sessions);
    let labels = Labels::new(sessions.iter().map(|session| session.policy.as_str()));
    let caption = "\"Extra turns\" are model requests beyond those of the same session with every tool sent from the \
                   start; a dash: that session cannot run without a search, or a need stayed unmet. \"At once\": the \
                   needed tool was visible already or came with the first search; for the others the model searched again, by \
                   the exact name. \"Unneeded\" is the share of the activated tools that nobody asked for.";
    let mut table = Table::new(caption).words("corpus").folding(CONTEXT).figures([
        "extra turns",
        "needs met",
        "at once",
        "searches",
        "searches per success",
        "unneeded",
    ]);
    for session in sessions {
        let mut row = vec![session.corpus.clone()];
        row.extend(context(session, &labels));
        row.push(dash(session.extra_turns, |turns| turns.to_string()));
        row.extend([session.met, session.at_once].map(|met| of_needs(session, met)));
        row.extend([whole(session.searches), decimal(session.searches_per_success, 2)]);
        row.push(share(session.false_activation));
        table.row(row);
    }
    let heading = Block::Heading("How many extra turns, and are the needs met".to_owned());
    table.block().map_or_else(Vec::new, |table| vec![heading, table])
}
