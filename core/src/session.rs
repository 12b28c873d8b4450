//! How does a harness keep a session going, step by step?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::catalog::ToolId;
use crate::policy::{Answer, Ask, Found};
use crate::surface::{Reading, Request, StepError, Surface};
use crate::transcript::{Call, Event, Output, Transcript};

/// A transcript and what the surface's policy has read of it.
///
/// Everything goes through the transcript: a session that is dropped and opened again from it goes on as before. One
/// step costs the events since the last one, whatever the length of the history.
///
/// A harness asks for the tools of a step, hands over the model's answer, carries out the calls, and starts again:
///
/// ```
/// use std::sync::Arc;
/// use deferbench_core::{Catalog, Tool, policy, session::Session, surface::{Surface, SurfaceConfig}};
/// use deferbench_core::transcript::{Call, Output};
///
/// let tool = |name, text| Tool::new(name, Some(text), "{}").unwrap();
/// let catalog = Catalog::new(vec![tool("clock", "Tells the time."), tool("send_mail", "Sends a letter.")]).unwrap();
/// let (_, policy) = policy::build("replace").unwrap();
/// let surface = Arc::new(Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap());
/// let mut session = Session::new(surface.clone(), "run-1");
/// session.user("What time is it?");
///
/// // The model cannot see `clock`, and calls it all the same: the handler must not run, the call becomes a search.
/// let request = session.step(&[]).unwrap();
/// let calls = session.receive(&request, "s1", "", vec![Call::new("c1", "clock", "{}")]);
/// assert_eq!(calls[0].name, "tool_search");
/// let answer = session.search(&calls[0]);
/// assert!(matches!(&answer.output, Output::Json(receipt) if receipt.contains("SEARCH_REQUIRED")));
///
/// // At the next step the tool is there. Recovery of the run restores it; another run starts empty.
/// let names = |s: &mut Session| { let r = s.step(&[]).unwrap(); r.activated.len() };
/// assert_eq!(names(&mut session), 1);
/// let mut recovered = Session::resume(surface.clone(), session.transcript().clone());
/// assert_eq!(names(&mut recovered), 1);
/// recovered.run("run-2");
/// assert_eq!(names(&mut recovered), 0);
/// ```
pub struct Session {
    surface: Arc<Surface>,
    transcript: Transcript,
    reading: Reading,
    /// Number of events that the session was opened with.
    opened_with: usize,
    run: String,
    /// Whether each run defers tools, where that was decided.
    decisions: HashMap<String, bool>,
    /// The pins of the request that the model answered last.
    pins: Vec<ToolId>,
}

impl Session {
    /// A new session with its first run.
    pub fn new(surface: Arc<Surface>, run: &str) -> Self {
        let mut session = Self::resume(surface, Transcript::new());
        session.run(run);
        session
    }

    /// A session that goes on where a transcript ends. Pins stand in no transcript: what is left to search in a step that is
    /// open still is answered as if it had none.
    pub fn resume(surface: Arc<Surface>, transcript: Transcript) -> Self {
        let mut session = Self {
            reading: Reading::new(&surface),
            surface,
            opened_with: transcript.events().len(),
            transcript: Transcript::new(),
            run: String::new(),
            decisions: HashMap::new(),
            pins: Vec::new(),
        };
        transcript.into_events().into_iter().for_each(|event| session.push(event));
        session
    }

    /// The transcript so far: what has to be kept to open the session again.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The id of the run that goes on.
    pub fn run_id(&self) -> &str {
        &self.run
    }

    /// The surface.
    pub fn surface(&self) -> &Arc<Surface> {
        &self.surface
    }

    /// Appends an event. The methods below do it in the usual cases.
    pub fn push(&mut self, event: Event) {
        match &event {
            Event::Run { id } => self.run.clone_from(id),
            Event::Deferral { deferred } => {
                self.decisions.entry(self.run.clone()).or_insert(*deferred);
            }
            _ => {}
        }
        self.reading.push(&self.surface, &event);
        self.transcript.push(event);
    }

    /// Begins a run, or goes on with one that has begun before. Whether it defers tools is decided the first time.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use deferbench_core::{Catalog, Tool, policy, session::Session, surface::{Surface, SurfaceConfig}};
    /// use deferbench_core::threshold::Threshold;
    /// # let catalog = |n| Arc::new(Catalog::new((0..n).map(|i| Tool::new(&format!("tool_{i}"), None, "{}").unwrap()).collect()).unwrap());
    /// # let (_, policy) = policy::build("cumulative").unwrap();
    /// # let surface = |n| {
    /// #     let config = SurfaceConfig::new(catalog(n), policy.clone()).unwrap();
    /// #     Arc::new(Surface::new(SurfaceConfig { threshold: Threshold::Tools(10), ..config }).unwrap())
    /// # };
    /// // Ten tools: all of them stand in every request, and there is no search tool.
    /// let mut session = Session::new(surface(10), "run-1");
    /// assert_eq!(session.step(&[]).unwrap().tools.len(), 10);
    /// // The catalog grows past the threshold: the run stays as it is, the next one defers.
    /// let mut session = Session::resume(surface(11), session.transcript().clone());
    /// assert_eq!(session.step(&[]).unwrap().tools.len(), 11);
    /// session.run("run-2");
    /// assert_eq!(session.step(&[]).unwrap().tools.len(), 1);
    /// ```
    pub fn run(&mut self, id: &str) {
        self.push(Event::Run { id: id.to_string() });
        if let Some(deferred) = self.surface.decision().filter(|_| !self.decisions.contains_key(id)) {
            self.push(Event::Deferral { deferred });
        }
    }

    /// The user says something.
    pub fn user(&mut self, text: &str) {
        self.push(Event::User { text: text.to_string() });
    }

