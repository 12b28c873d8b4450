//! How is an agent's search answered?

use super::{Append, Disclosure, DisclosureError};
use crate::catalog::ToolId;
use crate::policy::Use;
use crate::registry::{Registry, ScopeId};
use crate::transcript::{Call, Output};

/// Who calls the search tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The agent.
    pub agent: ScopeId,
    /// True for a call that runs inside another one, for example in code that the agent executes.
    pub nested: bool,
}

impl Caller {
    /// The agent itself.
    pub fn agent(agent: ScopeId) -> Self {
        Self { agent, nested: false }
    }
}

/// What became of a found tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It was hidden and is visible now.
    Loaded,
    /// It was visible before.
    AlreadyLoaded,
    /// It is still hidden: another restriction denies it, or a ceiling keeps it out.
    Unavailable,
    /// It gave way to what was found.
    Unloaded,
}

impl Status {
    /// The word that the model reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::AlreadyLoaded => "already_loaded",
            Self::Unavailable => "unavailable",
            Self::Unloaded => "unloaded",
        }
    }
}

/// The answer of a search: names and what became of them, no schemas and no scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosed {
    /// The query, trimmed; empty where the call was refused before it was read.
    pub query: String,
    /// What the model reads.
    pub output: Output,
    /// The found tools, best first, then what gave way.
    pub tools: Vec<(String, Status)>,
    /// Tools that the agent could find and does not see, those that another restriction denies included.
    pub remaining: Option<usize>,
}

fn refused(why: impl Into<String>) -> Disclosed {
    Disclosed { query: String::new(), output: Output::Error(why.into()), tools: Vec::new(), remaining: None }
}

impl Disclosure {
    /// Answers an agent's call of its search tool. Whatever is wrong is an ordinary tool error and changes nothing: another
    /// caller, a nested call, wrong arguments, an event that cannot be written.
    pub fn search(
        &mut self,
        registry: &mut Registry,
        agent: ScopeId,
        caller: Caller,
        call: &Call,
        append: Append,
    ) -> Disclosed {
        if caller.agent != agent || !registry.is_open(agent) || !self.agents.contains_key(&agent) {
            return refused("only the living agent that owns this search tool may call it");
        }
        if caller.nested {
            return refused("tools cannot be loaded from inside another call: call the search tool directly");
        }
        let (query, limit) = match self.config.policy.request(call) {
            Ok(request) => request,
            Err(message) => return refused(message),
        };
        // A repaired call names its tool: it is not searched for.
        let exact = call.repaired.as_ref().map(|original| original.name.as_str());
        match self.load(registry, agent, query, limit, exact, append) {
            Ok(disclosed) => disclosed,
            Err(error) => refused(error.to_string()),
        }
    }

    fn load(
        &mut self,
        registry: &mut Registry,
        scope: ScopeId,
        query: String,
        limit: usize,
        exact: Option<&str>,
        append: Append,
    ) -> Result<Disclosed, DisclosureError> {
        // The host may not have said yet that something changed; the answer is about the tools as they are.
        self.show(registry, scope)?;
        let index = self.index(registry, scope)?;
        let found = match exact {
            Some(name) => index.catalog.find(name).into_iter().collect(),
            None => index.search(registry.generation(), &query, limit)?.tools,
        };
        let agent = self.agents.get(&scope).ok_or(DisclosureError::NotAttached)?;
        let catalog = index.catalog.as_ref();
        let name = |t: &ToolId| catalog[*t].name().to_string();
        let sees = |registry: &Registry, t: &ToolId| registry.sees(scope, index.id(*t));
        let before: Vec<bool> = found.iter().map(|t| sees(registry, t)).collect();
        // Under a ceiling nobody leaves for a tool that another restriction denies anyway.
        let policy = &self.config.policy;
        let ceilings = policy.max_tools.or(policy.max_schema_bytes).is_some();
        let denied = |t: &ToolId| ceilings && !registry.sees_without(scope, index.id(*t), Some(agent.restriction));
        let selected = |t: &ToolId| agent.selected.iter().any(|n| *n == catalog[*t].name());
        let selectable = |t: &&ToolId| !index.always.contains(t) && (selected(t) || !denied(t));
        let wanted: Vec<String> = found.iter().filter(selectable).map(name).collect();
        let uses = agent.order.iter().map(|n| (n.clone(), agent.used.get(n).copied().unwrap_or(0)));
        let bytes = |n: &str| catalog.find(n).map_or(0, |t| catalog[t].schema_bytes());
        let widened = self.config.policy.widen(bytes, &uses.collect::<Vec<Use>>(), &wanted);
        if let Some(event) = widened.event(query.clone(), &agent.selected) {
            self.record(registry, scope, event, append)?;
        }
        let status = |(t, before): (&ToolId, bool)| match (before, sees(registry, t)) {
            (true, true) => Status::AlreadyLoaded,
            (false, true) => Status::Loaded,
            (_, false) => Status::Unavailable,
        };
        let mut tools: Vec<(String, Status)> =
            found.iter().zip(before).map(|(t, before)| (name(t), status((t, before)))).collect();
        tools.extend(widened.removed.iter().map(|name| (name.clone(), Status::Unloaded)));
        let visible = self.visible(registry, scope)?;
        let remaining = catalog.len() - visible;
        let told = tools.iter().map(|(name, status)| (name.as_str(), status.word()));
        let text = widened.told(told, bytes, remaining);
        Ok(Disclosed { query, output: Output::Text(text), tools, remaining: Some(remaining) })
    }

    /// Number of eligible tools that an agent sees: they can only be among what is always visible or selected.
    fn visible(&mut self, registry: &Registry, scope: ScopeId) -> Result<usize, DisclosureError> {
        let index = self.index(registry, scope)?;
        let agent = self.agents.get(&scope).ok_or(DisclosureError::NotAttached)?;
        let selected = agent.selected.iter().filter_map(|n| index.catalog.find(n));
        let mut shown: Vec<ToolId> = index.always.iter().copied().chain(selected).collect();
        shown.sort();
        shown.dedup();
        Ok(shown.iter().filter(|t| registry.sees(scope, index.id(**t))).count())
    }
}
