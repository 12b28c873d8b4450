//! What do the policy `replace` and dispatch cost at 1,000 tools?
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use deferbench_core::dispatch::{Mount, at_once};
use deferbench_core::policy::{self, Found};
use deferbench_core::session::Session;
use deferbench_core::surface::{Surface, SurfaceConfig};
use deferbench_core::transcript::{Call, Event, Output, Transcript};
use deferbench_core::{Catalog, Tool, ToolId};

const TOOLS: usize = 1_000;
const VERBS: [&str; 10] = [
    "get_item",
    "list_items",
    "create_order",
    "delete_user",
    "send_mail",
    "read_file",
    "update_row",
    "find_route",
    "post_note",
    "move_card",
];
const NOUNS: [&str; 8] = ["invoice", "ticket", "calendar", "repository", "sensor", "customer", "playlist", "forecast"];

/// Names such as `svc_12_get_item`, some words of description, and a schema as most servers have.
fn catalog(tools: usize) -> Arc<Catalog> {
    let tool = |i: usize| {
        let (verb, noun, other) = (VERBS[i % 10], NOUNS[i % 8], NOUNS[i / 10 % 8]);
        let name = format!("svc_{}_{verb}", i / 10);
        let text = format!("{} for one {noun} of a {other} in service {}.", verb.replace('_', " "), i / 10);
        let schema = r#"{"type":"object","properties":{"id":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":100},"tags":{"type":"array","items":{"type":"string"}}},"required":["id"],"additionalProperties":false}"#;
        Tool::new(&name, Some(&text), schema).unwrap()
    };
    Arc::new(Catalog::new((0..tools).map(tool).collect()).unwrap())
}

fn surface(spec: &str) -> Arc<Surface> {
    let (_, policy) = policy::build(spec).unwrap();
    Arc::new(Surface::new(SurfaceConfig::new(catalog(TOOLS), policy).unwrap()).unwrap())
}

fn search(id: String, n: usize) -> Call {
    let query = format!("{} {}", VERBS[n % 10].replace('_', " "), NOUNS[n % 8]);
    Call::new(id, "tool_search", serde_json::json!({ "query": query }).to_string())
}

