//! A registry, its disclosure, four agents with their histories, and the model beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use deferbench_core::Tool;
use deferbench_core::disclosure::{Caller, Disclosed, Disclosure, DisclosureConfig, Pattern, Subagent};
use deferbench_core::policy::Cumulative;
use deferbench_core::registry::{Allow, Change, GLOBAL, Owner, RegistrationId, Registry, RestrictionId, ScopeId};
use deferbench_core::transcript::{Call, Event};

use crate::model::{Agent, MAX_QUERY_CHARS, MAX_RESULTS, Model, Registered, Rules};

/// What the observer holds an agent to: the names that it may have selected now, and where they may come from.
pub struct Guard {
    pub names: BTreeSet<String>,
    pub frozen: Option<BTreeSet<RegistrationId>>,
    /// False until the agent's first restriction is there.
    pub on: bool,
}

pub type Watch = Arc<Mutex<(BTreeMap<ScopeId, Guard>, Vec<String>)>>;

#[derive(Default)]
pub struct Slot {
    pub key: Option<usize>,
    pub history: Vec<Event>,
}

pub struct World {
    pub registry: Registry,
    pub disclosure: Disclosure,
    pub model: Model,
    pub slots: [Slot; 4],
    pub watch: Watch,
    host: Owner,
    ids: BTreeMap<usize, RegistrationId>,
    scopes: BTreeMap<usize, ScopeId>,
    restrictions: BTreeMap<usize, RestrictionId>,
    next: usize,
}

pub fn config(rules: &Rules) -> DisclosureConfig {
    let policy = Cumulative {
        max_results: MAX_RESULTS,
        max_query_chars: MAX_QUERY_CHARS,
        max_tools: rules.max_tools,
        upstream: rules.upstream,
        ..Cumulative::default()
    };
    // The words of a query are names: `phrase` finds those tools and no other, in registration order.
    DisclosureConfig { always_visible: Pattern::all(&rules.always).unwrap(), policy, ranker: "phrase".to_string() }
}

pub fn call(arguments: &str) -> Call {
    Call::new("c", "tool_search", arguments)
}

fn observer(watch: Watch, rules: Rules) -> impl FnMut(&Registry, &Change) + Send {
    move |registry, change| {
        let mut watch = watch.lock().unwrap();
        let (guards, violations) = &mut *watch;
        for (scope, guard) in guards.iter_mut().filter(|(scope, _)| registry.is_open(**scope)) {
            guard.on |= matches!(change, Change::Restricted { scope: restricted } if restricted == scope);
            for (id, home, tool) in registry.above(*scope).unwrap() {
                let selected = guard.names.contains(tool.name())
                    && guard.frozen.as_ref().is_none_or(|ids| ids.contains(&id))
                    && (!rules.upstream || home == GLOBAL);
                if guard.on && registry.sees(*scope, id) && !selected && !rules.always(tool.name()) {
                    violations.push(format!("{scope:?} sees {} after {change:?}", tool.name()));
                }
            }
        }
    }
}

impl World {
    /// Two scopes of presets, 1 and 2, below the global one.
    pub fn new(rules: Rules) -> Self {
        let mut registry = Registry::new();
        let watch = Watch::default();
        registry.observe(Box::new(observer(watch.clone(), rules.clone())));
        let (host, disclosure) = (registry.owner(), Disclosure::new(&mut registry, config(&rules)).unwrap());
        let mut scopes = BTreeMap::from([(0, GLOBAL)]);
        scopes.extend((1..=2).map(|key| (key, registry.open(GLOBAL).unwrap())));
        let model = Model {
            rules,
            tools: Vec::new(),
            parents: BTreeMap::from([(1, 0), (2, 0)]),
            allowed: BTreeMap::new(),
            agents: BTreeMap::new(),
        };
        let (slots, ids, restrictions) = (Default::default(), BTreeMap::new(), BTreeMap::new());
        Self { registry, disclosure, model, slots, watch, host, ids, scopes, restrictions, next: 10 }
    }

