//! What may be told about a search or a step without telling what it was about?

use std::collections::BTreeMap;

use serde::Serialize;

use crate::policy::Ceilings;

/// What the event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A call of the search tool, or a repaired call.
    Search,
    /// A request.
    Step,
}

/// Where the selection of a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Nothing was selected: the request starts from the catalog.
    Catalog,
    /// A record written since the session was opened.
    Current,
    /// A record of the transcript that the session was opened with.
    Durable,
}

/// An event for logs and dashboards: the thirteen fields that stitchkit publishes, and four of ours.
///
/// It holds no query, no argument, no tool name and no text of the application; the run id and the surface key are the
/// application's own. `selectedTools` counts what was proposed within the limit, `replacementTools` what of it came to
/// be selected, so the two differ where a ceiling refused; in a step both count the selection in force.
///
/// ```
/// use std::sync::Arc;
/// use deferbench_core::{Catalog, Tool, policy, session::Session, surface::{Surface, SurfaceConfig}, transcript::Call};
///
/// let catalog = Catalog::new(vec![Tool::new("clock", Some("Tells the time."), "{}").unwrap()]).unwrap();
/// let (_, policy) = policy::build("replace").unwrap();
/// let surface = Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap();
/// let mut session = Session::new(Arc::new(surface), "run-1");
/// let request = session.step(&[]).unwrap();
/// let call = Call::new("c1", "tool_search", r#"{"query":"what time is it"}"#);
/// let calls = session.receive(&request, "s1", "", vec![call]);
/// let evidence = session.search(&calls[0]).evidence.unwrap();
/// let json = serde_json::to_string(&evidence).unwrap();
/// assert!(!json.contains("clock") && !json.contains("what time"));
/// assert!(json.starts_with(r#"{"schemaVersion":1,"type":"search","runId":"run-1","surfaceKey":"default","catalogTools":1,"#));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// 1.
    pub schema_version: u32,
    /// Search or step.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The run.
    pub run_id: String,
    /// The surface.
    pub surface_key: String,
    /// Tools of the catalog.
    pub catalog_tools: usize,
    /// The search tool and the always-on tools.
    pub base_tools: usize,
    /// Pins of the request; 0 in a search.
    pub pinned_tools: usize,
    /// Tools that were proposed within the limit; in a step, tools of the selection.
    pub selected_tools: usize,
    /// Tools of the request; after a search those of the next one, pins not among them.
    pub active_tools: usize,
    /// Schema bytes of these tools.
    pub active_schema_bytes: usize,
    /// Names that a selector proposed and that do not count; in a step, pins that a ceiling refused.
    pub rejected_names: usize,
    /// Tools that came to be selected.
    pub replacement_tools: usize,
    /// Where the selection comes from; `current` in a search.
    pub source: Source,
    /// Tools that matched, those past the limit included; 0 in a step.
    pub matches: usize,
    /// The ceilings in force, where the policy has them.
    pub ceilings: Option<Ceilings>,
    /// Ceilings that kept a tool out, by how many tools.
    pub refused: BTreeMap<String, usize>,
    /// Reasons for which records were dropped, by how many records.
    pub dropped: BTreeMap<&'static str, usize>,
}
