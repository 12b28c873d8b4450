//! Is it worth deferring at all?

use crate::catalog::Catalog;

/// From which size of the catalog on tools are deferred. The decision is taken once, at the start of a run, and stands in
/// the transcript: a catalog that grows or shrinks around the threshold cannot turn a running session over.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Threshold {
    /// Tools are always deferred.
    #[default]
    Always,
    /// They are deferred when there are more than this many.
    Tools(usize),
    /// They are deferred when all definitions together have more than this many schema bytes.
    SchemaBytes(usize),
    /// They are deferred when they take more than a share of the model's window. Both sizes are measured by the host in
    /// one unit, for example tokens of one counter.
    Share {
        /// Size of all definitions.
        catalog: usize,
        /// Size of the window.
        window: usize,
        /// The share, percent.
        percent: f64,
    },
}

impl Threshold {
    /// Whether tools are deferred.
    ///
    /// ```
    /// use deferbench_core::{Catalog, Tool, threshold::Threshold};
    /// let catalog = Catalog::new(vec![Tool::new("clock", None, "{}").unwrap()]).unwrap();
    /// assert!(Threshold::Always.defers(&catalog));
    /// assert!(!Threshold::Tools(1).defers(&catalog) && Threshold::Tools(0).defers(&catalog));
    /// assert!(!Threshold::Share { catalog: 10_000, window: 100_000, percent: 10.0 }.defers(&catalog));
    /// assert!(Threshold::Share { catalog: 10_001, window: 100_000, percent: 10.0 }.defers(&catalog));
    /// ```
    pub fn defers(&self, catalog: &Catalog) -> bool {
        match *self {
            Self::Always => true,
            Self::Tools(most) => catalog.len() > most,
            Self::SchemaBytes(most) => catalog.schema_bytes() > most,
            Self::Share { catalog, window, percent } => catalog as f64 * 100.0 > window as f64 * percent,
        }
    }
}
