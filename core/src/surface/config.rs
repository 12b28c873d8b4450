//! What is a surface made of?

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::entry::Entry;
use crate::error::SpecError;
use crate::order::{self, Sequence};
use crate::policy::Policy;
use crate::rank::{self, Ranker};
use crate::threshold::Threshold;
use crate::tool::Tool;

/// The parts of a surface. Everything is checked when [`crate::surface::Surface::new`] is called.
#[derive(Clone)]
pub struct SurfaceConfig {
    /// Every tool.
    pub catalog: Arc<Catalog>,
    /// The ranker built for that catalog.
    pub ranker: Arc<dyn Ranker>,
    /// How a search result becomes activation.
    pub policy: Arc<dyn Policy>,
    /// The sequence of the tools.
    pub order: Sequence,
    /// How an activated tool enters the request.
    pub entry: &'static Entry,
    /// From which size of the catalog on tools are deferred.
    pub threshold: Threshold,
    /// The search tool; none: the one that the policy offers.
    pub search_tool: Option<Tool>,
    /// Names of the tools that are visible from the start.
    pub always_on: Vec<String>,
    /// The key of this surface, written into receipts.
    pub key: String,
}

impl SurfaceConfig {
    /// The default ranker, the order `append`, which keeps the previous request as a prefix, the entry `list`, no
    /// always-on tools, no threshold, and the key `default`.
    ///
    /// # Errors
    /// [`SpecError`], should a default part be missing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use deferbench_core::{Catalog, policy, surface::{Surface, SurfaceConfig}};
    /// let (_, policy) = policy::build("replace(active=1)").unwrap();
    /// let config = SurfaceConfig::new(Arc::new(Catalog::new(vec![]).unwrap()), policy).unwrap();
    /// let config = SurfaceConfig { always_on: vec!["clock".into()], ..config };
    /// assert_eq!(Surface::new(config).err().unwrap().to_string(), "always-on tool \"clock\" is not in the catalog; give names of its tools, exactly as they are spelled");
    /// ```
    pub fn new(catalog: Arc<Catalog>, policy: Arc<dyn Policy>) -> Result<Self, SpecError> {
        let ranker = rank::build(rank::DEFAULT_RANKER, &catalog)?.ranker;
        let order = order::build("append")?;
        let entry = Entry::find("list").ok_or_else(|| SpecError::unknown("entry", "list", []))?;
        let (search_tool, always_on, key) = (None, Vec::new(), "default".to_string());
        let threshold = Threshold::Always;
        Ok(Self { catalog, ranker, policy, order, entry, threshold, search_tool, always_on, key })
    }
}
