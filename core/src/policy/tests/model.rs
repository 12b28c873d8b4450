//! What does `replace` have to make of a transcript, read plainly?
//!
//! Written from the definitions and not from the fold: every question reads the whole transcript again.

use crate::catalog::{Catalog, ToolId};
use crate::policy::Ceilings;
use crate::receipt::{MacKey, Place, Receipt, Status};
use crate::tool::Tool;
use crate::transcript::{Call, Event, Output};

/// One surface under the policy `replace`.
pub struct Model<'a> {
    pub catalog: &'a Catalog,
    pub search: &'a Tool,
    pub base: &'a [ToolId],
    pub surface: &'a str,
    pub ceilings: &'a Ceilings,
    pub key: Option<&'a MacKey>,
}

/// A receipt that selects something and counts.
struct Selects {
    /// Position of the step among the events.
    step: usize,
    /// Position of the call in the step.
    call: usize,
    /// The receipt's whole list.
    tools: Vec<ToolId>,
    /// The tool whose call was repaired.
    repaired: Option<ToolId>,
}

/// The events of the run that goes on, with their positions.
fn of_run(events: &[Event]) -> Vec<(usize, &Event)> {
    let runs: Vec<&str> = events
        .iter()
        .scan("", |run, event| {
            if let Event::Run { id } = event {
                *run = id;
            }
            Some(*run)
        })
        .collect();
    let current = runs.last().copied().unwrap_or("");
    events.iter().enumerate().filter(|(i, _)| runs[*i] == current).collect()
}

/// The run that goes on.
pub fn run(events: &[Event]) -> &str {
    events.iter().rev().find_map(|e| if let Event::Run { id } = e { Some(id.as_str()) } else { None }).unwrap_or("")
}

/// The newest step before a position that holds a call: position and id of the step, position of the call, the call.
fn step_of<'a>(events: &[(usize, &'a Event)], before: usize, id: &str) -> Option<(usize, &'a str, usize, &'a Call)> {
    events.iter().rev().filter(|(at, _)| *at < before).find_map(|(at, event)| match event {
        Event::Assistant { step, calls, .. } => {
            let place = calls.iter().position(|c| c.id == id)?;
            Some((*at, step.as_str(), place, &calls[place]))
        }
        _ => None,
    })
}

