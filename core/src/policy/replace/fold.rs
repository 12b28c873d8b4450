//! What do the receipts of a transcript select, step by step?

use std::collections::{HashMap, HashSet};

use super::Replace;
use crate::catalog::ToolId;
use crate::policy::Context;
use crate::receipt::{DropReason, Place, Receipt};
use crate::transcript::{Event, Output, Transcript};

/// Calls whose receipt did not count, and why.
pub(super) type Dropped = Vec<(String, DropReason)>;

/// A step, and what the receipts that answer its searches select, by position of the call.
struct Searches<'a> {
    step: &'a str,
    found: Vec<(usize, Vec<ToolId>)>,
}

/// A step and the tools that its receipts select together.
pub(super) type Step = (String, Vec<ToolId>);

impl Replace {
    /// The valid receipts of each step of the current run that holds search calls, in call order, oldest step first.
    ///
    /// Steps of other runs are passed over without a word; a receipt inside the current run that names another one is
    /// dropped with its reason.
    pub(super) fn steps(&self, context: Context, transcript: &Transcript, dropped: &mut Dropped) -> Vec<Step> {
        let run = transcript.run();
        let mut steps: Vec<Searches> = Vec::new();
        // Call id to its step and its position there.
        let mut calls: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut answered: HashSet<&str> = HashSet::new();
        let mut current = run.is_empty();
        for event in transcript.events() {
            match event {
                Event::Run { id } => current = id == run,
                Event::Assistant { step, calls: asked, .. } if current => {
                    let searches = asked.iter().filter(|c| context.is_search(&c.name)).enumerate();
                    calls.extend(searches.map(|(at, call)| (call.id.as_str(), (steps.len(), at))));
                    steps.push(Searches { step, found: Vec::new() });
                }
                Event::Result { call, tool, output: Output::Json(json) } if current && context.is_search(tool) => {
                    let Some(&(home, at)) = calls.get(call.as_str()) else { continue };
                    if !answered.insert(call) {
                        dropped.push((call.clone(), DropReason::SecondResult));
                        continue;
                    }
                    let step = steps[home].step;
                    let place = Place {
                        catalog: context.catalog,
                        run,
                        surface: context.surface,
                        step,
                        call,
                        read_v1: self.read_v1,
                        key: self.key.as_ref(),
                    };
                    match Receipt::read(json, place) {
                        Ok((receipt, tools)) if receipt.status.selects() => steps[home].found.push((at, tools)),
                        Ok(_) => {}
                        Err(reason) => dropped.push((call.clone(), reason)),
                    }
                }
                _ => {}
            }
        }
        let merged = steps.into_iter().map(|Searches { step, mut found }| {
            found.sort_by_key(|(at, _)| *at);
            let mut tools: Vec<ToolId> = Vec::new();
            for tool in found.into_iter().flat_map(|(_, tools)| tools) {
                if !tools.contains(&tool) && tools.len() < self.ceilings.selected {
                    tools.push(tool);
                }
            }
            (step.to_string(), tools)
        });
        merged.filter(|(_, tools)| !tools.is_empty()).collect()
    }
}
