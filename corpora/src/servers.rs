//! Which tools does a folder of `tools/list` files hold, one file a server?

use std::path::{Path, PathBuf};

use deferbench_core::error::CatalogError;
use deferbench_core::{Catalog, Limits, Tool, resolve_names};

use crate::corpus::{Corpus, count_servers, first_twice, sha256_of};
use crate::error::CorpusError;
use crate::input::read_text;
use crate::tools_list;

/// Loads every `.json` file of a folder, in name order, as one server each.
///
/// A tool's label is its own `server`, or else the file's stem. A name that two labels use becomes `label__name`.
///
/// # Errors
/// [`CorpusError`]; [`CorpusError::Nothing`] when the folder has no `.json` file.
pub fn load_folder(folder: &Path, limits: &Limits) -> Result<Corpus, CorpusError> {
    load(folder, &json_files(folder)?, limits)
}

/// The `.json` files of a folder, in name order.
pub(crate) fn json_files(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let io = |source| CorpusError::Io { path: folder.to_path_buf(), source };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if !path.is_dir() && path.extension().is_some_and(|e| e == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(CorpusError::Nothing { path: folder.to_path_buf(), problem: "no catalog.json and no .json file" });
    }
    Ok(paths)
}

/// Loads one `tools/list` file; tools may name their servers.
///
/// # Errors
/// As for [`load_folder`].
pub fn load_file(path: &Path, limits: &Limits) -> Result<Corpus, CorpusError> {
    load(path, &[path.to_path_buf()], limits)
}

fn load(origin: &Path, paths: &[PathBuf], limits: &Limits) -> Result<Corpus, CorpusError> {
    let (mut tools, mut texts) = (Vec::new(), Vec::new());
    for path in paths {
        let text = read_text(path)?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let labelled = |tool: Tool| (tool.server().map_or_else(|| stem.clone(), str::to_string), tool);
        let read = tools_list::parse(path, &text, limits)?;
        // Two tools of one name on one server are refused where the file is still known.
        if let Some(source) = clash(&read) {
            return Err(CorpusError::Catalog { path: path.clone(), source });
        }
        tools.extend(read.into_iter().map(labelled));
        texts.push(text);
    }
    let servers = count_servers(tools.iter().map(|(label, _)| label.as_str()));
    let refused = |source| CorpusError::Catalog { path: origin.to_path_buf(), source };
    let (tools, renamed) = resolve_names(tools, limits).map_err(refused)?;
    let catalog = Catalog::with_limits(tools, limits).map_err(refused)?;
    // The part behind a dot belongs to the name of a folder, and not to that of a file.
    let last = |p: PathBuf| {
        let name = if p.is_dir() { p.file_name() } else { p.file_stem() };
        name.map(|n| n.to_string_lossy().into_owned())
    };
    let name = origin.canonicalize().ok().and_then(last);
    let name = name.unwrap_or_else(|| "corpus".to_string());
    let sha256 = sha256_of(texts.iter().map(String::as_str));
    // Files name servers too, where their tools do not.
    Ok(Corpus { renamed, servers, ..Corpus::of(name, sha256, catalog) })
}

/// The first tool of a file whose name an earlier tool of the same server has.
fn clash(tools: &[Tool]) -> Option<CatalogError> {
    let (first, second) = first_twice(tools.iter().map(|tool| (tool.server(), tool.name())))?;
    Some(CatalogError::DuplicateName { name: tools[second].name().to_string(), first, second })
}
