//! Agents, tools and the disclosure itself come and go.

use deferbench_core::Tool;
use deferbench_core::disclosure::Status::{AlreadyLoaded, Loaded, Unavailable, Unloaded};
use deferbench_core::disclosure::{Caller, Disclosure, DisclosureError, Subagent};
use deferbench_core::order;
use deferbench_core::policy::Cumulative;
use deferbench_core::registry::{Allow, GLOBAL, RegistryError, ScopeId};
use deferbench_core::transcript::{Call, Event};

use crate::harness::{Harness, config, names, selection, tool};

/// D19: a disclosure that is loaded late attaches agents that live; unloaded, it takes its own things and no other.
#[test]
fn load_and_unload() {
    let mut h = Harness::plain(&["a", "b"]);
    let agent = h.registry.open(GLOBAL).unwrap();
    h.registry.register(&h.host, agent, tool("own")).unwrap();
    h.attach(agent, &[]).unwrap();
    let (_, history) = h.search(agent, "a");
    // A notification that comes twice changes nothing, whatever it brings.
    h.attach(agent, &[]).unwrap();
    assert_eq!(h.disclosure.selected(agent).unwrap(), ["a"]);
    h.registry.restrict(&h.host, agent, Allow::names(["a", "b"])).unwrap();
    let next = Disclosure::new(&mut h.registry, config(&[], Cumulative::default())).unwrap();
    std::mem::replace(&mut h.disclosure, next).unload(&mut h.registry);
    assert_eq!(h.sees(agent), ["a", "b", "own"]);
    h.attach(agent, &history).unwrap();
    assert_eq!(h.sees(agent), ["a", "own", "tool_search"]);
    h.disclosure.detach(&mut h.registry, agent);
    h.disclosure.detach(&mut h.registry, agent);
    assert_eq!(h.sees(agent), ["a", "b", "own"]);
}

/// D19: a failed installation leaves nothing behind: the agent has a tool of the search tool's name, or its scope is gone.
#[test]
fn a_failed_installation_is_taken_back() {
    let mut h = Harness::plain(&["a"]);
    let agent = h.registry.open(GLOBAL).unwrap();
    let own = h.registry.register(&h.host, agent, tool("tool_search")).unwrap();
    let taken = RegistryError::NameTaken { name: "tool_search".to_string() };
    assert_eq!(h.attach(agent, &[]), Err(DisclosureError::Registry(taken)));
    assert_eq!((h.sees(agent), h.disclosure.selected(agent)), (vec!["a", "tool_search"], None));
    h.registry.unregister(&h.host, own).unwrap();
    h.attach(agent, &[]).unwrap();
    assert_eq!(h.sees(agent), ["tool_search"]);
    h.registry.close(agent).unwrap();
    h.disclosure.refresh(&mut h.registry).unwrap();
    assert_eq!(h.disclosure.selected(agent), None);
    assert_eq!(h.attach(agent, &[]), Err(DisclosureError::Registry(RegistryError::NoScope)));
}

