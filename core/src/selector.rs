//! Who finds the tools, if not the ranker?
//!
//! A selector answers names; what they may become is decided here. It may be a closure, or wait for something far away:
//! then the host gives a [`Stop`], which it sets off from any timer or thread of its own. This crate has no clock.

use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context as Waiting, Poll, Waker};

use crate::catalog::Catalog;
use crate::policy::{Answer, Ask, Found};
use crate::session::Session;
use crate::transcript::Call;

/// What a selector is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The query, within its ceiling and not blank.
    pub query: &'a str,
    /// Names past this number do not count.
    pub limit: usize,
    /// Every tool that a name may mean.
    pub catalog: &'a Catalog,
    /// The run.
    pub run: &'a str,
    /// The key of the surface.
    pub surface: &'a str,
    /// Set when nobody waits for the answer any more.
    pub stop: &'a Stop,
}

/// Answers a query with names of tools, best first.
///
/// Implemented for closures that answer at once. Names that no tool has, and names given twice, are dropped and counted;
/// all ceilings apply afterwards.
pub trait Selector: Send + Sync {
    /// The names, or why there are none: the model reads it as an ordinary tool error.
    fn select(&self, question: Question<'_>) -> impl Future<Output = Result<Vec<String>, String>> + Send;
}

impl<F> Selector for F
where
    F: Fn(Question<'_>) -> Result<Vec<String>, String> + Send + Sync,
{
    fn select(&self, question: Question<'_>) -> impl Future<Output = Result<Vec<String>, String>> + Send {
        ready(self(question))
    }
}

/// Why a search was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Its time is over.
    Deadline,
    /// Nobody wants it any more.
    Cancelled,
}

/// A switch that ends a search: one clone goes to the search, others to a timer and to whoever may cancel.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Mutex<Switch>>);

#[derive(Debug, Default)]
struct Switch {
    stopped: Option<Stopped>,
    waiting: Vec<Waker>,
}

impl Stop {
    /// A switch that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the switch; the first reason stays.
    ///
    /// ```
    /// use deferbench_core::selector::{Stop, Stopped};
    /// let stop = Stop::new();
    /// assert_eq!(stop.stopped(), None);
    /// stop.set(Stopped::Deadline);
    /// stop.set(Stopped::Cancelled);
    /// assert_eq!(stop.clone().stopped(), Some(Stopped::Deadline));
    /// ```
    pub fn set(&self, reason: Stopped) {
        let waiting = {
            let mut switch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            switch.stopped.get_or_insert(reason);
            std::mem::take(&mut switch.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    /// The reason, once the switch is set. A selector that works in pieces asks between them.
    pub fn stopped(&self) -> Option<Stopped> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).stopped
    }

    fn poll(&self, waiting: &mut Waiting<'_>) -> Poll<Stopped> {
        let mut switch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match switch.stopped {
            Some(reason) => Poll::Ready(reason),
            None => {
                if !switch.waiting.iter().any(|w| w.will_wake(waiting.waker())) {
                    switch.waiting.push(waiting.waker().clone());
                }
                Poll::Pending
            }
        }
    }
}

/// Waits for a future or for the switch, whichever comes first; what is not waited for is dropped.
async fn unless_stopped<T>(stop: &Stop, future: impl Future<Output = T>) -> Result<T, Stopped> {
    let mut future = pin!(future);
    std::future::poll_fn(|waiting| match stop.poll(waiting) {
        Poll::Ready(reason) => Poll::Ready(Err(reason)),
        Poll::Pending => Pin::as_mut(&mut future).poll(waiting).map(Ok),
    })
    .await
    // A selector that does not give way is still too late.
    .and_then(|value| stop.stopped().map_or(Ok(value), Err))
}

impl Session {
    /// Carries out a call of the search tool with a selector and records its result. An oversized or blank query and a
    /// repaired call never reach the selector; when it fails or is stopped, the model reads an ordinary error and the
    /// selection stays.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use deferbench_core::{Catalog, Tool, policy, selector::{Question, Stop, Stopped}, session::Session};
    /// use deferbench_core::{surface::{Surface, SurfaceConfig}, transcript::{Call, Output}};
    ///
    /// let catalog = Catalog::new(vec![Tool::new("clock", None, "{}").unwrap()]).unwrap();
    /// let (_, policy) = policy::build("replace").unwrap();
    /// let surface = Surface::new(SurfaceConfig::new(Arc::new(catalog), policy).unwrap()).unwrap();
    /// let mut session = Session::new(Arc::new(surface), "run-1");
    /// let remote = |_: Question<'_>| Ok(vec!["clock".to_string(), "clock".to_string(), "gone".to_string()]);
    ///
    /// let request = session.step(&[]).unwrap();
    /// let calls = session.receive(&request, "s1", "", vec![Call::new("c1", "tool_search", r#"{"query":"time"}"#)]);
    /// let answer = pollster::block_on(session.search_by(&calls[0], &remote, &Stop::new()));
    /// assert_eq!((answer.activated.len(), answer.evidence.unwrap().rejected_names), (1, 2));
    ///
    /// let (request, late) = (session.step(&[]).unwrap(), Stop::new());
    /// late.set(Stopped::Deadline);
    /// let calls = session.receive(&request, "s2", "", vec![Call::new("c2", "tool_search", r#"{"query":"time"}"#)]);
    /// let answer = pollster::block_on(session.search_by(&calls[0], &remote, &late));
    /// assert!(matches!(answer.output, Output::Error(text) if text.contains("in time")));
    /// assert_eq!(session.step(&[]).unwrap().activated.len(), 1);
    /// ```
    pub async fn search_by(&mut self, call: &Call, selector: &impl Selector, stop: &Stop) -> Answer {
        let (query, limit) = match self.ask(call) {
            Ask::Done(answer) => return self.record(call, answer),
            Ask::Search { query, limit } => (query, limit),
        };
        let surface = self.surface().clone();
        let run = self.run_id().to_string();
        let (catalog, query, run) = (surface.catalog().as_ref(), query.as_str(), run.as_str());
        let question = Question { query, limit, catalog, run, surface: surface.key(), stop };
        let failed = match unless_stopped(stop, async { selector.select(question).await }).await {
            Ok(Ok(names)) => return self.answer(call, &Found::from_names(catalog, names, limit)),
            Ok(Err(why)) => format!("the search failed: {why}"),
            Err(Stopped::Deadline) => "the search did not answer in time; nothing changed: try again".to_string(),
            Err(Stopped::Cancelled) => "the search was cancelled; nothing changed".to_string(),
        };
        self.record(call, Answer::error(failed))
    }
}
