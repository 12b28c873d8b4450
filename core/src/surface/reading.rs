//! What do a policy and an entry remember of the events so far?

use super::Surface;
use super::history::History;
use super::step::Past;
use crate::policy::Fold;
use crate::transcript::Event;

/// Everything that was read of a transcript, event by event.
pub(crate) struct Reading {
    /// What the policy remembers.
    pub(crate) fold: Box<dyn Fold>,
    history: History,
    /// Number of model answers.
    steps: u64,
}

impl Reading {
    pub(crate) fn new(surface: &Surface) -> Self {
        Self { fold: surface.fold(), history: History::default(), steps: 0 }
    }

    pub(crate) fn push(&mut self, surface: &Surface, event: &Event) {
        self.fold.push(surface.context(&[]), event);
        self.history.read(surface, self.fold.as_mut(), event);
        self.steps += u64::from(matches!(event, Event::Assistant { .. }));
    }

    /// What comes before the next request.
    pub(crate) fn past(&mut self, surface: &Surface, deferred: bool, current: usize) -> Past {
        let history = self.history.definitions(surface, self.fold.as_mut());
        Past { deferred, current, step: self.steps, history }
    }
}
