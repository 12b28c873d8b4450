//! What does the model see, request by request, when a script is played under a policy?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use deferbench_core::cache::CacheError;
use deferbench_core::session::Session;
use deferbench_core::surface::{StepError, Surface};
use deferbench_core::transcript::{Call, Event, Output};
use deferbench_core::{Catalog, ToolId};
use deferbench_reports::record::{CacheRow, RequestRow, SectionRow};
use thiserror::Error;

use self::divergence::divergence;
pub use self::parts::parts;
use crate::caching::{self, Sent, SentSession};
use crate::counter::{CountError, CounterEntry};
use crate::layout::{Layout, Parts, Rendered};
use crate::profiles::CacheProfile;
use crate::prompt::{self, PromptError};
use crate::script::{Script, When};

/// The system text of every scripted session.
pub const SYSTEM: &str = include_str!("session_system.txt");

/// What every called tool answers, 400 bytes.
pub const RESULT: &str = include_str!("session_result.txt");

/// What every tool is called with.
pub const ARGUMENTS: &str = r#"{"input":"the values that the user gave"}"#;

/// What the model says at the end of a turn.
pub const CLOSING: &str = "That is done. The details are in the answer above. Tell me if anything should be different.";

/// Why a script could not be played to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The policy failed on the transcript it wrote itself.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A request cannot be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// A request has no prompt that a cache could see.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A prefix cache would refuse a request.
    #[error(transparent)]
    Cache(#[from] CacheError),
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
    /// Calls of a hidden tool that were turned into a search for it.
    pub repaired: usize,
    /// Searches that ran, repaired calls not among them.
    pub searches: usize,
    /// Searches that named no callable tool.
    pub empty_searches: usize,
    /// Tools that gave way to what was found, each time it happened.
    pub evicted: usize,
    /// Distinct tools that a search selected, session by session.
    pub activated: usize,
    /// Of these, the ones that no need of their session asks for.
    pub unneeded: usize,
    /// What prefix caches would make of the requests.
    pub caches: Vec<CacheRow>,
    /// What changes how to read the figures.
    pub notes: Vec<String>,
}

/// Plays a script: the model's requests one by one, its searches and its calls.
pub struct Player<'a> {
    catalog: &'a Catalog,
    surface: &'a Arc<Surface>,
    layout: &'static Layout,
    counters: &'a [&'static CounterEntry],
    /// The caches that are simulated, in the tokens of the first counter.
    profiles: &'a [CacheProfile],
    /// The argument `limit` of a search; none: the policy decides.
    limit: Option<usize>,
    session: Session,
    /// Tools that a search of this session selected.
    activated: BTreeSet<ToolId>,
    /// Tools that a need of this session asks for.
    needed: BTreeSet<ToolId>,
    /// Tools that were called before: the model knows their names.
    known: BTreeSet<ToolId>,
    previous: Option<Rendered<'a>>,
    /// Sessions before this one.
    sessions: u64,
    /// Seconds without a request before the next one.
    idle: u64,
    steps: usize,
    /// What caches see; empty where none is simulated.
    sent: Vec<SentSession>,
    played: Played,
}

