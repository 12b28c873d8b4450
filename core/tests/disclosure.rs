//! The policy `cumulative` over a registry: one test for each row of the contract.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "disclosure/harness.rs"]
mod harness;
#[path = "disclosure/lifecycle.rs"]
mod lifecycle;

use std::sync::{Arc, Mutex};

use deferbench_core::disclosure::Status::{AlreadyLoaded, Loaded, Unavailable};
use deferbench_core::disclosure::{Caller, DisclosureError};
use deferbench_core::policy::Cumulative;
use deferbench_core::registry::{Allow, Change, GLOBAL, Registry};
use deferbench_core::transcript::{Event, Output, Snapshot};
use harness::{Harness, config, names, selection, tool};

/// D01: what a pattern matches is there without a search, late tools included; nothing by default.
#[test]
fn always_visible_patterns() {
    let mut h = Harness::new(&["ask_user", "ask", "task"], config(&["ask_*", "late"], Cumulative::default()));
    let agent = h.agent();
    assert_eq!(h.sees(agent), ["ask_user", "tool_search"]);
    h.registry.register(&h.host, GLOBAL, tool("late")).unwrap();
    assert_eq!(h.sees(agent), ["ask_user", "tool_search"], "hidden until the refresh");
    h.disclosure.refresh(&mut h.registry).unwrap();
    assert_eq!(h.sees(agent), ["ask_user", "late", "tool_search"]);
    let mut h = Harness::plain(&["ask_user"]);
    let agent = h.agent();
    assert_eq!(h.sees(agent), ["tool_search"]);
}

