//! Is a generated catalog reproducible, nested by size, valid, and like real tool lists; do its queries keep their word?

use std::collections::{BTreeMap, BTreeSet};

use deferbench_core::text::Splitter;
use serde_json::Value;

use super::query::CLASSES;
use super::words::words_of;
use super::{GenerateError, Generated, GeneratedTool, MAX_TOOLS, generate, poison};

#[test]
fn a_smaller_catalog_is_a_prefix_and_keeps_its_queries() {
    for seed in [0, 7, u64::MAX] {
        let whole = generate(3_000, seed).unwrap();
        assert_eq!(whole, generate(3_000, seed).unwrap());
        for size in [1, 2, 10, 30, 50, 100, 300, 999, 1_000] {
            let part = generate(size, seed).unwrap();
            assert_eq!(part.tools[..], whole.tools[..size]);
            let names: BTreeSet<_> = part.tools.iter().map(|tool| tool.name.as_str()).collect();
            let poison = |tags: &[String]| tags.iter().find_map(|t| t.strip_prefix("poison=").map(str::to_owned));
            let kept: Vec<_> = whole
                .queries
                .iter()
                .filter(|query| query.relevant.iter().all(|name| names.contains(name.as_str())))
                .filter(|query| poison(&query.tags).is_none_or(|name| names.contains(name.as_str())))
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

/// Bytes do not depend on the number of threads that write them.
#[test]
fn one_thread_and_four_write_the_same() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| generate(1_500, 3).unwrap())
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn names_are_unique_and_schemas_are_object_schemas() {
    for seed in 0..4 {
        let tools = generate(2_000, seed).unwrap().tools;
        let names: BTreeSet<_> = tools.iter().map(|tool| &tool.name).collect();
        assert_eq!(names.len(), 2_000);
        let mut orders: BTreeMap<String, usize> = BTreeMap::new();
        for tool in &tools {
            assert!((3..=64).contains(&tool.name.len()), "{}", tool.name);
            assert!(tool.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
            for (text, what) in
                tool.extra.iter().map(|(key, text)| (text, *key)).chain([(&tool.input_schema, "schema")])
            {
                let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{what} {e}: {text}"));
                assert_eq!(value.to_string(), *text, "{what} is not compact, or names a key twice");
            }
            let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
            assert_eq!(schema["type"], "object");
            let properties = schema["properties"].as_object().unwrap();
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(properties.contains_key(name.as_str().unwrap()));
            }
            if let Some(start) = tool.input_schema.find("#/$defs/") {
                let name: String = tool.input_schema[start + 8..].chars().take_while(|c| *c != '"').collect();
                assert!(schema["$defs"][&name].is_object(), "{}", tool.input_schema);
            }
            let keys: Vec<_> = schema.as_object().unwrap().keys().map(String::as_str).collect();
            *orders.entry(keys.join(",")).or_default() += 1;
            assert!(!tool.description.contains(['{', '}', '"', '\\']), "{}", tool.description);
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

/// 10th, 50th and 90th percentile, as type-7 quantiles.
fn quantiles(mut all: Vec<usize>) -> [f64; 3] {
    all.sort_unstable();
    [0.1, 0.5, 0.9].map(|share| {
        let at = share * (all.len() - 1) as f64;
        let (low, part) = (at.floor() as usize, at.fract());
        let next = all[(low + 1).min(all.len() - 1)] as f64;
        all[low] as f64 + part * (next - all[low] as f64)
    })
}

fn parameters(tool: &GeneratedTool) -> usize {
    let schema: Value = serde_json::from_str(&tool.input_schema).unwrap();
    schema["properties"].as_object().unwrap().len()
}

/// Within 15 % of the measured tool-weighted quantiles, integers within 1 where that is more.
fn assert_near(what: &str, found: [f64; 3], measured: [f64; 3]) {
    for (found, measured) in found.into_iter().zip(measured) {
        let slack = (0.15 * measured).max(1.0);
        assert!((found - measured).abs() <= slack, "{what}: {found} is not within {slack} of {measured}");
    }
}

/// The tool-weighted table over 178 real servers, at p10, p50 and p90.
#[test]
fn quantiles_are_those_of_real_servers() {
    for (size, seed) in
        [(1_000, 1), (1_000, 2), (1_000, 3), (1_000, 7), (1_000, 42), (3_000, 7), (10_000, 7), (10_000, 1)]
    {
        let tools = generate(size, seed).unwrap().tools;
        let of = |what: &dyn Fn(&GeneratedTool) -> usize| quantiles(tools.iter().map(what).collect());
        let mut servers: BTreeMap<&str, usize> = BTreeMap::new();
        tools.iter().for_each(|tool| *servers.entry(&tool.server).or_default() += 1);
        let found = [
            of(&|tool| tool.name.len()),
            of(&|tool| tool.description.chars().count()),
            of(&parameters),
            of(&|tool| tool.input_schema.len()),
            quantiles(servers.values().copied().collect()),
        ];
        println!("{size} tools, seed {seed}: {found:?}");
        assert_near("name length", found[0], [11.0, 19.0, 30.0]);
        assert_near("description length", found[1], [33.0, 152.0, 682.9]);
        assert_near("parameters", found[2], [1.0, 3.0, 9.0]);
        assert_near("schema bytes", found[3], [126.0, 398.0, 1798.0]);
        assert_near("tools per server", found[4], [4.0, 24.5, 92.9]);
    }
}

/// Shares of 7,902 real tools in percent; a share may be off by a quarter of itself or two points.
#[test]
fn shares_are_those_of_real_servers() {
    let mut clashes = 0;
    for seed in [1, 7, 42] {
        let tools = generate(3_000, seed).unwrap().tools;
        let share = |has: &dyn Fn(&GeneratedTool) -> bool| {
            tools.iter().filter(|tool| has(tool)).count() as f64 * 100.0 / tools.len() as f64
        };
        let schema = |word: &'static str| move |tool: &GeneratedTool| tool.input_schema.contains(word);
        let extra = |key: &'static str| move |tool: &GeneratedTool| tool.extra.iter().any(|(k, _)| *k == key);
        let nested = |tool: &GeneratedTool| tool.input_schema.matches("\"properties\"").count() > 1;
        let rows = [
            ("snake case", share(&|t| t.name.contains('_') && !t.name.contains('-')), 68.0),
            ("kebab case", share(&|t| t.name.contains('-') && !t.name.contains('_')), 13.1),
            ("no parameters", share(&|t| t.input_schema.contains("\"properties\":{}")), 5.8),
            ("enum", share(&schema("\"enum\"")), 21.0),
            ("array", share(&schema("\"type\":\"array\"")), 19.7),
            ("nested object", share(&nested), 15.5),
            ("anyOf", share(&schema("\"anyOf\"")), 16.6),
            ("$ref", share(&schema("\"$ref\"")), 1.3),
            ("$schema", share(&schema("\"$schema\"")), 31.2),
            ("annotations", share(&extra("annotations")), 50.5),
            ("output schema", share(&extra("outputSchema")), 23.8),
        ];
        println!("seed {seed}: {rows:?}");
        for (what, found, measured) in rows {
            assert!((found - measured).abs() <= f64::max(2.0, measured / 4.0), "{what}: {found}, real {measured}");
        }
        let bare = |name: &str| name.split_once("__").map(|(_, bare)| bare.to_owned());
        clashes += tools.iter().filter(|t| bare(&t.name).is_some()).count();
    }
    assert!(clashes >= 3 * 15, "{clashes} names that clash over servers");
}

fn stems(text: &str) -> BTreeSet<String> {
    Splitter::find("stem").unwrap().words(text).into_iter().collect()
}

fn text_of(generated: &Generated, name: &str) -> String {
    let tool = generated.tools.iter().find(|tool| tool.name == name).unwrap();
    format!("{} {}", tool.name, tool.description)
}

/// N04, G04: twelve classes, at least 60 distinct queries each from 100 tools on, whatever the seed.
#[test]
fn every_class_has_sixty_queries() {
    assert_eq!(CLASSES.len(), 12);
    for seed in 0..100 {
        let queries = generate(100, seed).unwrap().queries;
        let mut classes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for query in &queries {
            assert!(classes.entry(query.class).or_default().insert(&query.text), "{} twice", query.text);
        }
        println!("seed {seed}: {:?}", classes.iter().map(|(c, q)| (*c, q.len())).collect::<Vec<_>>());
        for class in CLASSES {
            let n = classes.get(class.name).map_or(0, BTreeSet::len);
            assert!(n >= 60, "seed {seed}: {n} queries of class {}", class.name);
        }
        let ids: BTreeSet<_> = queries.iter().map(|q| &q.id).collect();
        assert_eq!(ids.len(), queries.len());
    }
}

/// A paraphrase shares no stem with name or description of its tool, as the measured overlap counts stems.
#[test]
fn paraphrases_share_no_stem() {
    for seed in [1, 7, 42] {
        let generated = generate(100, seed).unwrap();
        for query in generated.queries.iter().filter(|q| q.class == "paraphrase") {
            let shared: Vec<_> =
                stems(&query.text).intersection(&stems(&text_of(&generated, &query.relevant[0]))).cloned().collect();
            assert!(shared.is_empty(), "{}: {shared:?}", query.text);
        }
    }
}

/// No tool of any size answers an unanswerable query: its noun stands in no tool.
#[test]
fn unanswerable_nouns_stand_in_no_tool() {
    let generated = generate(10_000, 7).unwrap();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for tool in &generated.tools {
        known.extend(words_of(&tool.name));
        known.extend(words_of(&tool.description));
        known.extend(words_of(&tool.input_schema));
    }
    for reserved in crate::lexicon::reserved::RESERVED {
        for noun in reserved.nouns {
            assert!(words_of(noun).iter().any(|word| !known.contains(word)), "{noun}");
        }
    }
    assert!(generated.queries.iter().filter(|q| q.class == "unanswerable").all(|q| q.relevant.is_empty()));
}

/// N11: a poisonous tool stands behind its victims and repeats the words of their queries.
#[test]
fn poison_repeats_the_words_of_its_victims() {
    let generated = generate(100, 7).unwrap();
    for query in generated.queries.iter().filter(|q| q.class == "poisoned") {
        let name = query.tags[0].strip_prefix("poison=").unwrap();
        assert!(query.relevant[0] != name);
        assert!(stems(&query.text).is_subset(&stems(&text_of(&generated, name))), "{}", query.text);
    }
    let places: Vec<usize> = poison::PLACES.to_vec();
    assert!(places.iter().all(|at| generated.tools[*at].server == "omnibrag"));
}
