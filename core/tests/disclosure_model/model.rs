//! The contract of the policy `cumulative` over a registry, in sets and loops.
//!
//! It shares no code with the library. A scope is a number, 0 the global one; a registration is a number too.

use std::collections::{BTreeMap, BTreeSet};

use deferbench_core::disclosure::Status;
use deferbench_core::transcript::{Event, Snapshot};

pub const MAX_RESULTS: usize = 2;
pub const MAX_QUERY_CHARS: usize = 24;

/// What an example is played under.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Names, or prefixes before a star.
    pub always: Vec<&'static str>,
    pub max_tools: Option<usize>,
    pub upstream: bool,
}

impl Rules {
    pub fn always(&self, name: &str) -> bool {
        let matches = |p: &&str| p.strip_suffix('*').map_or(*p == name, |prefix| name.starts_with(prefix));
        self.always.iter().any(matches)
    }
}

#[derive(Debug, Clone)]
pub struct Registered {
    pub id: usize,
    pub name: String,
    pub home: usize,
}

/// What an attached agent may find and has found.
#[derive(Debug, Clone, Default)]
pub struct Agent {
    /// What it may find, where something was hidden from it when it was attached.
    pub frozen: Option<BTreeSet<usize>>,
    /// Oldest activation first.
    pub selected: Vec<String>,
    pub used: BTreeMap<String, usize>,
    pub clock: usize,
    /// Something changed since its restriction was last brought in line.
    pub stale: bool,
}

