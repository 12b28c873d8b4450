//! What does the model see at one step?

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use crate::catalog::{Catalog, ToolId};
use crate::entry::Entry;
use crate::error::SpecError;
use crate::evidence::{Evidence, Kind, Source};
use crate::order::{Arrangement, Order, Slot};
use crate::policy::{Answer, Ask, Context, Fold, Found, Policy, PolicyError};
use crate::rank::{self, Ranker};
use crate::receipt::DropReason;
use crate::tool::Tool;
use crate::transcript::{Call, Event, Original, Output, Transcript};

/// The parts of a surface. Everything is checked when [`Surface::new`] is called.
#[derive(Clone)]
pub struct SurfaceConfig {
    /// Every tool.
    pub catalog: Arc<Catalog>,
    /// The ranker built for that catalog.
    pub ranker: Arc<dyn Ranker>,
    /// How a search result becomes activation.
    pub policy: Arc<dyn Policy>,
    /// The sequence of the tools.
    pub order: &'static Order,
    /// How an activated tool enters the request.
    pub entry: &'static Entry,
    /// The search tool; none: the one that the policy offers.
    pub search_tool: Option<Tool>,
    /// Names of the tools that are visible from the start.
    pub always_on: Vec<String>,
    /// The key of this surface, written into receipts.
    pub key: String,
}

impl SurfaceConfig {
    /// The default ranker, the order `append`, which keeps the previous request as a prefix, the entry `list`, no
    /// always-on tools, and the key `default`.
    ///
    /// # Errors
    /// [`SpecError`], should a default part be missing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use deferbench_core::{Catalog, policy, surface::{Surface, SurfaceConfig}};
    /// let (_, policy) = policy::build("replace(active=1)").unwrap();
    /// let config = SurfaceConfig::new(Arc::new(Catalog::new(vec![]).unwrap()), policy).unwrap();
    /// let config = SurfaceConfig { always_on: vec!["clock".into()], ..config };
    /// assert_eq!(Surface::new(config).err().unwrap().to_string(), "always-on tool \"clock\" is not in the catalog");
    /// ```
    pub fn new(catalog: Arc<Catalog>, policy: Arc<dyn Policy>) -> Result<Self, SpecError> {
        let ranker = rank::build(rank::DEFAULT_RANKER, &catalog)?.ranker;
        let order = Order::find("append").ok_or_else(|| SpecError::unknown("order", "append", []))?;
        let entry = Entry::find("list").ok_or_else(|| SpecError::unknown("entry", "list", []))?;
        let (search_tool, always_on, key) = (None, Vec::new(), "default".to_string());
        Ok(Self { catalog, ranker, policy, order, entry, search_tool, always_on, key })
    }
}

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

/// The tools of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The tools array, in the sequence in which it is sent.
    pub tools: Vec<Slot>,
    /// What may be called: always-on tools, then pins, then activated tools, oldest activation first.
    pub callable: Vec<ToolId>,
    /// The pins of this request.
    pub pins: Vec<ToolId>,
    /// Names of the newest pins, which a ceiling keeps out.
    pub refused_pins: Vec<String>,
    /// Activated tools, always-on ones and pins not among them, oldest activation first.
    pub activated: Vec<ToolId>,
    /// Records of the transcript that did not count, by the id of their call, as far back as the record that decided.
    pub dropped: Vec<(String, DropReason)>,
    /// What may be told about this request without any content.
    pub evidence: Evidence,
}

/// What a call of the model means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The search tool.
    Search,
    /// A tool that may be called now.
    Callable(ToolId),
    /// A tool of the catalog that is not visible: its handler must not run.
    Inactive(ToolId),
    /// No tool of that name.
    Unknown,
}

/// What an application's own step hook returns: every field stays as it is, except the list of active tools.
///
/// Implemented for JSON objects (the key is `activeTools`); implement it for the settings of your own.
pub trait StepSettings {
    /// Puts the names of this step's tools in the place of whatever the hook said.
    fn set_active_tools(&mut self, names: Vec<String>);
}

impl StepSettings for serde_json::Map<String, serde_json::Value> {
    fn set_active_tools(&mut self, names: Vec<String>) {
        self.insert("activeTools".to_string(), names.into());
    }
}

/// Why a surface cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// An always-on name is not in the catalog.
    #[error("always-on tool \"{name}\" is not in the catalog")]
    UnknownAlwaysOn {
        /// The name.
        name: String,
    },
    /// An always-on name is given twice.
    #[error("always-on tool \"{name}\" is named twice")]
    RepeatedAlwaysOn {
        /// The name.
        name: String,
    },
    /// The search tool has the name of a tool of the catalog.
    #[error("the search tool's name \"{name}\" is taken by a tool of the catalog; give the search tool another name")]
    SearchNameTaken {
        /// The name.
        name: String,
    },
    /// The policy refuses.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

/// Why a request cannot be made: nothing is sent, and the run ends.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A pin is not in the catalog.
    #[error("pin \"{name}\" is not in the catalog")]
    UnknownPin {
        /// The name.
        name: String,
    },
    /// A pin is given twice.
    #[error("pin \"{name}\" is named twice")]
    RepeatedPin {
        /// The name.
        name: String,
    },
    /// The policy refuses.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

