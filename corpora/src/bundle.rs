//! What is in a bundle folder?

use std::collections::HashSet;
use std::path::Path;

use deferbench_core::{Catalog, Limits, Tool};
use serde::Deserialize;

use crate::corpus::{Corpus, Query, count_servers, sha256_of};
use crate::error::{CorpusError, read_text, without_bom};
use crate::tools_list;

/// The files of a bundle, in the order in which they are hashed.
pub const FILES: [&str; 4] = ["catalog.json", "corpus.toml", "queries.jsonl", "sessions.jsonl"];

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct About {
    name: Option<String>,
    version: Option<String>,
    licence: Option<String>,
    source: Option<String>,
}

/// Loads a bundle: `catalog.json`, and where they are there `queries.jsonl` and `corpus.toml`.
///
/// # Errors
/// [`CorpusError`], with file, line and what helps.
pub fn load(folder: &Path, limits: &Limits) -> Result<Corpus, CorpusError> {
    let mut texts: Vec<Option<String>> = Vec::new();
    for name in FILES {
        let path = folder.join(name);
        texts.push(if path.exists() { Some(read_text(&path)?) } else { None });
    }
    let catalog_path = folder.join(FILES[0]);
    let Some(catalog_text) = &texts[0] else {
        return Err(CorpusError::Nothing { path: catalog_path, problem: "the file is missing" });
    };
    let tools = tools_list::parse(&catalog_path, catalog_text, limits)?;
    let catalog =
        Catalog::with_limits(tools, limits).map_err(|source| CorpusError::Catalog { path: catalog_path, source })?;
    let about = match &texts[1] {
        Some(text) => toml::from_str::<About>(without_bom(text)).map_err(|e| CorpusError::Json {
            path: folder.join(FILES[1]),
            line: e.span().map_or(1, |s| text[..s.start.min(text.len())].matches('\n').count() + 1),
            detail: e.message().to_string(),
            expected: "the keys name, version, licence and source, all texts",
        })?,
        None => About::default(),
    };
    let queries = match &texts[2] {
        Some(text) => parse_queries(&folder.join(FILES[2]), text, &catalog)?,
        None => Vec::new(),
    };
    let folder_name =
        || folder.canonicalize().ok().and_then(|p| p.file_name().map(|n| n.to_string_lossy().into_owned()));
    let mut notes = Vec::new();
    if let Some(source) = about.source {
        notes.push(format!(
            "source: {source}{}{}",
            about.version.map(|v| format!(", version {v}")).unwrap_or_default(),
            about.licence.map(|l| format!(", licence {l}")).unwrap_or_default()
        ));
    }
    Ok(Corpus {
        name: about.name.filter(|n| !n.trim().is_empty()).or_else(folder_name).unwrap_or_else(|| "corpus".to_string()),
        sha256: sha256_of(texts.iter().flatten().map(String::as_str)),
        servers: count_servers(catalog.tools().iter().filter_map(|t| t.server())),
        catalog,
        queries,
        renamed: Vec::new(),
        parts: Default::default(),
        generated: 0,
        queries_share_tools: false,
        notes,
    })
}

/// Reads `queries.jsonl`: one query a line, blank lines skipped.
///
/// # Errors
/// [`CorpusError::Json`] or [`CorpusError::Query`] with the line: an id used twice, a needed tool that is not in the
/// catalog, a need without members.
pub fn parse_queries(path: &Path, text: &str, catalog: &Catalog) -> Result<Vec<Query>, CorpusError> {
    const SHAPE: &str = "one object a line: id, text, relevant, and optionally groups, class, tags";
    let (mut queries, mut ids) = (Vec::new(), HashSet::new());
    for (i, line) in without_bom(text).lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let query: Query = serde_json::from_str(line).map_err(|e| CorpusError::json(path, i + 1, &e, SHAPE))?;
        let fail = |problem: String| {
            Err(CorpusError::Query { path: path.to_path_buf(), line: i + 1, id: query.id.clone(), problem })
        };
        if !ids.insert(query.id.clone()) {
            return fail("this id is used twice; ids must be unique".to_string());
        }
        let unknown = query.relevant.iter().chain(query.groups.iter().flatten()).find(|n| catalog.find(n).is_none());
        if let Some(name) = unknown {
            return fail(format!("needed tool \"{name}\" is not in catalog.json; add it, or correct the name"));
        }
        if query.id.trim().is_empty() || query.text.trim().is_empty() {
            return fail("id and text must not be blank; delete the line, or fill it in".to_string());
        }
        let repeated = |names: &[&String]| {
            let mut seen = HashSet::new();
            names.iter().find(|n| !seen.insert(**n)).map(|n| n.to_string())
        };
        let (relevant, grouped): (Vec<_>, Vec<_>) =
            (query.relevant.iter().collect(), query.groups.iter().flatten().collect());
        if let Some(name) = repeated(&relevant).or_else(|| repeated(&grouped)) {
            return fail(format!("needed tool \"{name}\" is named twice; each tool belongs to one need"));
        }
        if query.groups.iter().any(Vec::is_empty) {
            return fail("a group has no member; leave the group out".to_string());
        }
        let alone = relevant.iter().find(|r| !query.groups.is_empty() && !grouped.contains(r));
        if let Some(name) = alone {
            return fail(format!("relevant tool \"{name}\" is in no group; give it a group of its own"));
        }
        queries.push(query);
    }
    Ok(queries)
}

/// The files of a corpus as texts: `catalog.json` and, where there are queries, `queries.jsonl`.
pub fn files(corpus: &Corpus) -> Vec<(&'static str, String)> {
    let mut out = vec![(FILES[0], catalog_json(corpus.catalog.tools()))];
    if !corpus.queries.is_empty() {
        // A query holds texts only: it always serializes.
        let line = |q: &Query| serde_json::to_string(q).unwrap_or_default() + "\n";
        out.push((FILES[2], corpus.queries.iter().map(line).collect()));
    }
    out
}

/// Tools as the text of a `catalog.json`: one a line, as spelled.
pub fn catalog_json(tools: &[Tool]) -> String {
    let lines: Vec<String> = tools.iter().map(definition).collect();
    format!("{{\"tools\":[\n{}\n]}}\n", lines.join(",\n"))
}

/// A tool as an element of `catalog.json`: as spelled, with its server and whatever else its source said.
fn definition(tool: &Tool) -> String {
    let mut out = format!("{{\"name\":{}", tool.name_json());
    if let Some(description) = tool.description_json() {
        out.push_str(&format!(",\"description\":{description}"));
    }
    out.push_str(&format!(",\"inputSchema\":{}", tool.schema_json()));
    if let Some(server) = tool.server() {
        out.push_str(&format!(",\"server\":{}", serde_json::Value::from(server)));
    }
    for (key, value) in tool.extra() {
        out.push_str(&format!(",{}:{value}", serde_json::Value::from(key.as_str())));
    }
    out + "}"
}
