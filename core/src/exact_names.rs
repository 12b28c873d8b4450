//! Which tools does a query call by their exact name?

use std::collections::HashMap;

use crate::catalog::{Catalog, ToolId};

/// Finds exact tool names inside queries.
///
/// A name counts when it is the whole query, or stands in quotes, or holds `_ - . / :`, a digit or an inner capital and
/// stands between identifier borders. The longest match wins, and the answer is in query order. A name that is a plain
/// word (`read`) is not taken out of a sentence: there it points to a wrong tool more often than to a right one.
///
/// Where a name clash was resolved, the name that a tool has on its own server counts too: it stands for every tool of
/// that bare name, by code point.
///
/// Case counts, except for a query that is nothing but a name and matches in no other way.
///
/// ```
/// use deferbench_core::{Catalog, Tool, exact_names::ExactNames};
/// let tool = |name| Tool::new(name, None, "{}").unwrap();
/// let catalog = Catalog::new(["read", "get_user", "get_user_list", "math.hypot"].map(tool).to_vec()).unwrap();
/// let names = ExactNames::new(&catalog);
/// let found = |q| names.find(q).into_iter().map(|t| catalog[t].name().to_string()).collect::<Vec<_>>();
/// assert_eq!(found("use math.hypot. Then get_user_list, please read it"), ["math.hypot", "get_user_list"]);
/// assert_eq!(found("call `read` first"), ["read"]);
/// assert_eq!(found(" READ "), ["read"]);
/// assert_eq!(found("my_get_user"), Vec::<String>::new());
/// ```
pub struct ExactNames {
    names: HashMap<String, Vec<ToolId>>,
    folded: HashMap<String, ToolId>,
    longest: usize,
}

/// Quotation marks, opening and closing, that make a plain word a name.
const QUOTES: [(char, char); 5] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’')];

impl ExactNames {
    /// Collects the names of a catalog.
    pub fn new(catalog: &Catalog) -> Self {
        let mut folded: HashMap<String, ToolId> = HashMap::new();
        for id in catalog.ids() {
            let slot = folded.entry(catalog[id].name().to_lowercase()).or_insert(id);
            if catalog.code_point_rank(id) < catalog.code_point_rank(*slot) {
                *slot = id;
            }
        }
        let mut names: HashMap<String, Vec<ToolId>> = HashMap::new();
        for id in catalog.ids() {
            names.insert(catalog[id].name().to_string(), vec![id]);
        }
        let mut by_code_point: Vec<ToolId> = catalog.ids().collect();
        by_code_point.sort_by_key(|id| catalog.code_point_rank(*id));
        for id in by_code_point.into_iter().filter(|id| catalog[*id].bare_name() != catalog[*id].name()) {
            names.entry(catalog[id].bare_name().to_string()).or_default().push(id);
        }
        let longest = names.keys().map(String::len).max().unwrap_or(0);
        Self { names, folded, longest }
    }

    /// The tools that the query calls by name, each once, in query order.
    pub fn find(&self, query: &str) -> Vec<ToolId> {
        let whole = query.trim();
        if let Some(tools) = self.names.get(whole) {
            return tools.clone();
        }
        if let Some(&tool) = self.folded.get(&whole.to_lowercase()) {
            return vec![tool];
        }
        let borders = borders(query);
        let (mut found, mut from): (Vec<ToolId>, usize) = (Vec::new(), 0);
        for (i, &start) in borders.iter().enumerate() {
            if start < from {
                continue;
            }
            let within = |end: &&usize| **end - start <= self.longest;
            let candidates = borders[i + 1..].iter().take_while(within).collect::<Vec<_>>();
            for &&end in candidates.iter().rev() {
                let Some(tools) = self.names.get(&query[start..end]) else { continue };
                if is_distinctive(&query[start..end]) || is_quoted(query, start, end) {
                    let new: Vec<ToolId> = tools.iter().filter(|t| !found.contains(*t)).copied().collect();
                    found.extend(new);
                    from = end;
                    break;
                }
            }
        }
        found
    }
}

