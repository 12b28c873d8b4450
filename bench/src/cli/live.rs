//! How do the subcommands that list a live MCP server speak of it?

use std::io::Write;

use deferbench_corpora::mcp::{self, Listing, Target};
use deferbench_reports::page::printable;

/// Lists a server once; what was odd goes to standard error.
pub(super) fn listed(target: &Target, options: &mcp::Options) -> anyhow::Result<Listing> {
    let listing = mcp::list(target, options)?;
    for warning in &listing.warnings {
        let _ = writeln!(std::io::stderr(), "warning: {}", printable(&format!("{target}: {warning}")));
    }
    Ok(listing)
}

/// In what the two listings differ.
pub(super) fn verdict(first: &Listing, second: &Listing) -> String {
    let difference = mcp::compare(&first.tools, &second.tools);
    if difference.is_none() && first.raw() == second.raw() {
        return "listed twice: the same bytes\n".to_string();
    }
    if difference.is_none() {
        return "listed twice: the same tools in the same order, but other bytes around them\n".to_string();
    }
    let lines: String = difference.to_string().lines().map(|line| format!("  {}\n", printable(line))).collect();
    format!("listed twice, and the second listing differs:\n{lines}")
}
