//! What do the receipts of a transcript select?
//!
//! Reading an event only notes where a receipt stands. Receipts are parsed when somebody asks, newest first, and no
//! further back than the step that decides: so the cost of a step grows neither with the history nor with what older
//! receipts hold.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Compat, Replace};
use crate::catalog::ToolId;
use crate::policy::{Activation, Answer, Ask, Context, Fold, Found, PolicyError};
use crate::receipt::{DropReason, Place, Receipt};
use crate::transcript::{Call, Event, Output};

/// Most dropped records that a request tells of, the newest: whoever floods a transcript must not slow it down.
const MOST_DROPPED: usize = 1_000;

/// The fold of the policy `replace`, run by run: an interleaved run keeps its own selection.
pub(super) struct Receipts {
    pub(super) policy: Replace,
    runs: HashMap<String, Run>,
    pub(super) run: String,
    events: usize,
}

/// One run.
#[derive(Default)]
pub(super) struct Run {
    /// Steps so far.
    steps: usize,
    /// The search calls, by id.
    calls: HashMap<String, Home>,
    /// The search calls of the newest step.
    open: Vec<String>,
    /// Receipts that nobody has asked for yet.
    unread: Vec<Unread>,
    /// The step whose receipts decide.
    chosen: Option<Chosen>,
    /// The step in which a selected tool was activated, since the newest step that holds a search.
    activated: HashMap<ToolId, usize>,
    /// That step.
    searched_at: usize,
    /// The newest step that calls a tool.
    called: HashMap<ToolId, usize>,
    dropped: Vec<Dropped>,
}

/// Where a search call stands.
#[derive(Clone)]
pub(super) struct Home {
    /// Number of its step in the run.
    pub step: usize,
    /// Id of that step.
    pub id: Arc<str>,
    /// Its position in the step.
    at: usize,
    /// Position of the step among the events.
    event: usize,
    answered: bool,
}

struct Unread {
    home: Home,
    call: String,
    json: String,
    event: usize,
}

struct Chosen {
    step: usize,
    /// By position of the call.
    receipts: Vec<Counted>,
}

/// A receipt that counts.
struct Counted {
    at: usize,
    tools: Vec<ToolId>,
    /// The tool whose call was repaired; the others of the receipt were selected before.
    repaired: Option<ToolId>,
    /// Positions of its step and of its result among the events.
    events: [usize; 2],
}

struct Dropped {
    step: usize,
    event: usize,
    call: String,
    reason: DropReason,
}

impl Receipts {
    pub(super) fn new(policy: Replace) -> Self {
        Self { policy, runs: HashMap::from([(String::new(), Run::default())]), run: String::new(), events: 0 }
    }

    /// The run that goes on, with every receipt read that can matter.
    pub(super) fn settled(&mut self, context: Context) -> &Run {
        let run = self.runs.entry(self.run.clone()).or_default();
        run.settle(&self.policy, context, &self.run);
        run
    }
}

