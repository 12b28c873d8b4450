//! What exactly are the built-in corpora?
//!
//! `corpora.lock` pins them: a change of a word list or of a rule of the generator shows there, and a change there moves
//! published results.

use std::collections::BTreeMap;
use std::path::Path;

use deferbench_core::Limits;
use serde::Serialize;

use crate::corpus::Corpus;
use crate::error::CorpusError;
use crate::seed::SeedTexts;
use crate::{open, overlap};

/// Every corpus of the lock. A catalog of 100,000 tools begins with that of 10,000.
pub const BUILT_IN: &[&str] = &[
    "gen(tools=10)",
    "gen(tools=30)",
    "gen(tools=50)",
    "gen(tools=100)",
    "gen(tools=300)",
    "gen(tools=1000)",
    "gen(tools=3000)",
    "gen(tools=10000)",
];
/// Sizes of the mix of the seed's benchmark that stands on our own texts.
const SEED: &[usize] = &[10, 30, 50, 100];

#[derive(Serialize)]
struct Lock {
    corpus: Vec<Pinned>,
}

/// One corpus of the lock.
#[derive(Serialize)]
struct Pinned {
    name: String,
    sha256: String,
    tools: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    servers: Option<usize>,
    queries: usize,
    sessions: usize,
    /// 10th, 50th and 90th percentile.
    quantiles: BTreeMap<&'static str, [f64; 3]>,
    classes: BTreeMap<String, Class>,
}

#[derive(Serialize)]
struct Class {
    queries: usize,
    /// Mean word overlap with the needed tools; absent where nothing is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    overlap: Option<f64>,
}

/// The text of `corpora.lock`, made from the corpora as they are now.
///
/// # Errors
/// [`CorpusError`] when a built-in corpus cannot be made, which a test would have found.
pub fn text() -> Result<String, CorpusError> {
    let mut corpora = Vec::new();
    for name in BUILT_IN {
        corpora.push(open(name, &Limits::default())?);
    }
    let seed = SeedTexts::own()?;
    for size in SEED {
        let mut mix = seed.mix(*size)?;
        mix.name = format!("seed({size})");
        corpora.push(mix);
    }
    let lock = Lock { corpus: corpora.iter().map(pin).collect() };
    let body = toml::to_string(&lock)
        .map_err(|e| CorpusError::Seed { path: Path::new("corpora.lock").to_path_buf(), problem: e.to_string() })?;
    Ok(format!("# Made by scripts/regen. A change here is a change of results: say so in CHANGELOG.md.\n\n{body}"))
}

fn pin(corpus: &Corpus) -> Pinned {
    let tools = corpus.catalog.tools();
    let parameters = |tool: &deferbench_core::Tool| {
        let schema = tool.schema().ok();
        schema.as_ref().and_then(|s| s["properties"].as_object().map(serde_json::Map::len)).unwrap_or(0)
    };
    let mut servers: BTreeMap<&str, usize> = BTreeMap::new();
    tools.iter().filter_map(|tool| tool.server()).for_each(|label| *servers.entry(label).or_default() += 1);
    let mut quantiles = BTreeMap::from([
        ("name_characters", tenths(tools.iter().map(|t| t.name().chars().count()))),
        ("description_characters", tenths(tools.iter().map(|t| t.description().unwrap_or_default().chars().count()))),
        ("parameters", tenths(tools.iter().map(parameters))),
        ("input_schema_bytes", tenths(tools.iter().map(|t| t.schema_json().len()))),
        ("schema_bytes", tenths(tools.iter().map(|t| t.schema_bytes()))),
    ]);
    if !servers.is_empty() {
        quantiles.insert("tools_per_server", tenths(servers.into_values()));
    }
    let mut of_class: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    for query in &corpus.queries {
        let class = query.class.clone().unwrap_or_else(|| "none".to_string());
        of_class.entry(class).or_default().push(overlap(&corpus.catalog, &query.text, &corpus.needs(query)));
    }
    let class = |shares: Vec<Option<f64>>| {
        let known: Vec<f64> = shares.iter().flatten().copied().collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        Class { queries: shares.len(), overlap: (!known.is_empty()).then(|| rounded(mean)) }
    };
    Pinned {
        name: corpus.name.clone(),
        sha256: corpus.sha256.clone(),
        tools: tools.len(),
        servers: corpus.servers,
        queries: corpus.queries.len(),
        sessions: corpus.sessions.len(),
        quantiles,
        classes: of_class.into_iter().map(|(name, shares)| (name, class(shares))).collect(),
    }
}

/// 10th, 50th and 90th percentile, as type-7 quantiles (Hyndman and Fan, 1996); 0 of nothing.
fn tenths(values: impl Iterator<Item = usize>) -> [f64; 3] {
    let mut all: Vec<usize> = values.collect();
    all.sort_unstable();
    [1, 5, 9].map(|tenth| {
        let point = tenth * all.len().saturating_sub(1);
        let (low, part) = (point / 10, point % 10);
        let at = |at: usize| all.get(at).copied().unwrap_or_default() as f64;
        rounded(at(low) + (at((low + 1).min(all.len().saturating_sub(1))) - at(low)) * part as f64 / 10.0)
    })
}

/// To four decimals.
fn rounded(value: f64) -> f64 {
    libm::round(value * 10_000.0) / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::tenths;

    /// By hand, as numpy.quantile: of 1, 2, 3, 4 the places are 0.3, 1.5 and 2.7.
    #[test]
    fn quantiles_by_hand() {
        assert_eq!(tenths([4, 2, 1, 3].into_iter()), [1.3, 2.5, 3.7]);
        assert_eq!(tenths(std::iter::empty()), [0.0; 3]);
    }
}
