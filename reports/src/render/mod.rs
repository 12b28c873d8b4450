//! Which forms can a report take? Each renderer is one file of this folder and one line below.

use thiserror::Error;

use crate::Run;

/// One form of a report.
#[derive(Debug)]
pub struct Renderer {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: what it makes and for whom.
    pub summary: &'static str,
    /// Names of the files it may write, in any run.
    pub names: &'static [&'static str],
    /// Renders a run; an empty list when the run holds nothing for this form.
    pub files: fn(&Run) -> Result<Vec<OutputFile>, RenderError>,
}

/// A file that a renderer made, not yet written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// File name, without a folder.
    pub name: String,
    /// The whole content.
    pub bytes: Vec<u8>,
}

/// Why a report could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A CSV row could not be written.
    #[error("cannot write {file}: {source}; this is a mistake in Deferbench: please report it")]
    Csv {
        /// Name of the file.
        file: &'static str,
        /// What the writer says.
        source: ::csv::Error,
    },
    /// A value could not be expressed in JSON.
    #[error("cannot write {file}: {source}; this is a mistake in Deferbench: please report it")]
    Json {
        /// Name of the file.
        file: &'static str,
        /// What the encoder says.
        source: serde_json::Error,
    },
    /// The scenario is `seed`, but a part of its table is missing.
    #[error(
        "scores.json, scenario seed, corpus {corpus}: expected {expected}, found none; run `deferbench run seed` with \
         this version again"
    )]
    SeedCell {
        /// Name of the corpus.
        corpus: String,
        /// What the table needs.
        expected: String,
    },
}

macro_rules! registry {
    ($($name:ident),+ $(,)?) => {
        $(pub mod $name;)+

        /// Every renderer, in the order in which reports are written.
        pub static RENDERERS: &[&Renderer] = &[$(&$name::RENDERER),+];
    };
}

registry! {
    table,
    markdown,
    csv,
    json,
    seed,
}

/// The renderer of that name.
///
/// ```
/// use deferbench_reports::render::renderer;
/// assert!(renderer("markdown").is_some());
/// assert!(renderer("carrier pigeon").is_none());
/// ```
pub fn renderer(name: &str) -> Option<&'static Renderer> {
    RENDERERS.iter().find(|renderer| renderer.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_registered_under_its_name() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/render");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
            .filter(|name| name != "mod")
            .collect();
        files.sort();
        let mut names: Vec<&str> = RENDERERS.iter().map(|renderer| renderer.name).collect();
        names.sort_unstable();
        assert_eq!(files, names);
    }

    #[test]
    fn every_renderer_says_what_it_makes() {
        for renderer in RENDERERS {
            assert!(renderer.summary.ends_with('.') && renderer.summary.len() > 20, "{}", renderer.name);
        }
    }
}
