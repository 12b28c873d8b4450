//! How is a catalog of any size composed, with queries that stay valid at every size?
//!
//! The lexicon holds the concepts; here a seed decides which of them become tools (`plan`), how each server writes
//! (`style`), how long everything shall be (`target`, from the `measured` distributions), what a tool is called (`name`),
//! takes (`parameters`, `schema`) and says (`tool`, `fill`), and what is asked (`query`). Everything about a tool depends on
//! its place and on earlier places only, so a smaller catalog is the beginning of a larger one.

use std::fmt;

use rayon::prelude::*;

pub(crate) mod chain;
pub mod draw;
pub(crate) mod fill;
pub mod measured;
pub(crate) mod name;
pub(crate) mod parameters;
pub(crate) mod plan;
pub(crate) mod poison;
pub mod query;
pub(crate) mod schema;
pub(crate) mod style;
pub(crate) mod target;
pub(crate) mod tool;
pub(crate) mod vendor;
pub(crate) mod words;

use crate::sessions::TaskChain;
use plan::{BLOCK, FRONT, Plan, Slot};

/// Most tools that can be asked for.
pub const MAX_TOOLS: usize = 100_000;

/// One generated tool definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedTool {
    /// Name, unique in the catalog.
    pub name: String,
    /// Description.
    pub description: String,
    /// Input schema as compact JSON text.
    pub input_schema: String,
    /// Label of the server it belongs to.
    pub server: String,
    /// Further members of the definition (title, annotations, outputSchema) as compact JSON texts.
    pub extra: Vec<(&'static str, String)>,
}

/// One generated query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedQuery {
    /// Identifier, the same at every catalog size.
    pub id: String,
    /// What the model or the person types.
    pub text: String,
    /// Names of the needed tools; empty if no tool answers it.
    pub relevant: Vec<String>,
    /// Query class.
    pub class: &'static str,
    /// What else can be said of it: `language=zh`, `poison=do_anything`.
    pub tags: Vec<String>,
}

/// A catalog and its queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The tools in registration order.
    pub tools: Vec<GeneratedTool>,
    /// The queries, by class.
    pub queries: Vec<GeneratedQuery>,
    /// Chains of tasks over the tools.
    pub sessions: Vec<TaskChain>,
}

/// Why no catalog could be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerateError {
    /// The number of tools is zero or above [`MAX_TOOLS`].
    Size {
        /// The number asked for.
        asked: usize,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { asked } => {
                write!(f, "cannot generate {asked} tools: 1 to {MAX_TOOLS} are possible")
            }
        }
    }
}

impl std::error::Error for GenerateError {}

/// The first `tools` tools of the catalog of a seed, and the queries they answer.
///
/// # Errors
///
/// [`GenerateError::Size`] if `tools` is zero or above [`MAX_TOOLS`].
///
/// A smaller catalog is the beginning of a larger one:
/// ```
/// use deferbench_corpora::generate::generate;
/// let (small, large) = (generate(10, 7).unwrap(), generate(30, 7).unwrap());
/// assert_eq!(small.tools[..], large.tools[..10]);
/// assert!(generate(0, 7).is_err());
/// ```
pub fn generate(tools: usize, seed: u64) -> Result<Generated, GenerateError> {
    if tools == 0 || tools > MAX_TOOLS {
        return Err(GenerateError::Size { asked: tools });
    }
    // Queries are chosen among those of the whole front, so that they do not depend on the size.
    let count = tools.max(FRONT);
    let plan = plan::plan(seed, count);
    let (styles, targets) = habits(seed, &plan, count);
    let names = name::names(seed, &plan, &styles, &targets);
    let names: Vec<&str> =
        (0..count).map(|at| if poison::is_poison(&plan.slots[at]) { poison::name(at) } else { &names[at] }).collect();
    let mut families: Vec<Vec<(Slot, &str)>> = vec![Vec::new(); plan.servers.len()];
    let mut ordinals = Vec::with_capacity(count);
    for (slot, name) in plan.slots.iter().zip(&names) {
        let family = &mut families[slot.server];
        ordinals.push(family.len());
        family.push((*slot, name));
    }
    let write = |at: usize| {
        let slot = &plan.slots[at];
        let context = tool::Context {
            slot,
            style: &styles[slot.server],
            target: &targets[at],
            name: names[at],
            label: &plan.servers[slot.server].label,
            siblings: &families[slot.server][..ordinals[at]],
        };
        tool::write(&mut draw::Draw::new(seed, "tool", at as u64), &context)
    };
    let written: Vec<tool::Written> = (0..count).into_par_iter().map(write).collect();
    let asked = |at: usize| {
        let slot = &plan.slots[at];
        let label = &plan.servers[slot.server].label;
        query::Asked { at, slot, name: names[at], label, written: &written[at], alone: plan.alone(slot) }
    };
    let front = query::Front { seed, tools: (0..FRONT).filter(|at| query::is_asked(*at)).map(asked).collect() };
    let queries = query::pose(&front, &names, tools);
    let sessions = chain::chains(&front, tools);
    let stuffed: Vec<(usize, GeneratedTool)> =
        poison::PLACES.iter().map(|place| (*place, poison::tool(*place, &front.texts_beside(*place)))).collect();
    let servers = plan.slots.iter().map(|slot| &plan.servers[slot.server].label);
    let whole = |((written, name), server): ((tool::Written, &&str), &String)| GeneratedTool {
        name: (*name).to_owned(),
        description: written.description,
        input_schema: written.input_schema,
        server: server.clone(),
        extra: written.extra,
    };
    let mut all: Vec<GeneratedTool> = written.into_iter().zip(&names).zip(servers).take(tools).map(whole).collect();
    for (place, tool) in stuffed {
        if let Some(slot) = all.get_mut(place) {
            *slot = tool;
        }
    }
    Ok(Generated { tools: all, queries, sessions })
}

/// The styles of all servers of a plan, and the targets of its first `count` tools.
fn habits(seed: u64, plan: &Plan, count: usize) -> (Vec<style::Style>, Vec<target::Target>) {
    let mut styles = Vec::with_capacity(plan.servers.len());
    for (block, first) in plan.blocks.iter().enumerate() {
        styles.extend(style::styles(seed, *first, &plan.sizes(block)));
    }
    // The usual sizes of a small catalog are parts of their own, so that each of them is like real lists.
    let mut edges: Vec<usize> =
        [0, 10, 30, 50, 100, 300].into_iter().chain((BLOCK..plan.slots.len()).step_by(BLOCK / 4)).collect();
    edges.push(plan.slots.len());
    let of_part = |edge: &[usize]| {
        let slots = &plan.slots[edge[0]..edge[1]];
        target::targets(seed, edge[0], slots, |slot| styles[slot.server])
    };
    let mut targets: Vec<target::Target> = edges.par_windows(2).flat_map_iter(of_part).collect();
    targets.truncate(count);
    (styles, targets)
}

#[cfg(test)]
mod contradiction_tests;
#[cfg(test)]
mod tests;
