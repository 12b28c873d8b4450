//! What can one agent search for?

use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::Pattern;
use crate::catalog::{Catalog, ToolId};
use crate::policy::Found;
use crate::rank::{Ranker, RankerEntry};
use crate::registry::RegistrationId;
use crate::spec::Values;
use crate::tool::Tool;

/// How a ranker is built.
pub(super) type Recipe = Arc<(&'static RankerEntry, Values)>;

/// The eligible tools of one or more agents, ready to be searched.
#[derive(Clone)]
pub struct Index {
    /// Newest generation of the registry that it is known to hold for.
    pub generation: u64,
    /// The tools, in registration order.
    pub catalog: Arc<Catalog>,
    pub(super) ids: Arc<[RegistrationId]>,
    /// Tools that are visible without a search.
    pub(super) always: Arc<[ToolId]>,
    recipe: Recipe,
    /// Built by the first search: what is visible does not hang on it.
    ranker: Arc<OnceLock<Box<dyn Ranker>>>,
}

/// An index was asked after the tools have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the index is of generation {built_at}, the tools are at {now}: build it again before it is asked")]
pub struct StaleIndex {
    /// Generation of the index.
    pub built_at: u64,
    /// Generation of the registry.
    pub now: u64,
}

impl Index {
    pub(super) fn build(
        generation: u64,
        eligible: Vec<(RegistrationId, Tool)>,
        always_visible: &[Pattern],
        recipe: Recipe,
    ) -> Result<Self, String> {
        let (ids, tools): (Vec<_>, Vec<_>) = eligible.into_iter().unzip();
        let catalog = Arc::new(Catalog::new(tools).map_err(|e| e.to_string())?);
        let matching = |t: &ToolId| always_visible.iter().any(|p| p.matches(catalog[*t].name()));
        let always = catalog.ids().filter(matching).collect();
        Ok(Self { generation, catalog, ids: ids.into(), always, recipe, ranker: Arc::default() })
    }

    /// The same tools at another generation: they are all there, and no other.
    pub(super) fn at(&self, generation: u64) -> Self {
        Self { generation, ..self.clone() }
    }

    /// What answers a query; `now` is the generation of the registry.
    ///
    /// # Errors
    /// [`StaleIndex`] when the tools have changed since: an old answer could name a tool that is gone, or miss one.
    pub fn search(&self, now: u64, query: &str, limit: usize) -> Result<Found, StaleIndex> {
        if now != self.generation {
            return Err(StaleIndex { built_at: self.generation, now });
        }
        let (entry, values) = &*self.recipe;
        let ranker = self.ranker.get_or_init(|| (entry.build)(&self.catalog, values));
        Ok(Found::from_hits(&ranker.search(query, limit)))
    }

    /// The registration of a tool.
    pub(super) fn id(&self, tool: ToolId) -> RegistrationId {
        self.ids[tool.index()]
    }
}
