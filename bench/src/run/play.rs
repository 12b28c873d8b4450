//! How does one cell of the grid become a record?

use std::sync::Arc;

use deferbench_core::order;
use deferbench_core::policy::{self, PolicyError};
use deferbench_core::rank::BuiltRanker;
use deferbench_core::surface::{StepError, Surface, SurfaceConfig};
use deferbench_core::{Limits, Tool};
use deferbench_reports::record::{Basis, SessionCell};

use super::grid::Cell;
use super::{Loaded, RunError};
use crate::counter::CounterEntry;
use crate::layout::Layout;
use crate::profiles::CacheProfile;
use crate::scenario::{ScenarioError, find_entry};
use crate::session::Player;

/// Plays the cell's script and counts what happened; `extra_turns` needs the eager cell and is left open.
pub(super) fn play(
    cell: &Cell,
    loaded: &Loaded,
    ranker: &BuiltRanker,
    layout: &'static Layout,
    counters: &[&'static CounterEntry],
    profiles: &[CacheProfile],
) -> Result<SessionCell, RunError> {
    let corpus = &loaded.corpus;
    let failed = |source| RunError::Session {
        corpus: corpus.name.clone(),
        script: cell.script.name.clone(),
        policy: cell.policy.clone(),
        source: Box::new(source),
    };
    let step = |e: PolicyError| failed(StepError::from(e).into());
    let (spec, policy) = policy::build(&cell.policy).map_err(step)?;
    let (search_tool, renamed) = free_name(loaded, policy.search_tool()).map_err(step)?;
    let config = SurfaceConfig {
        catalog: corpus.catalog.clone(),
        ranker: ranker.ranker.clone(),
        policy,
        order: order::build(&cell.order).map_err(ScenarioError::from)?,
        entry: find_entry(&cell.entry).map_err(ScenarioError::from)?,
        threshold: deferbench_core::threshold::Threshold::Always,
        search_tool,
        always_on: Vec::new(),
        key: "default".to_string(),
    };
    let surface = Arc::new(Surface::new(config).map_err(|source| RunError::Surface {
        corpus: corpus.name.clone(),
        policy: spec.clone(),
        source: Box::new(source),
    })?);
    let played = Player::new(&corpus.catalog, &surface, layout, counters, profiles, cell.per_call)
        .play(&cell.script)
        .map_err(failed)?;
    let searches = surface.search_tool().is_some();
    Ok(SessionCell {
        corpus: corpus.name.clone(),
        script: cell.script.name.clone(),
        policy: spec,
        order: cell.order.clone(),
        entry: cell.entry.clone(),
        layout: layout.name.to_string(),
        unit: layout.unit.name().to_string(),
        ranker: searches.then(|| ranker.spec.clone()),
        limit: cell.limit.filter(|_| searches).map(|l| l as u64),
        basis: Basis::Measured,
        needs: cell.script.needs() as u64,
        met: played.met as u64,
        searches: played.searches as u64,
        retried: played.retried as u64,
        repaired: played.repaired as u64,
        empty_searches: played.empty_searches as u64,
        evicted: played.evicted as u64,
        activated: played.activated as u64,
        activated_unneeded: (!cell.script.searches_only()).then_some(played.unneeded as u64),
        extra_turns: None,
        requests: played.requests,
        caches: played.caches,
        notes: renamed.into_iter().chain(played.notes).collect(),
    })
}

/// The search tool of a session, under another name where a tool of the catalog has its own; a note says so.
fn free_name(loaded: &Loaded, own: Option<Tool>) -> Result<(Option<Tool>, Option<String>), PolicyError> {
    let Some(tool) = own.map(|own| loaded.search_tool.clone().unwrap_or(own)) else { return Ok((None, None)) };
    let taken = |name: &str| loaded.corpus.catalog.find(name).is_some();
    if !taken(tool.name()) {
        return Ok((Some(tool), None));
    }
    let name = (2..).map(|n| format!("{}_{n}", tool.name())).find(|n| !taken(n)).unwrap_or_default();
    let note = format!("the catalog has a tool \"{}\", so the search tool is called \"{name}\"", tool.name());
    let renamed = tool.renamed(name, &Limits::default()).ok();
    Ok((renamed, Some(note)))
}
