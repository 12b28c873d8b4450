//! One name twice on one server.

use std::collections::HashMap;

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "repeated-name",
    severity: Severity::Error,
    summary: "a tool name that servers of one label list twice",
    why: "providers answer \"Tool names must be unique\", some of them only later in a session",
    remedy: "rename one of the tools, or give one of the servers another label",
    source: "anthropics/claude-code#14111, anthropics/claude-code#14172",
    counted: Counted::No,
    check: Check::All(|lint, found| {
        let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
        for (i, d) in lint.definitions.iter().enumerate() {
            if let Some(first) = seen.insert((d.server(), d.name()), i) {
                let what = format!("{} at positions {first} and {i} of server {}", quoted(d.name()), d.server());
                found(Some(i), Point::new("/name", what, "a name that its server uses once"));
            }
        }
    }),
};
