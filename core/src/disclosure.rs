//! How does the policy `cumulative` run over a registry in which tools and agents come and go?
//!
//! Each agent is a scope with a search tool of its own and one restriction that lets through what was found. Everything
//! that an agent has selected stands in the snapshots of its transcript; this component holds nothing else that matters.

mod index;
mod pattern;
mod search;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use thiserror::Error;

use crate::catalog::ToolId;
use crate::error::SpecError;
use crate::order::{Arrangement, Order, Slot};
use crate::policy::{Cumulative, Policy, PolicyError, check_next, check_snapshots};
use crate::rank;
use crate::registry::{Allow, GLOBAL, Owner, RegistrationId, Registry, RegistryError, RestrictionId, ScopeId};
use crate::tool::Tool;
use crate::transcript::{Event, Snapshot, Transcript};

pub use index::{Index, StaleIndex};
pub use pattern::{Pattern, PatternError};
pub use search::{Caller, Disclosed, Status};

/// Writes an event into an agent's durable transcript.
pub type Append<'a> = &'a mut dyn FnMut(&Event) -> Result<(), String>;

/// What a disclosure is made of.
#[derive(Debug, Clone)]
pub struct DisclosureConfig {
    /// Tools that are visible without a search, late ones included; another restriction may still deny them.
    pub always_visible: Vec<Pattern>,
    /// Limits of a search, ceilings of a selection, and whether the published defects are kept.
    pub policy: Cumulative,
    /// Spec of the ranker.
    pub ranker: String,
}

impl Default for DisclosureConfig {
    fn default() -> Self {
        let (always_visible, policy) = (Vec::new(), Cumulative::default());
        Self { always_visible, policy, ranker: rank::DEFAULT_RANKER.to_string() }
    }
}

/// What a new agent has to do with another one's selection. Nothing is shared without saying so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subagent {
    /// It starts with nothing, and what it finds is its own.
    #[default]
    Alone,
    /// It starts with what its parent has selected, as a snapshot in its own transcript.
    Inherits {
        /// The parent.
        parent: ScopeId,
    },
}

/// Why a disclosure refuses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisclosureError {
    /// The ranker's spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The registry refuses, for example because the agent has a tool of the search tool's name.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The transcript holds a damaged snapshot.
    #[error(transparent)]
    Snapshot(#[from] PolicyError),
    /// The agent is not there.
    #[error("the agent is not attached: attach its scope first")]
    NotAttached,
    /// The eligible tools cannot be searched.
    #[error("the tools cannot be indexed: {why}")]
    Index {
        /// What is wrong.
        why: String,
    },
    /// An index was asked after the tools have changed.
    #[error(transparent)]
    Stale(#[from] StaleIndex),
    /// An event could not be written.
    #[error("the selection could not be recorded ({why}); nothing changed")]
    Append {
        /// The transcript's words.
        why: String,
    },
}

/// Whose tools may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Start {
    /// The agent saw everything when it was attached: late tools are admitted.
    Open,
    /// Something was hidden from it: only these, for as long as they are there.
    Frozen(BTreeSet<RegistrationId>),
}

struct Agent {
    search: RegistrationId,
    restriction: RestrictionId,
    allow: Allow,
    start: Start,
    /// By code point.
    selected: Vec<String>,
    /// The selected names, oldest activation first.
    order: Vec<String>,
    /// The newest event that calls or adds a tool.
    used: HashMap<String, usize>,
    events: usize,
    index: Option<Arc<Index>>,
}

