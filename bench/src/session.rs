//! What does the model see, request by request, when a script is played under a policy?

use std::collections::{BTreeMap, BTreeSet};

use deferbench_core::policy::PolicyError;
use deferbench_core::surface::Surface;
use deferbench_core::transcript::{Call, Event, Output, Transcript};
use deferbench_core::{Catalog, ToolId};
use deferbench_reports::record::{Divergence, RequestRow, SectionRow};
use thiserror::Error;

use crate::counter::{CountError, CounterEntry};
use crate::layout::{Kind, Layout, Parts, Rendered};
use crate::script::{Script, When};

/// The system text of every scripted session.
pub const SYSTEM: &str = include_str!("session_system.txt");

/// What every called tool answers, 400 bytes.
pub const RESULT: &str = include_str!("session_result.txt");

/// What the model says at the end of a turn.
pub const CLOSING: &str = "That is done. The details are in the answer above. Tell me if anything should be different.";

/// Why a script could not be played to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The policy failed on the transcript it wrote itself.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A request cannot be counted.
    #[error(transparent)]
    Count(#[from] CountError),
}

/// What a played script leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Every model request.
    pub requests: Vec<RequestRow>,
    /// Needs whose tool could be called and was.
    pub met: usize,
    /// Needs that took a second search, by the tool's exact name.
    pub retried: usize,
    /// Searches that ran.
    pub searches: usize,
    /// Searches that named no callable tool.
    pub empty_searches: usize,
    /// Distinct tools that a search selected.
    pub activated: BTreeSet<ToolId>,
    /// What changes how to read the figures.
    pub notes: Vec<String>,
}

/// Plays a script: the model's requests one by one, its searches and its calls.
pub struct Player<'a> {
    catalog: &'a Catalog,
    surface: &'a Surface<'a>,
    layout: &'static Layout,
    counters: &'a [&'static CounterEntry],
    /// The argument `limit` of a search; none: the policy decides.
    limit: Option<usize>,
    transcript: Transcript,
    previous: Option<Rendered<'a>>,
    steps: usize,
    played: Played,
}

