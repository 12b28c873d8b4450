//! What does one run store? The record schema of `scores.json`: raw rows, unrounded, nothing aggregated.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of this schema, written into every result file.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything deterministic of one run: the content of `scores.json`.
///
/// Two runs of one [`crate::manifest::Identity`] give the same bytes, whatever the machine and the number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Scores {
    /// [`SCHEMA_VERSION`] of the program that wrote the file.
    pub schema_version: u32,
    /// Version of the suite that measured.
    pub suite_version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// What this run does not show: one sentence each, printed before any number.
    pub limits: Vec<String>,
    /// Every metric that a row of this file carries, in the order of the reports.
    pub metrics: Vec<MetricInfo>,
    /// Every counter that a row of this file carries.
    pub counters: Vec<CounterInfo>,
    /// The corpora, in the order of the scenario.
    pub corpora: Vec<CorpusInfo>,
    /// Was the tool found? One cell for each corpus and ranker.
    pub retrieval: Vec<RetrievalCell>,
    /// What did the model see? One cell for each session that was driven.
    pub sessions: Vec<SessionCell>,
}

/// Whether a number was observed, computed by a model of a provider, or approximated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Counted on the real text by the real rule.
    Measured,
    /// Computed by a model of somebody else's system.
    Simulated,
    /// Approximated by a rule of thumb.
    Estimated,
}

/// Which direction of a metric is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// A larger value is better.
    Higher,
    /// A smaller value is better.
    Lower,
}

/// What a metric has one value of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A labelled query.
    Query,
    /// A tool, asked for by name.
    Name,
    /// A session, or one of its requests.
    Session,
}

/// The description of a metric, carried in the file so that a report needs no code of the metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct MetricInfo {
    /// The name used in rows, flags and reports, for example `recall@5`.
    pub name: String,
    /// Raised when the definition changes; runs with different versions are not compared.
    pub version: u32,
    /// What it has one value of.
    pub level: Level,
    /// One sentence: what it measures.
    pub summary: String,
    /// `share`, `tokens`, `bytes`, `requests`.
    pub unit: String,
    /// Which direction is better.
    pub better: Better,
    /// When a value is null.
    pub undefined: String,
    /// Paper, document or tool that defines it.
    pub source: String,
}

/// The description of a counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CounterInfo {
    /// The key used in rows, for example `chars4@1` or `o200k_base@tiktoken`.
    pub name: String,
    /// Measured when the counts are those of the real vocabulary, estimated otherwise.
    pub basis: Basis,
    /// One sentence: what it counts.
    pub summary: String,
    /// SHA-256 of the vocabulary file, in hexadecimal, where there is one.
    pub vocabulary_sha256: Option<String>,
}

/// A tool whose name had to be changed because two servers use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ResolvedName {
    /// The name a call has to use.
    pub name: String,
    /// The label of the server that owns the tool.
    pub server: String,
    /// The name on that server.
    pub bare: String,
}

/// What one corpus is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CorpusInfo {
    /// The name used in cells, for example `gen(tools=100,seed=7)` or `livemcpbench`.
    pub name: String,
    /// SHA-256 of the corpus' files as bytes, in hexadecimal.
    pub sha256: String,
    /// Number of tools.
    pub tools: u64,
    /// How many of the tools are generated texts of this project (they are all, or none, or the rest of a mix).
    pub generated_tools: u64,
    /// Number of servers the tools come from, where the corpus says so.
    pub servers: Option<u64>,
    /// Tools by part of a mix, for example `{"first_party": 5, "mcp": 5}`; empty elsewhere.
    pub parts: BTreeMap<String, u64>,
    /// Number of labelled queries.
    pub queries: u64,
    /// Sum of the UTF-8 bytes of `{"name","description","inputSchema"}` of every tool.
    pub schema_bytes: u64,
    /// Names that two or more servers use, as resolved.
    pub resolved_names: Vec<ResolvedName>,
    /// Anything a reader of the figures has to know about this corpus.
    pub notes: Vec<String>,
}

