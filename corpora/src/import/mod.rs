//! Which outside formats can become a bundle?

use std::path::Path;

use deferbench_core::{Limits, Tool};

use crate::error::CorpusError;

deferbench_core::entries! {
    /// Every importer, in the order of `list`.
    pub static IMPORTERS: [Importer] = { mcp, dsh_catalog }
}

/// What an importer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File,
    /// A running server: see [`crate::mcp`].
    Server,
}

/// The declaration of an importer.
pub struct Importer {
    /// The name used on the command line.
    pub name: &'static str,
    /// One sentence: what it reads.
    pub summary: &'static str,
    /// Where the format is from.
    pub source: &'static str,
    /// What it reads.
    pub input: Input,
    /// Name of the file it writes into the output folder.
    pub file: &'static str,
    /// Reads the text of a file.
    pub read: fn(&Path, &str, &Limits) -> Result<Vec<Tool>, CorpusError>,
}
