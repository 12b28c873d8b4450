use proptest::prelude::*;

use super::*;

/// Name and server, in registration order.
const TOOLS: [(&str, &str); 8] = [
    ("m", "beta"),
    ("b", ""),
    ("z", "alpha"),
    ("B", ""),
    ("a", "beta"),
    ("tool_zz", "alpha"),
    ("tool_s", "beta"),
    ("é", "alpha"),
];

const SEARCH: &str = "tool_search";

fn catalog(tools: &[(&str, &str)]) -> Catalog {
    let tool = |&(name, server): &(&str, &str)| {
        let tool = Tool::new(name, None, "{}").unwrap();
        if server.is_empty() { tool } else { tool.with_server(server) }
    };
    Catalog::new(tools.iter().map(tool).collect()).unwrap()
}

fn server(name: &str) -> &'static str {
    TOOLS.iter().find(|t| t.0 == name).unwrap().1
}

fn arrange_at(step: u64, order: &str, catalog: &Catalog, base: &[&str], activated: &[&str]) -> Vec<String> {
    let search = Tool::new(SEARCH, None, "{}").unwrap();
    let ids = |names: &[&str]| names.iter().map(|n| catalog.find(n).unwrap()).collect::<Vec<_>>();
    let (base, activated) = (ids(base), ids(activated));
    let name = |slot: Slot| match slot {
        Slot::Search => SEARCH.to_string(),
        Slot::Tool(id) => catalog[id].name().to_string(),
    };
    let arrangement = Arrangement { catalog, search: Some(&search), base: &base, activated: &activated, step };
    build(order).unwrap().arrange(&arrangement).into_iter().map(name).collect()
}

fn arrange(order: &str, catalog: &Catalog, base: &[&str], activated: &[&str]) -> Vec<String> {
    arrange_at(0, order, catalog, base, activated)
}

/// G01: every order on one example, written out by hand; the fixed permutations pin the generator.
#[test]
fn every_order_by_hand() {
    let catalog = catalog(&TOOLS);
    let base = &["z", "b"];
    let sequence = |name: &str| arrange(name, &catalog, base, &["tool_zz", "a", "m"]).join(" ");
    assert_eq!(sequence("registry"), "m b z a tool_zz tool_search");
    assert_eq!(sequence("newest_first"), "m a tool_zz z b tool_search");
    assert_eq!(sequence("sorted"), "a b m tool_search tool_zz z");
    assert_eq!(sequence("search_first"), "tool_search b z a m tool_zz");
    assert_eq!(sequence("append"), "z b tool_search tool_zz a m");
    assert_eq!(sequence("partitioned"), "b z tool_search tool_zz a m");
    // Without a server first, whatever the name.
    assert_eq!(arrange("partitioned", &catalog, &[], &["tool_zz", "m", "b"]).join(" "), "tool_search b tool_zz m");
    let shuffled = |step| arrange_at(step, "shuffled(seed=7)", &catalog, base, &["tool_zz", "a", "m"]).join(" ");
    assert_eq!([shuffled(0), shuffled(1)], ["tool_search tool_zz m a b z", "tool_search b m a tool_zz z"]);
    assert_eq!(sequence("shuffled"), shuffled(0));
}

/// What a step was before and after one more tool was activated.
struct Activation {
    base: Vec<&'static str>,
    before: Vec<String>,
    after: Vec<String>,
    new: &'static str,
}

