//! What becomes of a selection when a search found something?

use super::Cumulative;
use crate::transcript::{Event, Snapshot};

/// A selected tool and its newest use: a number that grows with time, of its last call or its activation.
///
/// A tool is a name: one that is not there at present is selected all the same, and may come back.
pub(crate) type Use = (String, usize);

/// A selection after a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Widened {
    /// What is selected now, oldest activation first.
    pub selected: Vec<String>,
    /// What the search added.
    pub added: Vec<String>,
    /// What left, the least recently used first.
    pub removed: Vec<String>,
    /// What a ceiling keeps out, and which.
    pub refused: Vec<(String, &'static str)>,
}

impl Widened {
    /// The event that records the change, where there is one: the whole set after it. `held` are the names that were
    /// selected before, those of vanished tools included.
    pub fn event(&self, query: String, held: &[String]) -> Option<Event> {
        if self.added.is_empty() {
            return None;
        }
        let mut removed = self.removed.clone();
        removed.sort();
        let mut selected: Vec<String> =
            held.iter().filter(|name| removed.binary_search(name).is_err()).chain(&self.added).cloned().collect();
        selected.sort();
        let reason = (!removed.is_empty()).then(|| "least recently used".to_string());
        let snapshot = Snapshot { query, selected, removed, reason };
        Some(Event::Selection { snapshot, added: self.added.clone() })
    }

    /// What the model reads: each tool with what became of it, and how many it cannot see.
    pub fn told<'a>(
        &self,
        tools: impl IntoIterator<Item = (&'a str, &'static str)>,
        bytes: impl Fn(&str) -> usize,
        deferred: usize,
    ) -> String {
        let size = |name: &str| match self.refused.iter().any(|(refused, _)| refused == name) {
            true => format!(" ({} schema bytes are over a ceiling)", bytes(name)),
            false => String::new(),
        };
        let line = |(name, status): (&str, &str)| format!("- {name}: {status}{}\n", size(name));
        match tools.into_iter().map(line).collect::<String>() {
            none if none.is_empty() => "No matching tools found.".to_string(),
            lines => format!("Tools found:\n{lines}Still deferred: {deferred}"),
        }
    }
}

impl Cumulative {
    /// Adds what was found to a selection, oldest activation first. At a ceiling the tools that were used longest ago
    /// leave, among equals the one activated first; never one that this search found. What fits in no way is refused, and
    /// nobody leaves for it. `bytes` is the schema of a tool, 0 for one that is not there.
    pub(crate) fn widen(&self, bytes: impl Fn(&str) -> usize, before: &[Use], found: &[String]) -> Widened {
        let mut kept: Vec<Use> = before.to_vec();
        let known = |tool: &String| before.iter().any(|(t, _)| t == tool);
        let mut out = Widened { selected: Vec::new(), added: Vec::new(), removed: Vec::new(), refused: Vec::new() };
        for tool in found.iter().filter(|t| !known(t)) {
            out.added.push(tool.clone());
            // What this search found stays, so a tool that does not fit beside it fits in no way.
            let staying = kept.iter().map(|(t, _)| t).filter(|t| found.contains(t));
            if let Some(ceiling) = self.over(&bytes, staying.chain(&out.added)) {
                out.added.pop();
                out.refused.push((tool.clone(), ceiling));
                continue;
            }
            while let Some(ceiling) = self.over(&bytes, kept.iter().map(|(t, _)| t).chain(&out.added)) {
                let candidates = kept.iter().enumerate().filter(|(_, (t, _))| !found.contains(t));
                let oldest = candidates.min_by_key(|(at, (_, used))| (*used, *at)).map(|(at, _)| at);
                match oldest {
                    Some(at) => out.removed.push(kept.remove(at).0),
                    None => {
                        out.added.pop();
                        out.refused.push((tool.clone(), ceiling));
                        break;
                    }
                }
            }
        }
        out.selected = kept.into_iter().map(|(t, _)| t).chain(out.added.iter().cloned()).collect();
        out
    }

    fn over<'a>(&self, bytes: impl Fn(&str) -> usize, tools: impl Iterator<Item = &'a String>) -> Option<&'static str> {
        let (mut count, mut sum) = (0, 0);
        for tool in tools {
            count += 1;
            sum += bytes(tool);
        }
        let past = |ceiling: Option<usize>, found| ceiling.is_some_and(|max| found > max);
        if past(self.max_tools, count) {
            Some("max_tools")
        } else {
            past(self.max_schema_bytes, sum).then_some("max_schema_bytes")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::ToolId;
    use crate::testing::catalog;

    const GONE: u32 = 99;

    fn widen(policy: Cumulative, before: &[(u32, usize)], found: &[u32]) -> [Vec<u32>; 4] {
        // {"name":"a","description":"","inputSchema":{}} has 46 bytes; "big" 152.
        let big = "x".repeat(104);
        let catalog = catalog(&[("a", ""), ("b", ""), ("c", ""), ("d", ""), ("big", &big)]);
        assert_eq!((catalog[ToolId(0)].schema_bytes(), catalog[ToolId(4)].schema_bytes()), (46, 152));
        let name = |t: u32| if t == GONE { "gone".to_string() } else { catalog[ToolId(t)].name().to_string() };
        let before: Vec<Use> = before.iter().map(|(t, used)| (name(*t), *used)).collect();
        let found: Vec<String> = found.iter().map(|t| name(*t)).collect();
        let bytes = |n: &str| catalog.find(n).map_or(0, |t| catalog[t].schema_bytes());
        let out = policy.widen(bytes, &before, &found);
        let ids = |tools: Vec<String>| tools.iter().map(|n| catalog.find(n).map_or(GONE, |t| t.0)).collect();
        let refused = out.refused.into_iter().map(|(t, _)| t).collect();
        [out.selected, out.added, out.removed, refused].map(ids)
    }

    /// G16: a tool that is not there counts as one tool of no bytes: it may come back, and then there are not more than
    /// the ceiling.
    #[test]
    fn the_name_of_a_vanished_tool_takes_a_place() {
        let one = Cumulative { max_results: 1, max_tools: Some(1), ..Cumulative::default() };
        assert_eq!(widen(one, &[(GONE, 7)], &[0]), [vec![0], vec![0], vec![GONE], vec![]]);
        let bytes = Cumulative { max_schema_bytes: Some(46), ..Cumulative::default() };
        assert_eq!(widen(bytes, &[(GONE, 7)], &[0]), [vec![GONE, 0], vec![0], vec![], vec![]]);
    }

    /// G16, P14: without ceilings nothing leaves; with them the least recently used does, and what was found stays.
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
        // Under 170 the big one and b (152 + 46) do not fit together: the first of the two stays, and nobody leaves for the other.
        let tight = Cumulative { max_schema_bytes: Some(170), ..Cumulative::default() };
        assert_eq!(widen(tight.clone(), &[(0, 5)], &[4, 1]), [vec![4], vec![4], vec![0], vec![1]]);
        assert_eq!(widen(tight, &[(0, 5)], &[1, 4]), [vec![0, 1], vec![1], vec![], vec![4]]);
    }
}
