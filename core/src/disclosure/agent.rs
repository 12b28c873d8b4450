//! What is known of one agent?

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Index;
use crate::registry::{Allow, Owner, RegistrationId, Registry, RegistryError, RestrictionId, ScopeId};
use crate::transcript::Event;

/// Whose tools may be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Start {
    /// The agent saw everything when it was attached: late tools are admitted.
    Open,
    /// Something was hidden from it: only these, for as long as they are there.
    Frozen(BTreeSet<RegistrationId>),
}

pub(super) struct Agent {
    pub(super) search: RegistrationId,
    pub(super) restriction: RestrictionId,
    pub(super) allow: Allow,
    pub(super) start: Start,
    /// By code point.
    pub(super) selected: Vec<String>,
    /// The selected names, oldest activation first.
    pub(super) order: Vec<String>,
    /// The newest event that calls or adds a tool.
    pub(super) used: HashMap<String, usize>,
    pub(super) events: usize,
    /// Number of model answers.
    pub(super) steps: u64,
    pub(super) index: Option<Arc<Index>>,
}

impl Agent {
    pub(super) fn note(&mut self, event: &Event) {
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
            Event::Assistant { calls, .. } => {
                self.steps += 1;
                calls.iter().for_each(|call| {
                    self.used.insert(call.name.clone(), self.events);
                });
            }
            _ => {}
        }
        self.events += 1;
    }

    /// Puts a restriction in the place of the present one: the new one is there before the old one goes, so nobody sees
    /// more than the two have in common.
    pub(super) fn install(
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
