//! Which parts of a request does a layout print?

use deferbench_core::entry::Item;
use deferbench_core::surface::{Request, Surface};
use deferbench_core::transcript::Event;

use super::SYSTEM;
use crate::layout::{Parts, Placed};

/// What a layout prints of a request.
pub fn parts<'a, 'h>(surface: &'a Surface, request: &Request, events: &'h [Event]) -> Parts<'a, 'h> {
    let deferred = request.tools.iter().filter(|item| matches!(item, Item::Deferred(_)));
    let placed = |form| {
        let catalog = surface.catalog();
        request.history.iter().map(move |d| Placed { after: d.after, tool: &catalog[d.tool], form }).collect()
    };
    Parts {
        tools: surface.definitions(request),
        deferred: deferred.filter_map(|item| surface.definition(*item)).collect(),
        definitions: surface.entry().history.map(placed).unwrap_or_default(),
        system: SYSTEM,
        events,
    }
}