/// Search and visibility of every agent.
///
/// ```
/// use deferbench_core::{Tool, disclosure::{Caller, Disclosure, DisclosureConfig, Subagent}};
/// use deferbench_core::{registry::{GLOBAL, Registry}, transcript::{Call, Event}};
///
/// let mut registry = Registry::new();
/// let host = registry.owner();
/// let tool = |name, text| Tool::new(name, Some(text), "{}").unwrap();
/// registry.register(&host, GLOBAL, tool("get_weather", "Tells the weather.")).unwrap();
/// registry.register(&host, GLOBAL, tool("send_mail", "Sends a letter.")).unwrap();
/// let agent = registry.open(GLOBAL).unwrap();
///
/// let mut disclosure = Disclosure::new(&mut registry, DisclosureConfig::default()).unwrap();
/// let mut log: Vec<Event> = Vec::new();
/// disclosure.attach(&mut registry, agent, &[], Subagent::Alone, &mut |_| Ok(())).unwrap();
/// let names = |r: &Registry| r.schemas(agent).unwrap().iter().map(|t| t.name().to_string()).collect::<Vec<_>>();
/// assert_eq!(names(&registry), ["tool_search"]);
///
/// let call = Call::new("c1", "tool_search", r#"{"query":"weather"}"#);
/// let mut append = |event: &Event| { log.push(event.clone()); Ok(()) };
/// let answer = disclosure.search(&mut registry, agent, Caller::agent(agent), &call, &mut append);
/// assert_eq!(answer.output.text(), "Tools found:\n- get_weather: loaded\nStill deferred: 1");
/// assert_eq!(names(&registry), ["get_weather", "tool_search"]);
/// assert_eq!(log.len(), 1);
/// disclosure.unload(&mut registry);
/// assert_eq!(names(&registry), ["get_weather", "send_mail"]);
/// ```
pub struct Disclosure {
    config: DisclosureConfig,
    owner: Owner,
    agents: BTreeMap<ScopeId, Agent>,
    /// The indexes of the present generation; agents with the same eligible tools share one.
    indexes: Vec<Arc<Index>>,
}

impl Disclosure {
    /// A disclosure without agents.
    ///
    /// # Errors
    /// [`DisclosureError::Spec`] for a wrong ranker.
    pub fn new(registry: &mut Registry, config: DisclosureConfig) -> Result<Self, DisclosureError> {
        rank::resolve(&config.ranker)?;
        Ok(Self { config, owner: registry.owner(), agents: BTreeMap::new(), indexes: Vec::new() })
    }

    /// Gives an agent its search tool and its restriction. `history` is its transcript: the newest snapshot is restored
    /// before the first request, also in a fork that was seeded with another agent's events. An agent that is attached
    /// already stays as it is.
    ///
    /// # Errors
    /// [`DisclosureError`]; nothing of a failed attachment stays behind.
    pub fn attach(
        &mut self,
        registry: &mut Registry,
        scope: ScopeId,
        history: &[Event],
        subagent: Subagent,
        append: Append,
    ) -> Result<(), DisclosureError> {
        if self.agents.contains_key(&scope) {
            return Ok(());
        }
        let mut transcript = Transcript::new();
        history.iter().for_each(|event| transcript.push(event.clone()));
        check_snapshots(&transcript)?;
        let start = self.start(registry, scope)?;
        let mut selected = Vec::new();
        if let Subagent::Inherits { parent } = subagent {
            let parent = self.agents.get(&parent).ok_or(DisclosureError::NotAttached)?;
            let recorded = history.iter().any(|e| matches!(e, Event::Selection { .. }));
            if !recorded && !parent.selected.is_empty() {
                let snapshot = Snapshot::new("inherited from the parent", parent.selected.clone());
                selected.push(Event::Selection { snapshot, added: parent.order.clone() });
            }
        }
        let tool = self.config.policy.search_tool().ok_or(DisclosureError::NotAttached)?;
        let search = registry.register(&self.owner, scope, tool)?;
        let restriction = match registry.restrict(&self.owner, scope, Allow::default()) {
            Ok(restriction) => restriction,
            Err(error) => {
                registry.unregister(&self.owner, search)?;
                return Err(error.into());
            }
        };
        let (order, used) = (Vec::new(), HashMap::new());
        let allow = Allow::default();
        let mut agent =
            Agent { search, restriction, allow, start, selected: Vec::new(), order, used, events: 0, index: None };
        history.iter().for_each(|event| agent.note(event));
        for event in &selected {
            if let Err(why) = append(event) {
                registry.lift(&self.owner, restriction)?;
                registry.unregister(&self.owner, search)?;
                return Err(DisclosureError::Append { why });
            }
            agent.note(event);
        }
        self.agents.insert(scope, agent);
        self.show(registry, scope)
    }

    /// Takes search tool and restriction of an agent away. An agent that is not attached is passed over.
    pub fn detach(&mut self, registry: &mut Registry, scope: ScopeId) {
        if let Some(agent) = self.agents.remove(&scope) {
            // A closed scope has taken both with it.
            let _ = registry.unregister(&self.owner, agent.search);
            let _ = registry.lift(&self.owner, agent.restriction);
        }
    }

    /// Takes away everything that this disclosure has put into the registry, and nothing else.
    pub fn unload(mut self, registry: &mut Registry) {
        for scope in self.agents.keys().copied().collect::<Vec<_>>() {
            self.detach(registry, scope);
        }
    }

