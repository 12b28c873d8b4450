//! Which catalogs do the unit tests of this crate share?

use crate::{Catalog, Tool};

/// A catalog of tools without parameters.
pub fn catalog(tools: &[(&str, &str)]) -> Catalog {
    let tool = |&(name, description): &(&str, &str)| Tool::new(name, Some(description), "{}").unwrap();
    Catalog::new(tools.iter().map(tool).collect()).unwrap()
}
