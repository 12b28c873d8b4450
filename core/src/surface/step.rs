//! How does a fold become a request, and a search an answer with its evidence?

use std::collections::{BTreeMap, HashSet};

use super::{Request, StepError, Surface};
use crate::catalog::ToolId;
use crate::entry::{self, Definition, View};
use crate::evidence::{Evidence, Kind, Source};

use crate::policy::{Activation, Answer, Ask, Fold, Found};
use crate::tool::Tool;
use crate::transcript::{Call, Output};

/// What came before a request, beside what the fold has read.
pub(crate) struct Past {
    /// Whether the run defers tools.
    pub deferred: bool,
    /// Events from this position on count as written since the session was opened.
    pub current: usize,
    /// Number of model answers.
    pub step: u64,
    /// Definitions that stand in the history.
    pub history: Vec<Definition>,
}

impl Surface {
    /// The next request.
    pub(crate) fn request_from(
        &self,
        fold: &mut dyn Fold,
        pins: &[ToolId],
        run: &str,
        past: Past,
    ) -> Result<Request, StepError> {
        let Past { deferred, current, step, history } = past;
        let activation = match deferred {
            true => fold.activation(self.context(pins))?,
            // Everything is visible, in an order that no registration shows through.
            false => {
                let mut tools: Vec<ToolId> = self.config.catalog.ids().collect();
                tools.sort_by_key(|t| self.config.catalog.code_point_rank(*t));
                Activation { tools, pins: pins.len(), ..Activation::default() }
            }
        };
        let search = self.search.as_ref().filter(|_| deferred);
        let (pins, late) = pins.split_at(activation.pins.min(pins.len()));
        let mut base = self.base.clone();
        base.extend(pins.iter().filter(|t| !self.base.contains(t)));
        let activated: Vec<ToolId> = activation.tools.iter().filter(|t| !base.contains(t)).copied().collect();
        let view = View {
            catalog: &self.config.catalog,
            search,
            always_on: &self.base,
            base: &base,
            activated: &activated,
            step,
            order: &self.config.order,
        };
        let tools = if deferred { (self.config.entry.items)(&view) } else { entry::everything(&view) };
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
            ..self.evidence(Kind::Step, run, search, pins, &activation.tools)
        };
        let callable = base.iter().chain(&activated).copied().collect();
        let (pins, dropped) = (pins.to_vec(), activation.dropped);
        Ok(Request { tools, history, callable, pins, refused_pins, activated, dropped, evidence })
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
        if let Some(ceiling) = &answer.reason {
            *refused.entry(ceiling.clone()).or_default() += 1;
        }
        let evidence = Evidence {
            selected_tools: found.tools.len().max(repaired),
            replacement_tools: answer.activated.len(),
            rejected_names: found.rejected,
            matches: found.matching.max(repaired),
            refused,
            source: Source::Current,
            ..self.evidence(Kind::Search, run, self.search.as_ref(), &[], &answer.selection)
        };
        Answer { evidence: Some(evidence), ..answer }
    }

    fn evidence(&self, kind: Kind, run: &str, search: Option<&Tool>, pins: &[ToolId], selected: &[ToolId]) -> Evidence {
        let mut seen = HashSet::new();
        let active: Vec<ToolId> =
            self.base.iter().chain(pins).chain(selected).copied().filter(|t| seen.insert(*t)).collect();
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
