//! What corpus does `gen(tools=100,seed=7)` name?

use std::path::Path;

use deferbench_core::spec::{Param, Range, Spec};
use deferbench_core::{Catalog, Limits, Tool};
use rayon::prelude::*;

use crate::bundle;
use crate::corpus::{Corpus, Query, sha256_of};
use crate::error::CorpusError;
use crate::generate::{self, GeneratedQuery, GeneratedTool};

/// The parameters of a generated corpus.
pub static PARAMS: &[Param] = &[
    Param {
        key: "tools",
        default: "100",
        range: Range::Integer(1, generate::MAX_TOOLS as u64),
        summary: "number of tools; a smaller catalog is the beginning of a larger one",
    },
    Param {
        key: "seed",
        default: "7",
        range: Range::Integer(0, u64::MAX),
        summary: "seed of everything that is drawn",
    },
];

/// Generates the corpus of a spec.
///
/// # Errors
/// [`CorpusError::Spec`] for an unknown parameter or a value out of range.
///
/// A saved corpus comes back as the same corpus:
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// let corpus = deferbench_corpora::open("gen(tools=10)", &Default::default()).unwrap();
/// for (name, text) in deferbench_corpora::bundle::files(&corpus) {
///     std::fs::write(folder.path().join(name), text).unwrap();
/// }
/// let again = deferbench_corpora::open(folder.path().to_str().unwrap(), &Default::default()).unwrap();
/// assert_eq!((again.name, again.sha256, again.generated), (corpus.name, corpus.sha256, 10));
/// assert!(again.queries_share_tools);
/// ```
///
/// ```
/// let ten = deferbench_corpora::generated::load(&"gen(tools=10)".parse().unwrap()).unwrap();
/// assert_eq!((ten.catalog.len(), ten.name.as_str()), (10, "gen(tools=10)"));
/// let default = deferbench_corpora::generated::load(&"gen".parse().unwrap()).unwrap();
/// assert_eq!(default.name, "gen(tools=100)");
/// assert!(deferbench_corpora::generated::load(&"gen(tools=0)".parse().unwrap()).is_err());
/// ```
pub fn load(spec: &Spec) -> Result<Corpus, CorpusError> {
    let values = spec.resolve("corpus", PARAMS)?;
    let seed: u64 = values.text("seed").parse().unwrap_or(0);
    // The size is what a reader looks for, so it is always said; the seed only where it is not the default.
    let seed_note = if values.to_string().contains("seed=") { format!(",seed={seed}") } else { String::new() };
    let name = format!("gen(tools={}{seed_note})", values.integer("tools"));
    let generated = generate::generate(values.integer("tools"), seed)
        .map_err(|e| CorpusError::Seed { path: name.clone().into(), problem: e.to_string() })?;
    let tools = to_tools(&generated.tools, Path::new(&name))?;
    let catalog = Catalog::new(tools).map_err(|source| CorpusError::Catalog { path: name.clone().into(), source })?;
    let mut corpus = Corpus {
        generated: catalog.len(),
        queries: generated.queries.into_iter().map(to_query).collect(),
        sessions: generated.sessions,
        queries_share_tools: true,
        ..Corpus::of(name, String::new(), catalog)
    };
    corpus.sha256 = sha256_of(bundle::files(&corpus).iter().map(|(_, text)| text.as_str()));
    Ok(corpus)
}

/// Our own texts as validated tools.
pub(crate) fn to_tools(tools: &[GeneratedTool], origin: &Path) -> Result<Vec<Tool>, CorpusError> {
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let read = |(position, tool): (usize, &GeneratedTool)| {
        let server =
            if tool.server.is_empty() { String::new() } else { format!(",\"server\":{}", quote(&tool.server)) };
        let extra: String = tool.extra.iter().map(|(key, value)| format!(",\"{key}\":{value}")).collect();
        let json = format!(
            "{{\"name\":{},\"description\":{},\"inputSchema\":{}{server}{extra}}}",
            quote(&tool.name),
            quote(&tool.description),
            tool.input_schema
        );
        Tool::from_json(&json, &Limits::default()).map_err(|source| CorpusError::Tool {
            path: origin.to_path_buf(),
            position,
            name: Some(tool.name.clone()),
            source: Box::new(source),
        })
    };
    tools.par_iter().enumerate().map(read).collect()
}

pub(crate) fn to_query(query: GeneratedQuery) -> Query {
    Query {
        id: query.id,
        text: query.text,
        relevant: query.relevant,
        groups: Vec::new(),
        class: Some(query.class.to_string()),
        tags: query.tags,
    }
}