impl<'a> Player<'a> {
    /// A fresh agent.
    pub fn new(
        catalog: &'a Catalog,
        surface: &'a Surface<'a>,
        layout: &'static Layout,
        counters: &'a [&'static CounterEntry],
        limit: Option<usize>,
    ) -> Self {
        let mut transcript = Transcript::new();
        transcript.push(Event::Run { id: "run-1".to_string() });
        let played = Played {
            requests: Vec::new(),
            met: 0,
            retried: 0,
            searches: 0,
            empty_searches: 0,
            activated: BTreeSet::new(),
            notes: Vec::new(),
        };
        Self { catalog, surface, layout, counters, limit, transcript, previous: None, steps: 0, played }
    }

    /// Plays the script to its end.
    ///
    /// # Errors
    /// [`SessionError`] when a policy fails on its own transcript, or a text cannot be counted.
    pub fn play(mut self, script: &Script) -> Result<Played, SessionError> {
        for (turn, plan) in script.turns.iter().enumerate() {
            self.transcript.push(Event::User { text: plan.user.clone() });
            let mut cause = "user";
            for task in &plan.tasks {
                let hidden = !self.missing(&task.needs)?.is_empty();
                if self.surface.search_tool().is_some() && (script.search == When::Always || hidden) {
                    self.send(turn, cause)?;
                    self.search(&task.query);
                    cause = "search";
                }
                // What the search brought is called first: another search may take it away.
                let missing = self.missing(&task.needs)?;
                for (_, need) in task.needs.iter().enumerate().filter(|(i, _)| !missing.contains(i)) {
                    cause = self.call_if_visible(turn, cause, need)?.unwrap_or(cause);
                }
                for need in missing.iter().map(|i| &task.needs[*i]).filter(|n| !n.is_empty()) {
                    // The search for an earlier need may have brought this one too.
                    if let Some(called) = self.call_if_visible(turn, cause, need)? {
                        cause = called;
                        continue;
                    }
                    self.send(turn, cause)?;
                    self.search(self.catalog[need[0]].name());
                    cause = "search";
                    if let Some(called) = self.call_if_visible(turn, cause, need)? {
                        self.played.retried += 1;
                        cause = called;
                    }
                }
            }
            self.send(turn, cause)?;
            self.answer(CLOSING, Vec::new());
        }
        Ok(self.played)
    }

    /// Positions of the needs of which no tool can be called now.
    fn missing(&self, needs: &[Vec<ToolId>]) -> Result<Vec<usize>, SessionError> {
        let request = self.surface.request(&self.transcript)?;
        let hidden = |need: &&Vec<ToolId>| need.iter().all(|t| !request.callable.contains(t));
        Ok(needs.iter().enumerate().filter(|(_, need)| hidden(need)).map(|(i, _)| i).collect())
    }

    /// Calls the first visible tool of a need; tells what caused the next request, if there was one.
    fn call_if_visible(
        &mut self,
        turn: usize,
        cause: &str,
        need: &[ToolId],
    ) -> Result<Option<&'static str>, SessionError> {
        let request = self.surface.request(&self.transcript)?;
        let Some(&tool) = need.iter().find(|t| request.callable.contains(t)) else { return Ok(None) };
        self.send(turn, cause)?;
        self.call(tool);
        Ok(Some("call"))
    }

    fn answer(&mut self, text: &str, calls: Vec<Call>) {
        self.steps += 1;
        self.transcript.push(Event::Assistant { step: format!("step-{}", self.steps), text: text.to_string(), calls });
    }

    fn search(&mut self, query: &str) {
        let name = self.surface.search_tool().map(|t| t.name().to_string()).unwrap_or_default();
        let arguments = match self.limit {
            Some(limit) => serde_json::json!({"query": query, "limit": limit}),
            None => serde_json::json!({"query": query}),
        };
        let call = Call::new(format!("call-{}", self.steps + 1), name, arguments.to_string());
        self.answer("", vec![call.clone()]);
        let answer = self.surface.answer(&self.transcript, &call);
        self.played.searches += 1;
        self.played.empty_searches += usize::from(answer.found.is_empty());
        self.played.activated.extend(&answer.activated);
        for (name, bytes) in &answer.refused {
            self.played
                .notes
                .push(format!("search {}: \"{name}\" ({bytes} schema bytes) is over a ceiling", self.played.searches));
        }
        if let Output::Error(message) = &answer.output {
            self.played.notes.push(format!("search {}: {message}", self.played.searches));
        }
        answer.events(&call).into_iter().for_each(|e| self.transcript.push(e));
    }

    fn call(&mut self, tool: ToolId) {
        let name = self.catalog[tool].name().to_string();
        let id = format!("call-{}", self.steps + 1);
        let arguments = r#"{"input":"the values that the user gave"}"#.to_string();
        self.answer("", vec![Call::new(id.clone(), name.clone(), arguments)]);
        self.transcript.push(Event::Result { call: id, tool: name, output: Output::Text(RESULT.to_string()) });
        self.played.met += 1;
    }

    /// Measures the request that the model gets now.
    fn send(&mut self, turn: usize, cause: &str) -> Result<(), SessionError> {
        let surface = self.surface;
        let request = surface.request(&self.transcript)?;
        let tools = surface.definitions(&request);
        let (tools_sent, schema_bytes) = (tools.len(), tools.iter().map(|t| t.schema_bytes()).sum::<usize>());
        let rendered = (self.layout.render)(&Parts { tools, system: SYSTEM, events: self.transcript.events() });
        let before = self.previous.take();
        let section = |text: &str, before: Option<&str>| self.section(text, before);
        let row = RequestRow {
            request: self.played.requests.len() as u64,
            turn: turn as u64,
            cause: cause.to_string(),
            active_tools: request.activated.len() as u64,
            tools_sent: tools_sent as u64,
            schema_bytes: schema_bytes as u64,
            tools: section(&rendered.text[rendered.tools.clone()], before.as_ref().map(|b| &b.text[b.tools.clone()]))?,
            prompt: section(&rendered.text, before.as_ref().map(|b| b.text.as_str()))?,
            divergence: before.as_ref().and_then(|b| divergence(b, &rendered, self.layout)),
        };
        self.played.requests.push(row);
        self.previous = Some(rendered);
        Ok(())
    }

    fn section(&self, text: &str, before: Option<&str>) -> Result<SectionRow, CountError> {
        let unit = self.layout.unit;
        let units = unit.len(text);
        let kept = before.map(|b| unit.common_prefix(b, text));
        let share = |of: u64| kept.filter(|_| of > 0).map(|k| k as f64 / of as f64);
        let count = |c: &&CounterEntry| Ok((c.key.to_string(), (c.counter)().count(text)?));
        Ok(SectionRow {
            units,
            tokens: self.counters.iter().map(count).collect::<Result<BTreeMap<_, _>, CountError>>()?,
            kept,
            survival: before.and_then(|b| share(unit.len(b))),
            coverage: share(units),
        })
    }
}

/// The first segment of the new request that is not the same in the one before; the old segment where the new request
/// ends earlier; scaffolding where all segments agree and the text does not; none where the old text is the beginning
/// of the new one. The offset counts inside that segment, against the old one in its place if that is of the same kind.
fn divergence(before: &Rendered, now: &Rendered, layout: &Layout) -> Option<Divergence> {
    if now.text.starts_with(&before.text) {
        return None;
    }
    let unit = layout.unit;
    for i in 0..before.segments.len().max(now.segments.len()) {
        let (old, new) = (before.segments.get(i), now.segments.get(i));
        let facing = old.zip(new).filter(|(a, b)| a.kind == b.kind);
        let texts = facing.map(|(a, b)| (&before.text[a.range.clone()], &now.text[b.range.clone()]));
        if facing.is_some_and(|(a, b)| a.tool == b.tool) && texts.is_some_and(|(a, b)| a == b) {
            continue;
        }
        let (shown, home) = new.map(|s| (s, now)).or(old.map(|s| (s, before)))?;
        let name = match shown.kind {
            Kind::Tool => shown.tool.to_string(),
            kind => home.segments[..i].iter().filter(|s| s.kind == kind).count().to_string(),
        };
        let offset = texts.map_or(0, |(a, b)| unit.common_prefix(a, b));
        return Some(Divergence { kind: shown.kind.name().to_string(), name, offset });
    }
    let offset = unit.common_prefix(&before.text, &now.text);
    Some(Divergence { kind: "scaffolding".to_string(), name: String::new(), offset })
}

#[cfg(test)]
mod tests;
