//! Does this program reproduce the table it grew from? `seed.csv` and its two companions, for the scenario `seed`.

use super::csv::file;
use super::{OutputFile, RenderError, Renderer};
use crate::Run;
use crate::seed_tables::{SeedTables, is_seed};

pub(super) static RENDERER: Renderer = Renderer {
    name: "seed",
    summary: "seed.csv, seed_single.csv and seed_sessions.csv: the published table, for the scenario seed only.",
    names: &["seed.csv", "seed_single.csv", "seed_sessions.csv"],
    files,
};

const SIZES: [&str; 13] = [
    "tools",
    "first_party",
    "mcp",
    "full_tokens",
    "initial_tokens",
    "initial_saved_pct",
    "selected_tokens",
    "selected_saved_pct",
    "exact_name_at_1_pct",
    "capability_at_5_pct",
    "extra_turns",
    "initial_prefix_retained_pct",
    "repeat_stable",
];

const SESSIONS: [&str; 6] = ["order", "limit", "step", "active_tools", "tokens", "prefix_retained_pct"];

fn files(run: &Run) -> Result<Vec<OutputFile>, RenderError> {
    if !is_seed(run) {
        return Ok(Vec::new());
    }
    let tables = SeedTables::new(run)?;
    let mut sizes = vec![SIZES.map(str::to_owned).to_vec()];
    for row in &tables.sizes {
        sizes.push(vec![
            row.tools.to_string(),
            row.first_party.to_string(),
            row.mcp.to_string(),
            row.full_tokens.to_string(),
            row.initial_tokens.to_string(),
            percent(row.saved(row.initial_tokens)),
            row.selected_tokens.to_string(),
            percent(row.saved(row.selected_tokens)),
            percent(row.exact_name.map(|share| 100.0 * share)),
            percent(row.capability.map(|share| 100.0 * share)),
            row.extra_turns.map_or_else(String::new, |turns| turns.to_string()),
            percent(row.initial_survival.map(|share| 100.0 * share)),
            if row.repeat_stable { "yes" } else { "no" }.to_owned(),
        ]);
    }
    let mut single = vec![["query", "tokens_after_limit_5"].map(str::to_owned).to_vec()];
    single.extend(tables.single.iter().map(|row| vec![row.query.clone(), row.tokens.to_string()]));
    let mut sessions = vec![SESSIONS.map(str::to_owned).to_vec()];
    for session in &tables.sessions {
        sessions.extend(session.steps.iter().enumerate().map(|(step, row)| {
            vec![
                session.order.clone(),
                session.limit.to_string(),
                step.to_string(),
                row.active_tools.to_string(),
                row.tokens.to_string(),
                percent(row.survival.map(|share| 100.0 * share)),
            ]
        }));
    }
    Ok(vec![file("seed.csv", &sizes)?, file("seed_single.csv", &single)?, file("seed_sessions.csv", &sessions)?])
}

/// One decimal, as the published table; empty where undefined.
fn percent(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}
