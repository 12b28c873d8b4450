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
    if path.is_dir() {
        let bundle = path.join(bundle::FILES[0]).exists();
        return if bundle { bundle::load(path, limits) } else { servers::load_folder(path, limits) };
    }
    if path.is_file() {
        return servers::load_file(path, limits);
    }
    match argument.parse::<Spec>() {
        Ok(spec) if spec.name == "gen" => generated::load(&spec),
        Err(error) if argument.trim_start().starts_with("gen(") => Err(error.into()),
        _ => Err(CorpusError::Nothing { path: path.to_path_buf(), problem: "there is no such file or folder" }),
    }
}
