//! Which outside formats can become a bundle?

use std::path::Path;

use deferbench_core::{Limits, Tool};

use crate::error::CorpusError;

deferbench_core::entries! {
    /// Every importer, in the order of `list`.
    pub static IMPORTERS: [Importer] = { dsh_catalog }
}

/// The declaration of an importer.
pub struct Importer {
    /// The name used on the command line.
    pub name: &'static str,
    /// One sentence: what it reads.
    pub summary: &'static str,
    /// Where the format is from.
    pub source: &'static str,
    /// Name of the file it writes into the output folder.
    pub file: &'static str,
    /// Reads the text of a file.
    pub read: fn(&Path, &str, &Limits) -> Result<Vec<Tool>, CorpusError>,
}