/// One ranker on one corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RetrievalCell {
    /// [`CorpusInfo::name`].
    pub corpus: String,
    /// Canonical spec of the ranker.
    pub ranker: String,
    /// One row for each labelled query, in the order of the corpus.
    pub queries: Vec<QueryRow>,
    /// One row for each tool, asked for by its own name, in the order of the catalog.
    pub names: Vec<NameRow>,
}

/// One labelled query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct QueryRow {
    /// The query's id, unique in its corpus.
    pub id: String,
    /// Query class, where the corpus says so.
    pub class: Option<String>,
    /// Rows of one cluster are resampled together; null: the row is its own cluster.
    pub cluster: Option<String>,
    /// Share of the query's distinct stems that occur in a needed tool's name and description, 0 to 1; null: no stem.
    pub overlap: Option<f64>,
    /// Number of needs (a group of interchangeable tools is one need).
    pub needed: u64,
    /// For each need, in the order of the corpus: the rank of its first member, from 1; null: not in the list.
    pub ranks: Vec<Option<u64>>,
    /// Number of tools the ranker returned (at most the depth of the evaluation).
    pub returned: u64,
    /// Metric name to value; null: undefined for this query.
    pub values: BTreeMap<String, Option<f64>>,
}

/// One tool asked for by its own name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct NameRow {
    /// The tool's name in the catalog.
    pub tool: String,
    /// Metric name to value; null: undefined for this tool.
    pub values: BTreeMap<String, Option<f64>>,
}

/// One scripted session under one policy, order, entry and layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct SessionCell {
    /// [`CorpusInfo::name`].
    pub corpus: String,
    /// Name of the script, for example `ten-needs` or `single/capability-1`.
    pub script: String,
    /// Canonical spec of the policy: `eager`, `replace(...)`, `cumulative(...)`.
    pub policy: String,
    /// Name of the order.
    pub order: String,
    /// Name of the entry.
    pub entry: String,
    /// Name of the layout.
    pub layout: String,
    /// Unit of `units` and `kept`: `utf8` bytes or `utf16` code units.
    pub unit: String,
    /// Canonical spec of the ranker behind the search tool; null under `eager`.
    pub ranker: Option<String>,
    /// Largest number of tools one search may activate; null under `eager`.
    pub limit: Option<u64>,
    /// How the figures came about.
    pub basis: Basis,
    /// Needs of the script; 0 in a script of searches only.
    pub needs: u64,
    /// Needs whose tool became callable and was called.
    pub met: u64,
    /// Of these, the needs that took a second search, by the tool's exact name, because the query did not bring the tool.
    pub retried: u64,
    /// Calls of a hidden tool that were turned into a search for it; each costs one request.
    #[serde(default)]
    pub repaired: u64,
    /// Searches that ran.
    pub searches: u64,
    /// Searches that found nothing or were refused.
    pub empty_searches: u64,
    /// Tools that gave way to what a search found, each time it happened; 0 where nothing ever leaves.
    #[serde(default)]
    pub evicted: u64,
    /// Distinct tools that were activated by a search.
    pub activated: u64,
    /// Of these, the ones that no need of the script asks for; null in a script without needs.
    pub activated_unneeded: Option<u64>,
    /// Model requests minus those of `eager` on the same script; null for a script that eager cannot run (searches only),
    /// and where a need stayed unmet, because the two sessions then did different work.
    pub extra_turns: Option<i64>,
    /// One row for each model request, in order.
    pub requests: Vec<RequestRow>,
    /// What each prefix cache would make of the requests, cold and warm; empty where no profile was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CacheRow>,
    /// Anything that happened and changes how to read the figures, for example a tool over a ceiling, by name and size.
    pub notes: Vec<String>,
}

impl SessionCell {
    /// What the same cache, started alike, makes of this session.
    #[must_use]
    pub fn cache_like(&self, like: &CacheRow) -> Option<&CacheRow> {
        self.caches.iter().find(|row| (&row.profile, &row.start) == (&like.profile, &like.start))
    }
}

