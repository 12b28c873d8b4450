//! In which sequence are the tools of a request written?
//!
//! An order is a pure function and a permutation: it changes what the model sees first, never what may be called.

use crate::catalog::{Catalog, ToolId};
use crate::tool::Tool;

crate::entries! {
    /// Every order, in the sequence of the reports.
    pub static ORDERS: [Order] = { registry, newest_first, sorted, search_first, append }
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
    /// The sequence.
    pub arrange: fn(&Arrangement) -> Vec<Slot>,
}

impl Order {
    /// The order of a name.
    ///
    /// ```
    /// use deferbench_core::order::Order;
    /// assert!(Order::find("append").is_some_and(|o| o.invariant_to_registration));
    /// assert!(Order::find("random").is_none());
    /// ```
    pub fn find(name: &str) -> Option<&'static Order> {
        ORDERS.iter().find(|o| o.name == name).copied()
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
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::catalog;

    const TOOLS: [(&str, &str); 7] =
        [("m", ""), ("b", ""), ("z", ""), ("B", ""), ("a", ""), ("tool_zz", ""), ("tool_s", "")];

    fn arrange(order: &Order, catalog: &Catalog, base: &[&str], activated: &[&str]) -> Vec<String> {
        let search = Tool::new("tool_search", None, "{}").unwrap();
        let ids = |names: &[&str]| names.iter().map(|n| catalog.find(n).unwrap()).collect::<Vec<_>>();
        let (base, activated) = (ids(base), ids(activated));
        let name = |slot: Slot| match slot {
            Slot::Search => "tool_search".to_string(),
            Slot::Tool(id) => catalog[id].name().to_string(),
        };
        let arrangement = Arrangement { catalog, search: Some(&search), base: &base, activated: &activated };
        (order.arrange)(&arrangement).into_iter().map(name).collect()
    }

    /// G01: every order on one example, written out by hand.
    #[test]
    fn every_order_by_hand() {
        let catalog = catalog(&TOOLS);
        let sequence =
            |name: &str| arrange(Order::find(name).unwrap(), &catalog, &["z", "b"], &["tool_zz", "a", "m"]).join(" ");
        assert_eq!(sequence("registry"), "m b z a tool_zz tool_search");
        assert_eq!(sequence("newest_first"), "m a tool_zz z b tool_search");
        assert_eq!(sequence("sorted"), "a b m tool_search tool_zz z");
        assert_eq!(sequence("search_first"), "tool_search b z a m tool_zz");
        assert_eq!(sequence("append"), "z b tool_search tool_zz a m");
    }

    proptest! {
        /// An order is a permutation of its input, and hides the registration order where it says so.
        #[test]
        fn orders_are_permutations(
            pick in Just(TOOLS.map(|t| t.0).to_vec()).prop_shuffle(), base in 0..4usize, active in 0..4usize,
            registration in Just(TOOLS.to_vec()).prop_shuffle(),
        ) {
            let (base, activated) = (&pick[..base], &pick[base..base + active]);
            let (first, second) = (catalog(&TOOLS), catalog(&registration));
            for order in ORDERS {
                let written = arrange(order, &first, base, activated);
                let mut sorted = written.clone();
                sorted.sort();
                let mut expected: Vec<String> = base.iter().chain(activated).map(|s| s.to_string()).collect();
                expected.push("tool_search".into());
                expected.sort();
                prop_assert_eq!(sorted, expected, "{}", order.name);
                if order.invariant_to_registration {
                    prop_assert_eq!(written, arrange(order, &second, base, activated), "{}", order.name);
                }
            }
        }

        /// `append` promises that nothing moves: the sequence before an activation is the beginning of the one after.
        #[test]
        fn append_only_appends(pick in Just(TOOLS.map(|t| t.0).to_vec()).prop_shuffle(), base in 0..3usize) {
            let catalog = catalog(&TOOLS);
            let order = Order::find("append").unwrap();
            for n in base..pick.len() {
                let before = arrange(order, &catalog, &pick[..base], &pick[base..n]);
                let after = arrange(order, &catalog, &pick[..base], &pick[base..n + 1]);
                prop_assert_eq!(&after[..before.len()], &before[..]);
            }
        }
    }
}
