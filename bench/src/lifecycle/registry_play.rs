//! How does one case of a trace over a registry go?

use std::collections::BTreeMap;

use deferbench_core::Tool;
use deferbench_core::disclosure::{Caller, Disclosed, Disclosure, DisclosureConfig, Pattern, Subagent};
use deferbench_core::order;
use deferbench_core::policy::{self, Cumulative};
use deferbench_core::registry::{Allow, GLOBAL, Owner, RegistrationId, Registry, RestrictionId, ScopeId};
use deferbench_core::transcript::{Call, Event, Output, Transcript};

use super::measure::Meter;
use super::registry::{AgentExpect, RegistryCase, RegistryStep, RegistryTool, RegistryTrace, Search};
use super::{Outcome, TraceError};
use crate::session::{ARGUMENTS, CLOSING, RESULT};

/// Most requests that an agent makes for one need.
const ATTEMPTS: usize = 3;

/// Plays one case of a trace on the built-in engine.
///
/// # Errors
/// [`TraceError`] when the trace itself is wrong; what does not hold is in the outcome.
pub fn play(trace: &RegistryTrace, case: &RegistryCase) -> Result<Outcome, TraceError> {
    let bad = |problem: String| TraceError::Case { origin: trace.name.clone(), case: case.name.clone(), problem };
    let mut stage = Stage::new(trace, case).map_err(bad)?;
    for (i, step) in trace.steps.iter().enumerate() {
        let problem = |problem| TraceError::Step { origin: trace.name.clone(), step: i + 1, problem };
        stage.step(step).map_err(problem)?;
        for expect in ["both", &case.name].into_iter().filter_map(|name| step.expect.get(name)) {
            let failures = stage.failures(expect).map_err(problem)?;
            stage.failures.extend(failures.into_iter().map(|f| format!("step {}: {f}", i + 1)));
        }
    }
    stage.finish(trace, case).map_err(bad)
}

struct Stage {
    config: DisclosureConfig,
    registry: Registry,
    host: Owner,
    disclosure: Option<Disclosure>,
    scopes: BTreeMap<String, ScopeId>,
    registered: BTreeMap<String, RegistrationId>,
    restrictions: BTreeMap<String, RestrictionId>,
    logs: BTreeMap<String, Transcript>,
    meter: Meter,
    newest: Option<Disclosed>,
    error: Option<String>,
    calls: usize,
    met: u64,
    failures: Vec<String>,
}

impl Stage {
    fn new(trace: &RegistryTrace, case: &RegistryCase) -> Result<Self, String> {
        let spec = case.policy.parse().map_err(|e: deferbench_core::error::SpecError| e.to_string())?;
        let (entry, values) = policy::resolve(&spec).map_err(|e| e.to_string())?;
        if entry.name != "cumulative" {
            return Err("traces over a registry play the policy cumulative".to_string());
        }
        let config = DisclosureConfig {
            always_visible: Pattern::all(&trace.always_visible).map_err(|e| e.to_string())?,
            policy: Cumulative::from_values(&values).map_err(|e| e.to_string())?,
            ranker: "dsh".to_string(),
        };
        let mut registry = Registry::new();
        let host = registry.owner();
        let disclosure = Disclosure::new(&mut registry, config.clone()).map_err(|e| e.to_string())?;
        let mut stage = Self {
            config,
            registry,
            host,
            disclosure: Some(disclosure),
            scopes: BTreeMap::from([("global".to_string(), GLOBAL)]),
            registered: BTreeMap::new(),
            restrictions: BTreeMap::new(),
            logs: BTreeMap::new(),
            meter: Meter::new()?,
            newest: None,
            error: None,
            calls: 0,
            met: 0,
            failures: Vec::new(),
        };
        if trace.tools.iter().any(|t| t.scope == "preset") {
            let preset = stage.registry.open(GLOBAL).map_err(|e| e.to_string())?;
            stage.scopes.insert("preset".to_string(), preset);
        }
        trace.tools.iter().try_for_each(|tool| stage.register(tool))?;
        Ok(stage)
    }

