//! Where do the results of a run lie, and how do they get there without ever being half written?

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::finite;
use crate::lines::to_lines;
use crate::manifest::{Manifest, Status, Timings};
use crate::record::{SCHEMA_VERSION, Scores};
pub use crate::run::Run;

/// Name of the file that holds [`Manifest`].
pub const MANIFEST: &str = "manifest.json";
/// Name of the file that holds [`Scores`].
pub const SCORES: &str = "scores.json";
/// Name of the file that holds [`Timings`].
pub const TIMINGS: &str = "timings.json";

/// Why a result file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file is missing or not readable.
    #[error("cannot read {}: {source}; expected a run folder made by `deferbench run`: check the path", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The run stopped before its scores were written.
    #[error(
        "{} holds a run that never finished: its manifest says `started` and {SCORES} is missing; run it again",
        .dir.display()
    )]
    Unfinished {
        /// The run folder.
        dir: PathBuf,
    },
    /// The file is not the JSON that its name promises.
    #[error(
        "{}, line {line}, column {column}: {reason}; expected the content that Deferbench writes: restore the file or \
         measure again",
        .path.display()
    )]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, from 1; 0 when the parser does not say.
        line: usize,
        /// Column, from 1; 0 when the parser does not say.
        column: usize,
        /// What was expected and found there.
        reason: String,
    },
    /// The file has another schema version.
    #[error(
        "{}: found schema_version {found}, this program reads {supported}; use the Deferbench version that wrote it, or \
         measure again",
        .path.display()
    )]
    SchemaVersion {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u64,
        /// [`SCHEMA_VERSION`].
        supported: u32,
    },
    /// A number is infinite or not a number, which JSON cannot say.
    #[error(
        "cannot write {file}: {place} is {value}; expected a finite number, or null where it is undefined: this is a \
         mistake in the code that measured it"
    )]
    NotFinite {
        /// Name of the file.
        file: &'static str,
        /// The row and the field.
        place: String,
        /// The number.
        value: f64,
    },
    /// A value could not be expressed in JSON.
    #[error("cannot write {file}: {source}; this is a mistake in Deferbench: please report it")]
    Encode {
        /// Name of the file.
        file: &'static str,
        /// What the encoder says.
        source: serde_json::Error,
    },
    /// The file could not be written.
    #[error("cannot write {}: {source}; check that the folder exists, is writable and has space", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Run {
    /// Reads the run in a folder; `timings.json` may be absent.
    ///
    /// # Errors
    /// A missing, damaged or unfinished file, or one of another schema version.
    pub fn load(dir: &Path) -> Result<Self, FileError> {
        let manifest: Manifest = read(&dir.join(MANIFEST))?;
        let scores = dir.join(SCORES);
        if manifest.status == Status::Started && !scores.exists() {
            return Err(FileError::Unfinished { dir: dir.to_path_buf() });
        }
        let timings = dir.join(TIMINGS);
        let timings = if timings.exists() { Some(read(&timings)?) } else { None };
        Ok(Self::new(manifest, read(&scores)?, timings))
    }

    /// Writes `scores.json`, `timings.json` if there are any, and `manifest.json`, each in one piece.
    ///
    /// The folder is made when it is missing. The manifest comes last: a manifest that says `finished` has its scores.
    ///
    /// # Errors
    /// A number that is not finite, or a folder that cannot be written.
    pub fn save(&self, dir: &Path) -> Result<(), FileError> {
        fs::create_dir_all(dir).map_err(|source| FileError::Write { path: dir.to_path_buf(), source })?;
        write_atomically(&dir.join(SCORES), &scores_json(self.scores())?)?;
        if let Some(timings) = self.timings() {
            write_atomically(&dir.join(TIMINGS), &timings_json(timings)?)?;
        }
        write_atomically(&dir.join(MANIFEST), &manifest_json(self.manifest())?)
    }
}

/// The bytes of `scores.json`: one row a line, a newline at the end, the same bytes for the same scores.
///
/// # Errors
/// A number that is not finite, with the row that holds it.
pub fn scores_json(scores: &Scores) -> Result<Vec<u8>, FileError> {
    encode(SCORES, scores, 4, finite::in_scores(scores))
}

/// The bytes of `manifest.json`.
///
/// # Errors
/// None that this program can cause: every field of a manifest can be expressed in JSON.
pub fn manifest_json(manifest: &Manifest) -> Result<Vec<u8>, FileError> {
    encode(MANIFEST, manifest, 3, None)
}

/// The bytes of `timings.json`.
///
/// # Errors
/// A number that is not finite, with the cell that holds it.
pub fn timings_json(timings: &Timings) -> Result<Vec<u8>, FileError> {
    encode(TIMINGS, timings, 2, finite::in_timings(timings))
}

/// Writes a file so that it is seen whole or not at all, even when the process is killed.
///
/// The bytes go to a hidden file in the same folder, which is then renamed. A failure of the power supply is another
/// matter: the bytes are not forced to the disk.
///
/// # Errors
/// The folder is missing, not writable or full; the file that was there before stays as it is.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let fail = |source| FileError::Write { path: path.to_path_buf(), source };
    let Some(name) = path.file_name() else {
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file")));
    };
    let hidden = format!(".{}.{}.partial", name.to_string_lossy(), std::process::id());
    let hidden = path.with_file_name(hidden);
    let written = fs::write(&hidden, bytes).and_then(|()| fs::rename(&hidden, path));
    written.map_err(|source| {
        // The error that matters is the first one.
        let _ = fs::remove_file(&hidden);
        fail(source)
    })
}

fn encode<T: Serialize>(
    file: &'static str,
    value: &T,
    depth: usize,
    unfit: Option<(String, f64)>,
) -> Result<Vec<u8>, FileError> {
    match unfit {
        Some((place, value)) => Err(FileError::NotFinite { file, place, value }),
        None => to_lines(value, depth).map_err(|source| FileError::Encode { file, source }),
    }
}

/// Reads the version alone first, so that a newer file is called newer and not damaged.
fn read<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    #[derive(Deserialize)]
    struct Version {
        schema_version: u64,
    }
    let bytes = fs::read(path).map_err(|source| FileError::Read { path: path.to_path_buf(), source })?;
    let version: Version = parse(path, &bytes)?;
    if version.schema_version != u64::from(SCHEMA_VERSION) {
        return Err(FileError::SchemaVersion {
            path: path.to_path_buf(),
            found: version.schema_version,
            supported: SCHEMA_VERSION,
        });
    }
    parse(path, &bytes)
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, FileError> {
    serde_json::from_slice(bytes).map_err(|error| FileError::Parse {
        path: path.to_path_buf(),
        line: error.line(),
        column: error.column(),
        reason: without_place(&error),
    })
}

/// The message of the parser without the line and column that it appends.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
