//! How is an agent's search answered?

use std::collections::HashSet;

use super::{Append, Disclosure, DisclosureError};
use crate::catalog::ToolId;
use crate::policy::Use;
use crate::registry::{RegistrationId, Registry, ScopeId};
use crate::transcript::{Call, Event, Output, Snapshot};

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
        // A repaired call names its tool: it is not searched for.
        let exact = call.repaired.as_ref().map(|original| original.name.as_str());
        let request = match exact {
            Some(name) if name.trim().is_empty() => Ok(("a call of a hidden tool".to_string(), 1)),
            Some(name) => Ok((name.trim().to_string(), 1)),
            None => self.config.policy.request(call),
        };
        let (query, limit) = match request {
            Ok(request) => request,
            Err(message) => return refused(message),
        };
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
        let asked = query.clone();
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
        let denied: HashSet<RegistrationId> = match policy.max_tools.or(policy.max_schema_bytes) {
            None => HashSet::new(),
            Some(_) => {
                let seen = registry.inherited(scope, Some(agent.restriction))?;
                let seen: HashSet<RegistrationId> = seen.into_iter().map(|(id, _)| id).collect();
                found.iter().map(|t| index.id(*t)).filter(|id| !seen.contains(id)).collect()
            }
        };
        let selected = |t: &ToolId| agent.selected.iter().any(|n| *n == catalog[*t].name());
        let selectable = |t: &&ToolId| !index.always.contains(t) && (selected(t) || !denied.contains(&index.id(**t)));
        let wanted: Vec<String> = found.iter().filter(selectable).map(name).collect();
        let uses = agent.order.iter().map(|n| (n.clone(), agent.used.get(n).copied().unwrap_or(0)));
        let bytes = |n: &str| catalog.find(n).map_or(0, |t| catalog[t].schema_bytes());
        let widened = self.config.policy.widen(bytes, &uses.collect::<Vec<Use>>(), &wanted);
        if !widened.added.is_empty() {
            let mut removed = widened.removed.clone();
            removed.sort();
            // The names of vanished tools stay.
            let mut selected = agent.selected.clone();
            selected.retain(|n| removed.binary_search(n).is_err());
            selected.extend(widened.added.iter().cloned());
            selected.sort();
            let reason = (!removed.is_empty()).then(|| "least recently used".to_string());
            let snapshot = Snapshot { query, selected, removed, reason };
            let added = widened.added.clone();
            self.record(registry, scope, Event::Selection { snapshot, added }, append)?;
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
        let size = |name: &String| match widened.refused.iter().any(|(refused, _)| refused == name) {
            true => format!(" ({} schema bytes are over a ceiling)", bytes(name)),
            false => String::new(),
        };
        let line = |(name, status): &(String, Status)| format!("- {name}: {}{}\n", status.word(), size(name));
        let lines: String = tools.iter().map(line).collect();
        let text = match found.is_empty() {
            true => "No matching tools found.".to_string(),
            false => format!("Tools found:\n{lines}Still deferred: {remaining}"),
        };
        Ok(Disclosed { query: asked, output: Output::Text(text), tools, remaining: Some(remaining) })
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
