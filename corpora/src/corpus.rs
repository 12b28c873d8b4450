//! What does a measurement need to know about its tools and queries?

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use deferbench_core::{Catalog, ResolvedName, Tool, ToolId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::sessions::TaskChain;

/// A labelled query, as a line of `queries.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Query {
    /// Unique in its corpus.
    pub id: String,
    /// What is searched for.
    pub text: String,
    /// Names of the needed tools; empty: no tool of the corpus answers it.
    pub relevant: Vec<String>,
    /// Needs whose members are interchangeable; empty: each relevant tool is a need of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<String>>,
    /// Query class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Anything else to slice by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl Query {
    /// The needs: each a set of names of which any one will do.
    ///
    /// ```
    /// let query: deferbench_corpora::Query = serde_json::from_str(r#"{"id":"1","text":"t","relevant":["a","b"]}"#).unwrap();
    /// assert_eq!(query.needs(), [["a"], ["b"]]);
    /// ```
    pub fn needs(&self) -> Vec<Vec<&str>> {
        if self.groups.is_empty() {
            self.relevant.iter().map(|r| vec![r.as_str()]).collect()
        } else {
            self.groups.iter().map(|g| g.iter().map(String::as_str).collect()).collect()
        }
    }

    /// The tool whose description repeats the words of this query, where a tag `poison=NAME` names one.
    ///
    /// ```
    /// let text = r#"{"id":"1","text":"t","relevant":["a"],"tags":["language=de","poison=b"]}"#;
    /// let query: deferbench_corpora::Query = serde_json::from_str(text).unwrap();
    /// assert_eq!(query.poison(), Some("b"));
    /// ```
    pub fn poison(&self) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix("poison="))
    }
}

/// A catalog with its queries and what a report has to say about it.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The name used in cells and reports.
    pub name: String,
    /// SHA-256, hexadecimal, of the corpus' files as bytes, one after the other in name order.
    pub sha256: String,
    /// The tools.
    pub catalog: Arc<Catalog>,
    /// Labelled queries; empty: the corpus is asked for its own names only.
    pub queries: Vec<Query>,
    /// Chains of tasks for scripted sessions; empty: sessions are made from queries.
    pub sessions: Vec<TaskChain>,
    /// Names that had to be changed because several servers use them.
    pub renamed: Vec<ResolvedName>,
    /// Number of servers, where the source says so.
    pub servers: Option<usize>,
    /// Tools by part of a mix; empty elsewhere.
    pub parts: BTreeMap<String, usize>,
    /// How many tools are generated texts of this project.
    pub generated: usize,
    /// True where several queries of one needed tool are no independent evidence.
    pub queries_share_tools: bool,
    /// What a reader of the figures has to know.
    pub notes: Vec<String>,
}

impl Corpus {
    /// A corpus of tools and nothing else: what its loader knows beside them is set afterwards.
    pub(crate) fn of(name: String, sha256: String, catalog: Catalog) -> Self {
        Self {
            name,
            sha256,
            servers: count_servers(catalog.tools().iter().filter_map(Tool::server)),
            catalog: Arc::new(catalog),
            queries: Vec::new(),
            sessions: Vec::new(),
            renamed: Vec::new(),
            parts: BTreeMap::new(),
            generated: 0,
            queries_share_tools: false,
            notes: Vec::new(),
        }
    }

    /// The needs of a query as tools; a name that is not in the catalog cannot occur in a loaded corpus.
    pub fn needs(&self, query: &Query) -> Vec<Vec<ToolId>> {
        let ids = |names: Vec<&str>| names.into_iter().filter_map(|n| self.catalog.find(n)).collect();
        query.needs().into_iter().map(ids).collect()
    }
}

/// SHA-256 over texts, one after the other, in hexadecimal: what `cat FILES | sha256sum` prints.
///
/// ```
/// let hash = deferbench_corpora::sha256_of(["a", "bc"]);
/// assert!(hash.starts_with("ba7816bf"), "the SHA-256 test vector of \"abc\"");
/// ```
pub fn sha256_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    texts.into_iter().for_each(|t| hasher.update(t.as_bytes()));
    hasher.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Number of distinct server labels; none where no tool has one.
pub(crate) fn count_servers<'a>(labels: impl Iterator<Item = &'a str>) -> Option<usize> {
    let labels: std::collections::BTreeSet<&str> = labels.collect();
    (!labels.is_empty()).then_some(labels.len())
}

/// Positions of the first name that an earlier place has too, and of that place: the earlier one first.
pub(crate) fn first_twice<K: Eq + Hash>(names: impl Iterator<Item = K>) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    names.enumerate().find_map(|(second, name)| seen.insert(name, second).map(|first| (first, second)))
}