impl Model<'_> {
    /// The receipts of the run that count and select something, by step and call order.
    fn receipts(&self, events: &[Event]) -> Vec<Selects> {
        let (own, run) = (of_run(events), run(events));
        let mut found = Vec::new();
        for (at, event) in &own {
            let Event::Result { call: id, tool, output } = event else { continue };
            let Some((step, step_id, place, call)) = step_of(&own, *at, id) else { continue };
            let earlier = own
                .iter()
                .any(|(i, e)| (step..*at).contains(i) && matches!(e, Event::Result { call, .. } if call == id));
            let Output::Json(json) = output else { continue };
            if earlier || call.name != self.search.name() || tool != self.search.name() {
                continue;
            }
            let (catalog, surface, key) = (self.catalog, self.surface, self.key);
            let of_call = Place { catalog, run, surface, step: step_id, call: id, read_v1: false, key };
            let Ok((receipt, tools)) = Receipt::read(json, of_call) else { continue };
            if receipt.status.selects() {
                let name = receipt.repaired.as_ref().filter(|_| receipt.status == Status::SearchRequired);
                let repaired = name.and_then(|r| self.catalog.find(&r.name));
                found.push(Selects { step, call: place, tools, repaired });
            }
        }
        found.sort_by_key(|r| (r.step, r.call));
        found
    }

    /// True when the result at a position is a receipt that reads without fault at its place.
    pub fn reads(&self, events: &[Event], at: usize) -> bool {
        let (own, Event::Result { call: id, tool, output: Output::Json(json) }) = (of_run(events), &events[at]) else {
            return false;
        };
        let Some((_, step, _, call)) = step_of(&own, at, id) else { return false };
        let (catalog, surface, key, run) = (self.catalog, self.surface, self.key, run(events));
        let place = Place { catalog, run, surface, step, call: id, read_v1: false, key };
        own.iter().any(|(i, _)| *i == at)
            && (call.name == self.search.name() && tool == self.search.name())
            && Receipt::read(json, place).is_ok()
    }

    /// The selection in force after these events; past the cap the earliest names stay.
    pub fn selection(&self, events: &[Event]) -> Vec<ToolId> {
        self.merged(events).into_iter().take(self.ceilings.selected).collect()
    }

    fn merged(&self, events: &[Event]) -> Vec<ToolId> {
        let receipts = self.receipts(events);
        let Some(newest) = receipts.iter().map(|r| r.step).max() else { return Vec::new() };
        let step: Vec<&Selects> = receipts.iter().filter(|r| r.step == newest).collect();
        if step.iter().all(|r| r.repaired.is_some()) {
            return step.last().map(|r| r.tools.clone()).unwrap_or_default();
        }
        let mut merged = Vec::new();
        for receipt in step {
            let tools = receipt.repaired.map_or(receipt.tools.clone(), |tool| vec![tool]);
            tools.into_iter().for_each(|tool| {
                if !merged.contains(&tool) {
                    merged.push(tool);
                }
            });
        }
        merged
    }

    /// True when a request with these pins and this selection is over a ceiling.
    pub fn over(&self, pins: &[ToolId], selection: &[ToolId]) -> bool {
        let mut active: Vec<ToolId> = [self.base, pins, selection].concat();
        active.sort();
        active.dedup();
        let bytes: usize = active.iter().map(|t| self.catalog[*t].schema_bytes()).sum();
        selection.len() > self.ceilings.selected
            || 1 + active.len() > self.ceilings.active
            || self.search.schema_bytes() + bytes > self.ceilings.schema_bytes
    }

    /// The selection of the next request and how many of its pins fit beside it; none where the step is refused.
    pub fn step(&self, events: &[Event], pins: &[ToolId]) -> Option<(Vec<ToolId>, usize)> {
        let selection = self.selection(events);
        if self.over(pins, &[]) || self.over(&[], &selection) {
            return None;
        }
        let fitting = (0..=pins.len()).rev().find(|n| !self.over(&pins[..*n], &selection))?;
        Some((selection, fitting))
    }

    /// The whole selection after a repair; none where it is refused. The step of the call and the results of its earlier
    /// calls are among the events.
    pub fn repair(&self, events: &[Event], pins: &[ToolId], tool: ToolId, call: &str) -> Option<Vec<ToolId>> {
        let own = of_run(events);
        let receipts = self.receipts(events);
        let (step, ..) = step_of(&own, events.len(), call)?;
        let mut selection = self.selection(events);
        if !selection.contains(&tool) {
            selection.push(tool);
        }
        // Beside a search the repair adds its own tool and nothing else, so nothing can leave.
        let beside_search = receipts.iter().any(|r| r.step == step && r.repaired.is_none());
        while self.over(pins, &selection) {
            let others = selection.iter().copied().filter(|t| *t != tool && !beside_search);
            // The first of equals is the one at the earlier place.
            let oldest = others.min_by_key(|t| self.last_use(&own, &receipts, *t))?;
            selection.retain(|t| *t != oldest);
        }
        Some(selection)
    }

    /// The step of a tool's last call or activation; a list that a repair only carries along is neither.
    fn last_use(&self, own: &[(usize, &Event)], receipts: &[Selects], tool: ToolId) -> Option<usize> {
        let name = self.catalog[tool].name();
        let called = own.iter().filter_map(|(at, event)| match event {
            Event::Assistant { calls, .. } if calls.iter().any(|c| c.name == name) => Some(*at),
            _ => None,
        });
        let activates = |r: &&Selects| r.repaired.map_or(r.tools.contains(&tool), |own| own == tool);
        called.chain(receipts.iter().filter(activates).map(|r| r.step)).max()
    }
}
