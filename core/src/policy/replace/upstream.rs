//! How does the published system do it, defects included?
//!
//! A receipt without a selection counts as a replacement by nothing; results that follow one another directly form one
//! tool message and are merged, others are not; a merged selection over the cap is passed over although the model was
//! told otherwise; a repair replaces; pins are not counted in a search, always-on tools twice; a blank query finds the
//! first tools of the catalog.

use std::collections::HashMap;

use super::Replace;
use super::receipts::NO_ROOM;
use crate::catalog::ToolId;
use crate::policy::{Activation, Answer, Ask, Context, Fold, Found, PolicyError, arguments, query_of};
use crate::receipt::{DropReason, Place, Receipt, Status};
use crate::transcript::{Call, Event, Output};

pub(super) struct Upstream {
    policy: Replace,
    run: String,
    events: usize,
    runs: HashMap<String, Selected>,
    /// The receipts of the tool message that the newest event belongs to, and the selection before it, run by run.
    message: Vec<(String, Vec<ToolId>)>,
    before: HashMap<String, Selected>,
    dropped: Vec<(String, String, DropReason)>,
}

#[derive(Clone, Default)]
struct Selected {
    tools: Vec<ToolId>,
    at: Option<usize>,
}

impl Upstream {
    pub(super) fn new(policy: Replace) -> Self {
        let (runs, before) = (HashMap::new(), HashMap::new());
        let (message, dropped) = (Vec::new(), Vec::new());
        Self { policy, run: String::new(), events: 0, runs, message, before, dropped }
    }

    fn read(&mut self, context: Context, call: &str, json: &str) {
        // Receipts are told apart by the run they name, wherever they stand.
        let named = serde_json::from_str::<Receipt>(json).map(|r| r.run_id).unwrap_or_else(|_| self.run.clone());
        let place = Place {
            catalog: context.catalog,
            run: &named,
            surface: context.surface,
            step: "",
            call,
            read_v1: true,
            // Version 1 has no MAC, so under a key nothing counts.
            key: self.policy.key.as_ref(),
        };
        match Receipt::read(json, place) {
            Ok((receipt, _)) if receipt.schema_version != 1 => {
                let reason = DropReason::Version { found: receipt.schema_version, expected: "1" };
                self.dropped.push((named, call.to_string(), reason));
            }
            Ok((_, tools)) => {
                self.message.push((named.clone(), tools));
                let mut merged: Vec<ToolId> = Vec::new();
                for tool in self.message.iter().filter(|(run, _)| *run == named).flat_map(|(_, tools)| tools) {
                    if !merged.contains(tool) {
                        merged.push(*tool);
                    }
                }
                let before = self.before.get(&named).cloned().unwrap_or_default();
                let fits = merged.len() <= self.policy.ceilings.selected;
                let now = if fits { Selected { tools: merged, at: Some(self.events - 1) } } else { before };
                self.runs.insert(named, now);
            }
            Err(reason) => self.dropped.push((named, call.to_string(), reason)),
        }
    }

    fn selected(&self) -> Selected {
        self.runs.get(&self.run).cloned().unwrap_or_default()
    }

    /// The receipt of a search, as published: everything or nothing.
    fn close(&self, context: Context, call: &Call, found: &Found, oversized: bool) -> Answer {
        let policy = &self.policy;
        let known = &found.tools[..];
        let tools: Vec<ToolId> = context.base.iter().chain(known).copied().collect();
        let count = 1 + tools.len();
        let bytes =
            policy.load(context, &[]).bytes + tools.iter().map(|t| context.catalog[*t].schema_bytes()).sum::<usize>();
        let c = &policy.ceilings;
        let over = [
            ("query_bytes", oversized),
            ("selected", known.len() > c.selected),
            ("active", count > c.active),
            ("schema_bytes", bytes > c.schema_bytes),
        ];
        let ceiling = over.iter().find(|(_, over)| *over).map(|(ceiling, _)| *ceiling);
        let selected = if ceiling.is_some() { &[][..] } else { known };
        let status = match (ceiling, selected.is_empty(), is_repair(call)) {
            (Some(_), ..) => Status::SelectionRefused,
            (_, false, true) => Status::SearchRequired,
            (_, false, false) => Status::Selected,
            _ => Status::NoMatch,
        };
        let mut receipt = policy.receipt(context, &self.run, "", status, selected);
        receipt.truncated = found.matching > found.tools.len();
        let receipt = policy.fit(context, receipt, selected).unwrap_or_else(|| policy.refusal(context, &self.run, ""));
        if receipt.json().len() > c.result_bytes {
            return Answer::error(NO_ROOM);
        }
        let selected = if receipt.status.selects() { selected.to_vec() } else { Vec::new() };
        let refused: Vec<(ToolId, &str)> = ceiling.iter().flat_map(|c| known.iter().map(|t| (*t, *c))).collect();
        let refused = policy.refused(context, &refused);
        let output = Output::Json(receipt.json());
        let (found, selection) = (selected.clone(), selected.clone());
        Answer { output, record: None, found, activated: selected, selection, refused, reason: None, evidence: None }
    }
}

/// True for a call that the host repaired, and for one whose model set the flag itself.
fn is_repair(call: &Call) -> bool {
    call.repaired.is_some() || arguments(call).is_ok_and(|a| a.get("reason").is_some_and(|r| r == "inactive_call"))
}

impl Fold for Upstream {
    fn push(&mut self, context: Context, event: &Event) {
        self.events += 1;
        match event {
            Event::Run { id } => self.run.clone_from(id),
            Event::Result { call, tool, output: Output::Json(json) } if context.is_search(tool) => {
                self.read(context, call, json);
            }
            _ => {}
        }
        if !matches!(event, Event::Result { .. }) && !self.message.is_empty() {
            self.message.clear();
            self.before.clone_from(&self.runs);
        }
    }

    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError> {
        let Selected { tools, at } = self.selected();
        let load = self.policy.with_selected(context, &tools);
        if let Some(ceiling) = self.policy.over(load) {
            return Err(PolicyError::Overflow { ceiling, tools: tools.len() });
        }
        let own = self.dropped.iter().filter(|(run, ..)| *run == self.run);
        let dropped = own.map(|(_, call, reason)| (call.clone(), reason.clone())).collect();
        Ok(Activation { tools, pins: context.pins.len(), dropped, said_by: at.into_iter().collect() })
    }

    fn ask(&mut self, context: Context, call: &Call) -> Ask {
        let arguments = match arguments(call) {
            Ok(arguments) => arguments,
            Err(message) => return Ask::Done(Answer::error(message)),
        };
        let query = match query_of(&arguments) {
            Ok("") => return Ask::Done(Answer::error("\"query\" must have at least one character")),
            Ok(query) => query,
            Err(message) => return Ask::Done(Answer::error(message)),
        };
        let c = &self.policy.ceilings;
        if query.len() > c.query_bytes {
            return Ask::Done(self.close(context, call, &Found::default(), true));
        }
        let found = if is_repair(call) {
            let name = call.repaired.as_ref().map_or(query, |original| &original.name);
            Found::from_names(context.catalog, [name], c.results)
        } else if query.trim().is_empty() {
            let tools = context.catalog.ids().take(c.results).collect();
            Found { tools, matching: context.catalog.len(), rejected: 0 }
        } else {
            return Ask::Search { query: query.to_string(), limit: c.results };
        };
        Ask::Done(self.close(context, call, &found, false))
    }

    fn answer(&mut self, context: Context, call: &Call, found: &Found) -> Answer {
        self.close(context, call, found, false)
    }
}