impl Fold for Receipts {
    fn push(&mut self, context: Context, event: &Event) {
        self.events += 1;
        if let Event::Run { id } = event {
            self.run.clone_from(id);
        }
        let Some(run) = self.runs.get_mut(&self.run) else {
            self.runs.insert(self.run.clone(), Run::default());
            return;
        };
        match event {
            Event::Assistant { step, calls, .. } => {
                run.steps += 1;
                run.open.clear();
                let id: Arc<str> = step.as_str().into();
                for (at, call) in calls.iter().enumerate() {
                    if context.is_search(&call.name) {
                        run.open.push(call.id.clone());
                        // An id that comes a second time keeps its first place: a copied step brings no receipt back to life.
                        let home =
                            Home { step: run.steps, id: id.clone(), at, event: self.events - 1, answered: false };
                        run.calls.entry(call.id.clone()).or_insert(home);
                    } else if let Some(tool) = context.catalog.find(&call.name) {
                        run.called.insert(tool, run.steps);
                    }
                }
            }
            Event::Result { call, tool, output } => {
                let own = context.is_search(tool);
                let (step, reason) = match run.calls.get_mut(call) {
                    Some(home) if !home.answered => {
                        home.answered = true;
                        if let (true, Output::Json(json)) = (own, output) {
                            let (home, call, json) = (home.clone(), call.clone(), json.clone());
                            run.unread.push(Unread { home, call, json, event: self.events - 1 });
                        }
                        return;
                    }
                    Some(_) => (run.steps, DropReason::SecondResult),
                    None if own => (run.steps, DropReason::NoCall),
                    None => return,
                };
                run.dropped.push(Dropped { step, event: self.events - 1, call: call.clone(), reason });
            }
            _ => {}
        }
    }

    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError> {
        let shortest = self.policy.shortest(context, &self.run, "") + self.policy.ids.1;
        let limit = self.policy.ceilings.result_bytes;
        if shortest > limit {
            return Err(PolicyError::RunId { run: self.run.clone(), needed: shortest, limit });
        }
        let cap = self.policy.ceilings.selected;
        let run = self.settled(context);
        let tools = run.selection(cap);
        let said_by = run.said_by();
        let dropped = run.dropped.iter().map(|d| (d.call.clone(), d.reason.clone())).collect();
        let pins = self.policy.fitting_pins(context, &tools)?;
        Ok(Activation { tools, pins, dropped, said_by })
    }

    fn ask(&mut self, context: Context, call: &Call) -> Ask {
        self.ask_for(context, call)
    }

    fn answer(&mut self, context: Context, call: &Call, found: &Found) -> Answer {
        self.answer_with(context, call, found)
    }
}

impl Run {
    /// The selection in force: the tools of the newest step that selected any, in call order.
    ///
    /// A search puts its tools in the place of earlier ones, a repair adds one; so where a step holds both, the repaired
    /// tools join what the searches found, and where it holds repairs only, the last receipt is the whole selection.
    pub(super) fn selection(&self, cap: usize) -> Vec<ToolId> {
        let Some(chosen) = &self.chosen else { return Vec::new() };
        let mut tools = match chosen.receipts.last() {
            Some(last) if !chosen.searched() => last.tools.clone(),
            _ => chosen.own(),
        };
        tools.truncate(cap);
        tools
    }

