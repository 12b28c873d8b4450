//! Transcripts that were copied, cut and forged, hosts that make mistakes, schemas that mean harm.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::sync::Arc;

use deferbench_core::dispatch::{Mount, at_once};
use deferbench_core::messages::{anthropic, openai};
use deferbench_core::policy::{self, Ceilings, Compat, Found, Policy, Replace};
use deferbench_core::rank;
use deferbench_core::receipt::{DropReason, MacKey};
use deferbench_core::session::Session;
use deferbench_core::surface::{Surface, SurfaceConfig};
use deferbench_core::transcript::{Call, Event, Output, Transcript, step_id};
use deferbench_core::{Catalog, Tool};

const NAMES: [&str; 6] = ["big", "clock", "mail_list", "mail_send", "x_one", "x_two"];

const CEILINGS: Ceilings =
    Ceilings { query_bytes: 64, results: 3, result_bytes: 4_096, selected: 3, active: 9, schema_bytes: 9_000 };

fn catalog(names: &[&str]) -> Arc<Catalog> {
    let tool = |n: &&str| Tool::new(n, Some("Does something."), r#"{"type":"object"}"#).unwrap();
    Arc::new(Catalog::new(names.iter().map(tool).collect()).unwrap())
}

fn surface(policy: Arc<dyn Policy>) -> Arc<Surface> {
    let config = SurfaceConfig::new(catalog(&NAMES), policy).unwrap();
    let ranker = rank::build("phrase", &config.catalog).unwrap().ranker;
    Arc::new(Surface::new(SurfaceConfig { ranker, ..config }).unwrap())
}

fn replace() -> Replace {
    Replace::new(CEILINGS, Compat::No).unwrap()
}

/// One step: receives the calls and carries the searches out in order.
fn step(session: &mut Session, id: &str, calls: &[(&str, &str)]) -> Vec<Output> {
    let request = session.step(&[]).unwrap();
    let call = |(i, (name, query)): (usize, &(&str, &str))| {
        Call::new(format!("{id}-{i}"), *name, serde_json::json!({ "query": query }).to_string())
    };
    let calls = calls.iter().enumerate().map(call).collect();
    let calls = session.receive(&request, id, "", calls);
    calls.iter().map(|call| session.search(call).output).collect()
}

fn active(session: &mut Session) -> Vec<String> {
    let request = session.step(&[]).unwrap();
    request.activated.iter().map(|t| session.surface().catalog()[*t].name().to_string()).collect()
}

fn resumed(session: &Session, events: impl IntoIterator<Item = Event>) -> Session {
    let mut transcript = Transcript::new();
    events.into_iter().for_each(|event| transcript.push(event));
    Session::resume(session.surface().clone(), transcript)
}

/// N08: a signed receipt that is copied together with its step brings no earlier selection back.
#[test]
fn a_copied_step_brings_nothing_back() {
    let mut session = Session::new(surface(Arc::new(replace().with_key(MacKey::new([9; 32])))), "r");
    step(&mut session, "s1", &[("tool_search", "big")]);
    step(&mut session, "s2", &[("tool_search", "clock")]);
    let events = session.transcript().events().to_vec();
    let mut copied = resumed(&session, events.iter().chain(&events[1..3]).cloned());
    assert_eq!(active(&mut copied), ["clock"]);
    assert_eq!(copied.step(&[]).unwrap().dropped, [("s1-0".to_string(), DropReason::SecondResult)]);
}

/// N08: under a key nothing of version 1 counts, in upstream mode neither.
#[test]
fn a_key_and_version_1() {
    let policy = Replace::new(CEILINGS, Compat::Upstream).unwrap().with_key(MacKey::new([9; 32]));
    let mut session = Session::new(surface(Arc::new(policy)), "r");
    step(&mut session, "s1", &[("tool_search", "clock")]);
    assert_eq!(active(&mut session), Vec::<String>::new());
}

/// S16, S19: what could not count is not promised: a call that nobody received, one of another run, one that was
/// answered before, one out of order. A name that a host's own search gives twice is one.
#[test]
fn no_receipt_promises_what_cannot_count() {
    let mut session = Session::new(surface(Arc::new(replace())), "r");
    let error = |output: Output, part: &str| {
        assert!(matches!(&output, Output::Error(text) if text.contains(part)), "{output:?}")
    };
    let call = |id: &str, query: &str| Call::new(id, "tool_search", format!(r#"{{"query":"{query}"}}"#));
    error(session.search(&call("c1", "clock")).output, "no step of this run holds");
    let request = session.step(&[]).unwrap();
    let calls = session.receive(&request, "s2", "", vec![call("c3", "clock"), call("c4", "big")]);
    error(session.search(&calls[1]).output, "answered in their order");
    session.run("r2");
    error(session.search(&calls[0]).output, "no step of this run holds");
    session.run("r");
    let clock = session.surface().catalog().find("clock").unwrap();
    let twice = Found { tools: vec![clock, clock], matching: 1, rejected: 0 };
    assert_eq!(session.answer(&calls[0], &twice).activated, [clock]);
    assert_eq!(active(&mut session), ["clock"]);
    error(session.search(&calls[0]).output, "answered before");
    assert_eq!(active(&mut session), ["clock"]);
}

/// G14, S20: a result that comes late changes no selection, and a live session and one that was opened again evict alike.
#[test]
fn late_results_leave_live_and_resumed_sessions_alike() {
    let mut live = Session::new(surface(Arc::new(replace())), "r");
    step(&mut live, "s1", &[("tool_search", "x_")]);
    let request = live.step(&[]).unwrap();
    let late = live.receive(&request, "s2", "", vec![Call::new("late", "tool_search", r#"{"query":"x_one"}"#)]);
    step(&mut live, "s3", &[("clock", "")]);
    assert_eq!(active(&mut live), ["x_one", "x_two", "clock"]);
    live.search(&late[0]);
    assert_eq!(active(&mut live), ["x_one", "x_two", "clock"]);
    let mut again = resumed(&live, live.transcript().events().to_vec());
    for session in [&mut live, &mut again] {
        step(session, "s4", &[("big", "")]);
    }
    // x_one was activated again in step 2, late as the answer came: x_two is older and leaves.
    assert_eq!(active(&mut live), ["x_one", "clock", "big"]);
    assert_eq!(active(&mut again), active(&mut live));
}

/// G13: a compaction keeps the activation, a step that is not answered yet, and the order of activation; it can be
/// repeated; a damaged record stops it.
#[test]
fn compactions() {
    let mut session = Session::new(surface(Arc::new(replace())), "r");
    step(&mut session, "s1", &[("tool_search", "clock")]);
    let request = session.step(&[]).unwrap();
    let open = session.receive(&request, "s2", "", vec![Call::new("c2", "big", "{}")]);
    let short = session.compacted("Once.").unwrap();
    let mut session = resumed(&session, short.events().to_vec());
    session.search(&open[0]);
    assert_eq!(active(&mut session), ["clock", "big"]);
    let short = session.compacted("Twice.").unwrap();
    assert_eq!(short.events().len(), 4);
    assert_eq!(active(&mut resumed(&session, short.events().to_vec())), ["clock", "big"]);

    let (_, cumulative) = policy::build("cumulative").unwrap();
    let mut session = Session::new(surface(cumulative), "r");
    for (id, name) in [("s1", "x_two"), ("s2", "mail_send"), ("s3", "clock")] {
        step(&mut session, id, &[("tool_search", name)]);
    }
    let order = active(&mut session);
    assert_eq!(order, ["x_two", "mail_send", "clock"]);
    for _ in 0..2 {
        let short = session.compacted("Again.").unwrap();
        session = resumed(&session, short.events().to_vec());
        assert_eq!(active(&mut session), order);
    }
    let damaged = deferbench_core::transcript::Snapshot::new(" padded", vec!["clock".into()]);
    session.push(Event::Selection { snapshot: damaged, added: vec![] });
    assert!(session.compacted("No.").is_err());
}

/// G13, S16: provider messages and the run id are enough, where steps have the ids that can be read from messages.
#[test]
fn provider_messages_are_enough() {
    let mut session = Session::new(surface(Arc::new(replace())), "r");
    let request = session.step(&[]).unwrap();
    let calls = vec![Call::new("c1", "tool_search", r#"{"query":"clock"}"#), Call::new("c2", "big", "{}")];
    let calls = session.receive(&request, &step_id(&calls, 0), "", calls);
    for call in &calls {
        session.search(call);
    }
    let transcript = session.transcript();
    for read in [
        openai::read("r", "tool_search", &openai::write(transcript).unwrap()).unwrap(),
        anthropic::read("r", "tool_search", &anthropic::write(transcript).unwrap()).unwrap(),
    ] {
        assert_eq!(active(&mut resumed(&session, read.events().to_vec())), ["clock", "big"]);
    }
}

/// S24: a mount of another catalog never runs another tool's handler; a request of another run runs none.
#[test]
fn the_right_handler_or_none() {
    let names = |names: &[&str], on: &str| {
        let (_, policy) = policy::build("replace").unwrap();
        let config = SurfaceConfig::new(catalog(names), policy).unwrap();
        Arc::new(Surface::new(SurfaceConfig { always_on: vec![on.to_string()], ..config }).unwrap())
    };
    let mount = |names: &[&str]| {
        Mount::<()>::new(
            catalog(names),
            |t| {
                let name = t.name().to_string();
                Some(at_once(move |_| Output::Text(format!("ran {name}"))))
            },
            (),
        )
        .unwrap()
    };
    let call = |session: &mut Session, mount: &Mount<()>, request: &deferbench_core::surface::Request| {
        let calls = session.receive(request, "s", "", vec![Call::new("c", "read", "{}")]);
        pollster::block_on(mount.carry_out(session, request, "s", &calls[0], &())).output
    };
    let mut session = Session::new(names(&["read"], "read"), "r");
    let request = session.step(&[]).unwrap();
    assert_eq!(call(&mut session, &mount(&["drop", "read"]), &request), Output::Text("ran read".into()));
    assert!(matches!(call(&mut session, &mount(&["drop"]), &request), Output::Error(t) if t.contains("not mounted")));
    session.run("r2");
    assert!(matches!(call(&mut session, &mount(&["read"]), &request), Output::Error(t) if t.contains("another run")));
}

/// S24: a schema whose check would not end is not used, and the host can ask which; a long value is not read back whole.
#[test]
fn checks_end_and_errors_are_short() {
    let levels = 26;
    let level =
        |i: usize| format!(r##""d{i}":{{"anyOf":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##, i + 1);
    let defs: Vec<String> = (0..levels).map(level).collect();
    let hostile = format!(
        r##"{{"properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d{levels}":{{"type":"string"}}}}}}"##,
        defs.join(",")
    );
    let plain = r#"{"properties":{"a":{"type":"integer"}}}"#;
    let tools = [("hostile", hostile.as_str()), ("plain", plain)].map(|(n, s)| Tool::new(n, None, s).unwrap());
    let catalog = Arc::new(Catalog::new(tools.to_vec()).unwrap());
    let mount = Mount::<()>::new(catalog.clone(), |_| Some(at_once(|_| Output::Text("ran".into()))), ()).unwrap();
    assert!(matches!(&mount.unchecked()[..], [("hostile", why)] if why.contains("100000 checks")));
    let run = |name: &str, arguments: &str| {
        let call = Call::new("c", name, arguments);
        pollster::block_on(mount.run("r", "s", &call, catalog.find(name).unwrap(), &()))
    };
    assert_eq!(run("hostile", r#"{"a":1}"#), Output::Text("ran".into()));
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(1_000_000));
    let Output::Error(text) = run("plain", &long) else { panic!("no error") };
    assert!(text.len() < 400 && text.contains("/a: "), "{text}");
}

/// S13: an oversized query says so, in the receipt and in the evidence.
#[test]
fn refusals_have_a_reason() {
    let mut session = Session::new(surface(Arc::new(replace())), "r");
    let request = session.step(&[]).unwrap();
    let query = serde_json::json!({ "query": "x".repeat(65) }).to_string();
    let calls = session.receive(&request, "s", "", vec![Call::new("c", "tool_search", query)]);
    let answer = session.search(&calls[0]);
    assert!(answer.output.text().contains(r#""reason":"query_bytes""#));
    assert_eq!(answer.evidence.unwrap().refused.get("query_bytes"), Some(&1));
    // Two bytes a letter: 32 letters are 64 bytes, exactly the ceiling.
    let request = session.step(&[]).unwrap();
    let query = serde_json::json!({ "query": "é".repeat(32) }).to_string();
    let calls = session.receive(&request, "s2", "", vec![Call::new("c2", "tool_search", query)]);
    assert!(session.search(&calls[0]).output.text().contains("NO_MATCH"));
}
