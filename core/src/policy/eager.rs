//! Everything is always visible.

use std::sync::Arc;

use super::{Activation, Answer, Ask, Context, Fold, Found, Policy, PolicyEntry, PolicyError};
use crate::tool::Tool;
use crate::transcript::{Call, Event};

pub(super) static ENTRY: PolicyEntry = PolicyEntry {
    name: "eager",
    summary: "no deferral: every definition stands in every request; what the other policies are compared with",
    source: "plain tool calling",
    params: &[],
    limit_per_call: false,
    build: |_| Ok(Arc::new(Eager)),
};

const NO_SEARCH: &str = "there is no search: every tool is already visible";

struct Eager;

impl Policy for Eager {
    fn search_tool(&self) -> Option<Tool> {
        None
    }

    fn check(&self, _: Context) -> Result<(), PolicyError> {
        Ok(())
    }

    fn fold(&self) -> Box<dyn Fold> {
        Box::new(Self)
    }
}

impl Fold for Eager {
    fn push(&mut self, _: Context, _: &Event) {}

    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError> {
        // Nothing is activated one after the other, so the order of names stands for the order of activation.
        let mut tools: Vec<_> = context.catalog.ids().collect();
        tools.sort_by_key(|t| context.catalog.code_point_rank(*t));
        Ok(Activation { tools, pins: context.pins.len(), ..Activation::default() })
    }

    fn ask(&mut self, _: Context, _: &Call) -> Ask {
        Ask::Done(Answer::error(NO_SEARCH))
    }

    fn answer(&mut self, _: Context, _: &Call, _: &Found) -> Answer {
        Answer::error(NO_SEARCH)
    }
}
