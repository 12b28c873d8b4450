//! What does the model see at one step?

mod config;
mod error;
mod executor;
mod history;
mod reading;
mod request;
mod step;

pub use config::SurfaceConfig;
pub use error::{StepError, SurfaceError};
pub use request::{Request, StepSettings, Target};

use std::collections::HashSet;
use std::sync::Arc;

use crate::catalog::{Catalog, ToolId};
use crate::entry::{Entry, Item};
use crate::policy::{Answer, Ask, Context, Fold, Found};
use crate::threshold::Threshold;
use crate::tool::{Limits, Tool};
use crate::transcript::{Call, Original, Transcript};

pub(crate) use executor::USAGE;
pub(crate) use reading::Reading;

/// One agent's view of a catalog: the transcript goes in, the tools of the next request come out.
///
/// A surface holds no state of a session. [`crate::session::Session`] keeps the transcript of one and costs no more at
/// step 10,000 than at the first; the methods here fold a whole transcript each time.
///
/// ```
/// use std::sync::Arc;
/// use deferbench_core::{Catalog, Tool, policy};
/// use deferbench_core::surface::{Surface, SurfaceConfig, Target};
/// use deferbench_core::transcript::{Call, Event, Transcript};
///
/// let tool = |name, text| Tool::new(name, Some(text), "{}").unwrap();
/// let catalog = Catalog::new(vec![tool("get_weather", "Tells the weather."), tool("send_mail", "Sends a letter.")]).unwrap();
/// let (_, policy) = policy::build("cumulative").unwrap();
/// let surface = Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap();
///
/// let mut transcript = Transcript::new();
/// let names = |t: &Transcript| surface.definitions(&surface.request(t, &[]).unwrap()).iter().map(|t| t.name().to_string()).collect::<Vec<_>>();
/// assert_eq!(names(&transcript), ["tool_search"]);
///
/// let call = Call::new("c1", "tool_search", r#"{"query":"weather"}"#);
/// transcript.push(Event::Assistant { step: "s1".into(), text: String::new(), calls: vec![call.clone()] });
/// for event in surface.answer(&transcript, &call, &[]).unwrap().events(&call) { transcript.push(event); }
/// assert_eq!(names(&transcript), ["tool_search", "get_weather"]);
///
/// let request = surface.request(&transcript, &[]).unwrap();
/// assert!(matches!(surface.target(&request, "get_weather"), Target::Callable(_)));
/// assert!(matches!(surface.target(&request, "send_mail"), Target::Inactive(_)));
/// assert_eq!(surface.target(&request, "get_whether"), Target::Unknown);
/// ```
pub struct Surface {
    config: SurfaceConfig,
    search: Option<Tool>,
    base: Vec<ToolId>,
    /// The executor, where the entry has one.
    executor: Option<Tool>,
    /// Every tool without description and parameters, where the entry sends such stubs.
    stubs: Vec<Tool>,
}

impl Surface {
    /// Checks the parts against each other.
    ///
    /// # Errors
    /// [`SurfaceError`] for an unknown or repeated always-on name, a taken search name, an entry that makes no sense
    /// with the policy or the order, or a policy whose ceilings the always-on tools or the shortest receipt alone exceed.
    pub fn new(mut config: SurfaceConfig) -> Result<Self, SurfaceError> {
        let search = config.policy.search_tool().map(|own| config.search_tool.take().unwrap_or(own));
        let mut base = Vec::new();
        for name in config.always_on.iter().cloned() {
            let Some(id) = config.catalog.find(&name) else {
                return Err(SurfaceError::UnknownAlwaysOn { name });
            };
            if base.contains(&id) {
                return Err(SurfaceError::RepeatedAlwaysOn { name });
            }
            base.push(id);
        }
        if let Some(taken) = search.as_ref().filter(|s| config.catalog.find(s.name()).is_some()) {
            return Err(SurfaceError::SearchNameTaken { name: taken.name().to_string() });
        }
        let entry = config.entry;
        entry.fits(search.is_some(), config.order.order)?;
        let executor = if entry.executor { executor::build(&config.catalog, search.as_ref()) } else { None };
        let stubs = if entry.fixed_places { config.catalog.tools().iter().map(stub).collect() } else { Vec::new() };
        let surface = Self { config, search, base, executor, stubs };
        surface.config.policy.check(surface.context(&[]))?;
        Ok(surface)
    }

