//! Which corpus does a CORPUS argument mean?

use std::path::Path;

use deferbench_core::Limits;
use deferbench_core::spec::Spec;

use crate::corpus::Corpus;
use crate::error::CorpusError;
use crate::{bundle, generated, servers};

/// Opens a CORPUS argument: a bundle folder, a `tools/list` JSON file, a folder of such files, or `gen(tools=N,seed=S)`.
///
/// # Errors
/// [`CorpusError`], with file, line or tool, and what helps.
///
/// ```
/// use deferbench_core::Limits;
/// let corpus = deferbench_corpora::open("gen(tools=10,seed=3)", &Limits::default()).unwrap();
/// assert_eq!(corpus.catalog.len(), 10);
/// let error = deferbench_corpora::open("no/such/folder", &Limits::default()).unwrap_err();
/// assert!(error.to_string().starts_with("no/such/folder: there is no such file or folder; a corpus is"));
/// ```
pub fn open(argument: &str, limits: &Limits) -> Result<Corpus, CorpusError> {
    let path = Path::new(argument);
    if path.exists() {
        let corpus = match (path.is_dir(), path.join(bundle::FILES[0]).exists()) {
            (true, true) => bundle::load(path, limits)?,
            (true, false) => servers::load_folder(path, limits)?,
            (false, _) => servers::load_file(path, limits)?,
        };
        return match corpus.catalog.is_empty() {
            true => Err(CorpusError::Nothing { path: path.to_path_buf(), problem: "it holds no tools" }),
            false => Ok(corpus),
        };
    }
    match argument.parse::<Spec>() {
        Ok(spec) if spec.name == "gen" => generated::load(&spec),
        Err(error) if argument.trim_start().starts_with("gen(") => Err(error.into()),
        _ => Err(CorpusError::Nothing { path: path.to_path_buf(), problem: "there is no such file or folder" }),
    }
}
