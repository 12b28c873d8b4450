//! A schema whose arguments are no object.

use super::{Check, Counted, Point, Rule, Severity};

pub(super) static ENTRY: Rule = Rule {
    name: "root-type-not-object",
    severity: Severity::Error,
    summary: "a root \"type\" other than \"object\"",
    why: "arguments are an object everywhere: MCP and every provider refuse the tool",
    remedy: "wrap the arguments in an object",
    source: "Model Context Protocol, schema of Tool: inputSchema has type \"object\"",
    counted: Counted::Tools("root_type_not_object"),
    check: Check::Each(|subject, found| {
        if let Some(other) = subject.definition.schema().get("type").filter(|t| *t != "object") {
            found(Point::new("/inputSchema/type", super::quoted(&other.to_string()), "\"object\""));
        }
    }),
};
