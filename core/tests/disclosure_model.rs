//! The policy `cumulative` over a registry against a plain model of its contract, over random lives of four agents.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[path = "disclosure_model/model.rs"]
mod model;
#[path = "disclosure_model/world.rs"]
mod world;

use std::collections::BTreeSet;

use deferbench_core::disclosure::Caller;
use deferbench_core::policy::check_snapshots;
use deferbench_core::registry::GLOBAL;
use deferbench_core::transcript::{Call, Event, Output, Snapshot, Transcript};
use model::{MAX_RESULTS, Rules};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use world::{World, call};

const NAMES: [&str; 8] = ["alpha", "bravo", "carol", "delta", "eagle", "fjord", "grape", "hotel"];

/// What is wrong with a search.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trouble {
    None,
    Blank,
    TooLong,
    Limit(&'static str),
    Caller,
    Nested,
    Append,
}

/// Scopes 0 to 2 are the global one and the presets, 3 to 6 the agents.
#[derive(Debug, Clone)]
enum Action {
    Register(usize, usize),
    Unregister(usize, usize),
    /// The same name, another definition.
    Replace(usize, usize),
    Restrict(usize, u8),
    Lift(usize),
    Open(usize, usize),
    Close(usize),
    Fresh(usize),
    Recover(usize),
    Fork(usize, usize),
    Inherit(usize, usize, bool),
    Detach(usize),
    Reload,
    Search(usize, Vec<usize>, Option<usize>, Trouble),
    Call(usize, usize),
    Reset(usize, bool),
    Refresh,
}