/// What one prefix cache would make of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CacheRow {
    /// Spec of the profile.
    pub profile: String,
    /// How the figures came about: simulated, or estimated where a value of the profile is an assumption.
    pub basis: Basis,
    /// Values that were given in place of the profile's: `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// The counter of all tokens.
    pub counter: String,
    /// `cold`: the cache is empty; `warm`: it holds the first tools and the system text.
    pub start: String,
    /// Tokens of all prompts.
    pub prefill: u64,
    /// Tokens of the longest prompt.
    pub peak: u64,
    /// Tokens of all answers.
    pub output: u64,
    /// Tokens read from the cache; null where the profile lacks a value.
    pub hit: Option<u64>,
    /// Tokens written to the cache; null where the profile lacks a value.
    pub written: Option<u64>,
    /// `hit` / `prefill`: 0 to 1; null where `hit` is.
    pub hit_ratio: Option<f64>,
    /// Cost of the prompts in base input tokens; null where the profile lacks a value.
    pub input_cost: Option<f64>,
    /// Cost of the session in base input tokens, answers included; null where the profile lacks a value.
    pub cost: Option<f64>,
    /// `cost` after each turn of the user, or `input_cost` where `cost` is null; empty where both are.
    pub turns: Vec<f64>,
    /// Cost of the hits that the same requests lose against definitions in the history; null where there is no such session of as
    /// many requests.
    pub break_tax: Option<f64>,
    /// Requests that change something before the last segment of the request before.
    pub breaks: u64,
    /// Tokens of definitions sent after the first change, summed over the requests.
    pub churn: u64,
    /// Every change of the cheaper side over turns of the user, against `eager` on the same script and cache; null where a cost is.
    pub crossings: Option<Vec<CrossingRow>>,
    /// Fields of the profile that a missing figure needs.
    pub unknown: Vec<String>,
}

/// A point from which on a side is cheaper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CrossingRow {
    /// Turn of the user, from 1.
    pub turn: u64,
    /// `deferred` or `eager`; equal costs count as `eager`.
    pub cheaper: String,
}

/// One model request of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RequestRow {
    /// Position in the session, from 0.
    pub request: u64,
    /// Session of the script that the request belongs to, from 0; the first request of each has none before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub session: u64,
    /// Seconds without a request before this one; 0 where the script does not rest.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle_seconds: u64,
    /// User turn that the request belongs to, from 0.
    pub turn: u64,
    /// What led to it: `user`, `search`, `call`.
    pub cause: String,
    /// Activated tools that the request carries (search tool and always-on tools not counted).
    pub active_tools: u64,
    /// Tool definitions that the request carries, of every kind.
    pub tools_sent: u64,
    /// Sum of the schema bytes of the definitions it carries.
    pub schema_bytes: u64,
    /// The tools section.
    pub tools: SectionRow,
    /// The whole prompt.
    pub prompt: SectionRow,
    /// Where it first differs from the request before; null in the first request and where nothing differs but length.
    pub divergence: Option<Divergence>,
}

/// Size and survival of one part of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct SectionRow {
    /// Length in the unit of the session.
    pub units: u64,
    /// Counter name to number of tokens of the whole text of the part.
    pub tokens: BTreeMap<String, u64>,
    /// Length of the longest common prefix with the same part of the request before, in units; null in the first request.
    pub kept: Option<u64>,
    /// `kept` / units of the request before: 0 to 1; null in the first request, or when that part was empty.
    pub survival: Option<f64>,
    /// `kept` / units of this request: 0 to 1; null in the first request, or when this part is empty.
    pub coverage: Option<f64>,
}

/// The first place where a request differs from the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Divergence {
    /// `tool`, `system`, `message` or `scaffolding`.
    pub kind: String,
    /// Name of the tool, or position of the message; empty for scaffolding.
    pub name: String,
    /// Offset inside the segment (inside the prompt for scaffolding), in units.
    pub offset: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