impl StepError {
    /// The reason for which a run ends, as the published system names it: `context_overflow` for tools that do not fit or
    /// do not exist, `provider_failure` for anything else.
    ///
    /// ```
    /// use deferbench_core::surface::StepError;
    /// assert_eq!(StepError::UnknownPin { name: "clack".into() }.terminal_reason(), "context_overflow");
    /// ```
    pub fn terminal_reason(&self) -> &'static str {
        match self {
            Self::Policy(PolicyError::Snapshot { .. } | PolicyError::Spec(_)) => "provider_failure",
            _ => "context_overflow",
        }
    }
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
        self.request_from(fold.as_mut(), &self.pins(pins)?, transcript.run(), usize::MAX)
    }

    /// Answers a call of the search tool that stands in the newest step of a transcript.
    ///
    /// # Errors
    /// As for [`Surface::request`]: the pins are those of the request that the model answered.
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
        if self.search.as_ref().is_some_and(|s| s.name() == name) {
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
        let mut pins = Vec::with_capacity(names.len());
        for &name in names {
            let id = self.config.catalog.find(name).ok_or_else(|| StepError::UnknownPin { name: name.to_string() })?;
            if pins.contains(&id) {
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

    /// The next request; events from position `current` on count as written since the session was opened.
    pub(crate) fn request_from(
        &self,
        fold: &mut dyn Fold,
        pins: &[ToolId],
        run: &str,
        current: usize,
    ) -> Result<Request, StepError> {
        let activation = fold.activation(self.context(pins))?;
        let (pins, late) = pins.split_at(activation.pins.min(pins.len()));
        let mut base = self.base.clone();
        base.extend(pins.iter().filter(|t| !self.base.contains(t)));
        let activated: Vec<ToolId> = activation.tools.iter().filter(|t| !base.contains(t)).copied().collect();
        let arrangement = Arrangement {
            catalog: &self.config.catalog,
            search: self.search.as_ref(),
            base: &base,
            activated: &activated,
        };
        let mut tools = (self.config.order.arrange)(&arrangement);
        tools.retain(|slot| (self.config.entry.in_array)(*slot));
        let refused_pins: Vec<String> = late.iter().map(|t| self.config.catalog[*t].name().to_string()).collect();
        let mut dropped = BTreeMap::new();
        for (_, reason) in &activation.dropped {
            *dropped.entry(reason.code()).or_default() += 1;
        }
        let source = match activation.said_by.last().copied() {
            None => Source::Catalog,
            Some(at) if at >= current => Source::Current,
            Some(_) => Source::Durable,
        };
        let evidence = Evidence {
            pinned_tools: pins.len(),
            rejected_names: late.len(),
            source,
            dropped,
            ..self.evidence(Kind::Step, run, pins, &activation.tools)
        };
        let callable = base.iter().chain(&activated).copied().collect();
        let (pins, dropped) = (pins.to_vec(), activation.dropped);
        Ok(Request { tools, callable, pins, refused_pins, activated, dropped, evidence })
    }

    pub(crate) fn ask_from(&self, fold: &mut dyn Fold, pins: &[ToolId], run: &str, call: &Call) -> Ask {
        match fold.ask(self.context(pins), call) {
            Ask::Done(answer) => Ask::Done(self.with_evidence(run, &Found::default(), answer)),
            search => search,
        }
    }

    pub(crate) fn answer_from(
        &self,
        fold: &mut dyn Fold,
        pins: &[ToolId],
        run: &str,
        call: &Call,
        found: &Found,
    ) -> Answer {
        let answer = fold.answer(self.context(pins), call, found);
        self.with_evidence(run, found, answer)
    }

    /// Adds the evidence of a search; an ordinary error changes nothing and has none.
    fn with_evidence(&self, run: &str, found: &Found, answer: Answer) -> Answer {
        if matches!(answer.output, Output::Error(_)) {
            return answer;
        }
        let repaired = usize::from(found.tools.is_empty() && !answer.activated.is_empty());
        let mut refused = BTreeMap::new();
        for tool in &answer.refused {
            *refused.entry(tool.ceiling.clone()).or_default() += 1;
        }
        let evidence = Evidence {
            selected_tools: found.tools.len().max(repaired),
            replacement_tools: answer.activated.len(),
            rejected_names: found.rejected,
            matches: found.matching.max(repaired),
            refused,
            source: Source::Current,
            ..self.evidence(Kind::Search, run, &[], &answer.selection)
        };
        Answer { evidence: Some(evidence), ..answer }
    }

    fn evidence(&self, kind: Kind, run: &str, pins: &[ToolId], selected: &[ToolId]) -> Evidence {
        let mut active: Vec<ToolId> = Vec::new();
        for tool in self.base.iter().chain(pins).chain(selected) {
            if !active.contains(tool) {
                active.push(*tool);
            }
        }
        let search = self.search.as_ref();
        let bytes: usize = active.iter().map(|t| self.config.catalog[*t].schema_bytes()).sum();
        Evidence {
            schema_version: 1,
            kind,
            run_id: run.to_string(),
            surface_key: self.config.key.clone(),
            catalog_tools: self.config.catalog.len(),
            base_tools: usize::from(search.is_some()) + self.base.len(),
            pinned_tools: pins.len(),
            selected_tools: selected.len(),
            active_tools: usize::from(search.is_some()) + active.len(),
            active_schema_bytes: search.map_or(0, Tool::schema_bytes) + bytes,
            rejected_names: 0,
            replacement_tools: selected.len(),
            source: Source::Catalog,
            matches: 0,
            ceilings: self.config.policy.ceilings().cloned(),
            refused: BTreeMap::new(),
            dropped: BTreeMap::new(),
        }
    }
}
