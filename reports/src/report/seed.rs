//! How does the published table read in words and columns?

use super::figure::{dash, decimal, whole};
use super::page::{Block, Table};
use crate::seed_tables::{SeedSession, SeedTables, StepRow};
use crate::stats::mean;

/// The three tables of the scenario `seed`.
pub(super) fn blocks(tables: &SeedTables) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("The table of the published benchmark".to_owned())];
    blocks.extend(sizes(tables));
    blocks.push(Block::Heading("One search at limit 5".to_owned()));
    blocks.push(Block::Text(single(tables)));
    blocks.push(Block::Heading("Ten searches in one session".to_owned()));
    for limit in [1, 5] {
        blocks.extend(session(tables, limit));
    }
    blocks
}

fn sizes(tables: &SeedTables) -> Option<Block> {
    let caption = format!(
        "Tokens of the tools section by {}. \"Full\" sends every tool; \"initial\" only the search tool; \"selected\" the \
         search tool and the one tool that it found. \"Exact\": found first by its own name; \"top 5\": the needed tool \
         is among the first five for a capability query. \"Kept\": share of the initial request that the next one \
         starts with. \"Stable\": the same search again changes nothing.",
        tables.counter
    );
    let heads = [
        "tools",
        "first-party",
        "MCP",
        "full",
        "initial",
        "saved %",
        "selected",
        "saved %",
        "exact %",
        "top 5 %",
        "extra turns",
        "kept %",
    ];
    let mut table = Table::new(caption).figures(heads).words("stable");
    let percent = |share: Option<f64>| decimal(share.map(|share| 100.0 * share), 1);
    for row in &tables.sizes {
        let saved = |sent| decimal(row.saved(sent), 1);
        table.row(vec![
            whole(row.tools),
            whole(row.first_party),
            whole(row.mcp),
            whole(row.full_tokens),
            whole(row.initial_tokens),
            saved(row.initial_tokens),
            whole(row.selected_tokens),
            saved(row.selected_tokens),
            percent(row.exact_name),
            percent(row.capability),
            dash(row.extra_turns, |turns| turns.to_string()),
            percent(row.initial_survival),
            if row.repeat_stable { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table.block()
}

fn single(tables: &SeedTables) -> String {
    let tokens: Vec<u64> = tables.single.iter().map(|row| row.tokens).collect();
    let average = mean(&tokens.iter().map(|tokens| *tokens as f64).collect::<Vec<_>>());
    format!(
        "After one capability query at limit 5, with {} tools, the tools section holds {} tokens on average over {} \
         queries, from {} to {}.",
        whole(tables.session_tools),
        decimal(average, 1),
        tokens.len(),
        dash(tokens.iter().min().copied(), whole),
        dash(tokens.iter().max().copied(), whole)
    )
}

/// Orders side by side: the share kept from the step before.
fn session(tables: &SeedTables, limit: u64) -> Option<Block> {
    let sessions: Vec<&SeedSession> = tables.sessions.iter().filter(|session| session.limit == limit).collect();
    let first = sessions.first()?;
    let caption = format!(
        "Limit {limit}: active tools and tokens after each search, and the share of the previous tools section that \
         the next one starts with, in percent with one decimal as the published table rounds, for four orders of the tools."
    );
    let mut table = Table::new(caption)
        .figures(["step", "active tools", "tokens"])
        .figures(sessions.iter().map(|session| session.order.as_str()));
    for (place, step) in first.steps.iter().enumerate() {
        let mut row = vec![place.to_string(), whole(step.active_tools), whole(step.tokens)];
        let survival = |session: &&SeedSession| {
            let share = session.steps.get(place).and_then(|step: &StepRow| step.survival);
            decimal(share.map(|share| 100.0 * share), 1)
        };
        row.extend(sessions.iter().map(survival));
        table.row(row);
    }
    table.block()
}
