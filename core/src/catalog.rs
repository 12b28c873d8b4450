//! Which tools are there, and is the set sound?

use std::collections::{HashMap, HashSet};
use std::ops::Index;

use crate::canonical::Fingerprint;
use crate::error::CatalogError;
use crate::tool::{Limits, Tool};

/// The position of a tool in its [`Catalog`], from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolId(pub u32);

impl ToolId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An immutable, validated, ordered set of tools; the order is the registration order.
#[derive(Debug, Clone)]
pub struct Catalog {
    tools: Vec<Tool>,
    by_name: HashMap<String, ToolId>,
    code_point_rank: Vec<u32>,
    fingerprint: Fingerprint,
}

impl Catalog {
    /// Builds a catalog under the default [`Limits`].
    ///
    /// # Errors
    /// [`CatalogError`] when two tools have one name, or there are more tools than the limit.
    ///
    /// ```
    /// use deferbench_core::{Catalog, Tool};
    /// let tool = Tool::new("ping", Some("Answers."), "{}").unwrap();
    /// assert!(Catalog::new(vec![tool.clone(), tool]).unwrap_err().to_string().contains("\"ping\" is defined twice"));
    /// assert_eq!(Catalog::new(vec![]).unwrap().len(), 0);
    /// ```
    pub fn new(tools: Vec<Tool>) -> Result<Self, CatalogError> {
        Self::with_limits(tools, &Limits::default())
    }

    /// Builds a catalog under given limits; only [`Limits::tools`] is looked at, the others were checked tool by tool.
    ///
    /// # Errors
    /// As for [`Catalog::new`].
    pub fn with_limits(tools: Vec<Tool>, limits: &Limits) -> Result<Self, CatalogError> {
        if tools.len() > limits.tools {
            return Err(CatalogError::TooManyTools { found: tools.len(), limit: limits.tools });
        }
        let mut by_name = HashMap::with_capacity(tools.len());
        for (i, tool) in tools.iter().enumerate() {
            if let Some(first) = by_name.insert(tool.name().to_string(), ToolId(i as u32)) {
                return Err(CatalogError::DuplicateName {
                    name: tool.name().to_string(),
                    first: first.index(),
                    second: i,
                });
            }
        }
        let mut sorted: Vec<usize> = (0..tools.len()).collect();
        // Byte order of UTF-8 is code-point order.
        sorted.sort_by(|&a, &b| tools[a].name().cmp(tools[b].name()));
        let mut code_point_rank = vec![0; tools.len()];
        for (rank, &i) in sorted.iter().enumerate() {
            code_point_rank[i] = rank as u32;
        }
        let prints: Vec<u8> = tools.iter().flat_map(|t| *t.fingerprint().as_bytes()).collect();
        Ok(Self { fingerprint: Fingerprint::of(&prints), tools, by_name, code_point_rank })
    }

    /// Number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// True without tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The tools in registration order.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Every id in registration order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ToolId> + use<> {
        (0..self.tools.len() as u32).map(ToolId)
    }

    /// The id of a name.
    pub fn find(&self, name: &str) -> Option<ToolId> {
        self.by_name.get(name).copied()
    }

    /// Position of the tool when names are sorted by code point: the last tie-break of every ranker.
    pub fn code_point_rank(&self, id: ToolId) -> u32 {
        self.code_point_rank[id.index()]
    }

    /// Sum of the schema bytes of every tool.
    pub fn schema_bytes(&self) -> usize {
        self.tools.iter().map(Tool::schema_bytes).sum()
    }

    /// blake3 over the tools' fingerprints in order.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
}

impl Index<ToolId> for Catalog {
    type Output = Tool;
    /// The tool of an id.
    ///
    /// # Panics
    /// When the id is of another, larger catalog.
    fn index(&self, id: ToolId) -> &Tool {
        &self.tools[id.index()]
    }
}

/// A tool whose name was changed because another server uses it too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedName {
    /// The name in the catalog: `label__bare`.
    pub name: String,
    /// The label of the server.
    pub server: String,
    /// The name on that server.
    pub bare: String,
}

