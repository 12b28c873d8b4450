//! What happens when the model calls a tool?
//!
//! The whole catalog is mounted, each tool with its handler; what a request carries decides which handlers may run. A
//! tool that was found is called as itself: under its own name, with its own schema, hooks and result.

mod cost;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;
use thiserror::Error;

use crate::catalog::{Catalog, ToolId};
use crate::policy::Answer;
use crate::selector::{Selector, Stop};
use crate::session::Session;
use crate::surface::{Request, Target, USAGE};
use crate::tool::Tool;
use crate::transcript::{Call, Output};

/// A call on its way to a handler. `C` is whatever the application wants its handlers to know of the run.
pub struct Invocation<'a, C> {
    /// The run.
    pub run: &'a str,
    /// The step.
    pub step: &'a str,
    /// The call, as the model wrote it.
    pub call: &'a Call,
    /// The tool: the search tool for a search and for a repaired call.
    pub tool: &'a Tool,
    /// The arguments; `null` before they were found to be JSON.
    pub arguments: &'a Value,
    /// The application's own.
    pub context: &'a C,
}

/// A future that a handler returns.
pub type Handling<'a> = Pin<Box<dyn Future<Output = Output> + Send + 'a>>;

/// Runs one tool. [`Output::Error`] is an ordinary tool error; anything else reaches the model unchanged.
pub trait Handler<C>: Send + Sync {
    /// Runs it, with arguments that fit the tool's schema.
    fn call<'a>(&'a self, invocation: Invocation<'a, C>) -> Handling<'a>;
}

impl<C, F> Handler<C> for F
where
    F: for<'a> Fn(Invocation<'a, C>) -> Handling<'a> + Send + Sync,
{
    fn call<'a>(&'a self, invocation: Invocation<'a, C>) -> Handling<'a> {
        self(invocation)
    }
}

