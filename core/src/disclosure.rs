//! How does the policy `cumulative` run over a registry in which tools and agents come and go?
//!
//! Each agent is a scope with a search tool of its own and one restriction that lets through what was found. Everything
//! that an agent has selected stands in the snapshots of its transcript; this component holds nothing else that matters.

mod agent;
mod index;
mod pattern;
mod search;
mod visibility;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use thiserror::Error;

use agent::Agent;

use crate::catalog::ToolId;
use crate::error::SpecError;
use crate::order::{Arrangement, Sequence, Slot};
use crate::policy::{Cumulative, Policy, PolicyError, check_snapshots};
use crate::rank;
use crate::registry::{Allow, Owner, Registry, RegistryError, ScopeId};
use crate::tool::Tool;
use crate::transcript::{Event, Snapshot};

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

/// What a new agent has to do with another one's selection. Nothing is shared without saying so: downwards by
/// [`Subagent::Inherits`], upwards by [`Disclosure::hand_over`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subagent {
    /// It starts with nothing, and what it finds is its own.
    #[default]
    Alone,
    /// It starts with what its parent has selected, as a snapshot in its own transcript. Its scope is opened beside the
    /// parent's, not below it: below, two search tools of one name would meet.
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
    /// The limits contradict each other, or the transcript holds a damaged snapshot.
    #[error(transparent)]
    Policy(#[from] PolicyError),
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
    /// A selection would shrink, or has shrunk, where that is not published.
    #[error("compat=upstream knows no selection that shrinks: leave compat out to read or write one")]
    Upstream,
    /// An event could not be written.
    #[error("the selection could not be recorded ({why}); nothing changed")]
    Append {
        /// The transcript's words.
        why: String,
    },
}

/// Search and visibility of every agent of one registry. [`Disclosure::unload`] takes everything back; without it search
/// tools and restrictions stay until their scopes are closed.
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
    recipe: index::Recipe,
    /// Agents with the same eligible tools share one.
    indexes: Vec<Arc<Index>>,
}

impl Disclosure {
    /// A disclosure without agents.
    ///
    /// # Errors
    /// [`DisclosureError::Spec`] for a wrong ranker, [`DisclosureError::Policy`] for limits that contradict each other.
    pub fn new(registry: &mut Registry, config: DisclosureConfig) -> Result<Self, DisclosureError> {
        config.policy.sound()?;
        let recipe = Arc::new(rank::resolve(&config.ranker)?);
        Ok(Self { config, owner: registry.owner(), agents: BTreeMap::new(), recipe, indexes: Vec::new() })
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
        check_snapshots(history)?;
        let removes = |e: &Event| matches!(e, Event::Selection { snapshot, .. } if !snapshot.removed.is_empty());
        if self.config.policy.upstream && history.iter().any(removes) {
            return Err(DisclosureError::Upstream);
        }
        let start = self.start(registry, scope)?;
        let mut selected = Vec::new();
        // What was inherited once stands in the agent's own transcript: recovery does not need the parent.
        let recorded = history.iter().any(|e| matches!(e, Event::Selection { .. }));
        if let (Subagent::Inherits { parent }, false) = (subagent, recorded) {
            let parent = self.agents.get(&parent).ok_or(DisclosureError::NotAttached)?;
            if !parent.selected.is_empty() {
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
        let mut agent = Agent {
            search,
            restriction,
            allow,
            start,
            selected: Vec::new(),
            order,
            used,
            events: 0,
            steps: 0,
            index: None,
        };
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
        order: &Sequence,
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
        let (search_tool, step) = (search.as_ref(), agent.steps);
        let arrangement = Arrangement { catalog, search: search_tool, base: &base, activated: &activated, step };
        let tools = order.arrange(&arrangement).into_iter().filter_map(|slot| match slot {
            Slot::Search => search.clone(),
            Slot::Tool(id) => Some(catalog[id].clone()),
        });
        let listed: Vec<Tool> = tools.collect();
        // The agent's own tools stand behind: they are not deferred.
        let own = seen.into_values().filter(|t| !listed.iter().any(|l| l.name() == t.name())).cloned();
        Ok(listed.iter().cloned().chain(own).collect())
    }

    /// Adds what one agent has selected to another's selection, for example a subagent's to its parent's, beside any
    /// ceiling: the next search brings the selection back under it. Without this call nothing that a subagent finds reaches
    /// its parent.
    ///
    /// # Errors
    /// [`DisclosureError::NotAttached`]; [`DisclosureError::Append`]: both selections stay.
    pub fn hand_over(
        &mut self,
        registry: &mut Registry,
        from: ScopeId,
        to: ScopeId,
        append: Append,
    ) -> Result<(), DisclosureError> {
        let given = self.agents.get(&from).ok_or(DisclosureError::NotAttached)?.order.clone();
        let held = &self.agents.get(&to).ok_or(DisclosureError::NotAttached)?.selected;
        let added: Vec<String> = given.into_iter().filter(|name| held.binary_search(name).is_err()).collect();
        if added.is_empty() {
            return Ok(());
        }
        let mut selected: Vec<String> = held.iter().chain(&added).cloned().collect();
        selected.sort();
        let snapshot = Snapshot::new("handed over by a subagent", selected);
        self.record(registry, to, Event::Selection { snapshot, added }, append)
    }

    /// Forgets everything that an agent has selected, for example after a compaction that cut the definitions out of the
    /// history; gives the hint that the host puts in their place, or nothing where nothing was selected.
    ///
    /// # Errors
    /// [`DisclosureError::Append`] and [`DisclosureError::Upstream`]: the selection stays.
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
        let reason = match reason.trim() {
            "" => "reset by the host",
            reason => reason,
        };
        let names = agent.order.join(", ");
        let snapshot = Snapshot {
            query: reason.to_string(),
            selected: Vec::new(),
            removed: agent.selected.clone(),
            reason: Some(reason.to_string()),
        };
        self.record(registry, scope, Event::Selection { snapshot, added: Vec::new() }, append)?;
        Ok(Some(format!("These tools are no longer loaded: {names}. Search again for those that you still need.")))
    }
}

#[cfg(test)]
mod tests;
