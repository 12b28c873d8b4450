//! What does the model see at one step?

use thiserror::Error;

use crate::catalog::{Catalog, ToolId};
use crate::entry::Entry;
use crate::order::{Arrangement, Order, Slot};
use crate::policy::{Answer, Context, Policy, PolicyError};
use crate::rank::Ranker;
use crate::receipt::DropReason;
use crate::tool::Tool;
use crate::transcript::{Call, Event, Transcript};

/// The parts of a surface. Everything is checked when [`Surface::new`] is called.
pub struct SurfaceConfig<'a> {
    /// Every tool.
    pub catalog: &'a Catalog,
    /// The ranker built for that catalog.
    pub ranker: &'a dyn Ranker,
    /// How a search result becomes activation.
    pub policy: &'a dyn Policy,
    /// The sequence of the tools.
    pub order: &'static Order,
    /// How an activated tool enters the request.
    pub entry: &'static Entry,
    /// The search tool; none: the one that the policy offers.
    pub search_tool: Option<Tool>,
    /// Names of the tools that are visible from the start.
    pub always_on: &'a [&'a str],
    /// The key of this surface, written into receipts.
    pub key: &'a str,
}

/// One agent's view of a catalog: the transcript goes in, the tools of the next request come out.
///
/// ```
/// use deferbench_core::{Catalog, Tool, entry::Entry, order::Order, policy, rank};
/// use deferbench_core::surface::{Surface, SurfaceConfig, Target};
/// use deferbench_core::transcript::{Call, Event, Transcript};
///
/// let tool = |name, text| Tool::new(name, Some(text), "{}").unwrap();
/// let catalog = Catalog::new(vec![tool("get_weather", "Tells the weather."), tool("send_mail", "Sends a letter.")]).unwrap();
/// let ranker = rank::build("fielded", &catalog).unwrap();
/// let (_, policy) = policy::build("cumulative").unwrap();
/// let surface = Surface::new(SurfaceConfig {
///     catalog: &catalog, ranker: ranker.ranker.as_ref(), policy: policy.as_ref(),
///     order: Order::find("append").unwrap(), entry: Entry::find("list").unwrap(),
///     search_tool: None, always_on: &[], key: "default",
/// }).unwrap();
///
/// let mut transcript = Transcript::new();
/// let names = |t: &Transcript| surface.definitions(&surface.request(t).unwrap()).iter().map(|t| t.name().to_string()).collect::<Vec<_>>();
/// assert_eq!(names(&transcript), ["tool_search"]);
///
/// let call = Call::new("c1", "tool_search", r#"{"query":"weather"}"#);
/// transcript.push(Event::Assistant { step: "s1".into(), text: String::new(), calls: vec![call.clone()] });
/// for event in surface.search(&transcript, &call) { transcript.push(event); }
/// assert_eq!(names(&transcript), ["tool_search", "get_weather"]);
///
/// let request = surface.request(&transcript).unwrap();
/// assert!(matches!(surface.target(&request, "get_weather"), Target::Callable(_)));
/// assert!(matches!(surface.target(&request, "send_mail"), Target::Inactive(_)));
/// assert_eq!(surface.target(&request, "get_whether"), Target::Unknown);
/// ```
pub struct Surface<'a> {
    config: SurfaceConfig<'a>,
    search: Option<Tool>,
    base: Vec<ToolId>,
}

/// The tools of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The tools array, in the sequence in which it is sent.
    pub tools: Vec<Slot>,
    /// What may be called: always-on tools, then activated tools, oldest activation first.
    pub callable: Vec<ToolId>,
    /// Activated tools, always-on ones not among them, oldest activation first.
    pub activated: Vec<ToolId>,
    /// Records of the transcript that did not count, by the id of their call.
    pub dropped: Vec<(String, DropReason)>,
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

impl<'a> Surface<'a> {
    /// Checks the parts against each other.
    ///
    /// # Errors
    /// [`SurfaceError`] for an unknown or repeated always-on name, a taken search name, or a policy whose ceilings the
    /// always-on tools alone exceed.
    pub fn new(mut config: SurfaceConfig<'a>) -> Result<Self, SurfaceError> {
        let search = config.policy.search_tool().map(|own| config.search_tool.take().unwrap_or(own));
        let mut base = Vec::new();
        for name in config.always_on {
            let name = name.to_string();
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
        surface.config.policy.check(surface.context())?;
        Ok(surface)
    }

    fn context(&self) -> Context<'_> {
        let c = &self.config;
        Context { catalog: c.catalog, ranker: c.ranker, search: self.search.as_ref(), base: &self.base, surface: c.key }
    }

    /// The definitions of a request, in the sequence in which they are sent.
    pub fn definitions(&self, request: &Request) -> Vec<&Tool> {
        let tool = |slot: &Slot| match slot {
            Slot::Tool(id) => Some(&self.config.catalog[*id]),
            Slot::Search => self.search.as_ref(),
        };
        request.tools.iter().filter_map(tool).collect()
    }

    /// The search tool, where the policy has one.
    pub fn search_tool(&self) -> Option<&Tool> {
        self.search.as_ref()
    }

    /// The tools of the next request, in the sequence in which they are sent.
    ///
    /// # Errors
    /// [`PolicyError`] when the durable record of the transcript is damaged.
    pub fn request(&self, transcript: &Transcript) -> Result<Request, PolicyError> {
        let activation = self.config.policy.activation(self.context(), transcript)?;
        let base = |t: &ToolId| self.base.contains(t);
        let activated: Vec<ToolId> = activation.tools.into_iter().filter(|t| !base(t)).collect();
        let arrangement = Arrangement {
            catalog: self.config.catalog,
            search: self.search.as_ref(),
            base: &self.base,
            activated: &activated,
        };
        let mut tools = (self.config.order.arrange)(&arrangement);
        tools.retain(|slot| (self.config.entry.in_array)(*slot));
        let callable = self.base.iter().chain(&activated).copied().collect();
        Ok(Request { tools, callable, activated, dropped: activation.dropped })
    }

    /// Answers a call of the search tool: the events to append, in order.
    pub fn search(&self, transcript: &Transcript, call: &Call) -> Vec<Event> {
        self.answer(transcript, call).events(call)
    }

    /// Answers a call of the search tool, with what it activates.
    pub fn answer(&self, transcript: &Transcript, call: &Call) -> Answer {
        self.config.policy.search(self.context(), transcript, call)
    }

    /// What a called name means in a request.
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
}
