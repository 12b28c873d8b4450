//! Which definitions stand in the history, and where?

use std::collections::HashSet;

use super::Surface;
use crate::catalog::ToolId;
use crate::entry::Definition;
use crate::policy::Fold;
use crate::transcript::Event;

/// The definitions that searches have brought into the history so far, for entries that write them there.
///
/// A definition is written once, behind the first search result that selects its tool. It stays when the tool leaves the
/// selection: a history is only ever appended to.
#[derive(Default)]
pub(crate) struct History {
    definitions: Vec<Definition>,
    known: HashSet<ToolId>,
    events: usize,
    /// A snapshot was read whose search result has not come.
    open: bool,
}

impl History {
    /// Reads an event that the fold has just read.
    pub(crate) fn read(&mut self, surface: &Surface, fold: &mut dyn Fold, event: &Event) {
        if surface.config.entry.history.is_none() {
            return;
        }
        let search = surface.search.as_ref().map(|s| s.name());
        match event {
            Event::Result { tool, .. } if self.open || search == Some(tool) => {
                self.note(surface, fold, self.events);
            }
            Event::Selection { .. } => {
                self.settle(surface, fold);
                self.open = true;
            }
            _ => self.settle(surface, fold),
        }
        self.events += 1;
    }

    /// The definitions of the next request.
    pub(crate) fn definitions(&mut self, surface: &Surface, fold: &mut dyn Fold) -> Vec<Definition> {
        self.settle(surface, fold);
        self.definitions.clone()
    }

    /// A snapshot without a result, for example after a compaction, stands for itself.
    fn settle(&mut self, surface: &Surface, fold: &mut dyn Fold) {
        if self.open {
            self.note(surface, fold, self.events.saturating_sub(1));
        }
    }

    fn note(&mut self, surface: &Surface, fold: &mut dyn Fold, after: usize) {
        self.open = false;
        // A damaged record activates nothing; the request itself tells about it.
        let Ok(activation) = fold.activation(surface.context(&[])) else { return };
        let new = activation.tools.into_iter().filter(|t| !surface.base.contains(t));
        for tool in new {
            if self.known.insert(tool) {
                self.definitions.push(Definition { after, tool });
            }
        }
    }
}