    /// The tools of the next request. `pins` are the names that the application wants beside the selection at this step,
    /// the newest last; those that the request carries count when a receipt is built for an answer to it.
    ///
    /// # Errors
    /// [`StepError`]: no request may be sent, and the run ends with [`StepError::terminal_reason`].
    pub fn step(&mut self, pins: &[&str]) -> Result<Request, StepError> {
        let pins = self.surface.pins(pins)?;
        let deferred = self.decisions.get(&self.run).copied().unwrap_or(true);
        let past = self.reading.past(&self.surface, deferred, self.opened_with);
        self.surface.request_from(self.reading.fold.as_mut(), &pins, &self.run, past)
    }

    /// Records the model's answer to a request and gives its calls as they are to be carried out, in order: a call
    /// through the executor has become the call of its tool, one of a known tool that may not be called a search for it.
    pub fn receive(&mut self, request: &Request, step: &str, text: &str, calls: Vec<Call>) -> Vec<Call> {
        let calls = self.surface.repair(request, calls);
        self.pins.clone_from(&request.pins);
        self.push(Event::Assistant { step: step.to_string(), text: text.to_string(), calls: calls.clone() });
        calls
    }

    /// Carries out a call of the search tool with the surface's ranker and records its result.
    pub fn search(&mut self, call: &Call) -> Answer {
        match self.ask(call) {
            Ask::Done(answer) => self.record(call, answer),
            Ask::Search { query, limit } => {
                let found = self.surface.find(&query, limit);
                self.answer(call, &found)
            }
        }
    }

    /// What a call of the search tool asks for: the first half of a search by something else than the ranker. Nothing is
    /// recorded yet; [`Session::answer`] or [`Session::record`] ends it.
    pub fn ask(&mut self, call: &Call) -> Ask {
        self.surface.ask_from(self.reading.fold.as_mut(), &self.pins, &self.run, call)
    }

    /// Answers a call of the search tool with what was found for it, and records the result.
    pub fn answer(&mut self, call: &Call, found: &Found) -> Answer {
        let answer = self.surface.answer_from(self.reading.fold.as_mut(), &self.pins, &self.run, call, found);
        self.record(call, answer)
    }

    /// Records an answer that needed no search.
    pub fn record(&mut self, call: &Call, answer: Answer) -> Answer {
        answer.clone().events(call).into_iter().for_each(|event| self.push(event));
        answer
    }

    /// The transcript after a compaction: a summary in place of everything, except the events that say which tools are
    /// active in the run that goes on, and a step whose calls are not all answered. A history that is cut without them
    /// loses the activation: safe, and one more search. Other runs of the transcript are gone, and so are the calls by
    /// which a ceiling tells what was used last: the order of activation decides then.
    ///
    /// # Errors
    /// [`StepError`] when the record of the selection is damaged or over a ceiling: nothing is cut then.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use deferbench_core::{Catalog, Tool, policy, session::Session, surface::{Surface, SurfaceConfig}, transcript::Call};
    /// # let catalog = Catalog::new(vec![Tool::new("clock", Some("Tells the time."), "{}").unwrap()]).unwrap();
    /// # let (_, policy) = policy::build("replace").unwrap();
    /// # let surface = Arc::new(Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap());
    /// # let mut session = Session::new(surface.clone(), "run-1");
    /// # let request = session.step(&[]).unwrap();
    /// # let calls = session.receive(&request, "s1", "", vec![Call::new("c1", "tool_search", r#"{"query":"clock"}"#)]);
    /// # session.search(&calls[0]);
    /// for _ in 0..50 { session.user("And another thing."); }
    /// let short = session.compacted("The user wants many things.").unwrap();
    /// // The run, the summary, the step that searched, and its receipt.
    /// assert_eq!(short.events().len(), 4);
    /// assert_eq!(Session::resume(surface, short).step(&[]).unwrap().activated.len(), 1);
    /// ```
    pub fn compacted(&mut self, summary: &str) -> Result<Transcript, StepError> {
        let activation = self.reading.fold.activation(self.surface.context(&[]))?;
        let mut short = Transcript::new();
        short.push(Event::Run { id: self.run.clone() });
        if let Some(deferred) = self.decisions.get(&self.run) {
            short.push(Event::Deferral { deferred: *deferred });
        }
        short.push(Event::User { text: summary.to_string() });
        let events = self.transcript.events();
        let answered: HashSet<&str> = events.iter().filter_map(Event::answers).collect();
        let open = |calls: &[Call]| calls.iter().any(|c| !answered.contains(c.id.as_str()));
        let newest = events.iter().rposition(|e| matches!(e, Event::Assistant { calls, .. } if open(calls)));
        let mut calls: HashSet<&str> = HashSet::new();
        for (at, event) in events.iter().enumerate() {
            match event {
                // A step is kept with every result of its calls: providers refuse a call without one.
                Event::Result { call, .. } if calls.remove(call.as_str()) => short.push(event.clone()),
                Event::Assistant { calls: own, .. } if activation.said_by.contains(&at) || newest == Some(at) => {
                    calls.extend(own.iter().map(|c| c.id.as_str()));
                    short.push(event.clone());
                }
                // What was added step by step is said at once, so that the order of activation stays.
                Event::Selection { snapshot, .. } if activation.said_by.contains(&at) => {
                    let name = |t: &ToolId| self.surface.catalog()[*t].name().to_string();
                    let added = activation.tools.iter().map(name).collect();
                    short.push(Event::Selection { snapshot: snapshot.clone(), added });
                }
                _ => {}
            }
        }
        Ok(short)
    }

    /// Records what a tool gave back.
    pub fn result(&mut self, call: &Call, output: Output) {
        self.push(Event::Result { call: call.id.clone(), tool: call.name.clone(), output });
    }
}
