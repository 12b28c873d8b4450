//! Is a generated catalog reproducible, nested by size, valid, and like real tool lists?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{GenerateError, GeneratedTool, MAX_TOOLS, generate};

#[test]
fn a_smaller_catalog_is_a_prefix_and_keeps_its_queries() {
    for seed in [0, 7, u64::MAX] {
        let whole = generate(MAX_TOOLS, seed).unwrap();
        assert_eq!(whole, generate(MAX_TOOLS, seed).unwrap());
        for size in [1, 2, 10, 30, 50, 100, 300, 999] {
            let part = generate(size, seed).unwrap();
            assert_eq!(part.tools[..], whole.tools[..size]);
            let names: BTreeSet<_> = part.tools.iter().map(|tool| &tool.name).collect();
            let kept: Vec<_> = whole
                .queries
                .iter()
                .filter(|query| query.relevant.iter().all(|name| names.contains(name)))
                .cloned()
                .collect();
            assert_eq!(part.queries, kept, "size {size}");
        }
    }
    assert_ne!(generate(10, 1).unwrap(), generate(10, 2).unwrap());
}

#[test]
fn sizes_out_of_range_are_refused() {
    for asked in [0, MAX_TOOLS + 1, usize::MAX] {
        let error = generate(asked, 1).unwrap_err();
        assert_eq!(error, GenerateError::Size { asked });
        assert!(error.to_string().contains(&asked.to_string()));
    }
}

#[test]
fn names_are_unique_and_schemas_are_object_schemas() {
    for seed in 0..20 {
        let tools = generate(MAX_TOOLS, seed).unwrap().tools;
        let names: BTreeSet<_> = tools.iter().map(|tool| &tool.name).collect();
        assert_eq!(names.len(), MAX_TOOLS);
        let mut orders: BTreeMap<String, usize> = BTreeMap::new();
        for tool in &tools {
            let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
            assert_eq!(schema.to_string(), tool.input_schema, "not compact");
            assert_eq!(schema["type"], "object");
            let properties = schema["properties"].as_object().unwrap();
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(properties.contains_key(name.as_str().unwrap()));
            }
            let keys: Vec<_> = schema.as_object().unwrap().keys().map(String::as_str).collect();
            *orders.entry(keys.join(",")).or_default() += 1;
            assert!(!tool.description.contains(['{', '}']), "{}", tool.description);
            assert!(!tool.description.contains("  ") || tool.description.contains("Args:"));
            assert_eq!(tool.description.trim(), tool.description);
        }
        assert!(orders.len() >= 4, "{orders:?}");
    }
}

#[test]
fn families_of_near_twins_stand_in_the_first_hundred() {
    for seed in 0..20 {
        let tools = generate(100, seed).unwrap().tools;
        let mut servers: BTreeMap<&str, usize> = BTreeMap::new();
        for tool in &tools {
            *servers.entry(&tool.server).or_default() += 1;
        }
        assert!(servers.len() >= 5);
        assert!(tools[..10].iter().map(|tool| &tool.server).collect::<BTreeSet<_>>().len() >= 2);
        assert!(servers.values().any(|n| *n >= 8), "{servers:?}");
    }
}

/// 10th, 50th and 90th percentile.
fn quantiles(tools: &[GeneratedTool], of: impl Fn(&GeneratedTool) -> usize) -> [usize; 3] {
    let mut all: Vec<usize> = tools.iter().map(of).collect();
    all.sort_unstable();
    [10, 50, 90].map(|percent| all[(all.len() - 1) * percent / 100])
}

#[test]
fn sizes_resemble_those_of_real_servers() {
    let params = |tool: &GeneratedTool| {
        let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
        schema["properties"].as_object().unwrap().len()
    };
    for seed in [1, 2, 3, 7, 42] {
        let tools = generate(MAX_TOOLS, seed).unwrap().tools;
        let name = quantiles(&tools, |tool| tool.name.len());
        let description = quantiles(&tools, |tool| tool.description.chars().count());
        let parameters = quantiles(&tools, params);
        let schema = quantiles(&tools, |tool| tool.input_schema.len());
        println!(
            "seed {seed}: name {name:?} (real 11 19 30), description {description:?} (real 33 152 683), params {parameters:?} (real 1 3 9), schema {schema:?} (real 126 398 1798)"
        );
        assert!((15..=23).contains(&name[1]));
        assert!((90..=230).contains(&description[1]));
        assert!(description[0] < 60 && description[2] > 400);
        assert!((2..=4).contains(&parameters[1]) && parameters[0] <= 2 && parameters[2] >= 5);
        assert!((280..=520).contains(&schema[1]));
        assert!(schema[0] < 230 && schema[2] > 800);
    }
}

/// FNV-1a over the texts of some tools, a zero byte after each.
fn fingerprint(tools: &[GeneratedTool]) -> u64 {
    hash(tools.iter().flat_map(|tool| [&tool.name, &tool.description, &tool.input_schema, &tool.server]))
}

fn hash<'a>(parts: impl Iterator<Item = &'a String>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in parts.flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// A change here changes every published number on generated catalogs: it belongs under "Results
/// that change" in CHANGELOG.md.
#[test]
fn golden_bytes_of_seed_seven() {
    let made = generate(MAX_TOOLS, 7).unwrap();
    let names: Vec<_> = made.tools[..3].iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["VoyagelGetHotel", "VoyagelListHotels", "ci_schedule_create"]);
    let queries = hash(made.queries.iter().flat_map(|query| [&query.id, &query.text]));
    let found = (fingerprint(&made.tools[..3]), fingerprint(&made.tools), queries, made.queries.len());
    assert_eq!(found, (0x5e4a_139b_d3c8_53d9, 0xe5cb_fa80_4e8e_0a04, 0x2d11_7eb2_bdfe_0ec7, 904));
}