/// D20: when the event cannot be written, selection and visibility are as before and the model reads why.
#[test]
fn a_failed_append_is_rolled_back() {
    let mut h = Harness::plain(&["a", "b"]);
    let agent = h.agent();
    h.search(agent, "a");
    let (answer, _) = h.call(agent, Caller::agent(agent), r#"{"query":"b"}"#, true);
    assert!(answer.output.text().contains("the disk is full"), "{answer:?}");
    assert_eq!((answer.tools, answer.remaining), (vec![], None));
    assert_eq!(h.disclosure.selected(agent).unwrap(), ["a"]);
    assert_eq!(h.sees(agent), ["a", "tool_search"]);
    let reset = h.disclosure.reset(&mut h.registry, agent, "r", &mut |_| Err("full".to_string()));
    assert_eq!(reset, Err(DisclosureError::Append { why: "full".to_string() }));
    assert_eq!(h.sees(agent), ["a", "tool_search"]);
    // A reason of nothing gets one, so that the snapshot is sound.
    let mut log = Vec::new();
    let mut append = |event: &Event| {
        log.push(event.clone());
        Ok(())
    };
    h.disclosure.reset(&mut h.registry, agent, " ", &mut append).unwrap();
    assert_eq!(h.sees(agent), ["tool_search"]);
    let reason =
        log.iter().find_map(|e| if let Event::Selection { snapshot, .. } = e { snapshot.reason.clone() } else { None });
    assert_eq!(reason.as_deref(), Some("reset by the host"));
}

/// D20: what cannot be shown is not recorded either: the scope is closed, and the disclosure was not told.
#[test]
fn nothing_is_recorded_for_a_closed_scope() {
    let mut h = Harness::plain(&["a"]);
    let agent = h.agent();
    h.search(agent, "a");
    h.registry.close(agent).unwrap();
    let reset = h.disclosure.reset(&mut h.registry, agent, "r", &mut |_| panic!("nothing is written"));
    assert_eq!(reset, Err(DisclosureError::Registry(RegistryError::NoScope)));
    assert_eq!(h.disclosure.selected(agent).unwrap(), ["a"]);
}

/// D21, D22: only the owning agent while it lives, and never from inside another call.
#[test]
fn other_callers_are_refused() {
    let mut h = Harness::plain(&["a"]);
    let (agent, other) = (h.agent(), h.agent());
    h.refuses(agent, Caller::agent(other), r#"{"query":"a"}"#, "owns this search tool");
    h.refuses(agent, Caller { agent, nested: true }, r#"{"query":"a"}"#, "inside another call");
    h.registry.close(other).unwrap();
    let (answer, log) = h.search(other, "a");
    assert!(answer.output.text().contains("living agent") && log.is_empty());
    let detached = h.registry.open(GLOBAL).unwrap();
    h.refuses(detached, Caller::agent(detached), r#"{"query":"a"}"#, "owns this search tool");
}

/// D23: the definition is in the next request, nowhere in the answer; sorted, the requests are those of the published test.
#[test]
fn the_next_request_holds_the_definition() {
    let mut h = Harness::new(&["weather_lookup", "todo_write"], config(&["todo_write"], Cumulative::default()));
    let agent = h.agent();
    let sorted = order::build("sorted").unwrap();
    let request = |h: &mut Harness| {
        let tools = h.disclosure.request(&h.registry, agent, &sorted).unwrap();
        tools.iter().map(|t| t.name().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(request(&mut h), ["todo_write", "tool_search"]);
    h.search(agent, "weather_lookup");
    assert_eq!(request(&mut h), ["todo_write", "tool_search", "weather_lookup"]);
}

fn below_a_preset(upstream: bool) -> (Harness, ScopeId) {
    let mut h = Harness::new(&["global"], config(&[], Cumulative { upstream, ..Cumulative::default() }));
    let preset = h.registry.open(GLOBAL).unwrap();
    h.registry.register(&h.host, preset, tool("preset")).unwrap();
    let agent = h.registry.open(preset).unwrap();
    h.attach(agent, &[]).unwrap();
    (h, agent)
}

/// G11: tools of a preset are inherited, so they are hidden and found like any other.
#[test]
fn preset_tools_are_found() {
    let (mut h, agent) = below_a_preset(false);
    assert_eq!(h.sees(agent), ["tool_search"]);
    let (answer, _) = h.search(agent, "preset");
    assert_eq!((names(&answer.tools), answer.remaining), (vec![("preset", Loaded)], Some(1)));
    assert_eq!(h.sees(agent), ["preset", "tool_search"]);
}

/// G11: the published system hides them and never finds them, not even under a name that was selected before.
#[test]
fn upstream_hides_preset_tools_for_good() {
    let (mut h, agent) = below_a_preset(true);
    let (answer, _) = h.search(agent, "preset");
    assert_eq!((answer.output.text().as_ref(), answer.remaining), ("No matching tools found.", Some(1)));
    let (mut h, agent) = below_a_preset(true);
    h.disclosure.detach(&mut h.registry, agent);
    h.attach(agent, &[selection("q", &["preset"], &[])]).unwrap();
    assert_eq!(h.sees(agent), ["tool_search"]);
}

/// G16: at the ceiling the least recently used leaves, and the snapshot says so; a call is a use.
#[test]
fn eviction() {
    let policy = Cumulative { max_results: 2, max_tools: Some(2), ..Cumulative::default() };
    let mut h = Harness::new(&["a1", "b1", "c1"], config(&[], policy));
    let agent = h.agent();
    h.search(agent, "a1 b1");
    let calls = vec![Call::new("c", "a1", "{}")];
    h.disclosure.note(agent, &Event::Assistant { step: "s".to_string(), text: String::new(), calls });
    let (answer, log) = h.search(agent, "c1");
    assert_eq!((names(&answer.tools), answer.remaining), (vec![("c1", Loaded), ("b1", Unloaded)], Some(1)));
    let Event::Selection { snapshot, added } = &log[0] else { panic!("a snapshot") };
    assert_eq!((&snapshot.selected[..], &snapshot.removed[..]), (&["a1".into(), "c1".into()][..], &["b1".into()][..]));
    assert_eq!((snapshot.reason.as_deref(), &added[..]), (Some("least recently used"), &["c1".to_string()][..]));
    assert_eq!(h.sees(agent), ["a1", "c1", "tool_search"]);
    // A tool that is gone takes its place all the same: it may come back.
    let mut h =
        Harness::new(&["b1"], config(&[], Cumulative { max_results: 1, max_tools: Some(1), ..Cumulative::default() }));
    let agent = h.registry.open(GLOBAL).unwrap();
    h.attach(agent, &[selection("q", &["gone"], &[])]).unwrap();
    assert_eq!(names(&h.search(agent, "b1").0.tools), [("b1", Loaded), ("gone", Unloaded)]);
    assert_eq!(h.disclosure.selected(agent).unwrap(), ["b1"]);
}

/// G16: a reset forgets everything, names it for the host, and leaves the search tool.
#[test]
fn reset() {
    let mut h = Harness::plain(&["a1", "b1"]);
    let agent = h.agent();
    let mut none = |_: &Event| panic!("nothing is written");
    assert_eq!(h.disclosure.reset(&mut h.registry, agent, "compaction", &mut none), Ok(None));
    h.search(agent, "b1 a1");
    let mut log = Vec::new();
    let mut append = |e: &Event| {
        log.push(e.clone());
        Ok(())
    };
    let hint = h.disclosure.reset(&mut h.registry, agent, "compaction", &mut append).unwrap().unwrap();
    assert!(hint.contains("a1, b1"), "{hint}");
    assert_eq!(h.sees(agent), ["tool_search"]);
    h.disclosure.detach(&mut h.registry, agent);
    h.attach(agent, &log).unwrap();
    assert_eq!(h.disclosure.selected(agent), Some(&[][..]));
}

/// P15: a search never answers from tools that are gone, nor misses a new one, also before the refresh.
#[test]
fn list_changes_reach_the_search() {
    let mut h = Harness::plain(&["a1"]);
    let (agent, sharing) = (h.agent(), h.agent());
    h.search(sharing, "a1");
    let late = h.registry.register(&h.host, GLOBAL, tool("late")).unwrap();
    assert_eq!(names(&h.search(agent, "late").0.tools), [("late", Loaded)]);
    h.registry.unregister(&h.host, late).unwrap();
    for agent in [agent, sharing] {
        assert_eq!(h.search(agent, "late").0.output.text(), "No matching tools found.");
    }
    // The same name with another definition is another tool: the request carries the new one.
    let new = Tool::new("late", Some("Is new."), "{}").unwrap();
    h.registry.register(&h.host, GLOBAL, new.clone()).unwrap();
    assert_eq!(names(&h.search(agent, "late").0.tools), [("late", AlreadyLoaded)]);
    assert!(h.registry.schemas(agent).unwrap().contains(&&new));
}

/// P17: a subagent starts with nothing, unless it is told to inherit: then with a snapshot of its own.
#[test]
fn subagents() {
    let mut h = Harness::plain(&["b1", "a1", "c1"]);
    let parent = h.agent();
    h.search(parent, "b1");
    h.search(parent, "a1");
    let alone = h.agent();
    assert_eq!(h.sees(alone), ["tool_search"]);
    let (child, mut log) = (h.registry.open(GLOBAL).unwrap(), Vec::new());
    let mut append = |e: &Event| {
        log.push(e.clone());
        Ok(())
    };
    let inherits = Subagent::Inherits { parent };
    h.disclosure.attach(&mut h.registry, child, &[], inherits, &mut append).unwrap();
    assert_eq!(log, [selection("inherited from the parent", &["a1", "b1"], &["b1", "a1"])]);
    assert_eq!(h.sees(child), ["b1", "a1", "tool_search"]);
    // From here on they are apart.
    h.search(child, "c1");
    assert_eq!(h.disclosure.selected(parent).unwrap(), ["a1", "b1"]);
    // It resumes from its own history, not from the parent's present one.
    h.disclosure.detach(&mut h.registry, child);
    let mut none = |_: &Event| panic!("nothing is written");
    h.disclosure.attach(&mut h.registry, child, &log, inherits, &mut none).unwrap();
    assert_eq!(h.disclosure.selected(child).unwrap(), ["a1", "b1"]);
    // What cannot be written, or has no parent, leaves nothing behind.
    let other = h.registry.open(GLOBAL).unwrap();
    let failed = h.disclosure.attach(&mut h.registry, other, &[], inherits, &mut |_| Err("full".to_string()));
    assert_eq!(failed, Err(DisclosureError::Append { why: "full".to_string() }));
    let orphan = Subagent::Inherits { parent: other };
    let failed = h.disclosure.attach(&mut h.registry, other, &[], orphan, &mut |_| Ok(()));
    assert_eq!(failed, Err(DisclosureError::NotAttached));
    assert_eq!(h.sees(other), ["b1", "a1", "c1"]);
}

/// G16, D16: under a ceiling nobody leaves for a tool that another restriction denies.
#[test]
fn a_denied_tool_takes_nobodys_place() {
    let policy = Cumulative { max_results: 1, max_tools: Some(1), ..Cumulative::default() };
    let mut h = Harness::new(&["a", "b"], config(&[], policy));
    let agent = h.agent();
    h.search(agent, "a");
    let host = h.registry.owner();
    h.registry.restrict(&host, agent, Allow::names(["a"])).unwrap();
    let (answer, log) = h.search(agent, "b");
    assert_eq!(names(&answer.tools), [("b", Unavailable)]);
    assert!(log.is_empty());
    assert_eq!(h.sees(agent), ["a", "tool_search"]);
}
