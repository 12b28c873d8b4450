//! How is an input file read?

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{CorpusError, line_at};

/// Bytes of one input file; the largest catalog that is generated has a third of that.
pub const MAX_FILE: u64 = 512 << 20;

/// Reads a file as UTF-8, up to [`MAX_FILE`] bytes.
///
/// # Errors
/// [`CorpusError::Io`], [`CorpusError::TooLarge`], or [`CorpusError::Utf8`] with the place.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("a.json");
/// std::fs::write(&path, b"[\n\xff").unwrap();
/// let error = deferbench_corpora::input::read_text(&path).unwrap_err().to_string();
/// assert!(error.ends_with("a.json: line 2: not UTF-8 (byte 2 of the file); save it as UTF-8"));
/// ```
pub fn read_text(path: &Path) -> Result<String, CorpusError> {
    let io = |source| CorpusError::Io { path: path.to_path_buf(), source };
    let too_large = || CorpusError::TooLarge { path: path.to_path_buf(), limit: MAX_FILE };
    let file = File::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.len() > MAX_FILE {
        return Err(too_large());
    }
    // A device or a pipe has no length, and perhaps no end.
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|e| {
        let byte = e.utf8_error().valid_up_to();
        CorpusError::Utf8 { path: path.to_path_buf(), line: line_at(e.as_bytes(), byte), byte }
    })
}