/// Byte positions where an identifier may begin or end.
///
/// Letters, digits, `_` and `-` are inside an identifier; `.`, `/` and `:` are so between two of these.
fn borders(text: &str) -> Vec<usize> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let solid = |i: Option<&(usize, char)>| i.is_some_and(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let inside = |i: usize| {
        let here = chars.get(i);
        let link = here.is_some_and(|(_, c)| matches!(c, '.' | '/' | ':'));
        solid(here) || (link && i > 0 && solid(chars.get(i - 1)) && solid(chars.get(i + 1)))
    };
    let mut out = Vec::new();
    let mut before = false;
    for (i, &(at, c)) in chars.iter().enumerate() {
        let now = inside(i);
        // A name may hold a space, so every change from inside to outside is a possible end and beginning; a name of
        // other signs can begin or end at a quotation mark only.
        if now != before || is_quote(c) || (i > 0 && is_quote(chars[i - 1].1)) {
            out.push(at);
        }
        before = now;
    }
    if before {
        out.push(text.len());
    }
    out
}

fn is_quote(c: char) -> bool {
    QUOTES.iter().any(|&(open, close)| c == open || c == close)
}

fn is_distinctive(name: &str) -> bool {
    name.contains(|c: char| matches!(c, '_' | '-' | '.' | '/' | ':') || c.is_numeric())
        || name.chars().skip(1).any(char::is_uppercase)
}

fn is_quoted(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    QUOTES.iter().any(|&(open, close)| before == Some(open) && after == Some(close))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;

    fn found(names: &[&str], query: &str) -> Vec<String> {
        let tools: Vec<(&str, &str)> = names.iter().map(|n| (*n, "")).collect();
        let catalog = catalog(&tools);
        ExactNames::new(&catalog).find(query).into_iter().map(|t| catalog[t].name().to_string()).collect()
    }

    /// P01, B04: the bare name of a renamed tool brings every tool that has it.
    #[test]
    fn bare_names_bring_all_their_tools() {
        let tool = |server: &str, name: &str| (server.to_string(), crate::Tool::new(name, None, "{}").unwrap());
        let tools = vec![tool("b", "get_it"), tool("a", "get_it"), tool("a", "other")];
        let (tools, _) = crate::resolve_names(tools, &crate::Limits::default()).unwrap();
        let catalog = Catalog::new(tools).unwrap();
        let found = |q: &str| {
            let found = ExactNames::new(&catalog).find(q);
            found.into_iter().map(|t| catalog[t].name().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(found("get_it"), ["a__get_it", "b__get_it"]);
        assert_eq!(found("please call get_it or b__get_it"), ["a__get_it", "b__get_it"]);
        assert_eq!(found("b__get_it"), ["b__get_it"]);
    }

    /// P01: every exact name inside a longer query, in query order.
    #[test]
    fn many_names_in_query_order() {
        let names = ["b_two", "a_one", "getUser", "v2", "plain"];
        assert_eq!(
            found(&names, "getUser then a_one, b_two; a_one again (v2) plain"),
            ["getUser", "a_one", "b_two", "v2"]
        );
    }

    #[test]
    fn case_counts_inside_a_sentence() {
        assert_eq!(found(&["getUser", "getuser"], "please getuser now"), Vec::<String>::new());
        assert_eq!(found(&["getUser", "getuser"], "please getUser now"), ["getUser"]);
        assert_eq!(found(&["getUser", "getuser"], "getuser"), ["getuser"]);
        assert_eq!(found(&["getUser", "GetUser"], "GETUSER"), ["GetUser"]);
    }

    #[test]
    fn names_with_a_space_and_other_scripts() {
        assert_eq!(found(&["find v2 items"], "run find v2 items now"), ["find v2 items"]);
        assert_eq!(found(&["搜索_2"], "请用 搜索_2 吧"), ["搜索_2"]);
        assert_eq!(found(&["🙂", "read"], "use \"🙂\" and 'read'"), ["🙂", "read"]);
        assert_eq!(found(&["🙂"], "use 🙂"), Vec::<String>::new());
    }

    #[test]
    fn a_long_query_of_borders_ends() {
        let query = "a ".repeat(50_000);
        assert_eq!(found(&["x_y"], &query), Vec::<String>::new());
    }
}
