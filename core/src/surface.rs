//! What does the model see at one step?

mod config;
mod error;
mod request;
mod step;

pub use config::SurfaceConfig;
pub use error::{StepError, SurfaceError};
pub use request::{Request, StepSettings, Target};

use std::collections::HashSet;
use std::sync::Arc;

use crate::catalog::{Catalog, ToolId};
use crate::order::Slot;
use crate::policy::{Answer, Ask, Context, Fold, Found};
use crate::threshold::Threshold;
use crate::tool::Tool;
use crate::transcript::{Call, Event, Original, Transcript};

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
}

impl Surface {
    /// Checks the parts against each other.
    ///
    /// # Errors
    /// [`SurfaceError`] for an unknown or repeated always-on name, a taken search name, or a policy whose ceilings the
    /// always-on tools or the shortest receipt alone exceed.
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
        let surface = Self { config, search, base };
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

    /// The definitions of a request, in the sequence in which they are sent.
    pub fn definitions(&self, request: &Request) -> Vec<&Tool> {
        let tool = |slot: &Slot| match slot {
            Slot::Tool(id) => Some(&self.config.catalog[*id]),
            Slot::Search => self.search.as_ref(),
        };
        request.tools.iter().filter_map(tool).collect()
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
        from_hook.set_active_tools(self.definitions(request).iter().map(|t| t.name().to_string()).collect());
        from_hook
    }

    /// The tools of the next request, in the sequence in which they are sent. `pins` are the names that the application
    /// wants beside the selection at this step, the newest last.
    ///
    /// # Errors
    /// [`StepError`] for an unknown or repeated pin, for pins that do not fit without a selection, and when the durable
    /// record of the transcript is damaged or over a ceiling. No request may be sent then.
    pub fn request(&self, transcript: &Transcript, pins: &[&str]) -> Result<Request, StepError> {
        let mut fold = self.fold();
        self.read(fold.as_mut(), transcript.events());
        let deferred = transcript.deferral().unwrap_or(true);
        self.request_from(fold.as_mut(), &self.pins(pins)?, transcript.run(), deferred, usize::MAX)
    }

    /// Answers a call of the search tool that stands in the newest step of a transcript.
    ///
    /// # Errors
    /// As for [`Surface::request`]; the pins are those that the request carried which the model answered.
    pub fn answer(&self, transcript: &Transcript, call: &Call, pins: &[&str]) -> Result<Answer, StepError> {
        let (mut fold, pins) = (self.fold(), self.pins(pins)?);
        self.read(fold.as_mut(), transcript.events());
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
        if self.search.as_ref().is_some_and(|s| s.name() == name) && request.tools.contains(&Slot::Search) {
            return Target::Search;
        }
        match self.config.catalog.find(name) {
            Some(id) if request.callable.contains(&id) => Target::Callable(id),
            Some(id) => Target::Inactive(id),
            None => Target::Unknown,
        }
    }

    /// The calls of an answer as they are to be recorded and carried out: a call of a known tool that the request does not
    /// carry becomes a search for that tool, with the same id. Unknown names stay as they are.
    pub fn repair(&self, request: &Request, calls: Vec<Call>) -> Vec<Call> {
        let repair = |call: Call| match (&self.search, self.target(request, &call.name)) {
            (Some(search), Target::Inactive(_)) => {
                let arguments = serde_json::json!({ "query": call.name }).to_string();
                let original = Original { name: call.name, arguments: call.arguments };
                Call { repaired: Some(original), ..Call::new(call.id, search.name(), arguments) }
            }
            // Only this function says that a call was repaired.
            _ => Call { repaired: None, ..call },
        };
        calls.into_iter().map(repair).collect()
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

    pub(crate) fn read(&self, fold: &mut dyn Fold, events: &[Event]) {
        let context = self.context(&[]);
        events.iter().for_each(|event| fold.push(context, event));
    }

    pub(crate) fn find(&self, query: &str, limit: usize) -> Found {
        Found::from_hits(&self.config.ranker.search(query, limit))
    }
}