/// One step: every `every`-th is a search for five tools, each seventh calls a hidden tool, the others a visible one. What
/// is found goes round the catalog, so that the length of a history does not hang on the speed of a ranker.
fn step(session: &mut Session, n: usize, every: usize) {
    let request = session.step(&[]).unwrap();
    let id = format!("c{n}");
    let name = |tool: ToolId| session.surface().catalog()[tool].name().to_string();
    let call = match request.activated.first() {
        Some(_) if n.is_multiple_of(every) => search(id, n),
        Some(_) if n % 7 == 3 => Call::new(id, name(ToolId((n * 31 % TOOLS) as u32)), r#"{"id":"a"}"#),
        Some(tool) => Call::new(id, name(*tool), r#"{"id":"a"}"#),
        None => search(id, n),
    };
    let calls = session.receive(&request, &format!("s{n}"), "One moment.", vec![call]);
    match &calls[0] {
        call if call.repaired.is_some() => drop(session.search(call)),
        call if call.name == "tool_search" => {
            let tools = (0..5).map(|i| ToolId(((n * 5 + i) % TOOLS) as u32)).collect();
            session.answer(call, &Found { tools, matching: 40, rejected: 0 });
        }
        call => session.result(call, Output::Text("Done.".into())),
    }
}

fn history(surface: &Arc<Surface>, steps: usize, every: usize) -> Session {
    let mut session = Session::new(surface.clone(), "run-1");
    (0..steps).for_each(|n| step(&mut session, n, every));
    session
}

fn reconstruct(c: &mut Criterion) {
    let surface = surface("replace(results=5)");
    // Repairs only after one search: the reading goes back to that search, because their order decides who leaves.
    let cases = [("mix", 10), ("searches", 1), ("repairs", usize::MAX)];
    let mut group = c.benchmark_group("reconstruct");
    for (name, every) in cases {
        let session = history(&surface, 10_000, every);
        group.bench_function(format!("10000 steps/{name}"), |b| {
            b.iter(|| surface.request(black_box(session.transcript()), &[]).unwrap());
        });
    }
    for steps in [100, 1_000, 10_000] {
        let session = history(&surface, steps, 10);
        group.bench_with_input(BenchmarkId::new("sizes", steps), session.transcript(), |b, transcript| {
            b.iter(|| surface.request(black_box(transcript), &[]).unwrap());
        });
    }
    group.finish();
}

/// A session cannot be cloned and grows with every iteration; so it is opened again after some hundred steps, outside the
/// measured time.
fn one_more_step(c: &mut Criterion) {
    let surface = surface("replace(results=5)");
    let mut group = c.benchmark_group("step");
    for steps in [10, 1_000, 10_000] {
        let transcript: Transcript = history(&surface, steps, 10).transcript().clone();
        group.bench_with_input(BenchmarkId::new("after", steps), &transcript, |b, transcript| {
            b.iter_custom(|iterations| {
                let (mut left, mut spent) = (iterations, Duration::ZERO);
                while left > 0 {
                    let batch = left.min(500);
                    let mut session = Session::resume(surface.clone(), transcript.clone());
                    session.step(&[]).unwrap();
                    let start = std::time::Instant::now();
                    for n in 0..batch {
                        step(&mut session, 1_000_000 + n as usize, 1);
                    }
                    spent += start.elapsed();
                    left -= batch;
                }
                spent
            });
        });
    }
    group.finish();
}

/// One search with the ranker, and one repair that has to evict, each on a fresh session of a few steps.
fn answers(c: &mut Criterion) {
    let open = |spec: &str, call: fn(&Session) -> Call| {
        let surface = surface(spec);
        let transcript = history(&surface, 12, 5).transcript().clone();
        move || {
            let mut session = Session::resume(surface.clone(), transcript.clone());
            let request = session.step(&[]).unwrap();
            let calls = session.receive(&request, "s-new", "", vec![call(&session)]);
            (session, calls)
        }
    };
    let found = open("replace(results=5)", |_| search("c-new".into(), 4));
    c.bench_function("search/1000 tools", |b| {
        b.iter_batched_ref(&found, |(session, calls)| session.search(&calls[0]), BatchSize::SmallInput);
    });
    let hidden = |s: &Session| Call::new("c-new", s.surface().catalog()[ToolId(999)].name(), r#"{"id":"a"}"#);
    let evicts = open("replace(results=5,selected=5)", hidden);
    let (mut session, calls) = evicts();
    let answer = session.search(&calls[0]);
    assert!(answer.selection.len() == 5 && answer.activated == [ToolId(999)], "the repair has to be at a ceiling");
    c.bench_function("repair/at a ceiling", |b| {
        b.iter_batched_ref(&evicts, |(session, calls)| session.search(&calls[0]), BatchSize::SmallInput);
    });
}

fn dispatch(c: &mut Criterion) {
    let mount = || Mount::new(catalog(10), |_| Some(at_once(|_| Output::Text("Done.".into()))), ()).unwrap();
    let (call, tool) =
        (Call::new("c1", "svc_0_get_item", r#"{"id":"a-17","limit":20,"tags":["red","blue"]}"#), ToolId(0));
    let run = |mount: &Mount<()>| pollster::block_on(mount.run("run-1", "s1", &call, tool, &()));
    let warm = mount();
    assert_eq!(run(&warm), Output::Text("Done.".into()));
    c.bench_function("dispatch/checked call", |b| b.iter(|| run(black_box(&warm))));
    c.bench_function("dispatch/first call compiles the schema", |b| {
        b.iter_batched_ref(mount, |mount| run(mount), BatchSize::SmallInput);
    });
}

fn events_per_history(c: &mut Criterion) {
    // How long a bare walk over the events is: what no reading of a transcript can go below.
    let session = history(&surface("replace(results=5)"), 10_000, 10);
    c.bench_function("reconstruct/bare walk", |b| {
        b.iter(|| session.transcript().events().iter().filter(|e| matches!(e, Event::Result { .. })).count());
    });
}

criterion_group!(benches, reconstruct, events_per_history, one_more_step, answers, dispatch);
criterion_main!(benches);
