//! What does a disclosure cost at 10,000 tools and 100 agents?
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use deferbench_core::Tool;
use deferbench_core::disclosure::{Caller, Disclosure, DisclosureConfig, Status, Subagent};
use deferbench_core::registry::{GLOBAL, Registry, ScopeId};
use deferbench_core::transcript::{Call, Event};

const TOOLS: usize = 10_000;
const AGENTS: usize = 100;
const VERBS: [&str; 10] = ["get", "list", "create", "delete", "send", "read", "update", "find", "post", "move"];
const NOUNS: [&str; 8] = ["invoice", "ticket", "calendar", "repository", "sensor", "customer", "playlist", "forecast"];

/// Names such as `svc_12_get_invoice`, some words of description, and a schema as most servers have.
fn tool(i: usize) -> Tool {
    let (verb, noun, service) = (VERBS[i % 10], NOUNS[i / 10 % 8], i / 80);
    let text = format!("{verb} one {noun} of the account in service {service}.");
    let schema = r#"{"type":"object","properties":{"id":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":100}},"required":["id"],"additionalProperties":false}"#;
    Tool::new(&format!("svc_{service}_{verb}_{noun}"), Some(&text), schema).unwrap()
}

fn tools() -> Vec<Tool> {
    (0..TOOLS).map(tool).collect()
}

fn registry(tools: &[Tool]) -> Registry {
    let mut registry = Registry::new();
    let host = registry.owner();
    for tool in tools {
        registry.register(&host, GLOBAL, tool.clone()).unwrap();
    }
    registry
}

fn opened(tools: &[Tool]) -> (Registry, Vec<ScopeId>) {
    let mut registry = registry(tools);
    let agents = (0..AGENTS).map(|_| registry.open(GLOBAL).unwrap()).collect();
    (registry, agents)
}

fn attach(registry: &mut Registry, agents: &[ScopeId]) -> Disclosure {
    let mut disclosure = Disclosure::new(registry, DisclosureConfig::default()).unwrap();
    for agent in agents {
        disclosure.attach(registry, *agent, &[], Subagent::Alone, &mut |_: &Event| Ok(())).unwrap();
    }
    disclosure
}

/// A search for one tool by its name: it is hidden before and visible after.
fn search(disclosure: &mut Disclosure, registry: &mut Registry, agent: ScopeId, n: usize) {
    let arguments = format!(r#"{{"query":"{}","limit":1}}"#, tool(n % TOOLS).name());
    let call = Call::new("c", "tool_search", arguments);
    let answer = disclosure.search(registry, agent, Caller::agent(agent), &call, &mut |_: &Event| Ok(()));
    assert_eq!(answer.tools[0].1, Status::Loaded);
    black_box(answer);
}

fn disclosure(c: &mut Criterion) {
    let tools = tools();
    let mut group = c.benchmark_group("disclosure");
    group.sample_size(10);
    group.bench_function("register 10000 tools", |b| {
        b.iter_batched(|| tools.clone(), |tools| registry(&tools), BatchSize::PerIteration);
    });
    group.bench_function("attach 100 agents", |b| {
        b.iter_batched_ref(|| opened(&tools), |(registry, agents)| attach(registry, agents), BatchSize::PerIteration);
    });
    group.bench_function("first search", |b| {
        let attached = || {
            let (mut registry, agents) = opened(&tools);
            let disclosure = attach(&mut registry, &agents);
            (registry, agents, disclosure)
        };
        b.iter_batched_ref(attached, |(r, agents, d)| search(d, r, agents[0], 17), BatchSize::PerIteration);
    });
    let (mut registry, agents) = opened(&tools);
    let mut disclosure = attach(&mut registry, &agents);
    search(&mut disclosure, &mut registry, agents[0], 17);
    group.bench_function("search", |b| {
        // Each search loads another tool; after some the agent forgets them all, so that the selection stays small.
        b.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for n in 0..iterations as usize {
                if n.is_multiple_of(50) {
                    disclosure.reset(&mut registry, agents[0], "measured", &mut |_: &Event| Ok(())).unwrap();
                }
                let start = Instant::now();
                search(&mut disclosure, &mut registry, agents[0], n * 31);
                spent += start.elapsed();
            }
            spent
        });
    });
    group.bench_function("refresh after one late tool", |b| {
        let host = registry.owner();
        b.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for n in 0..iterations as usize {
                let late = registry.register(&host, GLOBAL, tool(TOOLS + n)).unwrap();
                let start = Instant::now();
                disclosure.refresh(&mut registry).unwrap();
                spent += start.elapsed();
                registry.unregister(&host, late).unwrap();
                disclosure.refresh(&mut registry).unwrap();
            }
            spent
        });
    });
    group.finish();
}

criterion_group!(benches, disclosure);
criterion_main!(benches);