    /// To be called after tools, scopes or restrictions have changed: closed agents go, always-visible late tools come.
    /// Until then late tools are hidden.
    ///
    /// # Errors
    /// [`DisclosureError`] when an index cannot be built.
    pub fn refresh(&mut self, registry: &mut Registry) -> Result<(), DisclosureError> {
        self.agents.retain(|scope, _| registry.is_open(*scope));
        for scope in self.agents.keys().copied().collect::<Vec<_>>() {
            self.show(registry, scope)?;
        }
        Ok(())
    }

    /// Reads an event of an agent's transcript that this disclosure did not write: what is called counts as used.
    pub fn note(&mut self, scope: ScopeId, event: &Event) {
        if let Some(agent) = self.agents.get_mut(&scope) {
            agent.note(event);
        }
    }

    /// The names that an agent has selected, by code point; those of vanished tools included.
    pub fn selected(&self, scope: ScopeId) -> Option<&[String]> {
        self.agents.get(&scope).map(|agent| agent.selected.as_slice())
    }

    /// The tools of an agent's next request in an order: what [`Registry::schemas`] lets through, in another sequence.
    ///
    /// # Errors
    /// [`DisclosureError::NotAttached`]; an index that cannot be built.
    pub fn request(
        &mut self,
        registry: &Registry,
        scope: ScopeId,
        order: &Order,
    ) -> Result<Vec<Tool>, DisclosureError> {
        let index = self.index(registry, scope)?;
        let agent = self.agents.get(&scope).ok_or(DisclosureError::NotAttached)?;
        let seen: BTreeMap<&str, &Tool> = registry.schemas(scope)?.into_iter().map(|t| (t.name(), t)).collect();
        let catalog = index.catalog.as_ref();
        let visible = |t: &ToolId| seen.contains_key(catalog[*t].name());
        let base: Vec<ToolId> = index.always.iter().copied().filter(visible).collect();
        let activated = agent.order.iter().filter_map(|name| catalog.find(name));
        let activated: Vec<ToolId> = activated.filter(|t| visible(t) && !base.contains(t)).collect();
        let search = self.config.policy.search_tool();
        let arrangement = Arrangement { catalog, search: search.as_ref(), base: &base, activated: &activated };
        let tools = (order.arrange)(&arrangement).into_iter().filter_map(|slot| match slot {
            Slot::Search => search.clone(),
            Slot::Tool(id) => Some(catalog[id].clone()),
        });
        let listed: Vec<Tool> = tools.collect();
        // The agent's own tools stand behind: they are not deferred.
        let own = seen.into_values().filter(|t| !listed.iter().any(|l| l.name() == t.name())).cloned();
        Ok(listed.iter().cloned().chain(own).collect())
    }

    /// Forgets everything that an agent has selected, for example after a compaction that cut the definitions out of the
    /// history; gives the hint that the host puts in their place, or nothing where nothing was selected.
    ///
    /// # Errors
    /// [`DisclosureError::Append`]: the selection stays.
    pub fn reset(
        &mut self,
        registry: &mut Registry,
        scope: ScopeId,
        reason: &str,
        append: Append,
    ) -> Result<Option<String>, DisclosureError> {
        let agent = self.agents.get(&scope).ok_or(DisclosureError::NotAttached)?;
        if agent.selected.is_empty() {
            return Ok(None);
        }
        let names = agent.order.join(", ");
        let snapshot = Snapshot {
            query: reason.trim().to_string(),
            selected: Vec::new(),
            removed: agent.selected.clone(),
            reason: Some(reason.trim().to_string()),
        };
        self.record(registry, scope, Event::Selection { snapshot, added: Vec::new() }, append)?;
        Ok(Some(format!("These tools are no longer loaded: {names}. Search again for those that you still need.")))
    }

    /// What an agent may find: late tools are admitted when it saw everything at the start.
    fn start(&self, registry: &Registry, scope: ScopeId) -> Result<Start, DisclosureError> {
        let seen = registry.inherited(scope, None)?;
        let all = registry.above(scope)?;
        let global: BTreeSet<RegistrationId> =
            all.iter().filter(|(_, s, _)| *s == GLOBAL).map(|(id, ..)| *id).collect();
        // The published system looks at the global tools alone.
        let counts = |id: &RegistrationId| !self.config.policy.upstream || global.contains(id);
        let seen: BTreeSet<RegistrationId> = seen.iter().map(|(id, _)| *id).filter(counts).collect();
        let open = all.iter().map(|(id, ..)| id).filter(|id| counts(id)).all(|id| seen.contains(id));
        Ok(if open { Start::Open } else { Start::Frozen(seen) })
    }

