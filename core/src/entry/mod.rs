//! How does an activated tool enter the request?
//!
//! An entry decides which items the tools array holds, and where else definitions stand. Like an order it changes what
//! the model reads, never what may be called.

use std::collections::HashSet;

use thiserror::Error;

use crate::catalog::{Catalog, ToolId};
use crate::order::{Arrangement, ORDERS, Order, Sequence, Slot};
use crate::tool::Tool;

crate::entries! {
    /// Every entry, in the sequence of the reports.
    pub static ENTRIES: [Entry] = { list, message, reference, bridge, slots }
}

/// One item of the tools array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// The search tool.
    Search,
    /// The executor of the entry `bridge`.
    Executor,
    /// A tool with its definition.
    Tool(ToolId),
    /// A tool whose definition is sent with a deferral mark: the provider keeps it out of the prompt until it is referred to.
    Deferred(ToolId),
    /// A tool's name with an empty definition.
    Stub(ToolId),
}

/// In which form does the history hold a definition?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A message of its own.
    Block,
    /// A reference to a deferred tool, which the provider expands where it stands.
    Reference,
    /// Text of the search result.
    ResultText,
}

/// A definition that stands in the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Position of the event that it follows.
    pub after: usize,
    /// The tool.
    pub tool: ToolId,
}

/// What an entry looks at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The search tool.
    pub search: Option<&'a Tool>,
    /// Always-on tools, as configured.
    pub always_on: &'a [ToolId],
    /// Always-on tools and pins.
    pub base: &'a [ToolId],
    /// Activated tools, oldest activation first.
    pub activated: &'a [ToolId],
    /// Number of model answers before this request.
    pub step: u64,
    /// The order.
    pub order: &'a Sequence,
}

/// The declaration of an entry.
pub struct Entry {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: where the definition of an activated tool stands.
    pub summary: &'static str,
    /// Where it is used.
    pub source: &'static str,
    /// The tools array.
    pub items: fn(&View) -> Vec<Item>,
    /// How the history holds the definitions of activated tools; none: it does not.
    pub history: Option<Form>,
    /// True: every tool has a place in the array that its activation must not change.
    pub fixed_places: bool,
    /// True: an activated tool is called through an executor.
    pub executor: bool,
}

/// Why an entry makes no sense beside the other parts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SeamError {
    /// The policy defers nothing.
    #[error(
        "entry \"{entry}\" needs a policy that defers tools: without a search tool, as under eager, every definition stands in the array from the start; use the entry list, or the policy cumulative or replace"
    )]
    NothingDeferred {
        /// The entry.
        entry: &'static str,
    },
    /// The order follows the activation, and the entry fills places that must not move.
    #[error(
        "entry \"{entry}\" fills places in the array that must not move, and the order \"{order}\" moves tools when they are activated or at every step; use the order {known}"
    )]
    PlacesMove {
        /// The entry.
        entry: &'static str,
        /// The order.
        order: &'static str,
        /// The orders that keep places.
        known: String,
    },
}

impl Entry {
    /// The entry of a name.
    ///
    /// ```
    /// assert!(deferbench_core::entry::Entry::find("list").is_some());
    /// ```
    pub fn find(name: &str) -> Option<&'static Entry> {
        ENTRIES.iter().find(|e| e.name == name).copied()
    }

    /// Whether this entry makes sense with an order, and with a policy of which `defers` tells whether it has a search
    /// tool.
    ///
    /// # Errors
    /// [`SeamError`], with what goes together.
    ///
    /// ```
    /// use deferbench_core::{entry::Entry, order::build};
    /// let slots = Entry::find("slots").unwrap();
    /// assert!(slots.fits(true, build("sorted").unwrap().order).is_ok());
    /// let error = slots.fits(true, build("append").unwrap().order).unwrap_err().to_string();
    /// assert!(error.ends_with("use the order registry, sorted, search_first or partitioned"), "{error}");
    /// ```
    pub fn fits(&self, defers: bool, order: &Order) -> Result<(), SeamError> {
        if !defers && self.name != list::ENTRY.name {
            return Err(SeamError::NothingDeferred { entry: self.name });
        }
        if self.fixed_places && !order.keeps_places {
            let mut names: Vec<&str> = ORDERS.iter().filter(|o| o.keeps_places).map(|o| o.name).collect();
            let last = names.pop().unwrap_or_default();
            let known = format!("{} or {last}", names.join(", "));
            return Err(SeamError::PlacesMove { entry: self.name, order: order.name, known });
        }
        Ok(())
    }
}

/// The array when nothing is deferred, whatever the entry.
pub(crate) fn everything(view: &View) -> Vec<Item> {
    (list::ENTRY.items)(view)
}

impl View<'_> {
    /// Base tools, the search tool and others in the order.
    fn arrange(&self, base: &[ToolId], activated: &[ToolId]) -> impl Iterator<Item = Slot> + use<> {
        let (catalog, search, step) = (self.catalog, self.search, self.step);
        self.order.arrange(&Arrangement { catalog, search, base, activated, step }).into_iter()
    }

    /// Every other tool of the catalog, by name: an order must not show when it was activated.
    fn all_but(&self, base: &[ToolId]) -> Vec<ToolId> {
        let base: HashSet<&ToolId> = base.iter().collect();
        let mut rest: Vec<ToolId> = self.catalog.ids().filter(|t| !base.contains(t)).collect();
        rest.sort_by_key(|t| self.catalog.code_point_rank(*t));
        rest
    }
}

impl From<Slot> for Item {
    fn from(slot: Slot) -> Self {
        match slot {
            Slot::Search => Self::Search,
            Slot::Tool(id) => Self::Tool(id),
        }
    }
}
