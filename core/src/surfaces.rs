//! Which surface does a run get?

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use crate::surface::{Surface, SurfaceConfig, SurfaceError};

/// A finite set of surfaces, one for each identity that an application tells apart, for example a plan or a role.
///
/// All of them are checked when the set is built, so no run finds out later that its surface cannot work. The key stands
/// in every receipt: what was selected on one surface counts on no other.
///
/// ```
/// use std::sync::Arc;
/// use deferbench_core::{Catalog, Tool, policy, surface::SurfaceConfig, surfaces::Surfaces};
///
/// let tool = |name| Tool::new(name, None, "{}").unwrap();
/// let config = |key: &str, tools| {
///     let (_, policy) = policy::build("replace").unwrap();
///     let config = SurfaceConfig::new(Arc::new(Catalog::new(tools).unwrap()), policy).unwrap();
///     SurfaceConfig { key: key.into(), ..config }
/// };
/// let surfaces = Surfaces::new([config("member", vec![tool("read")]), config("admin", vec![tool("read"), tool("drop")])]).unwrap();
/// assert_eq!(surfaces.select("admin").unwrap().catalog().len(), 2);
/// assert_eq!(surfaces.select("guest").err().unwrap().to_string(), "there is no surface \"guest\"; known: admin, member");
/// assert!(Surfaces::new([]).is_err());
/// ```
pub struct Surfaces {
    by_key: BTreeMap<String, Arc<Surface>>,
}

/// Why a set of surfaces cannot be built, or has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SurfacesError {
    /// There is no surface at all.
    #[error("the set of surfaces is empty: give at least one")]
    Empty,
    /// Two surfaces have one key.
    #[error("two surfaces have the key \"{key}\"; keys must be unique")]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// A surface cannot be built.
    #[error("surface \"{key}\": {source}")]
    Surface {
        /// Its key.
        key: String,
        /// What is wrong.
        source: Box<SurfaceError>,
    },
    /// No surface has this key.
    #[error("there is no surface \"{key}\"; known: {known}")]
    Unknown {
        /// The key asked for.
        key: String,
        /// The known keys, separated by commas.
        known: String,
    },
}

impl Surfaces {
    /// Builds and checks every surface.
    ///
    /// # Errors
    /// [`SurfacesError`] for an empty set, a key given twice, or the first surface that cannot be built.
    pub fn new(configs: impl IntoIterator<Item = SurfaceConfig>) -> Result<Self, SurfacesError> {
        let mut by_key = BTreeMap::new();
        for config in configs {
            let key = config.key.clone();
            let surface = Surface::new(config)
                .map_err(|source| SurfacesError::Surface { key: key.clone(), source: Box::new(source) })?;
            if by_key.insert(key.clone(), Arc::new(surface)).is_some() {
                return Err(SurfacesError::RepeatedKey { key });
            }
        }
        if by_key.is_empty() { Err(SurfacesError::Empty) } else { Ok(Self { by_key }) }
    }

    /// The surface of a key.
    ///
    /// # Errors
    /// [`SurfacesError::Unknown`], listing the known keys: a run without a surface must not start.
    pub fn select(&self, key: &str) -> Result<&Arc<Surface>, SurfacesError> {
        self.by_key.get(key).ok_or_else(|| {
            let known = self.by_key.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            SurfacesError::Unknown { key: key.to_string(), known }
        })
    }
}