    fn scope(&self, name: &str) -> Result<ScopeId, String> {
        self.scopes.get(name).copied().ok_or_else(|| format!("there is no scope \"{name}\": open it first"))
    }

    fn register(&mut self, tool: &RegistryTool) -> Result<(), String> {
        let scope = self.scope(&tool.scope)?;
        let definition =
            Tool::new(&tool.name, Some(&tool.description), r#"{"type":"object"}"#).map_err(|e| e.to_string())?;
        let id = self.registry.register(&self.host, scope, definition).map_err(|e| e.to_string())?;
        self.registered.insert(tool.name.clone(), id);
        Ok(())
    }

    fn with<T>(&mut self, then: impl FnOnce(&mut Disclosure, &mut Registry) -> T) -> Result<T, String> {
        let disclosure = self.disclosure.as_mut().ok_or("the component is not loaded")?;
        Ok(then(disclosure, &mut self.registry))
    }

    fn refresh(&mut self) -> Result<(), String> {
        self.with(|d, r| d.refresh(r))?.map_err(|e| e.to_string())
    }

    fn step(&mut self, step: &RegistryStep) -> Result<(), String> {
        (self.newest, self.error) = (None, None);
        if let Some(open) = &step.open {
            let below = self.scope(&open.below)?;
            let scope = self.registry.open(below).map_err(|e| e.to_string())?;
            self.scopes.insert(open.agent.clone(), scope);
            self.logs.entry(open.agent.clone()).or_default();
        } else if let Some(attach) = &step.attach {
            let subagent = match &attach.inherits {
                Some(parent) => Subagent::Inherits { parent: self.scope(parent)? },
                None => Subagent::Alone,
            };
            let history = attach.history.as_ref().and_then(|from| self.logs.get(from)).cloned().unwrap_or_default();
            self.attach(&attach.agent, history, subagent)?;
        } else if let Some(restrict) = &step.restrict {
            let (scope, allow) = (self.scope(&restrict.scope)?, Allow::names(restrict.allow.iter().cloned()));
            let id = self.registry.restrict(&self.host, scope, allow).map_err(|e| e.to_string())?;
            self.restrictions.insert(restrict.scope.clone(), id);
        } else if let Some(scope) = &step.lift {
            let id =
                self.restrictions.remove(scope).ok_or_else(|| format!("the host has not restricted \"{scope}\""))?;
            self.registry.lift(&self.host, id).map_err(|e| e.to_string())?;
        } else if let Some(tool) = &step.register {
            self.register(tool)?;
            self.refresh()?;
        } else if let Some(name) = &step.unregister {
            let id = self.registered.remove(name).ok_or_else(|| format!("there is no tool \"{name}\""))?;
            self.registry.unregister(&self.host, id).map_err(|e| e.to_string())?;
            self.refresh()?;
        } else if let Some(search) = &step.search {
            self.search(search)?;
        } else if let Some(need) = &step.need {
            self.need(&need.agent, &need.tool, &need.query)?;
        } else if let Some(reset) = &step.reset {
            let scope = self.scope(&reset.agent)?;
            let mut log = self.logs.remove(&reset.agent).unwrap_or_default();
            let mut append = |event: &Event| {
                log.push(event.clone());
                Ok(())
            };
            let done = self.with(|d, r| d.reset(r, scope, &reset.reason, &mut append))?;
            match done {
                Ok(Some(hint)) => log.push(Event::User { text: hint }),
                Ok(None) => {}
                Err(error) => self.error = Some(error.to_string()),
            }
            self.logs.insert(reset.agent.clone(), log);
        } else if let Some(given) = &step.hand_over {
            let (from, to) = (self.scope(&given.from)?, self.scope(&given.to)?);
            let mut log = self.logs.remove(&given.to).unwrap_or_default();
            let mut append = |event: &Event| {
                log.push(event.clone());
                Ok(())
            };
            self.error = self.with(|d, r| d.hand_over(r, from, to, &mut append))?.err().map(|e| e.to_string());
            self.logs.insert(given.to.clone(), log);
        } else if let Some(agent) = &step.damage {
            let log = self.logs.remove(agent).unwrap_or_default();
            let newest = log.events().iter().rposition(|e| matches!(e, Event::Selection { .. }));
            let mut damaged = Transcript::new();
            for (at, event) in log.events().iter().enumerate() {
                let mut event = event.clone();
                if let (true, Event::Selection { snapshot, .. }) = (Some(at) == newest, &mut event) {
                    snapshot.query = format!(" {}", snapshot.query);
                }
                damaged.push(event);
            }
            self.logs.insert(agent.clone(), damaged);
        } else {
            if let Some(disclosure) = self.disclosure.take() {
                disclosure.unload(&mut self.registry);
            }
            let loaded = Disclosure::new(&mut self.registry, self.config.clone()).map_err(|e| e.to_string())?;
            self.disclosure = Some(loaded);
            for agent in self.logs.keys().cloned().collect::<Vec<_>>() {
                let history = self.logs.get(&agent).cloned().unwrap_or_default();
                self.attach(&agent, history, Subagent::Alone)?;
            }
        }
        Ok(())
    }

    fn attach(&mut self, agent: &str, history: Transcript, subagent: Subagent) -> Result<(), String> {
        let scope = self.scope(agent)?;
        let mut log = history.clone();
        let mut append = |event: &Event| {
            log.push(event.clone());
            Ok(())
        };
        let attached = self.with(|d, r| d.attach(r, scope, history.events(), subagent, &mut append))?;
        self.error = attached.err().map(|e| e.to_string());
        self.logs.insert(agent.to_string(), log);
        Ok(())
    }

    fn search(&mut self, search: &Search) -> Result<(), String> {
        let agent = self.scope(&search.agent)?;
        let caller = search.caller.as_ref().map_or(Ok(agent), |c| self.scope(c))?;
        let mut arguments = serde_json::json!({ "query": search.query });
        if let Some(limit) = search.limit {
            arguments["limit"] = if limit.fract() == 0.0 { (limit as i64).into() } else { limit.into() };
        }
        self.calls += 1;
        let call = Call::new(format!("call-{}", self.calls), "tool_search", arguments.to_string());
        let mut log = self.logs.remove(&search.agent).unwrap_or_default();
        let step = format!("step-{}", self.calls);
        log.push(Event::Assistant { step, text: String::new(), calls: vec![call.clone()] });
        let mut append = |event: &Event| {
            if search.append_fails {
                return Err("the disk is full".to_string());
            }
            log.push(event.clone());
            Ok(())
        };
        let caller = Caller { agent: caller, nested: search.nested };
        let answer = self.with(|d, r| d.search(r, agent, caller, &call, &mut append))?;
        log.push(Event::Result { call: call.id.clone(), tool: call.name.clone(), output: answer.output.clone() });
        self.logs.insert(search.agent.clone(), log);
        if let Output::Error(error) = &answer.output {
            self.error = Some(error.clone());
        }
        self.newest = Some(answer);
        Ok(())
    }

    fn need(&mut self, agent: &str, tool: &str, query: &str) -> Result<(), String> {
        for attempt in 0..ATTEMPTS {
            let visible = self.send(agent)?;
            if visible.iter().any(|name| name == tool) {
                self.calls += 1;
                let call = Call::new(format!("call-{}", self.calls), tool, ARGUMENTS);
                let log = self.logs.entry(agent.to_string()).or_default();
                let step = Event::Assistant {
                    step: format!("step-{}", self.calls),
                    text: String::new(),
                    calls: vec![call.clone()],
                };
                log.push(step.clone());
                let output = Output::Text(RESULT.to_string());
                log.push(Event::Result { call: call.id, tool: tool.to_string(), output });
                let scope = self.scope(agent)?;
                self.with(|d, _| d.note(scope, &step))?;
                self.met += 1;
                return Ok(());
            }
            // Where the words do not bring it, the exact name has to.
            let query = if attempt == 0 { query } else { tool };
            let (agent, query) = (agent.to_string(), query.to_string());
            self.search(&Search { agent, query, limit: None, caller: None, nested: false, append_fails: false })?;
        }
        Ok(())
    }

    /// Sends an agent's next request; gives the names that it carries.
    fn send(&mut self, agent: &str) -> Result<Vec<String>, String> {
        let scope = self.scope(agent)?;
        let order = order::build("append").map_err(|e| e.to_string())?;
        let tools = self.with(|d, r| d.request(r, scope, &order))?.map_err(|e| e.to_string())?;
        let log = self.logs.get(agent).map(Transcript::events).unwrap_or_default();
        self.meter.send(tools.iter().collect(), log)?;
        Ok(tools.iter().map(|t| t.name().to_string()).collect())
    }

    fn failures(&self, expect: &AgentExpect) -> Result<Vec<String>, String> {
        let agent = expect.agent.as_deref().unwrap_or("main");
        let scope = self.scope(agent)?;
        let disclosure = self.disclosure.as_ref().ok_or("the component is not loaded")?;
        let visible = self.registry.schemas(scope).map_err(|e| e.to_string())?;
        let visible: Vec<String> = visible.iter().map(|t| t.name().to_string()).collect();
        let selected = disclosure.selected(scope).map(<[String]>::to_vec).unwrap_or_default();
        let tools = self.newest.iter().flat_map(|n| &n.tools);
        let answer: Vec<String> = tools.map(|(name, status)| format!("{name}: {}", status.word())).collect();
        let mut out = Vec::new();
        for (what, expected, found) in [
            ("visible", &expect.visible, visible),
            ("selected", &expect.selected, selected),
            ("answer", &expect.answer, answer),
        ] {
            if let Some(expected) = expected.as_ref().filter(|e| **e != found) {
                out.push(format!(
                    "{what} of {agent}: expected [{}], found [{}]",
                    expected.join(", "),
                    found.join(", ")
                ));
            }
        }
        let remaining = self.newest.as_ref().and_then(|n| n.remaining);
        if expect.remaining.is_some() && expect.remaining != remaining {
            out.push(format!("remaining: expected {:?}, found {remaining:?}", expect.remaining));
        }
        let log = self.logs.get(agent).map(Transcript::events).unwrap_or_default();
        let snapshots = log.iter().filter(|e| matches!(e, Event::Selection { .. })).count();
        if expect.snapshots.is_some_and(|n| n != snapshots) {
            out.push(format!("snapshots of {agent}: expected {:?}, found {snapshots}", expect.snapshots));
        }
        match (&expect.error, &self.error) {
            (Some(part), Some(error)) if error.contains(part) => {}
            (Some(part), found) => out.push(format!("expected an error with \"{part}\", found {found:?}")),
            (None, Some(error)) => out.push(format!("an error that was not expected: {error}")),
            (None, None) => {}
        }
        Ok(out)
    }

    fn finish(mut self, trace: &RegistryTrace, case: &RegistryCase) -> Result<Outcome, String> {
        let needs = trace.steps.iter().filter(|s| s.need.is_some()).count() as u64;
        if needs > 0 {
            self.send("main")?;
            let log = self.logs.entry("main".to_string()).or_default();
            log.push(Event::Assistant { step: "closing".to_string(), text: CLOSING.to_string(), calls: Vec::new() });
        }
        let outcome = Outcome {
            trace: trace.name.clone(),
            case: case.name.clone(),
            failures: self.failures,
            requests: self.meter.requests,
            needs,
            met: self.met,
            tokens: self.meter.tokens,
            survival: self.meter.survival(),
            ended: None,
        };
        Ok(outcome.counted(case.requests, case.met))
    }
}