    /// The index of an agent at the registry's present generation.
    fn index(&mut self, registry: &Registry, scope: ScopeId) -> Result<Arc<Index>, DisclosureError> {
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        let now = registry.generation();
        if let Some(index) = agent.index.as_ref().filter(|i| i.generation == now) {
            return Ok(index.clone());
        }
        let (config, upstream) = (&self.config, self.config.policy.upstream);
        let eligible = registry.above(scope)?.into_iter().filter(|(id, home, tool)| {
            let admitted = match &agent.start {
                Start::Open => true,
                Start::Frozen(ids) => ids.contains(id) || config.always_visible.iter().any(|p| p.matches(tool.name())),
            };
            admitted && (!upstream || *home == GLOBAL)
        });
        let eligible: Vec<(RegistrationId, &Tool)> = eligible.map(|(id, _, tool)| (id, tool)).collect();
        self.indexes.retain(|i| i.generation == now);
        let same = |i: &&Arc<Index>| i.ids.iter().eq(eligible.iter().map(|(id, _)| id));
        let index = match self.indexes.iter().find(same) {
            Some(index) => index.clone(),
            None => {
                let tools = eligible.iter().map(|(id, tool)| (*id, (*tool).clone())).collect();
                let built = Index::build(now, tools, &config.always_visible, &config.ranker);
                let index = Arc::new(built.map_err(|why| DisclosureError::Index { why })?);
                self.indexes.push(index.clone());
                index
            }
        };
        agent.index = Some(index.clone());
        Ok(index)
    }

    /// Brings an agent's restriction in line with its selection.
    fn show(&mut self, registry: &mut Registry, scope: ScopeId) -> Result<(), DisclosureError> {
        let index = self.index(registry, scope)?;
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        let mut allow =
            Allow { registrations: index.always.iter().map(|t| index.id(*t)).collect(), ..Allow::default() };
        match agent.start {
            // By name: a tool that comes back is visible again at once.
            Start::Open => allow.names = agent.selected.iter().cloned().collect(),
            Start::Frozen(_) => {
                let present = agent.selected.iter().filter_map(|name| index.catalog.find(name));
                allow.registrations.extend(present.map(|t| index.id(t)));
            }
        }
        agent.install(registry, &self.owner, scope, allow)?;
        Ok(())
    }

    /// Records a snapshot and shows what it selects; when it cannot be written, selection and visibility are as before.
    fn record(
        &mut self,
        registry: &mut Registry,
        scope: ScopeId,
        event: Event,
        append: Append,
    ) -> Result<(), DisclosureError> {
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        if let Event::Selection { snapshot, .. } = &event {
            check_next(&agent.selected, snapshot).map_err(|problem| PolicyError::Snapshot { problem })?;
        }
        let before = (agent.selected.clone(), agent.order.clone(), agent.used.clone(), agent.events);
        agent.note(&event);
        self.show(registry, scope)?;
        if let Err(why) = append(&event) {
            if let Some(agent) = self.agents.get_mut(&scope) {
                (agent.selected, agent.order, agent.used, agent.events) = before;
            }
            self.show(registry, scope)?;
            return Err(DisclosureError::Append { why });
        }
        Ok(())
    }
}

impl Agent {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Selection { snapshot, added } => {
                let named: BTreeSet<&String> = snapshot.selected.iter().collect();
                self.order.retain(|name| named.contains(name) && !added.contains(name));
                self.order.extend(added.iter().filter(|name| named.contains(name)).cloned());
                let listed: BTreeSet<String> = self.order.iter().cloned().collect();
                self.order.extend(snapshot.selected.iter().filter(|name| !listed.contains(*name)).cloned());
                self.selected.clone_from(&snapshot.selected);
                added.iter().for_each(|name| {
                    self.used.insert(name.clone(), self.events);
                });
            }
            Event::Assistant { calls, .. } => calls.iter().for_each(|call| {
                self.used.insert(call.name.clone(), self.events);
            }),
            _ => {}
        }
        self.events += 1;
    }

    /// Puts a restriction in the place of the present one: the new one is there before the old one goes, so nobody sees
    /// more than the two have in common.
    fn install(
        &mut self,
        registry: &mut Registry,
        owner: &Owner,
        scope: ScopeId,
        allow: Allow,
    ) -> Result<(), RegistryError> {
        if allow == self.allow {
            return Ok(());
        }
        let new = registry.restrict(owner, scope, allow.clone())?;
        registry.lift(owner, self.restriction)?;
        (self.restriction, self.allow) = (new, allow);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
