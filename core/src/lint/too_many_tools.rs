//! More tools than one request may hold.

use super::{Check, Counted, Point, Rule, Severity, refusing};

pub(super) static ENTRY: Rule = Rule {
    name: "too-many-tools",
    severity: Severity::Warning,
    summary: "more tools than one request may hold",
    why: "the request is refused, or the client drops tools, unless they are deferred",
    remedy: "defer the tools, or let the user choose among them",
    source: "OpenAI, reference of chat completions: at most 128 functions",
    counted: Counted::No,
    check: Check::All(|lint, found| {
        let tools = lint.definitions.len();
        let limit = |p: &super::Profile| p.tools.value;
        let profiles = refusing(lint.profiles, |p| limit(p).is_some_and(|n| tools > n));
        if let Some(least) = lint.profiles.iter().filter_map(limit).min().filter(|n| tools > *n) {
            let (what, expected) = (format!("{tools} tools"), format!("at most {least} in one request"));
            found(None, Point { pointer: String::new(), found: what, expected, profiles });
        }
    }),
};