    pub(crate) fn context<'a>(&'a self, pins: &'a [ToolId]) -> Context<'a> {
        let c = &self.config;
        Context { catalog: &c.catalog, search: self.search.as_ref(), base: &self.base, pins, surface: &c.key }
    }

    /// Every tool.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.config.catalog
    }

    /// The decision to record at the start of a run, where there is something to decide.
    pub(crate) fn decision(&self) -> Option<bool> {
        let decides = self.search.is_some() && self.config.threshold != Threshold::Always;
        decides.then(|| self.config.threshold.defers(&self.config.catalog))
    }

    /// The key of this surface.
    pub fn key(&self) -> &str {
        &self.config.key
    }

    /// The search tool, where the policy has one.
    pub fn search_tool(&self) -> Option<&Tool> {
        self.search.as_ref()
    }

    /// A fold of this surface's policy that has read nothing yet.
    pub(crate) fn fold(&self) -> Box<dyn Fold> {
        self.config.policy.fold()
    }

    /// How an activated tool enters the request.
    pub fn entry(&self) -> &'static Entry {
        self.config.entry
    }

    /// What is sent for an item of the tools array.
    pub fn definition(&self, item: Item) -> Option<&Tool> {
        match item {
            Item::Search => self.search.as_ref(),
            Item::Executor => self.executor.as_ref(),
            Item::Tool(id) | Item::Deferred(id) => Some(&self.config.catalog[id]),
            Item::Stub(id) => self.stubs.get(id.index()),
        }
    }

    /// The definitions that the model reads in the tools section of a request, in the sequence in which they are sent:
    /// every item of the array without a deferral mark.
    pub fn definitions(&self, request: &Request) -> Vec<&Tool> {
        let read = request.tools.iter().filter(|item| !matches!(item, Item::Deferred(_)));
        read.filter_map(|item| self.definition(*item)).collect()
    }

    /// What an application's step hook returned, with the names of this request's tools in place of its own list.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use deferbench_core::{Catalog, policy, surface::{Surface, SurfaceConfig}, transcript::Transcript};
    /// # let (_, policy) = policy::build("replace").unwrap();
    /// # let surface = Surface::new(SurfaceConfig::new(Arc::new(Catalog::new(vec![]).unwrap()), policy).unwrap()).unwrap();
    /// let request = surface.request(&Transcript::new(), &[]).unwrap();
    /// let mut hook = serde_json::Map::new();
    /// hook.insert("instructions".into(), "Be brief.".into());
    /// hook.insert("activeTools".into(), vec!["everything"].into());
    /// let settings = surface.settings(&request, hook);
    /// assert_eq!(settings["instructions"], "Be brief.");
    /// assert_eq!(settings["activeTools"], serde_json::json!(["tool_search"]));
    /// ```
    pub fn settings<S: StepSettings>(&self, request: &Request, mut from_hook: S) -> S {
        let sent = request.tools.iter().filter_map(|item| self.definition(*item));
        from_hook.set_active_tools(sent.map(|t| t.name().to_string()).collect());
        from_hook
    }

    /// The tools of the next request, in the sequence in which they are sent. `pins` are the names that the application
    /// wants beside the selection at this step, the newest last.
    ///
    /// # Errors
    /// [`StepError`] for an unknown or repeated pin, for pins that do not fit without a selection, and when the durable
    /// record of the transcript is damaged or over a ceiling. No request may be sent then.
    pub fn request(&self, transcript: &Transcript, pins: &[&str]) -> Result<Request, StepError> {
        let mut reading = Reading::new(self);
        transcript.events().iter().for_each(|event| reading.push(self, event));
        let past = reading.past(self, transcript.deferral().unwrap_or(true), usize::MAX);
        self.request_from(reading.fold.as_mut(), &self.pins(pins)?, transcript.run(), past)
    }

    /// Answers a call of the search tool that stands in the newest step of a transcript.
    ///
    /// # Errors
    /// As for [`Surface::request`]; the pins are those that the request carried which the model answered.
    pub fn answer(&self, transcript: &Transcript, call: &Call, pins: &[&str]) -> Result<Answer, StepError> {
        let (mut fold, pins) = (self.fold(), self.pins(pins)?);
        transcript.events().iter().for_each(|event| fold.push(self.context(&[]), event));
        Ok(match self.ask_from(fold.as_mut(), &pins, transcript.run(), call) {
            Ask::Done(answer) => answer,
            Ask::Search { query, limit } => {
                let found = self.find(&query, limit);
                self.answer_from(fold.as_mut(), &pins, transcript.run(), call, &found)
            }
        })
    }

    /// What a called name means in a request. A near name is never taken for a name.
    pub fn target(&self, request: &Request, name: &str) -> Target {
        let carries = |item, tool: &Option<Tool>| {
            tool.as_ref().is_some_and(|t| t.name() == name) && request.tools.contains(&item)
        };
        if carries(Item::Search, &self.search) {
            return Target::Search;
        }
        if carries(Item::Executor, &self.executor) {
            return Target::Executor;
        }
        match self.config.catalog.find(name) {
            Some(id) if request.callable.contains(&id) => Target::Callable(id),
            Some(id) => Target::Inactive(id),
            None => Target::Unknown,
        }
    }

    /// A call as the model writes it in answer to a request: to the executor where the entry has one and the tool does not
    /// stand in the array.
    pub fn written(&self, request: &Request, call: Call) -> Call {
        let in_array = || self.config.catalog.find(&call.name).is_some_and(|t| request.tools.contains(&Item::Tool(t)));
        match &self.executor {
            Some(executor) if self.target(request, &call.name) != Target::Search && !in_array() => {
                executor::wrap(executor, &call)
            }
            _ => call,
        }
    }

    /// The calls of an answer as they are to be recorded and carried out. A call through the executor becomes the call of
    /// the tool itself. A call of a known tool that may not be called becomes a search for that tool, with the same id.
    /// Unknown names stay as they are.
    pub fn repair(&self, request: &Request, calls: Vec<Call>) -> Vec<Call> {
        let repair = |call: Call| match (&self.search, self.target(request, &call.name)) {
            (Some(search), Target::Inactive(_)) => {
                let arguments = serde_json::json!({ "query": call.name }).to_string();
                let original = Original { name: call.name, arguments: call.arguments };
                Call { repaired: Some(original), ..Call::new(call.id, search.name(), arguments) }
            }
            _ => call,
        };
        // Only this function says that a call was repaired or came through the executor.
        let plain = |call: Call| Call { repaired: None, bridged: None, ..call };
        let unwrap = |call: Call| match self.target(request, &call.name) {
            Target::Executor => executor::unwrap(&call).unwrap_or(call),
            _ => call,
        };
        calls.into_iter().map(|call| repair(unwrap(plain(call)))).collect()
    }

    pub(crate) fn pins(&self, names: &[&str]) -> Result<Vec<ToolId>, StepError> {
        let (mut pins, mut seen) = (Vec::with_capacity(names.len()), HashSet::new());
        for &name in names {
            let id = self.config.catalog.find(name).ok_or_else(|| StepError::UnknownPin { name: name.to_string() })?;
            if !seen.insert(id) {
                return Err(StepError::RepeatedPin { name: name.to_string() });
            }
            pins.push(id);
        }
        Ok(pins)
    }

    pub(crate) fn find(&self, query: &str, limit: usize) -> Found {
        Found::from_hits(&self.config.ranker.search(query, limit))
    }
}

/// A tool's name with an empty definition.
fn stub(tool: &Tool) -> Tool {
    let limits = Limits { name_bytes: usize::MAX, ..Limits::default() };
    let json = format!(r#"{{"name":{},"inputSchema":{{"type":"object"}}}}"#, tool.name_json());
    Tool::from_json(&json, &limits).unwrap_or_else(|_| tool.clone())
}
