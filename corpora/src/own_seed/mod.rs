//! Which tools and queries does `run seed` use when no data is at hand?
//!
//! Our own texts in the shape of the published seed benchmark: 40 tools of a coding agent, 101 tools
//! of remote servers, one search tool, ten capability queries with ten targets. Numbers on them are
//! not the published ones; those need the original texts.

mod build;
mod files;
mod fixtures;
mod shell;
mod web;

pub use fixtures::{capability_queries, mcp_fixtures, search_tool};

use crate::generate::GeneratedTool;

/// The 40 built-in tools; the five targets first.
#[must_use]
pub fn first_party() -> Vec<GeneratedTool> {
    let all = || shell::TOOLS.iter().chain(files::TOOLS).chain(web::TOOLS);
    let first = TARGETS.iter().filter_map(|name| all().find(|tool| tool.name == *name));
    let rest = all().filter(|tool| !TARGETS.contains(&tool.name));
    first.chain(rest).map(build::Own::tool).collect()
}

/// The five tools that the published benchmark asks for; they come first.
pub(crate) const TARGETS: [&str; 5] = ["bash", "read", "lsp", "subagent", "web_search"];

#[cfg(test)]
mod tests;