impl<'a> Player<'a> {
    /// A fresh agent.
    pub fn new(
        catalog: &'a Catalog,
        surface: &'a Arc<Surface>,
        layout: &'static Layout,
        counters: &'a [&'static CounterEntry],
        profiles: &'a [CacheProfile],
        limit: Option<usize>,
    ) -> Self {
        let session = Session::new(surface.clone(), "run-1");
        let played = Played {
            requests: Vec::new(),
            met: 0,
            retried: 0,
            repaired: 0,
            searches: 0,
            empty_searches: 0,
            evicted: 0,
            activated: 0,
            unneeded: 0,
            caches: Vec::new(),
            notes: Vec::new(),
        };
        Self {
            catalog,
            surface,
            layout,
            counters,
            profiles,
            limit,
            session,
            activated: BTreeSet::new(),
            needed: BTreeSet::new(),
            known: BTreeSet::new(),
            previous: None,
            sessions: 0,
            idle: 0,
            steps: 0,
            sent: Vec::new(),
            played,
        }
    }

    /// Plays the script to its end.
    ///
    /// # Errors
    /// [`SessionError`] when a policy fails on its own transcript, or a text cannot be counted.
    pub fn play(mut self, script: &Script) -> Result<Played, SessionError> {
        for (turn, plan) in script.turns.iter().enumerate() {
            if plan.fresh && turn > 0 {
                self.end();
                self.begin();
            }
            self.needed.extend(plan.tasks.iter().flat_map(|task| &task.needs).flatten());
            self.idle = self.idle.saturating_add(plan.idle_seconds);
            self.session.user(&plan.user);
            let mut cause = "user";
            for task in &plan.tasks {
                let hidden = self.missing(&task.needs)?;
                let wanted = match script.search {
                    When::Always => true,
                    When::Hidden => !hidden.is_empty(),
                    // The model searches for what it has not met, and calls what it has by name.
                    When::Unknown => hidden.iter().any(|i| self.known_of(&task.needs[*i]).is_none()),
                };
                if self.surface.search_tool().is_some() && wanted {
                    self.send(turn, cause)?;
                    self.search(&task.queries)?;
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
                    let known = self.known_of(need).filter(|_| script.search == When::Unknown);
                    cause = match known {
                        Some(tool) => self.call_hidden(tool)?,
                        None => {
                            self.search(&[self.catalog[need[0]].name().to_string()])?;
                            "search"
                        }
                    };
                    if let Some(called) = self.call_if_visible(turn, cause, need)? {
                        self.played.retried += usize::from(known.is_none());
                        cause = called;
                    }
                }
            }
            self.send(turn, cause)?;
            self.answer(CLOSING, Vec::new())?;
        }
        self.end();
        if let Some(counter) = self.counters.first() {
            self.played.caches = caching::rows(self.profiles, counter.key, self.sent)?;
        }
        Ok(self.played)
    }

    /// What the session activated is counted against what it needed.
    fn end(&mut self) {
        let activated = std::mem::take(&mut self.activated);
        self.played.activated += activated.len();
        self.played.unneeded += activated.difference(&std::mem::take(&mut self.needed)).count();
    }

    /// Another session begins: a fresh agent, and no request before its first.
    fn begin(&mut self) {
        self.sessions += 1;
        self.session = Session::new(self.surface.clone(), &format!("run-{}", self.sessions + 1));
        self.known.clear();
        self.previous = None;
    }

    /// Positions of the needs of which no tool can be called now.
    fn missing(&mut self, needs: &[Vec<ToolId>]) -> Result<Vec<usize>, SessionError> {
        let request = self.session.step(&[])?;
        let hidden = |need: &&Vec<ToolId>| need.iter().all(|t| !request.callable.contains(t));
        Ok(needs.iter().enumerate().filter(|(_, need)| hidden(need)).map(|(i, _)| i).collect())
    }

    /// The tool of a need that the model has called before.
    fn known_of(&self, need: &[ToolId]) -> Option<ToolId> {
        need.iter().find(|t| self.known.contains(t)).copied()
    }

    /// Calls the first visible tool of a need; tells what caused the next request, if there was one.
    fn call_if_visible(
        &mut self,
        turn: usize,
        cause: &str,
        need: &[ToolId],
    ) -> Result<Option<&'static str>, SessionError> {
        let request = self.session.step(&[])?;
        let Some(&tool) = need.iter().find(|t| request.callable.contains(t)) else { return Ok(None) };
        self.send(turn, cause)?;
        let call = self.surface.written(&request, Call::new(self.next_call(), self.catalog[tool].name(), ARGUMENTS));
        for call in self.answer("", vec![call])? {
            self.session.result(&call, Output::Text(RESULT.to_string()));
        }
        self.known.insert(tool);
        self.played.met += 1;
        Ok(Some("call"))
    }

    /// The model calls a tool that it knows and cannot see: the call becomes a search for it.
    fn call_hidden(&mut self, tool: ToolId) -> Result<&'static str, SessionError> {
        let request = self.session.step(&[])?;
        let call = self.surface.written(&request, Call::new(self.next_call(), self.catalog[tool].name(), ARGUMENTS));
        for call in self.answer("", vec![call])? {
            self.carry_out(&call);
            self.played.repaired += 1;
        }
        Ok("repair")
    }

    fn next_call(&self) -> String {
        format!("call-{}", self.steps + 1)
    }

    /// What the model answers to the request that it sees now; gives its calls as they are carried out.
    fn answer(&mut self, text: &str, calls: Vec<Call>) -> Result<Vec<Call>, SessionError> {
        self.steps += 1;
        let sent = self.sent.last_mut().and_then(|session| session.requests.last_mut());
        if let (Some(sent), Some(counter)) = (sent, self.counters.first()) {
            let words = calls.iter().flat_map(|call| [call.name.as_str(), call.arguments.as_str()]).chain([text]);
            sent.output_tokens = words.map(|words| (counter.counter)().count(words)).sum::<Result<u64, _>>()?;
        }
        let request = self.session.step(&[])?;
        Ok(self.session.receive(&request, &format!("step-{}", self.steps), text, calls))
    }

    /// One answer with a search for each query.
    fn search(&mut self, queries: &[String]) -> Result<(), SessionError> {
        let name = self.surface.search_tool().map(|t| t.name().to_string()).unwrap_or_default();
        let first = self.next_call();
        let call = |(at, query): (usize, &String)| {
            let arguments = match self.limit {
                Some(limit) => serde_json::json!({"query": query, "limit": limit}),
                None => serde_json::json!({"query": query}),
            };
            let id = if at == 0 { first.clone() } else { format!("{first}-{}", at + 1) };
            Call::new(id, name.clone(), arguments.to_string())
        };
        let calls = queries.iter().enumerate().map(call).collect();
        for call in self.answer("", calls)? {
            self.played.searches += 1;
            let found = self.carry_out(&call);
            self.played.empty_searches += usize::from(!found);
        }
        Ok(())
    }

    /// Carries out a call of the search tool; tells whether it named a tool.
    fn carry_out(&mut self, call: &Call) -> bool {
        let answer = self.session.search(call);
        self.activated.extend(&answer.activated);
        if let Some(Event::Selection { snapshot, .. }) = &answer.record {
            self.played.evicted += snapshot.removed.len();
        }
        let number = self.played.searches;
        for tool in &answer.refused {
            let (name, bytes) = (&tool.name, tool.schema_bytes);
            self.played.notes.push(format!("search {number}: \"{name}\" ({bytes} schema bytes) is over a ceiling"));
        }
        if let Output::Error(message) = &answer.output {
            self.played.notes.push(format!("search {number}: {message}"));
        }
        !answer.found.is_empty()
    }

    /// Measures the request that the model gets now.
    fn send(&mut self, turn: usize, cause: &str) -> Result<(), SessionError> {
        let surface = self.surface;
        let request = self.session.step(&[])?;
        let parts = parts(surface, &request, self.session.transcript().events());
        let read = || parts.tools.iter().copied().chain(parts.definitions.iter().map(|d| d.tool));
        let (tools_sent, schema_bytes) = (read().count(), read().map(|t| t.schema_bytes()).sum::<usize>());
        let rendered = (self.layout.render)(&parts);
        let before = self.previous.take();
        let idle = std::mem::take(&mut self.idle);
        let section = |text: &str, before: Option<&str>| self.section(text, before);
        let row = RequestRow {
            request: self.played.requests.len() as u64,
            session: self.sessions,
            idle_seconds: idle,
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
        if let (false, Some(counter)) = (self.profiles.is_empty(), self.counters.first()) {
            let counter = (counter.counter)();
            if before.is_none() {
                let start = Parts { definitions: Vec::new(), events: &[], ..parts };
                let shared = prompt::of_rendered((self.layout.render)(&start), &[], counter)?;
                self.sent.extend(shared.map(|shared| SentSession { shared, requests: Vec::new() }));
            }
            let roles = prompt::roles(self.session.transcript().events());
            let prompt = prompt::of_rendered(rendered.clone(), &roles, counter)?;
            if let (Some(session), Some(prompt)) = (self.sent.last_mut(), prompt) {
                session.requests.push(Sent { prompt, idle_seconds: idle, turn: turn as u64, output_tokens: 0 });
            }
        }
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

mod divergence;
mod parts;
#[cfg(test)]
mod tests;
