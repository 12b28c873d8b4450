//! What do the snapshots of a transcript say?

use std::collections::{HashMap, HashSet};

use super::{Cumulative, validate};
use crate::catalog::ToolId;
use crate::policy::{Activation, Answer, Ask, Context, Fold, Found, PolicyError};
use crate::receipt::Refused;
use crate::transcript::{Call, Event, Output, Snapshot};

/// The fold of the policy `cumulative`.
pub(super) struct Accumulated {
    policy: Cumulative,
    /// Every selected name, oldest activation first.
    order: Vec<String>,
    /// The newest snapshot and its position among the events.
    newest: Option<(Snapshot, usize)>,
    /// The newest event that calls or adds a tool.
    used: HashMap<String, usize>,
    events: usize,
}

impl Accumulated {
    pub(super) fn new(policy: Cumulative) -> Self {
        Self { policy, order: Vec::new(), newest: None, used: HashMap::new(), events: 0 }
    }

    /// The selected names, oldest activation first. A name that is gone stays in the snapshot: its tool becomes visible
    /// again when it returns.
    fn names(&self) -> Result<Vec<&str>, PolicyError> {
        let Some((newest, _)) = &self.newest else { return Ok(Vec::new()) };
        let upstream = self.policy.upstream && !newest.removed.is_empty();
        let sound = validate(newest).and(if upstream {
            Err("it removes a tool, which is not read in upstream mode")
        } else {
            Ok(())
        });
        sound.map_err(|problem| PolicyError::Snapshot { problem })?;
        let selected: HashSet<&str> = newest.selected.iter().map(String::as_str).collect();
        let mut seen = HashSet::new();
        let order = self.order.iter().chain(&newest.selected).map(String::as_str);
        Ok(order.filter(|name| selected.contains(name) && seen.insert(*name)).collect())
    }
}

impl Fold for Accumulated {
    fn push(&mut self, _: Context, event: &Event) {
        match event {
            Event::Selection { snapshot, added } => {
                let (again, gone): (HashSet<&String>, HashSet<&String>) =
                    (added.iter().collect(), snapshot.removed.iter().collect());
                self.order.retain(|name| !again.contains(name) && !gone.contains(name));
                self.order.extend_from_slice(added);
                added.iter().for_each(|name| self.used_now(name));
                self.newest = Some((snapshot.clone(), self.events));
            }
            Event::Assistant { calls, .. } => {
                calls.iter().for_each(|call| self.used_now(&call.name));
            }
            _ => {}
        }
        self.events += 1;
    }

    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError> {
        let tools = self.names()?.into_iter().filter_map(|name| context.catalog.find(name)).collect();
        let said_by = self.newest.iter().map(|(_, at)| *at).collect();
        Ok(Activation { tools, pins: context.pins.len(), dropped: Vec::new(), said_by })
    }

    fn ask(&mut self, context: Context, call: &Call) -> Ask {
        match (self.policy.request(call), &call.repaired) {
            // A repaired call names its tool: no search is needed to find it.
            (Ok((query, limit)), Some(original)) => {
                let found = Found::from_names(context.catalog, [&original.name], limit);
                Ask::Done(self.add(context, query, &found))
            }
            (Ok((query, limit)), None) => Ask::Search { query, limit },
            (Err(message), _) => Ask::Done(Answer::error(message)),
        }
    }

    fn answer(&mut self, context: Context, call: &Call, found: &Found) -> Answer {
        match self.policy.request(call) {
            Ok((query, _)) => self.add(context, query, found),
            Err(message) => Answer::error(message),
        }
    }
}

impl Accumulated {
    fn used_now(&mut self, name: &str) {
        match self.used.get_mut(name) {
            Some(used) => *used = self.events,
            None => drop(self.used.insert(name.to_string(), self.events)),
        }
    }

    fn add(&mut self, context: Context, query: String, found: &Found) -> Answer {
        let uses = match self.names() {
            Ok(names) => names.into_iter().map(|n| (n.to_string(), self.used.get(n).copied().unwrap_or(0))),
            Err(error) => return Answer::error(error.to_string()),
        };
        let uses: Vec<_> = uses.collect();
        let ids = |names: &[String]| names.iter().filter_map(|n| context.catalog.find(n)).collect::<Vec<ToolId>>();
        let before: Vec<ToolId> = uses.iter().filter_map(|(n, _)| context.catalog.find(n)).collect();
        let name = |t: &ToolId| context.catalog[*t].name().to_string();
        // An always-on tool stays without being selected; a pin is visible now, and only what is selected stays when it goes.
        let wanted: Vec<String> = found.tools.iter().filter(|t| !context.base.contains(t)).map(name).collect();
        let bytes = |n: &str| context.catalog.find(n).map_or(0, |t| context.catalog[t].schema_bytes());
        let widened = self.policy.widen(bytes, &uses, &wanted);
        let selection = ids(&widened.selected);
        let visible = |tool: &ToolId| [&before[..], context.base, context.pins].iter().any(|set| set.contains(tool));
        let kept_out = |tool: &ToolId| widened.refused.iter().any(|(t, _)| t == context.catalog[*tool].name());
        let status = |tool: &ToolId| match (visible(tool), kept_out(tool)) {
            (true, _) => "already_loaded",
            (false, true) => "unavailable",
            (false, false) => "loaded",
        };
        let tools = found.tools.iter().map(|t| (context.catalog[*t].name(), status(t)));
        let tools = tools.chain(widened.removed.iter().map(|name| (name.as_str(), "unloaded")));
        let stays = |t: &ToolId| selection.contains(t) || context.base.contains(t) || context.pins.contains(t);
        let deferred = context.catalog.ids().filter(|t| !stays(t)).count();
        let text = widened.told(tools, bytes, deferred);
        let held = self.newest.as_ref().map_or(&[][..], |(newest, _)| &newest.selected);
        let record = widened.event(query, held);
        let refused = widened.refused.iter().map(|(tool, ceiling)| Refused {
            name: tool.clone(),
            ceiling: ceiling.to_string(),
            schema_bytes: bytes(tool) as u64,
        });
        Answer {
            output: Output::Text(text),
            record,
            found: found.tools.iter().copied().filter(|t| visible(t) || !kept_out(t)).collect(),
            activated: ids(&widened.added),
            refused: refused.collect(),
            selection,
            reason: None,
            evidence: None,
        }
    }
}
