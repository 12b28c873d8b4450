//! Has our own seed the shape of the published one?

use std::collections::BTreeSet;

use serde_json::Value;

use super::{capability_queries, first_party, mcp_fixtures, search_tool};

#[test]
fn counts_and_first_names_are_those_of_the_benchmark() {
    let own = first_party();
    let names: Vec<_> = own.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(own.len(), 40);
    assert_eq!(names[..5], ["bash", "read", "lsp", "subagent", "web_search"]);
    assert!(own.iter().all(|tool| tool.server.is_empty()));
    let remote = mcp_fixtures();
    assert_eq!(remote.len(), 101);
    assert_eq!(remote[0].name, "mcp__github__create_issue");
    assert_eq!(remote[4].name, "mcp__google_drive__fetch_document");
    assert_eq!(remote[5].name, "mcp__airtable__create_comment");
    assert_eq!(remote[100].name, "mcp__vercel__update_item");
    assert_eq!(remote[100].server, "vercel");
    assert_eq!(capability_queries().len(), 10);
}

#[test]
fn all_names_and_descriptions_differ_and_schemas_are_valid() {
    let mut all = first_party();
    all.extend(mcp_fixtures());
    all.push(search_tool());
    let names: BTreeSet<_> = all.iter().map(|tool| &tool.name).collect();
    let descriptions: BTreeSet<_> = all.iter().map(|tool| &tool.description).collect();
    assert_eq!((names.len(), descriptions.len()), (142, 142));
    for tool in &all {
        let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
        assert_eq!(schema.to_string(), tool.input_schema, "{}", tool.name);
        assert_eq!(schema["type"], "object");
        let properties = schema["properties"].as_object().unwrap();
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(properties.contains_key(name.as_str().unwrap()), "{}", tool.name);
        }
    }
}

#[test]
fn remote_tools_share_one_parameter_schema() {
    let schemas: BTreeSet<_> = mcp_fixtures().into_iter().map(|tool| tool.input_schema).collect();
    assert_eq!(schemas.len(), 1);
    let schema: Value = serde_json::from_str(schemas.first().unwrap()).unwrap();
    let keys: Vec<_> = schema.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["type", "additionalProperties", "properties", "required"]);
    assert_eq!(schema["properties"]["limit"]["maximum"], 100);
}

#[test]
fn sizes_of_built_in_tools_vary_widely() {
    let size =
        |tool: &crate::generate::GeneratedTool| tool.name.len() + tool.description.len() + tool.input_schema.len();
    let mut sizes: Vec<_> = first_party().iter().map(size).collect();
    sizes.sort_unstable();
    let mean = sizes.iter().sum::<usize>() / sizes.len();
    println!("bytes: least {}, mean {mean}, most {}", sizes[0], sizes[39]);
    assert!(sizes[0] < 150 && (500..1_000).contains(&mean) && sizes[39] > 2_000);
}

#[test]
fn queries_point_to_the_ten_targets() {
    let mut all = first_party();
    all.extend(mcp_fixtures());
    let mut needed = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for query in capability_queries() {
        assert_eq!((query.class, query.relevant.len()), ("capability", 1));
        assert!(all.iter().any(|tool| tool.name == query.relevant[0]));
        needed.insert(query.relevant[0].clone());
        texts.insert(query.text);
    }
    assert_eq!((needed.len(), texts.len()), (10, 10));
}

#[test]
fn the_search_tool_takes_query_and_limit() {
    let tool = search_tool();
    assert_eq!(tool.name, "tool_search");
    let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
    let keys: Vec<_> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["query", "limit"]);
}
