//! What may an agent find, and what does it see?

use std::sync::Arc;

use super::agent::Start;
use super::{Append, Disclosure, DisclosureError, Index};
use crate::policy::{PolicyError, check_next};
use crate::registry::{Allow, GLOBAL, RegistrationId, Registry, ScopeId};
use crate::tool::Tool;
use crate::transcript::Event;

impl Disclosure {
    /// What an agent may find: late tools are admitted when it saw everything at the start.
    pub(super) fn start(&self, registry: &Registry, scope: ScopeId) -> Result<Start, DisclosureError> {
        // Both come in registration order.
        let seen: Vec<RegistrationId> = registry.inherited(scope)?.into_iter().map(|(id, _)| id).collect();
        let all = registry.above(scope)?;
        // The published system looks at the global tools alone.
        let counted = all.iter().filter(|(_, home, _)| !self.config.policy.upstream || *home == GLOBAL);
        let (seen, hidden): (Vec<_>, Vec<_>) =
            counted.map(|(id, ..)| *id).partition(|id| seen.binary_search(id).is_ok());
        Ok(if hidden.is_empty() { Start::Open } else { Start::Frozen(seen.into_iter().collect()) })
    }

    /// The index of an agent at the registry's present generation.
    pub(super) fn index(&mut self, registry: &Registry, scope: ScopeId) -> Result<Arc<Index>, DisclosureError> {
        let agent = self.agents.get(&scope).ok_or(DisclosureError::NotAttached)?;
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
        // A registration stays what it is, so the same ones make the same index: most changes are about other tools.
        let same = |i: &Arc<Index>| i.ids.iter().eq(eligible.iter().map(|(id, _)| id));
        let index = match self.indexes.iter().position(same) {
            Some(at) => {
                if self.indexes[at].generation != now {
                    self.indexes[at] = Arc::new(self.indexes[at].at(now));
                }
                self.indexes[at].clone()
            }
            None => {
                let tools = eligible.iter().map(|(id, tool)| (*id, (*tool).clone())).collect();
                let built = Index::build(now, tools, &config.always_visible, self.recipe.clone());
                let index = Arc::new(built.map_err(|why| DisclosureError::Index { why })?);
                let held: Vec<&Arc<Index>> = self.agents.values().filter_map(|a| a.index.as_ref()).collect();
                self.indexes.retain(|i| held.iter().any(|h| Arc::ptr_eq(&h.ids, &i.ids)));
                self.indexes.push(index.clone());
                index
            }
        };
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        agent.index = Some(index.clone());
        Ok(index)
    }

    /// Brings an agent's restriction in line with its selection.
    pub(super) fn show(&mut self, registry: &mut Registry, scope: ScopeId) -> Result<(), DisclosureError> {
        let index = self.index(registry, scope)?;
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        let mut allow =
            Allow { registrations: index.always.iter().map(|t| index.id(*t)).collect(), ..Allow::default() };
        match agent.start {
            // By name: a tool that comes back is visible again at once. The published system allows names of global
            // tools only, and a name alone does not say where its tool is.
            Start::Open if !self.config.policy.upstream => allow.names = agent.selected.iter().cloned().collect(),
            Start::Open | Start::Frozen(_) => {
                let present = agent.selected.iter().filter_map(|name| index.catalog.find(name));
                allow.registrations.extend(present.map(|t| index.id(t)));
            }
        }
        agent.install(registry, &self.owner, scope, allow)?;
        Ok(())
    }

    /// Records a snapshot and shows what it selects; when it cannot be written, selection and visibility are as before.
    pub(super) fn record(
        &mut self,
        registry: &mut Registry,
        scope: ScopeId,
        event: Event,
        append: Append,
    ) -> Result<(), DisclosureError> {
        let agent = self.agents.get_mut(&scope).ok_or(DisclosureError::NotAttached)?;
        if let Event::Selection { snapshot, .. } = &event {
            if self.config.policy.upstream && !snapshot.removed.is_empty() {
                return Err(DisclosureError::Upstream);
            }
            check_next(&agent.selected, snapshot).map_err(|problem| PolicyError::Snapshot { problem })?;
        }
        let before = (agent.selected.clone(), agent.order.clone(), agent.used.clone(), agent.events);
        agent.note(&event);
        let written =
            self.show(registry, scope).and_then(|()| append(&event).map_err(|why| DisclosureError::Append { why }));
        if written.is_err() {
            if let Some(agent) = self.agents.get_mut(&scope) {
                (agent.selected, agent.order, agent.used, agent.events) = before;
            }
            self.show(registry, scope)?;
        }
        written
    }
}