impl Agent {
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::Selection { snapshot, added } => {
                self.selected.retain(|n| snapshot.selected.contains(n) && !added.contains(n));
                self.selected.extend(added.iter().cloned());
                let missing: Vec<String> =
                    snapshot.selected.iter().filter(|n| !self.selected.contains(n)).cloned().collect();
                self.selected.extend(missing);
                self.used.extend(added.iter().map(|n| (n.clone(), self.clock)));
            }
            Event::Assistant { calls, .. } => {
                self.used.extend(calls.iter().map(|c| (c.name.clone(), self.clock)));
            }
            _ => {}
        }
        self.clock += 1;
    }

    pub fn sorted(&self) -> Vec<String> {
        self.selected.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// What a search has to answer, and what it has to record.
#[derive(Debug)]
pub struct Expected {
    pub tools: Vec<(String, Status)>,
    pub remaining: usize,
    pub event: Option<Event>,
}

#[derive(Debug)]
pub struct Model {
    pub rules: Rules,
    /// In registration order.
    pub tools: Vec<Registered>,
    pub parents: BTreeMap<usize, usize>,
    /// The host's restrictions: what each lets through, by the scope that it restricts.
    pub allowed: BTreeMap<usize, BTreeSet<String>>,
    pub agents: BTreeMap<usize, Agent>,
}

impl Model {
    /// The scope and those above it, nearest first.
    pub fn path(&self, scope: usize) -> Vec<usize> {
        let mut path = vec![scope];
        while let Some(parent) = self.parents.get(&path[path.len() - 1]) {
            path.push(*parent);
        }
        path
    }

    pub fn taken(&self, home: usize, name: &str) -> bool {
        let clashes = |t: &&Registered| self.path(home).contains(&t.home) || self.path(t.home).contains(&home);
        self.tools.iter().filter(|t| t.name == name).any(|t| clashes(&t))
    }

    fn above(&self, scope: usize) -> Vec<&Registered> {
        let path = self.path(scope);
        self.tools.iter().filter(|t| t.home != scope && path.contains(&t.home)).collect()
    }

    /// Every restriction between the scope and the tool's home has to let it through.
    fn host_allows(&self, scope: usize, tool: &Registered) -> bool {
        let between: Vec<usize> = self.path(scope).into_iter().take_while(|s| *s != tool.home).collect();
        between.iter().filter_map(|s| self.allowed.get(s)).all(|names| names.contains(&tool.name))
    }

    /// The published system knows global tools only.
    fn counts(&self, tool: &Registered) -> bool {
        !self.rules.upstream || tool.home == 0
    }

    pub fn eligible(&self, scope: usize) -> Vec<&Registered> {
        let agent = &self.agents[&scope];
        let admitted = |t: &&Registered| {
            self.counts(t)
                && (self.rules.always(&t.name) || agent.frozen.as_ref().is_none_or(|ids| ids.contains(&t.id)))
        };
        self.above(scope).into_iter().filter(admitted).collect()
    }

    /// The inherited tools that the scope sees once its restriction is in line.
    pub fn inherited(&self, scope: usize) -> Vec<&Registered> {
        let shown: Vec<&Registered> = match self.agents.get(&scope) {
            None => self.above(scope),
            Some(agent) => {
                let open = |t: &&Registered| self.rules.always(&t.name) || agent.selected.contains(&t.name);
                self.eligible(scope).into_iter().filter(open).collect()
            }
        };
        shown.into_iter().filter(|t| self.host_allows(scope, t)).collect()
    }

    pub fn visible(&self, scope: usize) -> Vec<String> {
        let inherited = self.inherited(scope).into_iter().map(|t| t.name.clone());
        let own = self.agents.contains_key(&scope).then(|| "tool_search".to_string());
        inherited.chain(own).collect()
    }

    /// An agent as it is attached with a history.
    pub fn attached(&self, scope: usize, history: &[Event]) -> Agent {
        let counted: Vec<&Registered> = self.above(scope).into_iter().filter(|t| self.counts(t)).collect();
        let seen: BTreeSet<usize> = counted.iter().filter(|t| self.host_allows(scope, t)).map(|t| t.id).collect();
        let frozen = (seen.len() < counted.len()).then_some(seen);
        let mut agent = Agent { frozen, ..Agent::default() };
        history.iter().for_each(|e| agent.note(e));
        agent
    }

    /// The words are names of tools; the tools come in registration order. Changes nothing.
    pub fn search(&self, scope: usize, query: &str, limit: usize) -> Expected {
        let agent = &self.agents[&scope];
        let words: Vec<&str> = query.split_whitespace().collect();
        let named = self.eligible(scope).into_iter().filter(|t| words.contains(&t.name.as_str()));
        let found: Vec<String> = named.map(|t| t.name.clone()).take(limit).collect();
        let mut kept = agent.selected.clone();
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        // Under a ceiling a tool that the host denies takes nobody's place.
        let above = self.above(scope);
        let denied = |n: &String| above.iter().any(|t| t.name == *n && !self.host_allows(scope, t));
        let counts = |n: &&String| self.rules.max_tools.is_none() || !denied(n);
        for name in found.iter().filter(counts).filter(|n| !self.rules.always(n) && !agent.selected.contains(n)) {
            added.push(name.clone());
            while self.rules.max_tools.is_some_and(|max| kept.len() + added.len() > max) {
                let mut oldest: Option<usize> = None;
                for at in 0..kept.len() {
                    let last = |at: usize| agent.used.get(&kept[at]).copied().unwrap_or(0);
                    if !found.contains(&kept[at]) && oldest.is_none_or(|o| last(at) < last(o)) {
                        oldest = Some(at);
                    }
                }
                removed.push(kept.remove(oldest.expect("the ceiling is not below the results of one search")));
            }
        }
        let event = (!added.is_empty()).then(|| {
            let sorted = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
            let snapshot = Snapshot {
                query: query.trim().to_string(),
                selected: sorted(&[&kept[..], &added[..]].concat()),
                removed: sorted(&removed),
                reason: (!removed.is_empty()).then(|| "least recently used".to_string()),
            };
            Event::Selection { snapshot, added }
        });
        let mut after = Model { agents: self.agents.clone(), ..self.without_agents() };
        if let Some(event) = &event {
            after.agents.get_mut(&scope).unwrap().note(event);
        }
        let (before, then) = (self.visible(scope), after.visible(scope));
        let status = |name: &String| match (before.contains(name), then.contains(name)) {
            (true, true) => Status::AlreadyLoaded,
            (false, true) => Status::Loaded,
            (_, false) => Status::Unavailable,
        };
        let mut tools: Vec<(String, Status)> = found.iter().map(|n| (n.clone(), status(n))).collect();
        tools.extend(removed.into_iter().map(|n| (n, Status::Unloaded)));
        let remaining = after.eligible(scope).iter().filter(|t| !then.contains(&t.name)).count();
        Expected { tools, remaining, event }
    }

    fn without_agents(&self) -> Model {
        Model {
            rules: self.rules.clone(),
            tools: self.tools.clone(),
            parents: self.parents.clone(),
            allowed: self.allowed.clone(),
            agents: BTreeMap::new(),
        }
    }
}
