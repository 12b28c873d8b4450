//! What becomes of a selection when a search found something?

use super::Cumulative;
use crate::catalog::{Catalog, ToolId};

/// A selected tool and its newest use: a number that grows with time, of its last call or its activation.
pub(crate) type Use = (ToolId, usize);

/// A selection after a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Widened {
    /// What is selected now, oldest activation first.
    pub selected: Vec<ToolId>,
    /// What the search added.
    pub added: Vec<ToolId>,
    /// What left, the least recently used first.
    pub removed: Vec<ToolId>,
    /// What a ceiling keeps out, and which.
    pub refused: Vec<(ToolId, &'static str)>,
}

impl Cumulative {
    /// Adds what was found to a selection, oldest activation first. At a ceiling the tools that were used longest ago
    /// leave, among equals the one activated first; never one that this search found. What fits in no way is refused.
    pub(crate) fn widen(&self, catalog: &Catalog, before: &[Use], found: &[ToolId]) -> Widened {
        let mut kept: Vec<Use> = before.to_vec();
        let known = |kept: &[Use], tool: &ToolId| kept.iter().any(|(t, _)| t == tool);
        let mut out = Widened { selected: Vec::new(), added: Vec::new(), removed: Vec::new(), refused: Vec::new() };
        for tool in found.iter().filter(|t| !known(before, t)) {
            out.added.push(*tool);
            while let Some(ceiling) = self.over(catalog, kept.iter().map(|(t, _)| t).chain(&out.added)) {
                let candidates = kept.iter().enumerate().filter(|(_, (t, _))| !found.contains(t));
                let oldest = candidates.min_by_key(|(at, (_, used))| (*used, *at)).map(|(at, _)| at);
                // Nobody leaves for a tool that does not fit by itself.
                let alone = self.over(catalog, [tool].into_iter());
                match oldest.filter(|_| alone.is_none()) {
                    Some(at) => out.removed.push(kept.remove(at).0),
                    None => {
                        out.added.pop();
                        out.refused.push((*tool, ceiling));
                        break;
                    }
                }
            }
        }
        out.selected = kept.into_iter().map(|(t, _)| t).chain(out.added.iter().copied()).collect();
        out
    }

    fn over<'a>(&self, catalog: &Catalog, tools: impl Iterator<Item = &'a ToolId>) -> Option<&'static str> {
        let (mut count, mut bytes) = (0, 0);
        for tool in tools {
            count += 1;
            bytes += catalog[*tool].schema_bytes();
        }
        let past = |ceiling: Option<usize>, found| ceiling.is_some_and(|max| found > max);
        if past(self.max_tools, count) {
            Some("max_tools")
        } else {
            past(self.max_schema_bytes, bytes).then_some("max_schema_bytes")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;

    fn widen(policy: Cumulative, before: &[(u32, usize)], found: &[u32]) -> [Vec<u32>; 4] {
        // {"name":"a","description":"","inputSchema":{}} has 46 bytes; "big" 152.
        let big = "x".repeat(104);
        let catalog = catalog(&[("a", ""), ("b", ""), ("c", ""), ("d", ""), ("big", &big)]);
        assert_eq!((catalog[ToolId(0)].schema_bytes(), catalog[ToolId(4)].schema_bytes()), (46, 152));
        let before: Vec<Use> = before.iter().map(|(t, used)| (ToolId(*t), *used)).collect();
        let found: Vec<ToolId> = found.iter().map(|t| ToolId(*t)).collect();
        let out = policy.widen(&catalog, &before, &found);
        let ids = |tools: Vec<ToolId>| tools.into_iter().map(|t| t.0).collect();
        let refused = out.refused.into_iter().map(|(t, _)| t).collect();
        [out.selected, out.added, out.removed, refused].map(ids)
    }

    /// G16: without ceilings nothing leaves; with them the least recently used does, and what was found stays.
    #[test]
    fn the_least_recently_used_leave() {
        let none = Cumulative::default();
        let three = Cumulative { max_tools: Some(3), ..Cumulative::default() };
        let bytes = Cumulative { max_schema_bytes: Some(150), ..Cumulative::default() };
        let used = [(0, 5), (1, 2), (2, 2)];
        assert_eq!(widen(none, &used, &[3]), [vec![0, 1, 2, 3], vec![3], vec![], vec![]]);
        // b and c are equally old, b was activated first.
        assert_eq!(widen(three.clone(), &used, &[3]), [vec![0, 2, 3], vec![3], vec![1], vec![]]);
        // b was found again, so c leaves; then a.
        assert_eq!(widen(three.clone(), &used, &[1, 3]), [vec![0, 1, 3], vec![3], vec![2], vec![]]);
        assert_eq!(widen(three, &used, &[0, 1, 2, 3]), [vec![0, 1, 2], vec![], vec![], vec![3]]);
        // Three tools of 46 bytes fit under 150; the big one fits under no circumstances, so nobody leaves for it.
        assert_eq!(widen(bytes, &used, &[4, 3]), [vec![0, 2, 3], vec![3], vec![1], vec![4]]);
    }
}