/// Renames the tools whose name two or more servers use to `label__name`, and those whose name is such a new one; every
/// other name stays.
///
/// `tools` pairs each tool with the label of its server. The answer keeps the order and lists what was renamed, so that
/// the bare name is looked up and never parsed out of the new one. Two tools of one name on one server stay as they are:
/// [`Catalog::new`] refuses them.
///
/// # Errors
/// [`CatalogError::Renamed`] when a new name is longer than the limit; [`CatalogError::RenamedAlike`] when two are equal.
///
/// ```
/// use deferbench_core::{Limits, Tool, resolve_names};
/// let tool = |name| Tool::new(name, None, "{}").unwrap();
/// let tools = vec![("a".into(), tool("get")), ("b".into(), tool("get")), ("b".into(), tool("put"))];
/// let (tools, renamed) = resolve_names(tools, &Limits::default()).unwrap();
/// let names: Vec<&str> = tools.iter().map(|t| t.name()).collect();
/// assert_eq!(names, ["a__get", "b__get", "put"]);
/// assert_eq!((renamed.len(), renamed[1].bare.as_str()), (2, "get"));
/// ```
pub fn resolve_names(
    tools: Vec<(String, Tool)>,
    limits: &Limits,
) -> Result<(Vec<Tool>, Vec<ResolvedName>), CatalogError> {
    let mut first_label: HashMap<&str, &str> = HashMap::new();
    let mut clashing: HashSet<String> = HashSet::new();
    for (label, tool) in &tools {
        if *first_label.entry(tool.name()).or_insert(label) != label {
            clashing.insert(tool.name().to_string());
        }
    }
    // A new name may be one that clashed with none so far; then that one clashes too.
    loop {
        let new: HashSet<String> = tools
            .iter()
            .filter(|(_, tool)| clashing.contains(tool.name()))
            .map(|(label, tool)| resolved(label, tool.name()))
            .collect();
        let names = tools.iter().map(|(_, tool)| tool.name());
        let met: Vec<String> =
            names.filter(|name| new.contains(*name) && !clashing.contains(*name)).map(str::to_string).collect();
        if met.is_empty() {
            break;
        }
        clashing.extend(met);
    }
    let (mut out, mut renamed) = (Vec::with_capacity(tools.len()), Vec::new());
    for (label, tool) in tools {
        if clashing.contains(tool.name()) {
            let (name, bare) = (resolved(&label, tool.name()), tool.name().to_string());
            let refused =
                |source| CatalogError::Renamed { bare: bare.clone(), server: label.clone(), source: Box::new(source) };
            out.push(tool.renamed(name.clone(), limits).map_err(refused)?);
            renamed.push(ResolvedName { name, server: label, bare });
        } else {
            out.push(tool);
        }
    }
    alike(&renamed)?;
    Ok((out, renamed))
}

fn resolved(label: &str, name: &str) -> String {
    format!("{label}__{name}")
}

/// Refuses two tools of different names that are renamed to one: servers `a` and `a__b` with tools `b__c` and `c`.
fn alike(renamed: &[ResolvedName]) -> Result<(), CatalogError> {
    let mut seen: HashMap<&str, &ResolvedName> = HashMap::new();
    for two in renamed {
        let one = *seen.entry(&two.name).or_insert(two);
        if one.bare != two.bare {
            return Err(CatalogError::RenamedAlike { one: Box::new(one.clone()), two: Box::new(two.clone()) });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> Tool {
        Tool::new(name, None, "{}").unwrap()
    }

    #[test]
    fn ties_end_at_code_points_not_at_case_or_locale() {
        let catalog = Catalog::new(["é", "z", "Z", "a", "\u{1f600}", "\u{fb33}"].map(tool).to_vec()).unwrap();
        let mut ids: Vec<ToolId> = catalog.ids().collect();
        ids.sort_by_key(|&id| catalog.code_point_rank(id));
        let names: Vec<&str> = ids.iter().map(|&id| catalog[id].name()).collect();
        assert_eq!(names, ["Z", "a", "z", "é", "\u{fb33}", "\u{1f600}"]);
    }

    #[test]
    fn fingerprint_depends_on_order() {
        let a = Catalog::new(vec![tool("a"), tool("b")]).unwrap();
        let b = Catalog::new(vec![tool("b"), tool("a")]).unwrap();
        assert_ne!(a.fingerprint(), b.fingerprint());
    }

    /// What servers list, and what becomes of it.
    fn names(listed: &[(&str, &str)]) -> Result<Vec<String>, CatalogError> {
        let tools = listed.iter().map(|(label, name)| (label.to_string(), tool(name))).collect();
        let (tools, renamed) = resolve_names(tools, &Limits::default())?;
        assert!(renamed.iter().all(|r| listed.contains(&(&r.server, &r.bare))));
        Ok(Catalog::new(tools)?.tools().iter().map(|t| t.name().to_string()).collect())
    }

    #[test]
    fn a_new_name_that_meets_a_real_one_makes_that_one_clash_too() {
        let found = names(&[("a", "x"), ("b", "x"), ("c", "a__x"), ("c", "y")]).unwrap();
        assert_eq!(found, ["a__x", "b__x", "c__a__x", "y"]);
        let found = names(&[("a", "x"), ("b", "x"), ("c", "a__x"), ("d", "c__a__x")]).unwrap();
        assert_eq!(found, ["a__x", "b__x", "c__a__x", "d__c__a__x"]);
    }

    #[test]
    fn two_new_names_that_are_alike_are_refused_with_both_tools() {
        let error = names(&[("a", "b__x"), ("a__b", "x"), ("c", "b__x"), ("c", "x")]).unwrap_err().to_string();
        for part in ["\"b__x\" of server \"a\"", "\"x\" of server \"a__b\"", "\"a__b__x\"", "another label"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn one_name_twice_on_one_server_stays_a_duplicate() {
        let error = names(&[("a", "x"), ("a", "x"), ("b", "x")]).unwrap_err();
        assert!(matches!(error, CatalogError::DuplicateName { first: 0, second: 1, .. }), "{error}");
    }

    #[test]
    fn the_limit_on_tools_holds() {
        let limits = Limits { tools: 1, ..Limits::default() };
        assert!(matches!(
            Catalog::with_limits(vec![tool("a"), tool("b")], &limits),
            Err(CatalogError::TooManyTools { found: 2, limit: 1 })
        ));
    }
}