fn action() -> impl Strategy<Value = Action> {
    use Action::*;
    let (home, name, slot) = (0..3usize, 0..8usize, 0..4usize);
    let trouble = prop_oneof![
        12 => Just(Trouble::None),
        3 => Just(Trouble::Append),
        1 => prop_oneof![
            Just(Trouble::Blank), Just(Trouble::TooLong), Just(Trouble::Caller), Just(Trouble::Nested),
            Just(Trouble::Limit("0")), Just(Trouble::Limit("3")), Just(Trouble::Limit("1.5")), Just(Trouble::Limit("\"1\""))
        ],
    ];
    let words = proptest::sample::subsequence((0..8).collect::<Vec<usize>>(), 1..4).prop_shuffle();
    let limit = proptest::option::weighted(0.3, 1..=MAX_RESULTS);
    prop_oneof![
        5 => (home.clone(), name.clone()).prop_map(|(h, n)| Register(h, n)),
        3 => (home.clone(), name.clone()).prop_map(|(h, n)| Unregister(h, n)),
        2 => (home.clone(), name.clone()).prop_map(|(h, n)| Replace(h, n)),
        2 => (1..7usize, any::<u8>()).prop_map(|(s, m)| Restrict(s, m)),
        3 => (1..7usize).prop_map(Lift),
        3 => (slot.clone(), home).prop_map(|(s, h)| Open(s, h)),
        1 => slot.clone().prop_map(Close),
        1 => slot.clone().prop_map(Fresh),
        4 => slot.clone().prop_map(Recover),
        1 => (slot.clone(), slot.clone()).prop_map(|(s, o)| Fork(s, o)),
        2 => (slot.clone(), slot.clone(), any::<bool>()).prop_map(|(s, p, f)| Inherit(s, p, f)),
        1 => slot.clone().prop_map(Detach),
        1 => Just(Reload),
        16 => (slot.clone(), words, limit, trouble).prop_map(|(s, w, l, t)| Search(s, w, l, t)),
        3 => (slot.clone(), name).prop_map(|(s, n)| Call(s, n)),
        1 => (slot, any::<bool>()).prop_map(|(s, f)| Reset(s, f)),
        3 => Just(Refresh),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    let always = prop_oneof![Just(vec![]), Just(vec!["alpha"]), Just(vec!["a*", "hotel"])];
    let mode = prop_oneof![Just((None, false)), Just((Some(2), false)), Just((Some(3), false)), Just((None, true))];
    (always, mode).prop_map(|(always, (max_tools, upstream))| Rules { always, max_tools, upstream })
}

fn search(world: &mut World, slot: usize, words: &[usize], limit: Option<usize>, trouble: Trouble) {
    let Some(key) = world.slots[slot].key else { return };
    let scope = world.scope(key);
    let query = words.iter().map(|w| NAMES[*w]).collect::<Vec<_>>().join(" ");
    let limit_text = limit.map_or(String::new(), |l| format!(r#","limit":{l}"#));
    let arguments = match trouble {
        Trouble::Blank => r#"{"query":" \t "}"#.to_string(),
        Trouble::TooLong => format!(r#"{{"query":"{}"}}"#, "alpha ".repeat(5)),
        Trouble::Limit(limit) => format!(r#"{{"query":"{query}","limit":{limit}}}"#),
        _ => format!(r#"{{"query":" {query} "{limit_text}}}"#),
    };
    let mut caller = Caller::agent(scope);
    match trouble {
        Trouble::Caller => caller.agent = GLOBAL,
        Trouble::Nested => caller.nested = true,
        _ => {}
    }
    let wrong = !matches!(trouble, Trouble::None | Trouble::Append) || !world.model.agents.contains_key(&key);
    let keys: Vec<usize> = world.slots.iter().filter_map(|s| s.key).collect();
    let before: Vec<_> = keys.iter().map(|k| world.names(*k)).collect();
    if wrong {
        let (answer, log) = world.ask(key, caller, &call(&arguments), false);
        assert!(matches!(answer.output, Output::Error(_)) && answer.tools.is_empty() && answer.remaining.is_none());
        assert!(log.is_empty());
        assert_eq!(keys.iter().map(|k| world.names(*k)).collect::<Vec<_>>(), before, "an error changes nothing");
        return;
    }
    // A search brings the agent's restriction in line first: its answer is about the tools as they are.
    world.model.agents.get_mut(&key).unwrap().stale = false;
    let expected = world.model.search(key, &query, limit.unwrap_or(MAX_RESULTS));
    let added = match &expected.event {
        Some(Event::Selection { added, .. }) => added.clone(),
        _ => Vec::new(),
    };
    world.watch(key, &added);
    let fails = trouble == Trouble::Append;
    let (answer, log) = world.ask(key, caller, &call(&arguments), fails);
    if fails && expected.event.is_some() {
        assert!(matches!(answer.output, Output::Error(_)) && answer.tools.is_empty() && answer.remaining.is_none());
        assert!(log.is_empty());
    } else {
        assert_eq!(answer.tools, expected.tools);
        assert_eq!(answer.remaining, Some(expected.remaining));
        assert_eq!(log, Vec::from_iter(expected.event));
        let agent = world.model.agents.get_mut(&key).unwrap();
        log.iter().for_each(|e| agent.note(e));
        world.slots[slot].history.extend(log);
    }
    world.watch(key, &[]);
}

fn reset(world: &mut World, slot: usize, fails: bool) {
    let Some(key) = world.slots[slot].key else { return };
    let (scope, mut log) = (world.scope(key), Vec::new());
    let mut append = |event: &Event| {
        log.push(event.clone());
        if fails { Err("full".to_string()) } else { Ok(()) }
    };
    let result = world.disclosure.reset(&mut world.registry, scope, "compaction", &mut append);
    let upstream = world.model.rules.upstream;
    let Some(agent) = world.model.agents.get_mut(&key) else { return assert!(result.is_err()) };
    if agent.selected.is_empty() {
        assert_eq!((result, log.len()), (Ok(None), 0));
    } else if fails || upstream {
        assert!(result.is_err());
        // The published form cannot say that something left.
        assert_eq!(log.is_empty(), upstream);
        agent.stale &= upstream;
    } else {
        let hint = result.unwrap().unwrap();
        assert!(agent.selected.iter().all(|name| hint.contains(name.as_str())), "{hint}");
        let (query, reason) = ("compaction".to_string(), Some("compaction".to_string()));
        let snapshot = Snapshot { query, selected: Vec::new(), removed: agent.sorted(), reason };
        assert_eq!(log, [Event::Selection { snapshot, added: Vec::new() }]);
        agent.note(&log[0]);
        agent.stale = false;
        world.slots[slot].history.extend(log);
        world.watch(key, &[]);
    }
}

fn act(world: &mut World, action: &Action) {
    let mask = |m: u8| NAMES.iter().enumerate().filter(move |(i, _)| m >> i & 1 == 1).map(|(_, n)| n.to_string());
    let scope_key = |world: &World, at: usize| if at < 3 { Some(at) } else { world.slots[at - 3].key };
    match *action {
        Action::Register(home, name) => world.register(home, NAMES[name]),
        Action::Unregister(home, name) => drop(world.unregister(home, NAMES[name])),
        Action::Replace(home, name) => {
            if world.unregister(home, NAMES[name]) {
                world.register(home, NAMES[name]);
            }
        }
        Action::Restrict(at, m) => {
            if let Some(key) = scope_key(world, at) {
                world.restrict(key, mask(m).collect::<BTreeSet<String>>());
            }
        }
        Action::Lift(at) => scope_key(world, at).into_iter().for_each(|key| world.lift(key)),
        Action::Open(slot, parent) if world.slots[slot].key.is_none() => world.open(slot, parent),
        Action::Open(..) => {}
        Action::Close(slot) => {
            if let Some(key) = world.slots[slot].key.take() {
                world.close(key);
            }
        }
        Action::Fresh(slot) => {
            // An attached agent stays as it is, whatever history it is given.
            let attached = world.slots[slot].key.is_some_and(|key| world.model.agents.contains_key(&key));
            if !attached {
                world.slots[slot].history.clear();
            }
            world.attach(slot, None, false);
        }
        Action::Recover(slot) => world.attach(slot, None, true),
        Action::Fork(slot, other) => {
            if world.slots[slot].key.is_some_and(|key| !world.model.agents.contains_key(&key)) {
                world.slots[slot].history = world.slots[other].history.clone();
                world.attach(slot, None, false);
            }
        }
        Action::Inherit(slot, parent, fails) => {
            if let Some(parent) = world.slots[parent].key {
                world.attach(slot, Some(parent), fails);
            }
        }
        Action::Detach(slot) => {
            if let Some(key) = world.slots[slot].key {
                world.unwatch(key);
                let scope = world.scope(key);
                world.disclosure.detach(&mut world.registry, scope);
                world.model.agents.remove(&key);
            }
        }
        Action::Reload => world.reload(),
        Action::Search(slot, ref words, limit, trouble) => search(world, slot, words, limit, trouble),
        Action::Call(slot, name) => {
            let Some(key) = world.slots[slot].key else { return };
            let calls = vec![Call::new("c", NAMES[name], "{}")];
            let event = Event::Assistant { step: "s".to_string(), text: String::new(), calls };
            let scope = world.scope(key);
            if let Some(agent) = world.model.agents.get_mut(&key) {
                world.disclosure.note(scope, &event);
                agent.note(&event);
                world.slots[slot].history.push(event);
            }
        }
        Action::Reset(slot, fails) => reset(world, slot, fails),
        Action::Refresh => {
            world.disclosure.refresh(&mut world.registry).unwrap();
            world.model.agents.values_mut().for_each(|a| a.stale = false);
        }
    }
}

fn check(world: &World) {
    for slot in &world.slots {
        let Some(key) = slot.key else { continue };
        let (seen, expected) = (world.names(key), world.model.visible(key));
        let agent = world.model.agents.get(&key);
        if agent.is_some_and(|a| a.stale) {
            assert!(seen.iter().all(|n| expected.contains(n)), "fails closed: {seen:?}, at most {expected:?}");
        } else {
            assert_eq!(seen, expected);
        }
        let selected = world.disclosure.selected(world.scope(key)).map(<[String]>::to_vec);
        assert_eq!(selected, agent.map(|a| a.sorted()));
        let ceiling = world.model.rules.max_tools.unwrap_or(usize::MAX);
        assert!(selected.is_none_or(|s| s.len() <= ceiling), "over the ceiling");
    }
    assert_eq!(world.watch.lock().unwrap().1, Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), failure_persistence: Some(Box::new(FileFailurePersistence::Direct("proptest-regressions/disclosure_model.txt"))), ..ProptestConfig::default() })]

    /// D10 to D24, G11, G16, P15, P17: after every action the agents see, and are told, what the model says.
    #[test]
    fn agents_see_what_the_contract_says(
        rules in rules(),
        actions in proptest::collection::vec((action(), any::<bool>()), 1..70),
    ) {
        let mut world = World::new(rules);
        // Without this most examples would begin with searches for nothing.
        [(0, "alpha"), (0, "bravo"), (0, "carol"), (1, "delta"), (1, "eagle"), (2, "eagle")]
            .iter().for_each(|(home, name)| world.register(*home, name));
        (0..2).for_each(|slot| world.open(slot, slot));
        for (action, refresh) in &actions {
            act(&mut world, action);
            check(&world);
            if *refresh {
                act(&mut world, &Action::Refresh);
                check(&world);
            }
        }
        // D15: what an agent knows follows from its events, whichever way they come.
        let attached: Vec<usize> = world.model.agents.keys().copied().collect();
        attached.into_iter().for_each(|key| world.unwatch(key));
        let next = deferbench_core::disclosure::Disclosure::new(&mut world.registry, world::config(&world.model.rules));
        std::mem::replace(&mut world.disclosure, next.unwrap()).unload(&mut world.registry);
        for slot in 0..4 {
            let (history, mut transcript) = (world.slots[slot].history.clone(), Transcript::new());
            history.iter().for_each(|e| transcript.push(e.clone()));
            prop_assert_eq!(check_snapshots(transcript.events()), Ok(()));
            let Some(key) = world.slots[slot].key else { continue };
            let whole = world.replayed(key, &history, history.len());
            for at in 0..history.len() {
                prop_assert_eq!(world.replayed(key, &history, at), whole.clone(), "first {} of {:?}", at, history);
            }
        }
    }
}
