//! What do servers list, before a name clash is resolved or a tool refused?

use std::path::{Path, PathBuf};

use deferbench_core::Limits;
use deferbench_core::lint::Definition;

use crate::corpus::Corpus;
use crate::error::CorpusError;
use crate::input::read_text;
use crate::{bundle, servers, tools_list};

/// The tools of a CORPUS argument as their servers list them, with file and server.
///
/// A tool's server is its own `server`; else, in a file of one server, the last part of the `package` that its wrapper
/// names, because clients are mostly told a server by the name of its package; else the file's stem. The names are bare,
/// and may occur twice: what a catalog refuses is what a linter has to report.
///
/// # Errors
/// [`CorpusError`], as for [`crate::open`], except that names may clash and every root type is accepted.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("acme__mcp.json");
/// let tool = r#"{"name":"rows","inputSchema":{"type":"array"}}"#;
/// std::fs::write(&path, format!(r#"{{"package":"@acme/mcp","tools":[{tool},{tool}]}}"#)).unwrap();
/// let listed = deferbench_corpora::listing::open(path.to_str().unwrap(), &Default::default()).unwrap();
/// assert_eq!((listed.len(), listed[1].name(), listed[1].server()), (2, "rows", "mcp"));
/// assert!(deferbench_corpora::open(path.to_str().unwrap(), &Default::default()).is_err());
/// ```
pub fn open(argument: &str, limits: &Limits) -> Result<Vec<Definition>, CorpusError> {
    let path = Path::new(argument);
    if !path.exists() {
        return of(&crate::open(argument, limits)?);
    }
    let bundled = path.is_dir() && path.join(bundle::FILES[0]).exists();
    let files: Vec<PathBuf> = match (path.is_dir(), bundled) {
        (true, true) => vec![path.join(bundle::FILES[0])],
        (true, false) => servers::json_files(path)?,
        (false, _) => vec![path.to_path_buf()],
    };
    let mut out = Vec::new();
    for file in &files {
        let text = read_text(file)?;
        let items = tools_list::items(file, &text)?;
        let stem = || file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        // In a bundle a tool without a server is of none.
        let label = if bundled { String::new() } else { items.package.clone().unwrap_or_else(stem) };
        let name = file.display().to_string();
        let read = |json: &str| Ok(Definition::from_json(json, &label, limits)?.in_file(&name));
        out.extend(tools_list::read_each(file, &items.tools, read)?);
    }
    match out.is_empty() {
        true => Err(CorpusError::Nothing { path: path.to_path_buf(), problem: "it holds no tools" }),
        false => Ok(out),
    }
}

/// The tools of a loaded corpus; where a clash was resolved, with the name on the tool's own server. A corpus of one server
/// is named after it; which file of several a tool came from is not kept.
///
/// # Errors
/// [`CorpusError::Tool`] when a member beside a definition is no JSON.
pub fn of(corpus: &Corpus) -> Result<Vec<Definition>, CorpusError> {
    let servers: std::collections::HashMap<&str, &str> =
        corpus.renamed.iter().map(|r| (r.name.as_str(), r.server.as_str())).collect();
    let read = |(position, tool): (usize, &deferbench_core::Tool)| {
        let only = if corpus.servers == Some(1) { corpus.name.as_str() } else { "" };
        let label = servers.get(tool.name()).copied().unwrap_or(only);
        Definition::of(tool, label).map_err(|source| CorpusError::Tool {
            path: corpus.name.clone().into(),
            position,
            name: Some(tool.name().to_string()),
            source: Box::new(source),
        })
    };
    corpus.catalog.tools().iter().enumerate().map(read).collect()
}
