//! In what do two listings differ?

use std::collections::{HashMap, HashSet};
use std::fmt;

use deferbench_core::Tool;

use crate::bundle::definition;

/// Names, in the order in which they were listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Only in the second listing.
    pub added: Vec<String>,
    /// Only in the first listing.
    pub removed: Vec<String>,
    /// In both, but before or after others: the fewest tools whose move explains the new order.
    pub moved: Vec<String>,
    /// In both, with another definition.
    pub changed: Vec<String>,
}

impl Difference {
    /// True: the same tools in the same order.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Difference {
    /// One line for each kind that occurs: `moved 2: a, b`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds =
            [("added", &self.added), ("removed", &self.removed), ("moved", &self.moved), ("changed", &self.changed)];
        for (kind, names) in kinds.into_iter().filter(|(_, names)| !names.is_empty()) {
            let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
            let more = names.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(f, "{kind} {}: {}{more}", names.len(), shown.join(", "))?;
        }
        Ok(())
    }
}

/// Names of one kind that are printed.
const SHOWN: usize = 10;

/// Compares two listings. Of a name that is listed twice the n-th place answers to the n-th place.
///
/// ```
/// use deferbench_core::Tool;
/// let list = |names: &str| names.chars().map(|n| Tool::new(&n.to_string(), None, "{}").unwrap()).collect::<Vec<_>>();
/// let found = deferbench_corpora::mcp::compare(&list("abcd"), &list("dabe"));
/// assert_eq!(found.to_string(), "added 1: e\nremoved 1: c\nmoved 1: d\n");
/// ```
pub fn compare(first: &[Tool], second: &[Tool]) -> Difference {
    let (before, after) = (keyed(first), keyed(second));
    let places: HashMap<_, usize> = before.iter().enumerate().map(|(at, (key, _))| (*key, at)).collect();
    let kept: HashSet<_> = after.iter().map(|(key, _)| *key).filter(|key| places.contains_key(key)).collect();
    let name = |key: (&str, usize)| key.0.to_string();
    let mut out = Difference {
        added: after.iter().filter(|(key, _)| !kept.contains(key)).map(|(key, _)| name(*key)).collect(),
        removed: before.iter().filter(|(key, _)| !kept.contains(key)).map(|(key, _)| name(*key)).collect(),
        ..Difference::default()
    };
    let common: Vec<(usize, (&str, usize), &Tool)> =
        after.iter().filter_map(|(key, tool)| places.get(key).map(|at| (*at, *key, *tool))).collect();
    let still = increasing(&common.iter().map(|(at, _, _)| *at).collect::<Vec<_>>());
    for (position, (at, key, tool)) in common.into_iter().enumerate() {
        if !still.contains(&position) {
            out.moved.push(name(key));
        }
        if definition(before[at].1) != definition(tool) {
            out.changed.push(name(key));
        }
    }
    out
}

/// Each tool with its name and how often the name stood before.
fn keyed(tools: &[Tool]) -> Vec<((&str, usize), &Tool)> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    tools
        .iter()
        .map(|tool| {
            let count = seen.entry(tool.name()).or_default();
            *count += 1;
            ((tool.name(), *count), tool)
        })
        .collect()
}

/// The positions of a longest increasing subsequence.
fn increasing(values: &[usize]) -> HashSet<usize> {
    // For each length the position that ends a subsequence of that length lowest, and who stood before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (position, value) in values.iter().enumerate() {
        let length = ends.partition_point(|end| values[*end] < *value);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = position,
            None => ends.push(position),
        }
    }
    let mut out = HashSet::new();
    let mut at = ends.last().copied();
    while let Some(position) = at {
        out.insert(position);
        at = before[position];
    }
    out
}