    /// Positions of the events that say what is selected: the step, and the results that count.
    fn said_by(&self) -> Vec<usize> {
        let receipts = self.chosen.iter().flat_map(|c| &c.receipts);
        let mut events: Vec<usize> = receipts.flat_map(|r| r.events).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// What the calls of a step have selected so far, each repair for its own tool; and whether one of them is a search.
    pub(super) fn own(&self, home: &Home) -> (Vec<ToolId>, bool) {
        let chosen = self.chosen.as_ref().filter(|c| c.step == home.step);
        chosen.map_or((Vec::new(), false), |c| (c.own(), c.searched()))
    }

    /// Where a search call stands.
    ///
    /// # Errors
    /// The text of an ordinary error for a call whose result could not count: it is not of this run, was answered before,
    /// or an earlier search of its step is open still.
    pub(super) fn home(&self, call: &Call) -> Result<Home, String> {
        let id = &call.id;
        let home = self.calls.get(id).ok_or_else(|| format!("no step of this run holds the search call \"{id}\""))?;
        if home.answered {
            return Err(format!("the search call \"{id}\" was answered before"));
        }
        let earlier = |other: &&Home| other.step == home.step && other.at < home.at && !other.answered;
        match self.open.iter().filter_map(|id| self.calls.get(id)).any(|other| earlier(&other)) {
            true => Err("the searches of one step are answered in their order: an earlier one is open".to_string()),
            false => Ok(home.clone()),
        }
    }

    /// The newest step in which a selected tool was called or activated; 0 where the transcript no longer holds it.
    pub(super) fn last_use(&self, tool: ToolId) -> usize {
        let at = |map: &HashMap<ToolId, usize>| map.get(&tool).copied().unwrap_or(0);
        at(&self.called).max(at(&self.activated))
    }

    /// Reads the unread receipts, newest step first, until the selection is known, and with it the step in which each of
    /// its tools was activated: back to the newest step that holds a search.
    fn settle(&mut self, policy: &Replace, context: Context, run: &str) {
        let mut unread = std::mem::take(&mut self.unread);
        unread.sort_by_key(|u| (u.home.step, u.home.at));
        let mut found: Vec<Chosen> = Vec::new();
        while let Some(step) = unread.last().map(|u| u.home.step) {
            let done = found.last().is_some_and(Chosen::searched) || self.uses_known(&found, step);
            if done || step < self.searched_at {
                break;
            }
            let from = unread.iter().rposition(|u| u.home.step != step).map_or(0, |i| i + 1);
            let mut group = Chosen { step, receipts: Vec::new() };
            for Unread { home, call, json, event } in unread.drain(from..) {
                let place = Place {
                    catalog: context.catalog,
                    run,
                    surface: context.surface,
                    step: &home.id,
                    call: &call,
                    read_v1: policy.compat == Compat::V1,
                    key: policy.key.as_ref(),
                };
                match Receipt::read(&json, place) {
                    Ok((receipt, tools)) if receipt.status.selects() => {
                        let repaired = receipt.repaired.and_then(|r| context.catalog.find(&r.name));
                        let events = [home.event, event];
                        group.receipts.push(Counted { at: home.at, tools, repaired, events });
                    }
                    Ok(_) => {}
                    Err(reason) => self.dropped.push(Dropped { step, event, call, reason }),
                }
            }
            if !group.receipts.is_empty() {
                found.push(group);
            }
        }
        for group in found.into_iter().rev() {
            let (step, searched, own) = (group.step, group.searched(), group.own());
            match &mut self.chosen {
                // A result that comes late changes nothing but when its tools were activated.
                Some(chosen) if chosen.step > step => {}
                Some(chosen) if chosen.step == step => {
                    chosen.receipts.extend(group.receipts);
                    chosen.receipts.sort_by_key(|r| r.at);
                }
                chosen => *chosen = Some(group),
            }
            if searched && step > self.searched_at {
                self.searched_at = step;
                self.activated.retain(|_, at| *at >= step);
            }
            for tool in own {
                let at = self.activated.entry(tool).or_insert(step);
                *at = step.max(*at);
            }
        }
        if let Some(chosen) = &self.chosen {
            // What was dropped before the step that decides has no say in anything any more.
            self.dropped.retain(|d| d.step >= chosen.step);
        }
        // Receipts are read when somebody asks: without the event the order would tell when that was.
        self.dropped.sort_by_key(|d| (d.step, d.event));
        let many = self.dropped.len().saturating_sub(MOST_DROPPED);
        self.dropped.drain(..many);
    }

    /// True where no receipt up to a step can change what is known of the newest group's selection: each of its tools was
    /// activated or called since. Repairs carry a selection along, so that reading would go back to the last search.
    fn uses_known(&self, found: &[Chosen], step: usize) -> bool {
        let Some(last) = found.first().and_then(|c| c.receipts.last()) else { return false };
        let brought = |t: &ToolId| found.iter().any(|c| c.receipts.iter().any(|r| r.repaired == Some(*t)));
        last.tools.iter().all(|t| self.called.get(t).is_some_and(|called| *called >= step) || brought(t))
    }
}

impl Chosen {
    fn searched(&self) -> bool {
        self.receipts.iter().any(|r| r.repaired.is_none())
    }

    /// What the receipts themselves bring, in call order, each tool once.
    fn own(&self) -> Vec<ToolId> {
        let mut tools: Vec<ToolId> = Vec::new();
        for receipt in &self.receipts {
            let brought = receipt.repaired.as_ref().map_or(&receipt.tools[..], std::slice::from_ref);
            tools.extend(brought.iter().filter(|t| !tools.contains(t)).copied().collect::<Vec<_>>());
        }
        tools
    }
}
