//! What do the requests of a story come to?

use deferbench_core::Tool;
use deferbench_core::transcript::Event;

use crate::counter::CounterEntry;
use crate::layout::{Layout, Parts};
use crate::session::SYSTEM;

/// The counter of the tokens.
pub const COUNTER: &str = "o200k_base";

/// The layout of the prompts.
pub const LAYOUT: &str = "L1";

/// Counts requests, their tokens, and what each keeps of the one before.
pub struct Meter {
    layout: &'static Layout,
    counter: &'static CounterEntry,
    /// Requests so far.
    pub requests: u64,
    /// Tokens of all requests together, whole prompts.
    pub tokens: u64,
    before: Option<String>,
    kept: Vec<f64>,
}

impl Meter {
    /// A meter that has seen nothing.
    ///
    /// # Errors
    /// The text of an error, should layout or counter be missing.
    pub fn new() -> Result<Self, String> {
        let layout = Layout::find(LAYOUT).map_err(|e| e.to_string())?;
        let counter = CounterEntry::find(COUNTER).map_err(|e| e.to_string())?;
        Ok(Self { layout, counter, requests: 0, tokens: 0, before: None, kept: Vec::new() })
    }

    /// Measures one request.
    ///
    /// # Errors
    /// The text of an error for a prompt that cannot be counted.
    pub fn send(&mut self, tools: Vec<&Tool>, events: &[Event]) -> Result<(), String> {
        let text = (self.layout.render)(&Parts { tools, system: SYSTEM, events, ..Parts::default() }).text;
        self.requests += 1;
        self.tokens += (self.counter.counter)().count(&text).map_err(|e| e.to_string())?;
        if let Some(before) = &self.before {
            let unit = self.layout.unit;
            self.kept.push(unit.common_prefix(before, &text) as f64 / unit.len(before) as f64);
        }
        self.before = Some(text);
        Ok(())
    }

    /// Mean share of the previous request that is kept as a prefix, bytes of the whole prompt; none below two requests.
    pub fn survival(&self) -> Option<f64> {
        (!self.kept.is_empty()).then(|| self.kept.iter().sum::<f64>() / self.kept.len() as f64)
    }
}
