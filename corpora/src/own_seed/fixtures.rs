//! Which remote tools, which search tool and which capability queries belong to the seed?

use super::build::Is::{Text, Whole};
use super::build::schema;
use crate::generate::words::capital;
use crate::generate::{GeneratedQuery, GeneratedTool};

/// Parameters of every remote tool, so that sizes differ by names and descriptions only.
const SHARED: &str = r#"{"type":"object","additionalProperties":false,"properties":{"input":{"type":"string","description":"What to look up or to do, in the terms of the service."},"limit":{"type":"integer","minimum":1,"maximum":100,"description":"Upper bound for the number of entries in the answer."}},"required":["input"]}"#;

/// Server, action and description of the five targets.
const TARGETS: &[(&str, &str, &str)] = &[
    ("github", "create_issue", "Files a new GitHub issue with title, text and labels in a repository of your choice."),
    ("slack", "send_message", "Posts a Slack message to a person, a group or a channel."),
    ("postgres", "query_database", "Runs one read-only SQL query on a Postgres database and gives back the rows."),
    ("sentry", "list_errors", "Shows the latest Sentry errors of a project, each with count and last occurrence."),
    ("google_drive", "fetch_document", "Downloads a document from Google Drive, given its link or its identifier."),
];

const SERVERS: [&str; 12] = [
    "airtable",
    "asana",
    "cloudflare",
    "datadog",
    "figma",
    "hubspot",
    "jira",
    "linear",
    "notion",
    "snowflake",
    "stripe",
    "vercel",
];

const ACTIONS: [&str; 8] = [
    "create_comment",
    "deploy_service",
    "fetch_metrics",
    "get_record",
    "inspect_schema",
    "list_projects",
    "search_pages",
    "update_item",
];

/// Identifier, text and needed tool of the capability queries.
const QUERIES: &[(&str, &str, &str)] = &[
    ("cap-01", "run a shell command", "bash"),
    ("cap-02", "read the content of a file", "read"),
    ("cap-03", "ask the language server for a definition", "lsp"),
    ("cap-04", "delegate work to a helper agent", "subagent"),
    ("cap-05", "search the web for sources", "web_search"),
    ("cap-06", "file a new github issue", "mcp__github__create_issue"),
    ("cap-07", "post a slack message", "mcp__slack__send_message"),
    ("cap-08", "sql query on postgres", "mcp__postgres__query_database"),
    ("cap-09", "latest sentry errors", "mcp__sentry__list_errors"),
    ("cap-10", "download a google drive document", "mcp__google_drive__fetch_document"),
];

/// The 101 remote tools: five targets, then twelve servers with eight actions each.
#[must_use]
pub fn mcp_fixtures() -> Vec<GeneratedTool> {
    let targets = TARGETS.iter().map(|(server, action, about)| remote(server, action, (*about).to_owned()));
    let others = SERVERS.iter().flat_map(|server| {
        ACTIONS.iter().map(move |action| {
            let words = action.replace('_', " ");
            let about = format!("{} integration: {words} with the rights of the connected account.", capital(server));
            remote(server, action, about)
        })
    });
    targets.chain(others).collect()
}

fn remote(server: &str, action: &str, description: String) -> GeneratedTool {
    GeneratedTool {
        name: format!("mcp__{server}__{action}"),
        description,
        input_schema: SHARED.to_owned(),
        server: server.to_owned(),
        extra: Vec::new(),
    }
}

/// The tool that searches the deferred ones.
#[must_use]
pub fn search_tool() -> GeneratedTool {
    GeneratedTool {
        name: "tool_search".to_owned(),
        description: "Searches the tools that are not shown yet. Those found can be called from the next step on; describe the capability you are after, or give an exact tool name.".to_owned(),
        input_schema: schema(&[
            ("query", Text, true, "Capability in a few words, or a tool name"),
            ("limit", Whole(1, 20), false, "How many tools to make callable at most"),
        ]),
        server: String::new(),
        extra: Vec::new(),
    }
}

/// Ten queries, one for each target.
#[must_use]
pub fn capability_queries() -> Vec<GeneratedQuery> {
    QUERIES
        .iter()
        .map(|(id, text, tool)| GeneratedQuery {
            id: (*id).to_owned(),
            text: (*text).to_owned(),
            relevant: vec![(*tool).to_owned()],
            class: "capability",
            tags: Vec::new(),
        })
        .collect()
}
