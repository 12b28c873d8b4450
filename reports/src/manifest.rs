//! What is needed to repeat a run, and where did it run? `manifest.json` and `timings.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Whether a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Written before the first cell: a crashed run stays visible.
    Started,
    /// Every cell is in `scores.json`.
    Finished,
}

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Manifest {
    /// [`crate::record::SCHEMA_VERSION`] of the program that wrote the file.
    pub schema_version: u32,
    /// Whether the run came to its end.
    pub status: Status,
    /// What was measured: two runs are comparable when these agree.
    pub identity: Identity,
    /// Where and when: never compared.
    pub environment: Environment,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Identity {
    /// Version of the suite.
    pub suite_version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The scenario as it was given: canonical TOML, or the flags that made it.
    pub given: String,
    /// The grid after defaults: axis name to canonical specs, in order.
    pub resolved: BTreeMap<String, Vec<String>>,
    /// The seed of everything drawn in the run, bootstrap included.
    pub seed: u64,
    /// Bootstrap replicates behind every interval of the reports.
    pub replicates: u64,
    /// Corpus name to SHA-256.
    pub corpora: BTreeMap<String, String>,
    /// Metric name to version.
    pub metrics: BTreeMap<String, u32>,
    /// Counter names.
    pub counters: Vec<String>,
}

/// Where and when it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Environment {
    /// The command line, program name included.
    pub command: Vec<String>,
    /// Start, RFC 3339, UTC.
    pub started: String,
    /// End, RFC 3339, UTC; null while the run goes on.
    pub finished: Option<String>,
    /// Operating system and architecture, for example `linux-x86_64`.
    pub platform: String,
    /// Processors that the program may use.
    pub processors: u64,
    /// Worker threads.
    pub threads: u64,
}

/// The content of `timings.json`: durations and the machine, never mixed with scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Timings {
    /// [`crate::record::SCHEMA_VERSION`] of the program that wrote the file.
    pub schema_version: u32,
    /// Where it ran.
    pub environment: Environment,
    /// Wall time of the whole run, milliseconds.
    pub total_ms: f64,
    /// Peak resident memory of the process, bytes, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Wall time of each cell, milliseconds, in the order of `scores.json`.
    pub cells: Vec<CellTiming>,
}

/// Wall time of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CellTiming {
    /// What was measured.
    pub cell: String,
    /// Milliseconds.
    pub ms: f64,
}