    pub fn scope(&self, key: usize) -> ScopeId {
        self.scopes[&key]
    }

    fn key(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub fn names(&self, key: usize) -> Vec<String> {
        let tools = self.registry.schemas(self.scope(key)).unwrap();
        tools.iter().map(|t| t.name().to_string()).collect()
    }

    pub fn stale(&mut self) {
        self.model.agents.values_mut().for_each(|a| a.stale = true);
    }

    pub fn register(&mut self, home: usize, name: &str) {
        let id = self.key();
        let tool = Tool::new(name, None, &format!(r#"{{"maxProperties":{id}}}"#)).unwrap();
        let registered = self.registry.register(&self.host, self.scopes[&home], tool);
        assert_eq!(registered.is_err(), self.model.taken(home, name), "register {name} at {home}");
        if let Ok(registration) = registered {
            self.ids.insert(id, registration);
            self.model.tools.push(Registered { id, name: name.to_string(), home });
            self.stale();
        }
    }

    pub fn unregister(&mut self, home: usize, name: &str) -> bool {
        let Some(at) = self.model.tools.iter().position(|t| t.home == home && t.name == name) else { return false };
        let tool = self.model.tools.remove(at);
        self.registry.unregister(&self.host, self.ids[&tool.id]).unwrap();
        self.stale();
        true
    }

    pub fn lift(&mut self, key: usize) {
        if let Some(id) = self.restrictions.remove(&key) {
            self.registry.lift(&self.host, id).unwrap();
            self.model.allowed.remove(&key);
            self.stale();
        }
    }

    pub fn restrict(&mut self, key: usize, names: BTreeSet<String>) {
        self.lift(key);
        let id = self.registry.restrict(&self.host, self.scopes[&key], Allow::names(names.clone())).unwrap();
        self.restrictions.insert(key, id);
        self.model.allowed.insert(key, names);
        self.stale();
    }

    pub fn open(&mut self, slot: usize, parent: usize) {
        let key = self.key();
        self.scopes.insert(key, self.registry.open(self.scopes[&parent]).unwrap());
        self.model.parents.insert(key, parent);
        self.slots[slot].key = Some(key);
    }

    pub fn close(&mut self, key: usize) {
        self.registry.close(self.scopes[&key]).unwrap();
        self.model.agents.remove(&key);
        self.model.parents.remove(&key);
        self.model.allowed.remove(&key);
        self.restrictions.remove(&key);
        self.stale();
    }

    fn guard(&self, agent: &Agent, on: bool) -> Guard {
        let frozen = agent.frozen.as_ref().map(|ids| ids.iter().filter_map(|id| self.ids.get(id)).copied().collect());
        Guard { names: agent.selected.iter().cloned().collect(), frozen, on }
    }

    /// From now on the observer lets the agent see what it has selected, and these names.
    pub fn watch(&self, key: usize, more: &[String]) {
        let mut guard = self.guard(&self.model.agents[&key], true);
        guard.names.extend(more.iter().cloned());
        self.watch.lock().unwrap().0.insert(self.scope(key), guard);
    }

    pub fn unwatch(&self, key: usize) {
        self.watch.lock().unwrap().0.remove(&self.scope(key));
    }

    /// Attaches with the history of the slot; a parent's selection comes on top, unless something was recorded before.
    pub fn attach(&mut self, slot: usize, parent: Option<usize>, fails: bool) {
        let Some(key) = self.slots[slot].key else { return };
        let scope = self.scope(key);
        let subagent = match parent {
            None => Subagent::Alone,
            Some(parent) => Subagent::Inherits { parent: self.scope(parent) },
        };
        let history = self.slots[slot].history.clone();
        let mut agent = self.model.attached(key, &history);
        let old = self.model.agents.contains_key(&key);
        let inherited = parent.and_then(|p| self.model.agents.get(&p)).map(|p| (p.sorted(), p.selected.clone()));
        let records = inherited.is_some() && !history.iter().any(|e| matches!(e, Event::Selection { .. }));
        let (mut log, mut expected) = (Vec::new(), Vec::new());
        if let Some((selected, added)) = inherited.filter(|(s, _)| records && !s.is_empty()) {
            let snapshot = deferbench_core::transcript::Snapshot::new("inherited from the parent", selected);
            expected.push(Event::Selection { snapshot, added });
        }
        expected.iter().for_each(|e| agent.note(e));
        if !old {
            self.watch.lock().unwrap().0.insert(scope, self.guard(&agent, false));
        }
        let mut append = |event: &Event| match fails {
            true => Err("full".to_string()),
            false => {
                log.push(event.clone());
                Ok(())
            }
        };
        // A parent is asked for only where nothing was recorded before.
        let recorded = history.iter().any(|e| matches!(e, Event::Selection { .. }));
        let orphan = !recorded && parent.is_some_and(|p| !self.model.agents.contains_key(&p));
        if old || orphan || (fails && !expected.is_empty()) {
            // The guard would see the failed installation being taken back.
            if !old {
                self.watch.lock().unwrap().0.remove(&scope);
            }
            let result = self.disclosure.attach(&mut self.registry, scope, &history, subagent, &mut append);
            assert_eq!(result.is_ok(), old, "{result:?}");
            assert!(log.is_empty());
            return;
        }
        self.disclosure.attach(&mut self.registry, scope, &history, subagent, &mut append).unwrap();
        assert_eq!(log, expected);
        self.slots[slot].history.extend(log);
        self.model.agents.insert(key, agent);
        self.watch(key, &[]);
    }

    pub fn reload(&mut self) {
        let keys: Vec<usize> = self.model.agents.keys().copied().collect();
        keys.iter().for_each(|key| self.unwatch(*key));
        self.model.agents.clear();
        let next = Disclosure::new(&mut self.registry, config(&self.model.rules)).unwrap();
        std::mem::replace(&mut self.disclosure, next).unload(&mut self.registry);
        let attached = |s: &usize| self.slots[*s].key.is_some_and(|key| keys.contains(&key));
        for slot in (0..4).filter(attached).collect::<Vec<_>>() {
            self.attach(slot, None, false);
        }
    }

    /// A search of the agent by itself; gives the answer and what was written.
    pub fn ask(&mut self, key: usize, caller: Caller, call: &Call, fails: bool) -> (Disclosed, Vec<Event>) {
        let (scope, mut log) = (self.scope(key), Vec::new());
        let mut append = |event: &Event| match fails {
            true => Err("full".to_string()),
            false => {
                log.push(event.clone());
                Ok(())
            }
        };
        let answer = self.disclosure.search(&mut self.registry, scope, caller, call, &mut append);
        (answer, log)
    }

    /// What is known of an agent that reads a history as a whole up to `at`, and event by event behind it; with what its
    /// next search does, so that the last uses are compared too.
    pub fn replayed(&mut self, key: usize, history: &[Event], at: usize) -> String {
        let scope = self.scope(key);
        let mut disclosure = Disclosure::new(&mut self.registry, config(&self.model.rules)).unwrap();
        let registry = &mut self.registry;
        let mut append = |_: &Event| Ok(());
        disclosure.attach(registry, scope, &history[..at], Subagent::Alone, &mut append).unwrap();
        history[at..].iter().for_each(|e| disclosure.note(scope, e));
        disclosure.refresh(registry).unwrap();
        let order = &deferbench_core::order::build("append").unwrap();
        let mut state = format!("{:?}", disclosure.selected(scope));
        for query in ["", "eagle fjord", "grape"] {
            let arguments = serde_json::json!({ "query": query }).to_string();
            let answer = disclosure.search(registry, scope, Caller::agent(scope), &call(&arguments), &mut append);
            let request = disclosure.request(registry, scope, order).unwrap();
            let names: Vec<&str> = request.iter().map(Tool::name).collect();
            state += &format!("\n{answer:?}\n{names:?}");
        }
        disclosure.unload(registry);
        state
    }
}