/// D02, D03, D24: 9 characters of at most 8, limit 0, 3 of at most 2, 1.5. Lengths are UTF-16 units after trimming.
#[test]
fn invalid_calls_change_nothing() {
    let policy = Cumulative { max_results: 2, max_query_chars: 8, ..Cumulative::default() };
    let mut h = Harness::new(&["abcdefgh", "b", "c"], config(&[], policy));
    let agent = h.agent();
    for (arguments, words) in [
        (r#"{"query":""}"#, "blank"),
        (r#"{"query":" \t\n"}"#, "blank"),
        (r#"{"query":"abcdefghi"}"#, "9 characters, at most 8"),
        (r#"{"query":"😀😀😀😀a"}"#, "9 characters, at most 8"),
        (r#"{"query":"b","limit":0}"#, "from 1 to 2"),
        (r#"{"query":"b","limit":3}"#, "from 1 to 2"),
        (r#"{"query":"b","limit":-1}"#, "from 1 to 2"),
        (r#"{"query":"b","limit":1.5}"#, "from 1 to 2"),
        (r#"{"query":"b","limit":"1"}"#, "from 1 to 2"),
        (r#"{"limit":1}"#, "missing"),
        ("{", "not JSON"),
    ] {
        h.refuses(agent, Caller::agent(agent), arguments, words);
    }
    let (answer, log) = h.search(agent, "  abcdefgh  ");
    assert_eq!(names(&answer.tools), [("abcdefgh", Loaded)]);
    assert_eq!(log, [selection("abcdefgh", &["abcdefgh"], &["abcdefgh"])]);
    assert!(h.call(agent, Caller::agent(agent), r#"{"query":"b c","limit":1}"#, false).0.tools.len() == 1);
}

/// D10, D12: three statuses, the number that stays hidden, no schemas; the event holds the sorted whole set.
#[test]
fn result_and_event() {
    let mut h = Harness::plain(&["zebra", "apple", "other", "mango"]);
    let agent = h.agent();
    let (answer, log) = h.search(agent, "zebra");
    assert_eq!(answer.output.text(), "Tools found:\n- zebra: loaded\nStill deferred: 3");
    assert_eq!(log, [selection("zebra", &["zebra"], &["zebra"])]);
    let (answer, log) = h.search(agent, "apple zebra");
    assert_eq!(names(&answer.tools), [("zebra", AlreadyLoaded), ("apple", Loaded)]);
    assert_eq!(log, [selection("apple zebra", &["apple", "zebra"], &["apple"])]);
    assert_eq!(serde_json::to_value(&log[0]).unwrap()["snapshot"].as_object().unwrap().len(), 2);
    // Nothing new: no event.
    let (answer, log) = h.search(agent, "zebra");
    assert_eq!((names(&answer.tools), answer.remaining, log), (vec![("zebra", AlreadyLoaded)], Some(2), vec![]));
    assert!(!answer.output.text().contains("Works.") && !answer.output.text().contains("type"));
}

/// D11: nothing found; under `upstream` a query of punctuation is searched for, else it is an error.
#[test]
fn no_match() {
    let mut h = Harness::new(&["a"], config(&[], Cumulative { upstream: true, ..Cumulative::default() }));
    let agent = h.agent();
    let (answer, log) = h.search(agent, "---");
    assert_eq!(answer.output, Output::Text("No matching tools found.".to_string()));
    assert_eq!((answer.tools, answer.remaining, log), (vec![], Some(1), vec![]));
    let mut h = Harness::plain(&["a"]);
    let agent = h.agent();
    h.refuses(agent, Caller::agent(agent), r#"{"query":"---"}"#, "blank");
}

/// D13, D15: a damaged history fails loudly and leaves nothing behind; a later snapshot has to hold the earlier one.
#[test]
fn damaged_histories() {
    let mut h = Harness::plain(&["a", "b"]);
    let agent = h.registry.open(GLOBAL).unwrap();
    let shrinks = [selection("q", &["a", "b"], &[]), selection("q", &["a"], &[])];
    let same = [selection("q", &["a"], &[]), selection("q", &["a"], &[])];
    let dropped = [selection("q", &["a"], &[]), selection("q", &["b", "c"], &[])];
    let single = [(&["b", "a"][..], "q"), (&["a", "a"], "q"), (&[""], "q"), (&[], "q"), (&["a"], ""), (&["a"], " q")];
    let single = single.map(|(selected, query)| vec![selection(query, selected, &[])]);
    for history in [shrinks, same, dropped].map(Vec::from).into_iter().chain(single) {
        assert!(matches!(h.attach(agent, &history), Err(DisclosureError::Policy(_))), "{history:?}");
        assert_eq!(h.sees(agent), ["a", "b"]);
    }
}

/// D13: the published form knows no snapshot that removes something: it is neither read nor written.
#[test]
fn upstream_never_shrinks() {
    let mut h = Harness::new(&["a", "b"], config(&[], Cumulative { upstream: true, ..Cumulative::default() }));
    let agent = h.agent();
    h.search(agent, "a");
    let reset = h.disclosure.reset(&mut h.registry, agent, "compaction", &mut |_| panic!("nothing is written"));
    assert_eq!(reset, Err(DisclosureError::Upstream));
    assert_eq!(h.sees(agent), ["a", "tool_search"]);
    let (query, removed, reason) = ("r".to_string(), vec!["a".to_string()], Some("r".to_string()));
    let snapshot = Snapshot { query, selected: Vec::new(), removed, reason };
    let history = [selection("q", &["a"], &[]), Event::Selection { snapshot, added: Vec::new() }];
    let other = h.registry.open(GLOBAL).unwrap();
    assert_eq!(h.attach(other, &history), Err(DisclosureError::Upstream));
}

/// D14: selections are apart, also of agents that share an index.
#[test]
fn agents_are_apart() {
    let mut h = Harness::plain(&["a", "b"]);
    let (one, two) = (h.agent(), h.agent());
    h.search(one, "a");
    h.search(two, "b");
    assert_eq!((h.sees(one), h.sees(two)), (vec!["a", "tool_search"], vec!["b", "tool_search"]));
}

/// D15, P16: a resumed agent and a seeded fork have their tools before the first request; a name that is gone comes back
/// with its tool; after a compaction the newest snapshot is enough, also one that removes.
#[test]
fn resume_fork_and_compaction() {
    let mut h = Harness::plain(&["a", "b"]);
    let (fork, history) = (h.registry.open(GLOBAL).unwrap(), [selection("q", &["a", "gone"], &[])]);
    h.attach(fork, &history).unwrap();
    assert_eq!(h.sees(fork), ["a", "tool_search"]);
    h.search(fork, "b");
    assert_eq!(h.disclosure.selected(fork).unwrap(), ["a", "b", "gone"]);
    h.registry.register(&h.host, GLOBAL, tool("gone")).unwrap();
    assert_eq!(h.sees(fork), ["a", "b", "gone", "tool_search"]);
    let (query, removed, reason) = ("q".to_string(), vec!["cut".to_string()], Some("r".to_string()));
    let snapshot = Snapshot { query, selected: vec!["b".to_string()], removed, reason };
    let cut = h.registry.open(GLOBAL).unwrap();
    h.attach(cut, &[Event::Selection { snapshot, added: Vec::new() }]).unwrap();
    assert_eq!(h.sees(cut), ["b", "tool_search"]);
}

/// D16: a tool that is denied when the agent is created is not found, one hidden tool remains; one that is denied later is
/// found and unavailable, and is there when the denial ends.
#[test]
fn restrictions_intersect() {
    let mut h = Harness::plain(&["allowed", "denied"]);
    let agent = h.registry.open(GLOBAL).unwrap();
    h.registry.restrict(&h.host, agent, Allow::names(["allowed"])).unwrap();
    h.attach(agent, &[]).unwrap();
    let (answer, _) = h.search(agent, "denied");
    assert_eq!((answer.tools.len(), answer.remaining), (0, Some(1)));

    let later = h.agent();
    let denial = h.registry.restrict(&h.host, later, Allow::names(["allowed"])).unwrap();
    let (answer, log) = h.search(later, "denied");
    assert_eq!((names(&answer.tools), answer.remaining), (vec![("denied", Unavailable)], Some(2)));
    assert_eq!(log, [selection("denied", &["denied"], &["denied"])]);
    assert_eq!(h.sees(later), ["tool_search"]);
    h.registry.lift(&h.host, denial).unwrap();
    assert_eq!(h.sees(later), ["denied", "tool_search"]);
}

/// D17: in place of an old restriction a new one is installed before the old one goes; an unchanged one is left alone.
#[test]
fn the_new_restriction_comes_first() {
    let mut h = Harness::plain(&["a", "b"]);
    let agent = h.agent();
    let seen: Arc<Mutex<Vec<(Change, usize)>>> = Arc::default();
    let log = seen.clone();
    let observer = move |r: &Registry, change: &Change| {
        log.lock().unwrap().push((change.clone(), r.schemas(agent).unwrap().len()));
    };
    h.registry.observe(Box::new(observer));
    h.search(agent, "a");
    let (scope, new) = (agent, std::mem::take(&mut *seen.lock().unwrap()));
    assert_eq!(new, [(Change::Restricted { scope }, 1), (Change::Lifted { scope }, 2)]);
    h.search(agent, "a");
    h.disclosure.refresh(&mut h.registry).unwrap();
    assert_eq!(*seen.lock().unwrap(), []);
}

/// D18: late tools are for agents that saw everything at the start; always-visible ones for all, unless denied.
#[test]
fn late_tools() {
    let mut h = Harness::new(&["a", "b"], config(&["late_open"], Cumulative::default()));
    let (open, frozen, denied) = (h.agent(), h.registry.open(GLOBAL).unwrap(), h.registry.open(GLOBAL).unwrap());
    let limit = h.registry.restrict(&h.host, frozen, Allow::names(["a"])).unwrap();
    h.registry.restrict(&h.host, denied, Allow::names(["a"])).unwrap();
    h.attach(frozen, &[]).unwrap();
    h.attach(denied, &[]).unwrap();
    h.registry.lift(&h.host, limit).unwrap();
    for name in ["late", "late_open"] {
        h.registry.register(&h.host, GLOBAL, tool(name)).unwrap();
    }
    h.disclosure.refresh(&mut h.registry).unwrap();
    assert_eq!(names(&h.search(open, "late").0.tools), [("late", Loaded), ("late_open", AlreadyLoaded)]);
    // The tools of the start and the always-visible one: a is hidden, b was never to be found.
    let (answer, _) = h.search(frozen, "late");
    assert_eq!((names(&answer.tools), answer.remaining), (vec![("late_open", AlreadyLoaded)], Some(1)));
    assert_eq!(h.sees(frozen), ["late_open", "tool_search"]);
    assert_eq!(h.sees(denied), ["tool_search"]);
}

/// D18: a search that comes before the refresh finds an always-visible late tool, and it is there.
#[test]
fn a_search_looks_at_the_tools_as_they_are() {
    let mut h = Harness::new(&["a"], config(&["late"], Cumulative::default()));
    let agent = h.agent();
    h.registry.register(&h.host, GLOBAL, tool("late")).unwrap();
    assert_eq!(names(&h.search(agent, "late").0.tools), [("late", AlreadyLoaded)]);
    assert_eq!(h.sees(agent), ["late", "tool_search"]);
}
