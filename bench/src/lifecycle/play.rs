//! How does one case of a trace go?

use std::sync::Arc;

use deferbench_core::dispatch::{Mount, at_once};
use deferbench_core::order;
use deferbench_core::policy::{self, Policy, Replace};
use deferbench_core::receipt::{MacKey, Receipt};
use deferbench_core::session::Session;
use deferbench_core::spec::Spec;
use deferbench_core::surface::{Request, Surface, SurfaceConfig, Target};
use deferbench_core::transcript::{Call, Event, Output, Transcript};
use deferbench_core::{Catalog, Tool, rank};
use serde::Serialize;

use super::measure::Meter;
use super::{Case, Expect, Need, Step, Trace, TraceCall, TraceError};
use crate::scenario::find_entry;
use crate::session::{ARGUMENTS, CLOSING, RESULT};

/// What a case of a trace came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The trace.
    pub trace: String,
    /// The case.
    pub case: String,
    /// What did not hold; empty: it passed.
    pub failures: Vec<String>,
    /// Model requests.
    pub requests: u64,
    /// Needs of the story.
    pub needs: u64,
    /// Needs whose tool ran.
    pub met: u64,
    /// Tokens of all requests together, whole prompts, by the counter of the report.
    pub tokens: u64,
    /// Mean share of the previous request that is kept as a prefix, bytes of the whole prompt; null below two requests.
    pub survival: Option<f64>,
    /// How the run ended early, or why the surface was not built; null: it came to its end.
    pub ended: Option<String>,
}

impl Outcome {
    /// Compares the counts with what was worked out by hand; without a number of met needs all of them have to be.
    pub(super) fn counted(mut self, requests: Option<u64>, met: Option<u64>) -> Self {
        for (what, expected, found) in
            [("requests", requests, self.requests), ("needs met", Some(met.unwrap_or(self.needs)), self.met)]
        {
            if let Some(expected) = expected.filter(|e| *e != found) {
                self.failures.push(format!("{what}: expected {expected}, found {found}"));
            }
        }
        self
    }
}

/// Most requests that the model makes for one need.
const ATTEMPTS: usize = 3;

/// Plays one case of a trace on the built-in engine.
///
/// # Errors
/// [`TraceError`] when the trace itself is wrong; what does not hold is in the outcome.
pub fn play(trace: &Trace, case: &Case) -> Result<Outcome, TraceError> {
    let bad = |problem: String| TraceError::Case { origin: trace.name.clone(), case: case.name.clone(), problem };
    let mut outcome = Outcome {
        trace: trace.name.clone(),
        case: case.name.clone(),
        failures: Vec::new(),
        requests: 0,
        needs: trace.steps.iter().filter(|s| s.need.is_some()).count() as u64,
        met: 0,
        tokens: 0,
        survival: None,
        ended: None,
    };
    let tools = trace.tools.iter().map(|t| Tool::new(&t.name, Some(&t.description), &t.schema));
    let tools = tools.collect::<Result<Vec<_>, _>>().map_err(|e| bad(e.to_string()))?;
    let surface = match surface(trace, case, tools) {
        Ok(surface) => surface,
        Err(error) => {
            let wanted = case.fails.as_ref().is_some_and(|part| error.contains(part));
            if !wanted {
                outcome.failures.push(format!("the surface was not built: {error}"));
            }
            outcome.ended = Some(error);
            return Ok(outcome);
        }
    };
    if let Some(part) = &case.fails {
        outcome.failures.push(format!("expected no surface, because of \"{part}\"; it was built"));
    }
    let meter = Meter::new().map_err(bad)?;
    let session = Session::new(surface, "run-1");
    let (pins, answers, refused) = (Vec::new(), Vec::new(), Vec::new());
    let mut stage = Stage { trace, case, session, meter, pins, answers, refused, steps: 0, outcome };
    for (i, step) in trace.steps.iter().enumerate() {
        if stage.outcome.ended.is_some() && step.run.is_none() && step.resume.is_none() {
            continue;
        }
        stage.step(step).map_err(|problem| TraceError::Step { origin: trace.name.clone(), step: i + 1, problem })?;
        stage.compare(i + 1, step);
    }
    Ok(stage.finish())
}

fn surface(trace: &Trace, case: &Case, tools: Vec<Tool>) -> Result<Arc<Surface>, String> {
    let catalog = Arc::new(Catalog::new(tools).map_err(|e| e.to_string())?);
    let policy = policy_of(case)?;
    let config = SurfaceConfig {
        ranker: rank::build(&case.ranker, &catalog).map_err(|e| e.to_string())?.ranker,
        order: order::build(&case.order).map_err(|e| e.to_string())?,
        entry: find_entry("list").map_err(|e| e.to_string())?,
        always_on: trace.always_on.clone(),
        ..SurfaceConfig::new(catalog, policy).map_err(|e| e.to_string())?
    };
    Ok(Arc::new(Surface::new(config).map_err(|e| e.to_string())?))
}

