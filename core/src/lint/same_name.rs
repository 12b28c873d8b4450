//! One name on two servers.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "same-name",
    severity: Severity::Warning,
    summary: "a tool name that two or more servers use",
    why: "clients drop one of the tools, let one overwrite the other, or end with an error",
    remedy: "rename the tool, or put the service into the name",
    source: "openai/openai-agents-python#3019, CopilotKit/CopilotKit#2409, docker/mcp-gateway#11",
    counted: Counted::Names("names_on_two_or_more_servers"),
    check: Check::All(|lint, found| {
        let mut servers: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for (i, d) in lint.definitions.iter().enumerate() {
            servers.entry(d.name()).or_insert((i, BTreeSet::new())).1.insert(d.server());
        }
        for (name, (first, servers)) in servers.into_iter().filter(|(_, (_, servers))| servers.len() > 1) {
            let on: Vec<&str> = servers.iter().take(5).copied().collect();
            let more = if servers.len() > 5 { format!(" and {} more", servers.len() - 5) } else { String::new() };
            let what = format!("{} on {} servers: {}{more}", quoted(name), servers.len(), on.join(", "));
            found(Some(first), Point::new("/name", what, "a name of one server"));
        }
    }),
};
