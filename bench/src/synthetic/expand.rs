//! How does a session of sizes become requests?

use deferbench_core::cache::{Kind, Piece, Prompt, Request};
use deferbench_core::error::SpecError;
use deferbench_core::order::{self, Arrangement, Sequence, Slot};
use deferbench_core::{Catalog, Tool, ToolId};

use super::{Definitions, Seam, Synthetic, SyntheticError, stand_in};

/// The requests of a session under a seam.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// What a warm cache has already seen: the seam's own tools and the system text.
    pub shared: Request,
    /// The requests.
    pub requests: Vec<Request>,
    /// How many requests there are after each turn.
    pub after_turn: Vec<usize>,
}

/// Expands one script under several seams.
pub struct Expander<'a> {
    script: &'a Synthetic,
    catalog: Catalog,
    search: Tool,
    always_on: Vec<ToolId>,
    deferred: Vec<ToolId>,
}

impl<'a> Expander<'a> {
    /// Makes stand-ins for the tools of a script.
    ///
    /// # Errors
    /// [`SyntheticError`] when they make no catalog.
    pub fn new(script: &'a Synthetic) -> Result<Self, SyntheticError> {
        let always = (script.always_on_tokens > 0).then(|| stand_in("always_on"));
        let tools = always.into_iter().chain((0..script.deferred).map(|i| stand_in(&format!("tool_{i:07}"))));
        let catalog = Catalog::new(tools.collect::<Result<_, _>>()?)?;
        let always_on: Vec<ToolId> = catalog.find("always_on").into_iter().collect();
        let deferred = catalog.ids().filter(|t| !always_on.contains(t)).collect();
        Ok(Self { script, search: stand_in("search")?, always_on, deferred, catalog })
    }

    /// The requests under a seam.
    ///
    /// # Errors
    /// [`SpecError`] for a seam whose order is not known.
    pub fn expand(&self, seam: &Seam) -> Result<Expanded, SpecError> {
        let order = &order::build(seam.order)?;
        let script = self.script;
        let (mut active, mut history) = (0, Vec::new());
        let (mut requests, mut after_turn) = (Vec::new(), Vec::new());
        let shared = self.request(seam, order, 0, &[]);
        for turn in 1..=script.turns {
            let search = script.search.as_ref().filter(|s| s.before_turns.contains(&turn));
            if let Some(search) = search.filter(|_| seam.definitions != Definitions::Eager) {
                requests.push(self.request(seam, order, active, &history).answered(search.call_tokens));
                history.push(Piece::new(Kind::Call, &format!("call {turn}"), search.call_tokens));
                history.push(Piece::new(Kind::Result, &format!("result {turn}"), search.result_tokens));
                let found = active..self.deferred.len().min(active + search.activates as usize);
                active = found.end;
                history.extend(found.filter_map(|i| self.in_history(seam, i)));
            }
            requests.push(self.request(seam, order, active, &history).answered(script.turn.output_tokens));
            history.push(Piece::new(Kind::Assistant, &format!("answer {turn}"), script.turn.answer_tokens));
            history.push(Piece::new(Kind::User, &format!("user {turn}"), script.turn.user_tokens));
            after_turn.push(requests.len());
        }
        Ok(Expanded { shared, requests, after_turn })
    }

    /// A found tool's definition, where the seam puts it into the history.
    fn in_history(&self, seam: &Seam, tool: usize) -> Option<Piece> {
        let kind = match seam.definitions {
            Definitions::Message => Kind::Definition,
            Definitions::Bridge => Kind::Result,
            Definitions::Eager | Definitions::Array => return None,
        };
        let name = self.catalog[self.deferred[tool]].name();
        Some(Piece { kind, ..Piece::new(Kind::Definition, name, self.script.tool_tokens) })
    }

    /// A request: tools, system text, history.
    fn request(&self, seam: &Seam, order: &Sequence, active: usize, history: &[Piece]) -> Request {
        let activated = match seam.definitions {
            Definitions::Eager => &self.deferred[..],
            Definitions::Array => &self.deferred[..active],
            Definitions::Bridge | Definitions::Message => &[],
        };
        let search = Some(&self.search).filter(|_| seam.definitions != Definitions::Eager);
        let step = history.len() as u64;
        let arrangement = Arrangement { catalog: &self.catalog, search, base: &self.always_on, activated, step };
        let slot = |slot: Slot| match slot {
            Slot::Search => Piece::new(Kind::Tool, self.search.name(), self.script.search_tool_tokens),
            Slot::Tool(tool) if self.always_on.contains(&tool) => {
                Piece::new(Kind::Tool, self.catalog[tool].name(), self.script.always_on_tokens)
            }
            Slot::Tool(tool) => Piece::new(Kind::Tool, self.catalog[tool].name(), self.script.tool_tokens),
        };
        let mut pieces: Vec<Piece> = order.arrange(&arrangement).into_iter().map(slot).collect();
        if seam.definitions == Definitions::Bridge {
            pieces.push(Piece::new(Kind::Tool, "executor", self.script.executor_tokens));
        }
        if self.script.system_tokens > 0 {
            pieces.push(Piece::new(Kind::System, "system", self.script.system_tokens));
        }
        Request::new(Prompt::of_sizes(pieces.into_iter().chain(history.iter().cloned())))
    }
}
