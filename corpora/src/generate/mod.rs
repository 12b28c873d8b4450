//! How is a catalog of any size composed, with queries that stay valid at every size?
//!
//! The lexicon holds the concepts; here a seed decides which of them become tools (`plan`), how each
//! server writes (`style`), what a tool is called (`name`), takes (`parameters`, `schema`) and says
//! (`tool`, `fill`), and what is asked (`query`). The catalog is always composed in full and then cut, so a
//! smaller catalog is a prefix of a larger one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub mod draw;
pub(crate) mod fill;
pub(crate) mod name;
pub(crate) mod parameters;
pub(crate) mod plan;
pub(crate) mod query;
pub(crate) mod schema;
pub(crate) mod style;
pub(crate) mod tool;
pub(crate) mod words;

use crate::lexicon::services::SERVICES;

/// Most tools that can be asked for.
pub const MAX_TOOLS: usize = 1_000;

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
}

/// A catalog and its queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The tools in registration order.
    pub tools: Vec<GeneratedTool>,
    /// The queries.
    pub queries: Vec<GeneratedQuery>,
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
    let (mut all, posed) = compose(seed);
    all.truncate(tools);
    let queries =
        posed.into_iter().filter(|posed| posed.tool.is_none_or(|at| at < tools)).map(|posed| posed.query).collect();
    Ok(Generated { tools: all, queries })
}

/// The whole catalog of a seed with its queries.
fn compose(seed: u64) -> (Vec<GeneratedTool>, Vec<query::Posed>) {
    let plan = plan::plan(seed, MAX_TOOLS);
    let styles = style::styles(seed, SERVICES.len());
    let names = name::names(&plan, &styles);
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for slot in &plan {
        *pairs.entry((slot.object.name, slot.action.name)).or_default() += 1;
    }
    let alone: BTreeSet<_> = pairs.into_iter().filter(|(_, n)| *n == 1).map(|(pair, _)| pair).collect();
    let mut siblings: BTreeMap<usize, Vec<(&plan::Slot, &str)>> = BTreeMap::new();
    let mut written = Vec::with_capacity(plan.len());
    for (at, (slot, name)) in plan.iter().zip(&names).enumerate() {
        let Some(style) = styles.get(slot.server) else {
            continue;
        };
        let earlier = siblings.entry(slot.server).or_default();
        let context = tool::Context {
            slot,
            style,
            name,
            alone: alone.contains(&(slot.object.name, slot.action.name)),
            siblings: earlier,
        };
        let mut draw = draw::Draw::new(seed, "tool", at as u64);
        written.push((tool::write(&mut draw, &context), context.alone));
        earlier.push((slot, name));
    }
    let targets: Vec<query::Target<'_>> = plan
        .iter()
        .zip(&names)
        .zip(&written)
        .map(|((slot, name), (written, alone))| query::Target { slot, name, written, alone: *alone })
        .collect();
    let posed = query::pose(seed, &targets);
    let tools = targets
        .iter()
        .map(|target| GeneratedTool {
            name: target.name.to_owned(),
            description: target.written.description.clone(),
            input_schema: target.written.input_schema.clone(),
            server: target.slot.service.name.to_owned(),
        })
        .collect();
    (tools, posed)
}

#[cfg(test)]
mod tests;