/// A handler that answers at once.
///
/// ```
/// use deferbench_core::{dispatch::{Handler, at_once}, transcript::Output};
/// let handler: std::sync::Arc<dyn Handler<()>> = at_once(|_| Output::Text("It is noon.".into()));
/// # let _ = handler;
/// ```
pub fn at_once<C, F>(handle: F) -> Arc<dyn Handler<C>>
where
    C: Sync + 'static,
    F: Fn(&Invocation<'_, C>) -> Output + Send + Sync + 'static,
{
    struct AtOnce<F>(F);
    impl<C: Sync, F: Fn(&Invocation<'_, C>) -> Output + Send + Sync> Handler<C> for AtOnce<F> {
        fn call<'a>(&'a self, invocation: Invocation<'a, C>) -> Handling<'a> {
            Box::pin(async move { (self.0)(&invocation) })
        }
    }
    Arc::new(AtOnce(handle))
}

/// What an application does around every call of a tool that the request carries, of the search tool too. Each `before`
/// is followed by exactly one `after` or `error` under the same tool, unless the host drops the call half-way. A name that
/// no tool has passes no hook.
pub trait Lifecycle<C>: Send + Sync {
    /// Before anything is checked.
    ///
    /// # Errors
    /// The text of an ordinary tool error: the call is refused.
    fn before(&self, _: &Invocation<'_, C>) -> Result<(), String> {
        Ok(())
    }

    /// The last thing before the handler or the search: whether this process may still act for the run, for example because its lease
    /// holds.
    ///
    /// # Errors
    /// The text of an ordinary tool error: the handler does not run.
    fn fence(&self, _: &Invocation<'_, C>) -> Result<(), String> {
        Ok(())
    }

    /// After a handler that succeeded.
    fn after(&self, _: &Invocation<'_, C>, _: &Output) {}

    /// After a call that was refused, or a handler that failed, with the error that the model reads.
    fn error(&self, _: &Invocation<'_, C>, _: &str) {}
}

/// Without hooks.
impl<C> Lifecycle<C> for () {}

/// Why a catalog cannot be mounted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MountError {
    /// A tool has no handler.
    #[error("tool \"{name}\" has no handler: every tool of the catalog needs one, for any of them may be found")]
    NoHandler {
        /// The tool.
        name: String,
    },
}

/// What a carried-out call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dispatched {
    /// What the model reads; it stands in the session's transcript already.
    pub output: Output,
    /// The answer of the search, where the call was one.
    pub search: Option<Answer>,
}

/// A catalog with its handlers, ready to be called.
///
/// ```
/// use std::sync::Arc;
/// use deferbench_core::{Catalog, Tool, dispatch::{Mount, at_once}, policy, session::Session};
/// use deferbench_core::{surface::{Surface, SurfaceConfig}, transcript::{Call, Output}};
///
/// let schema = r#"{"type":"object","properties":{"zone":{"type":"string"}},"required":["zone"]}"#;
/// let catalog = Arc::new(Catalog::new(vec![Tool::new("clock", Some("Tells the time."), schema).unwrap()]).unwrap());
/// let (_, policy) = policy::build("replace").unwrap();
/// let surface = Surface::new(SurfaceConfig::new(catalog.clone(), policy).unwrap()).unwrap();
/// let mut session = Session::new(Arc::new(surface), "run-1");
/// let mount = Mount::new(catalog, |_| Some(at_once(|i| Output::Text(format!("noon in {}", i.arguments["zone"])))), ()).unwrap();
///
/// let mut step = |id: &str, name: &str, arguments: &str| {
///     let request = session.step(&[]).unwrap();
///     let calls = session.receive(&request, id, "", vec![Call::new(id, name, arguments)]);
///     pollster::block_on(mount.carry_out(&mut session, &request, id, &calls[0], &())).output
/// };
/// assert!(matches!(step("s1", "clock", r#"{"zone":"UTC"}"#), Output::Json(receipt) if receipt.contains("SEARCH_REQUIRED")));
/// assert_eq!(step("s2", "clock", r#"{"zone":"UTC"}"#), Output::Text("noon in \"UTC\"".into()));
/// assert!(matches!(step("s3", "clock", "{}"), Output::Error(text) if text.contains("\"zone\" is a required property")));
/// assert!(matches!(step("s4", "clack", "{}"), Output::Error(text) if text.contains("\"clack\"")));
/// ```
pub struct Mount<C> {
    catalog: Arc<Catalog>,
    handlers: Vec<Arc<dyn Handler<C>>>,
    /// Compiled at the first call: most tools of a large catalog are never called.
    validators: Vec<OnceLock<Result<Validator, String>>>,
    lifecycle: Box<dyn Lifecycle<C>>,
}

impl<C: Sync> Mount<C> {
    /// Mounts every tool with the handler that `handler` gives for it.
    ///
    /// # Errors
    /// [`MountError::NoHandler`] for the first tool without one.
    pub fn new(
        catalog: Arc<Catalog>,
        mut handler: impl FnMut(&Tool) -> Option<Arc<dyn Handler<C>>>,
        lifecycle: impl Lifecycle<C> + 'static,
    ) -> Result<Self, MountError> {
        let missing = |tool: &Tool| MountError::NoHandler { name: tool.name().to_string() };
        let handlers = catalog.tools().iter().map(|t| handler(t).ok_or_else(|| missing(t)));
        let handlers = handlers.collect::<Result<Vec<_>, _>>()?;
        let validators = handlers.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { catalog, handlers, validators, lifecycle: Box::new(lifecycle) })
    }

    /// The tools whose input schema cannot be used to check arguments, and why: their handlers get arguments unchecked.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use deferbench_core::{Catalog, Tool, dispatch::{Mount, at_once}, transcript::Output};
    /// let tool = Tool::new("odd", None, r##"{"properties":{"a":{"$ref":"#/nowhere"}}}"##).unwrap();
    /// let catalog = Arc::new(Catalog::new(vec![tool]).unwrap());
    /// let mount = Mount::<()>::new(catalog, |_| Some(at_once(|_| Output::Text("".into()))), ()).unwrap();
    /// assert_eq!(mount.unchecked()[0].0, "odd");
    /// ```
    pub fn unchecked(&self) -> Vec<(&str, String)> {
        let reason = |id: ToolId| Some((self.catalog[id].name(), self.validator(id).as_ref().err()?.clone()));
        self.catalog.ids().filter_map(reason).collect()
    }

    fn validator(&self, tool: ToolId) -> &Result<Validator, String> {
        self.validators[tool.index()].get_or_init(|| {
            let schema = self.catalog[tool].schema().map_err(|e| e.to_string())?;
            cost::check(&schema)?;
            jsonschema::validator_for(&schema).map_err(|e| e.to_string())
        })
    }

    /// Carries out one call of a step that the session has received, and records its result. Calls of one step are
    /// carried out in their order; [`Mount::run`] serves hosts that run direct calls side by side.
    pub async fn carry_out(
        &self,
        session: &mut Session,
        request: &Request,
        step: &str,
        call: &Call,
        context: &C,
    ) -> Dispatched {
        self.carry(session, request, step, call, context, async |session, call| session.search(call)).await
    }

    /// As [`Mount::carry_out`], with a selector that answers searches, and the switch that ends them.
    pub async fn carry_out_by(
        &self,
        session: &mut Session,
        request: &Request,
        step: &str,
        call: &Call,
        context: &C,
        (selector, stop): (&impl Selector, &Stop),
    ) -> Dispatched {
        let search = async |session: &mut Session, call: &Call| session.search_by(call, selector, stop).await;
        self.carry(session, request, step, call, context, search).await
    }

    async fn carry(
        &self,
        session: &mut Session,
        request: &Request,
        step: &str,
        call: &Call,
        context: &C,
        search: impl AsyncFnOnce(&mut Session, &Call) -> Answer,
    ) -> Dispatched {
        let surface = session.surface().clone();
        let run = session.run_id().to_string();
        if request.evidence.run_id != run {
            let output =
                Output::Error(format!("the request belongs to another run than \"{run}\": ask for its tools first"));
            session.result(call, output.clone());
            return Dispatched { output, search: None };
        }
        let output = match (surface.target(request, &call.name), surface.search_tool()) {
            (Target::Search, Some(tool)) => {
                let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
                let invocation = Invocation { run: &run, step, call, tool, arguments: &arguments, context };
                // What a search activates is durable, so it passes the fence too.
                let allowed = self.lifecycle.before(&invocation).and_then(|()| self.lifecycle.fence(&invocation));
                let answer = match allowed {
                    Ok(()) => search(session, call).await,
                    Err(refusal) => session.record(call, Answer::error(refusal)),
                };
                self.close(&invocation, &answer.output);
                return Dispatched { output: answer.output.clone(), search: Some(answer) };
            }
            (Target::Callable(tool), _) => match self.own(&surface.catalog()[tool]) {
                Some(own) => self.run(&run, step, call, own, context).await,
                None => Output::Error(format!("tool \"{}\" is not mounted as the surface defines it", call.name)),
            },
            // Only for hosts that did not let the session repair the call.
            (Target::Inactive(_), _) => {
                Output::Error(format!("tool \"{}\" is not visible: search for it first", call.name))
            }
            (Target::Executor, _) => Output::Error(format!("\"{}\": {USAGE}", call.name)),
            _ => Output::Error(format!("there is no tool \"{}\"", call.name)),
        };
        session.result(call, output.clone());
        Dispatched { output, search: None }
    }

    /// Runs a tool that the request carries: hooks, arguments against its schema, fence, handler. Nothing is recorded.
    pub async fn run(&self, run: &str, step: &str, call: &Call, tool: ToolId, context: &C) -> Output {
        let arguments = serde_json::from_str::<Value>(&call.arguments);
        let (null, tool_id) = (Value::Null, tool);
        let tool = &self.catalog[tool];
        let invocation = |arguments| Invocation { run, step, call, tool, arguments, context };
        let given = invocation(arguments.as_ref().unwrap_or(&null));
        let checked = self.lifecycle.before(&given).and_then(|()| match &arguments {
            Ok(arguments) => self.check(tool_id, arguments),
            Err(error) => Err(format!("the arguments of \"{}\" are not JSON: {error}", tool.name())),
        });
        let output = match checked.and_then(|()| self.lifecycle.fence(&given)) {
            Ok(()) => self.handlers[tool_id.index()].call(invocation(given.arguments)).await,
            Err(refusal) => Output::Error(refusal),
        };
        self.close(&given, &output);
        output
    }

    /// The mounted tool of a definition: a surface may have been built for another catalog than this mount.
    fn own(&self, tool: &Tool) -> Option<ToolId> {
        self.catalog.find(tool.name()).filter(|own| self.catalog[*own].fingerprint() == tool.fingerprint())
    }

    /// Arguments against the schema; the first three problems are told, each with its place.
    fn check(&self, tool: ToolId, arguments: &Value) -> Result<(), String> {
        let name = self.catalog[tool].name();
        if !arguments.is_object() {
            return Err(format!("the arguments of \"{name}\" must be a JSON object"));
        }
        let Ok(validator) = self.validator(tool) else { return Ok(()) };
        if validator.is_valid(arguments) {
            return Ok(());
        }
        let place = |e: &jsonschema::ValidationError| {
            let (path, problem) = (e.instance_path().to_string(), shortened(&e.to_string()));
            if path.is_empty() { problem } else { format!("{}: {problem}", shortened(&path)) }
        };
        let problems: Vec<String> = validator.iter_errors(arguments).take(3).map(|e| place(&e)).collect();
        Err(format!("the arguments of \"{name}\" do not fit its schema: {}", problems.join("; ")))
    }

    fn close(&self, invocation: &Invocation<'_, C>, output: &Output) {
        match output {
            Output::Error(message) => self.lifecycle.error(invocation, message),
            output => self.lifecycle.after(invocation, output),
        }
    }
}

/// Most characters of one problem: a model that sends a megabyte must not read it again.
const PROBLEM: usize = 200;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(PROBLEM) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_string(),
    }
}
