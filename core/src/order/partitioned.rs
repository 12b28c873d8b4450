//! Server by server.

use super::{Order, slots};

pub(super) static ENTRY: Order = Order {
    name: "partitioned",
    summary: "always-on tools by name, the search tool, then activated tools by server, then name; those without a server first",
    source: "harnesses that sort built-in tools before those of MCP servers, for example Codewhale and google-gemini/gemini-cli#12615",
    promise: "activated tools of the same server whose names sort after the new one move, and those of later servers; always-on tools and the search tool stay",
    invariant_to_registration: true,
    keeps_places: true,
    params: &[],
    arrange: |a, _| {
        let mut activated = a.activated.to_vec();
        activated.sort_by_key(|&t| (a.catalog[t].server(), a.catalog.code_point_rank(t)));
        a.by_name(a.base).into_iter().chain(a.search_slot()).chain(slots(&activated)).collect()
    },
};