impl Activation {
    fn all(order: &str, pick: &[&'static str], base: usize) -> Vec<Self> {
        let catalog = catalog(&TOOLS);
        let step = |n: usize| Self {
            base: pick[..base].to_vec(),
            before: arrange(order, &catalog, &pick[..base], &pick[base..n]),
            after: arrange(order, &catalog, &pick[..base], &pick[base..n + 1]),
            new: pick[n],
        };
        (base..pick.len()).map(step).collect()
    }

    fn place(&self) -> usize {
        self.after.iter().position(|n| n == self.new).unwrap()
    }

    /// The tools that stand further back than before.
    fn moved(&self) -> &[String] {
        &self.after[self.place() + 1..]
    }

    /// The new sequence without the new tool is the old one: no two old tools change places.
    fn keeps_the_old(&self) -> bool {
        let old: Vec<&String> = self.after.iter().filter(|n| *n != self.new).collect();
        old.iter().copied().eq(&self.before)
    }
}

fn picks() -> impl Strategy<Value = (Vec<&'static str>, usize)> {
    (Just(TOOLS.map(|t| t.0).to_vec()).prop_shuffle(), 0..4usize)
}

proptest! {
    /// An order is a permutation of its input, and hides the registration order where it says so.
    #[test]
    fn orders_are_permutations(
        (pick, base) in picks(), active in 0..5usize, step in any::<u64>(),
        registration in Just(TOOLS.to_vec()).prop_shuffle(),
    ) {
        let (base, activated) = (&pick[..base], &pick[base..base + active]);
        let (first, second) = (catalog(&TOOLS), catalog(&registration));
        for order in ORDERS {
            let written = arrange_at(step, order.name, &first, base, activated);
            let mut sorted = written.clone();
            sorted.sort();
            let mut expected: Vec<String> = base.iter().chain(activated).map(|s| s.to_string()).collect();
            expected.push(SEARCH.into());
            expected.sort();
            prop_assert_eq!(sorted, expected, "{}", order.name);
            if order.invariant_to_registration {
                prop_assert_eq!(&written, &arrange_at(step, order.name, &second, base, activated), "{}", order.name);
            }
            if order.keeps_places {
                let mut turned = activated.to_vec();
                turned.reverse();
                prop_assert_eq!(written, arrange_at(!step, order.name, &first, base, &turned), "{}", order.name);
            }
        }
    }

    /// `append`: nothing moves.
    #[test]
    fn append_only_appends((pick, base) in picks()) {
        for a in Activation::all("append", &pick, base) {
            prop_assert_eq!(&a.after[..a.before.len()], &a.before[..]);
        }
    }

    /// `newest_first`: everything moves, by one place.
    #[test]
    fn newest_first_moves_everything((pick, base) in picks()) {
        for a in Activation::all("newest_first", &pick, base) {
            prop_assert_eq!(a.place(), 0);
            prop_assert!(a.keeps_the_old());
        }
    }

    /// `registry`: what was registered later moves, and the search tool.
    #[test]
    fn registry_moves_what_was_registered_later((pick, base) in picks()) {
        let rank = |name: &str| TOOLS.iter().position(|t| t.0 == name).unwrap_or(TOOLS.len());
        for a in Activation::all("registry", &pick, base) {
            prop_assert!(a.keeps_the_old());
            prop_assert!(a.moved().iter().all(|n| rank(n) > rank(a.new)));
            prop_assert_eq!(a.after.last().map(String::as_str), Some(SEARCH));
        }
    }

    /// `sorted`: names that sort later move.
    #[test]
    fn sorted_moves_later_names((pick, base) in picks()) {
        for a in Activation::all("sorted", &pick, base) {
            prop_assert!(a.keeps_the_old());
            prop_assert!(a.moved().iter().all(|n| n.as_str() > a.new));
        }
    }

    /// `search_first`: the search tool and the always-on tools stay, activated names that sort later move.
    #[test]
    fn search_first_keeps_the_search_tool((pick, base) in picks()) {
        for a in Activation::all("search_first", &pick, base) {
            prop_assert_eq!(a.after[0].as_str(), SEARCH);
            prop_assert_eq!(&a.after[..=a.base.len()], &a.before[..=a.base.len()]);
            prop_assert!(a.keeps_the_old());
            prop_assert!(a.moved().iter().all(|n| n.as_str() > a.new));
        }
    }

    /// `partitioned`: always-on tools and the search tool stay; later names of the same server and later servers move.
    #[test]
    fn partitioned_keeps_what_is_always_on((pick, base) in picks()) {
        for a in Activation::all("partitioned", &pick, base) {
            prop_assert_eq!(&a.after[..=a.base.len()], &a.before[..=a.base.len()]);
            prop_assert!(a.keeps_the_old());
            prop_assert!(a.moved().iter().all(|n| (server(n), n.as_str()) > (server(a.new), a.new)));
        }
    }

    /// `shuffled`: the same seed and step give the same sequence, whatever happened in between.
    #[test]
    fn shuffled_repeats_itself((pick, base) in picks(), seed in any::<u64>(), step in any::<u64>()) {
        let (order, catalog) = (format!("shuffled(seed={seed})"), catalog(&TOOLS));
        let at = |step| arrange_at(step, &order, &catalog, &pick[..base], &pick[base..]);
        let first = at(step);
        let later: Vec<_> = (0..8).map(|n| at(step.wrapping_add(n))).collect();
        prop_assert_eq!(&first, &later[0]);
        // Nine names: that eight steps draw one permutation has no chance.
        prop_assert!(later.iter().any(|l| *l != first));
    }
}

/// Another seed is another permutation, and a wrong one is refused.
#[test]
fn the_seed_is_a_parameter() {
    let catalog = catalog(&TOOLS);
    let all = TOOLS.map(|t| t.0);
    let draws: std::collections::BTreeSet<Vec<String>> =
        (0..20).map(|seed| arrange(&format!("shuffled(seed={seed})"), &catalog, &[], &all)).collect();
    assert_eq!(draws.len(), 20);
    let error = build("shuffled(seed=-1)").err().unwrap().to_string();
    assert!(error.starts_with("order \"shuffled\": seed = \"-1\", expected a whole number from 0"), "{error}");
    assert!(build("append(seed=1)").err().unwrap().to_string().contains("no parameter \"seed\""));
}