fn policy_of(case: &Case) -> Result<Arc<dyn Policy>, String> {
    if !case.signed {
        return Ok(policy::build(&case.policy).map_err(|e| e.to_string())?.1);
    }
    let spec: Spec = case.policy.parse().map_err(|e: deferbench_core::error::SpecError| e.to_string())?;
    let (entry, values) = policy::resolve(&spec).map_err(|e| e.to_string())?;
    if entry.name != "replace" {
        return Err("only receipts can be signed: use the policy replace".to_string());
    }
    Ok(Arc::new(Replace::from_values(&values).map_err(|e| e.to_string())?.with_key(MacKey::new([7; 32]))))
}

type Expected<'a> = &'a Option<Vec<String>>;

struct Stage<'a> {
    trace: &'a Trace,
    case: &'a Case,
    session: Session,
    meter: Meter,
    pins: Vec<String>,
    /// How the calls of the newest step ended.
    answers: Vec<String>,
    /// What the newest receipt calls refused.
    refused: Vec<String>,
    steps: usize,
    outcome: Outcome,
}

impl Stage<'_> {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        self.answers.clear();
        if let Some(text) = &step.user {
            self.session.user(text);
        } else if let Some(run) = &step.run {
            self.outcome.ended = None;
            self.session.run(run);
        } else if let Some(pins) = &step.pins {
            self.pins.clone_from(pins);
        } else if let Some(calls) = &step.calls {
            self.batch(calls, step.split.as_deref(), step.unanswered)?;
        } else if let Some(need) = &step.need {
            self.need(need)?;
        } else if let Some(result) = &step.result {
            let call = if result.call == "last" { self.newest_call() } else { result.call.clone() };
            let output = Output::Json(self.with_fingerprints(&result.json));
            self.session.push(Event::Result { call, tool: result.tool.clone(), output });
        } else if let Some(summary) = &step.compact {
            let short = self.session.compacted(summary).map_err(|e| e.to_string())?;
            self.open(self.session.surface().clone(), short);
        } else if let Some(changed) = &step.change {
            let tool =
                Tool::new(&changed.name, Some(&changed.description), &changed.schema).map_err(|e| e.to_string())?;
            let mut tools = self.session.surface().catalog().tools().to_vec();
            let old = tools.iter_mut().find(|t| t.name() == changed.name);
            *old.ok_or_else(|| format!("there is no tool \"{}\" to change", changed.name))? = tool;
            let transcript = self.session.transcript().clone();
            self.open(surface(self.trace, self.case, tools)?, transcript);
        } else {
            self.outcome.ended = None;
            let transcript = self.session.transcript().clone();
            self.open(self.session.surface().clone(), transcript);
        }
        Ok(())
    }

    /// Opens the session again from stored text, as another process would.
    fn open(&mut self, surface: Arc<Surface>, transcript: Transcript) {
        let stored = serde_json::to_string(&transcript).unwrap_or_default();
        let transcript = serde_json::from_str(&stored).unwrap_or_default();
        self.session = Session::resume(surface, transcript);
    }

    /// Sends the request that the model gets now; nothing where the run ends instead.
    fn send(&mut self) -> Result<Option<Request>, String> {
        let pins: Vec<&str> = self.pins.iter().map(String::as_str).collect();
        let request = match self.session.step(&pins) {
            Ok(request) => request,
            Err(error) => {
                self.outcome.ended = Some(error.terminal_reason().to_string());
                return Ok(None);
            }
        };
        let surface = self.session.surface();
        self.meter.send(surface.definitions(&request), self.session.transcript().events())?;
        Ok(Some(request))
    }

    fn batch(&mut self, calls: &[TraceCall], split: Option<&str>, unanswered: bool) -> Result<(), String> {
        let Some(request) = self.send()? else { return Ok(()) };
        let search = self.session.surface().search_tool().map(|t| t.name().to_string()).unwrap_or_default();
        self.steps += 1;
        let step = format!("step-{}", self.steps);
        let call = |(i, call): (usize, &TraceCall)| {
            let id = format!("{step}-call-{}", i + 1);
            match (&call.search, &call.call) {
                (Some(query), _) => {
                    let mut arguments = serde_json::json!({ "query": query });
                    if let Some(reason) = &call.reason {
                        arguments["reason"] = reason.as_str().into();
                    }
                    Call::new(id, &search, arguments.to_string())
                }
                (None, name) => Call::new(id, name.clone().unwrap_or_default(), ARGUMENTS),
            }
        };
        let calls = calls.iter().enumerate().map(call).collect();
        if unanswered {
            self.session.receive(&request, &step, "", calls);
            return Ok(());
        }
        self.carry_out(&request, &step, calls, split)
    }

    fn carry_out(
        &mut self,
        request: &Request,
        step: &str,
        calls: Vec<Call>,
        split: Option<&str>,
    ) -> Result<(), String> {
        let catalog = self.session.surface().catalog().clone();
        let handler = |_: &Tool| {
            Some(at_once(|_: &deferbench_core::dispatch::Invocation<'_, ()>| Output::Text(RESULT.to_string())))
        };
        let mount = Mount::new(catalog, handler, ()).map_err(|e| e.to_string())?;
        let calls = self.session.receive(request, step, "", calls);
        for (i, call) in calls.iter().enumerate() {
            if let (true, Some(text)) = (i > 0, split) {
                self.session.user(text);
            }
            let carried = mount.carry_out(&mut self.session, request, step, call, &());
            let output = pollster::block_on(carried).output;
            let receipt = match &output {
                Output::Json(json) => serde_json::from_str::<Receipt>(json).ok(),
                _ => None,
            };
            self.answers.push(match (&output, &receipt) {
                (_, Some(receipt)) => serde_json::to_value(receipt.status)
                    .ok()
                    .and_then(|s| s.as_str().map(str::to_string))
                    .unwrap_or_default(),
                (Output::Error(_), _) => "error".to_string(),
                _ => "ran".to_string(),
            });
            self.refused = receipt.and_then(|r| r.refused).unwrap_or_default().into_iter().map(|r| r.name).collect();
        }
        Ok(())
    }

    /// The model searches once where it has words for the need, and from then on calls the tool by name.
    fn need(&mut self, need: &Need) -> Result<(), String> {
        let mut query = need.query.as_ref();
        for _ in 0..ATTEMPTS {
            let Some(request) = self.send()? else { return Ok(()) };
            self.steps += 1;
            let (step, id) = (format!("step-{}", self.steps), format!("step-{}-call-1", self.steps));
            let surface = self.session.surface();
            let visible = matches!(surface.target(&request, &need.tool), Target::Callable(_));
            let search = surface.search_tool().map(|t| t.name().to_string()).unwrap_or_default();
            let call = match query.filter(|_| !visible) {
                Some(query) => Call::new(id, search, serde_json::json!({ "query": query }).to_string()),
                None => Call::new(id, &need.tool, ARGUMENTS),
            };
            query = query.filter(|_| visible);
            self.carry_out(&request, &step, vec![call], None)?;
            if self.answers.last().is_some_and(|a| a == "ran") {
                self.outcome.met += 1;
                return Ok(());
            }
        }
        Ok(())
    }

    fn newest_call(&self) -> String {
        let calls = |e: &Event| match e {
            Event::Assistant { calls, .. } => calls.last().map(|c| c.id.clone()),
            _ => None,
        };
        self.session.transcript().events().iter().rev().find_map(calls).unwrap_or_default()
    }

    fn with_fingerprints(&self, json: &str) -> String {
        let mut json = json.to_string();
        for tool in self.session.surface().catalog().tools() {
            json = json.replace(&format!("$fingerprint({})", tool.name()), &tool.fingerprint().to_string());
        }
        json
    }

    fn compare(&mut self, number: usize, step: &Step) {
        for expect in ["both", &self.case.name].into_iter().filter_map(|name| step.expect.get(name)) {
            let failures = self.failures(expect);
            self.outcome.failures.extend(failures.into_iter().map(|f| format!("step {number}: {f}")));
        }
    }

    fn failures(&mut self, expect: &Expect) -> Vec<String> {
        let pins: Vec<&str> = self.pins.iter().map(String::as_str).collect();
        let request = self.session.step(&pins);
        let surface = self.session.surface();
        let name = |t: &deferbench_core::ToolId| surface.catalog()[*t].name().to_string();
        let of = |get: &dyn Fn(&Request) -> Vec<String>| match &request {
            Ok(request) => get(request),
            Err(error) => vec![format!("no request: {error}")],
        };
        let looked_at = [
            ("answers", &expect.answers, self.answers.clone()),
            ("visible", &expect.visible, of(&|r| r.activated.iter().map(name).collect())),
            ("sent", &expect.sent, of(&|r| surface.definitions(r).iter().map(|t| t.name().to_string()).collect())),
            ("refused", &expect.refused, self.refused.clone()),
            ("refused_pins", &expect.refused_pins, of(&|r| r.refused_pins.clone())),
            ("dropped", &expect.dropped, of(&|r| r.dropped.iter().map(|(_, d)| d.code().to_string()).collect())),
        ];
        let differs = |(what, expected, found): (&str, Expected, Vec<String>)| {
            let expected = expected.as_ref().filter(|e| **e != found)?;
            Some(format!("{what}: expected [{}], found [{}]", expected.join(", "), found.join(", ")))
        };
        let mut failures: Vec<String> = looked_at.into_iter().filter_map(differs).collect();
        if let Some(ends) = &expect.ends {
            let found = request.err().map(|e| e.terminal_reason());
            if found != Some(ends.as_str()) {
                failures.push(format!("expected the run to end with {ends}, found {}", found.unwrap_or("a request")));
            }
        }
        failures
    }

    /// The model says that it is done, and the counts are compared.
    fn finish(mut self) -> Outcome {
        if self.outcome.ended.is_none() && matches!(self.send(), Ok(Some(_))) {
            let event = Event::Assistant { step: "closing".to_string(), text: CLOSING.to_string(), calls: Vec::new() };
            self.session.push(event);
        }
        self.outcome.requests = self.meter.requests;
        self.outcome.tokens = self.meter.tokens;
        self.outcome.survival = self.meter.survival();
        self.outcome.counted(self.case.requests, self.case.met)
    }
}
