//! In which sequence are the tools of a request written?
//!
//! An order is a pure function and a permutation: it changes what the model sees first, never what may be called.

use std::fmt;

use crate::catalog::{Catalog, ToolId};
use crate::error::SpecError;
use crate::spec::{Param, Spec, Values};
use crate::tool::Tool;

crate::entries! {
    /// Every order, in the sequence of the reports.
    pub static ORDERS: [Order] = { registry, newest_first, sorted, search_first, append, partitioned, shuffled }
}

/// One place in the tools section of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The search tool.
    Search,
    /// A tool of the catalog.
    Tool(ToolId),
}

/// What an order arranges. Base and activated tools do not overlap.
#[derive(Clone, Copy)]
pub struct Arrangement<'a> {
    /// The catalog.
    pub catalog: &'a Catalog,
    /// The search tool, where the policy has one.
    pub search: Option<&'a Tool>,
    /// Always-on tools, as configured.
    pub base: &'a [ToolId],
    /// Activated tools, oldest activation first; within one search the best hit first.
    pub activated: &'a [ToolId],
    /// Number of model answers before this request: what an order that is new at every step depends on.
    pub step: u64,
}

/// The declaration of an order.
pub struct Order {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: the sequence.
    pub summary: &'static str,
    /// Where it is used.
    pub source: &'static str,
    /// What may move when a tool is activated.
    pub promise: &'static str,
    /// True: the registration order of the catalog does not show.
    pub invariant_to_registration: bool,
    /// True: where a tool stands among the others does not depend on when it was activated, nor on the step.
    pub keeps_places: bool,
    /// Its parameters with defaults.
    pub params: &'static [Param],
    /// The sequence.
    pub arrange: fn(&Arrangement, &Values) -> Vec<Slot>,
}

/// An order with its parameters.
#[derive(Clone)]
pub struct Sequence {
    /// The order.
    pub order: &'static Order,
    values: Values,
}

/// The order of a spec such as `shuffled(seed=3)`.
///
/// # Errors
/// [`SpecError`] for an unknown name (the message lists the known ones), an unknown parameter or a value out of range.
///
/// ```
/// use deferbench_core::order;
/// assert_eq!(order::build("shuffled(seed=03)").unwrap().to_string(), "shuffled(seed=3)");
/// assert!(order::build("append").unwrap().order.invariant_to_registration);
/// assert!(order::build("random").err().unwrap().to_string().contains("known: registry, newest_first"));
/// ```
pub fn build(spec: &str) -> Result<Sequence, SpecError> {
    let spec: Spec = spec.parse()?;
    let known = || SpecError::unknown("order", &spec.name, ORDERS.iter().map(|o| o.name));
    let order = ORDERS.iter().find(|o| o.name == spec.name).copied().ok_or_else(known)?;
    Ok(Sequence { order, values: spec.resolve("order", order.params)? })
}

impl Sequence {
    /// The tools of a request, in this sequence.
    pub fn arrange(&self, arrangement: &Arrangement) -> Vec<Slot> {
        (self.order.arrange)(arrangement, &self.values)
    }
}

impl From<&'static Order> for Sequence {
    /// With its defaults.
    fn from(order: &'static Order) -> Self {
        Self { order, values: Values::defaults(order.name, order.params) }
    }
}

impl fmt::Display for Sequence {
    /// The canonical spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl Arrangement<'_> {
    fn search_slot(&self) -> Option<Slot> {
        self.search.map(|_| Slot::Search)
    }

    fn by_name(&self, tools: &[ToolId]) -> Vec<Slot> {
        let mut tools = tools.to_vec();
        tools.sort_by_key(|&t| self.catalog.code_point_rank(t));
        slots(&tools).collect()
    }
}

fn slots(tools: &[ToolId]) -> impl Iterator<Item = Slot> {
    tools.iter().copied().map(Slot::Tool)
}

#[cfg(test)]
mod tests;
