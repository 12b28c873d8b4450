//! Everything is always visible.

use super::{Activation, Answer, Context, Policy, PolicyEntry, PolicyError};
use crate::tool::Tool;
use crate::transcript::{Call, Transcript};

pub(super) static ENTRY: PolicyEntry = PolicyEntry {
    name: "eager",
    summary: "no deferral: every definition stands in every request; what the other policies are compared with",
    source: "plain tool calling",
    params: &[],
    limit_per_call: false,
    build: |_| Ok(Box::new(Eager)),
};

struct Eager;

impl Policy for Eager {
    fn search_tool(&self) -> Option<Tool> {
        None
    }

    fn check(&self, _: Context) -> Result<(), PolicyError> {
        Ok(())
    }

    fn activation(&self, context: Context, _: &Transcript) -> Result<Activation, PolicyError> {
        // Nothing is activated one after the other, so the order of names stands for the order of activation.
        let mut tools: Vec<_> = context.catalog.ids().collect();
        tools.sort_by_key(|t| context.catalog.code_point_rank(*t));
        Ok(Activation { tools, dropped: Vec::new() })
    }

    fn search(&self, _: Context, _: &Transcript, _: &Call) -> Answer {
        Answer::error("there is no search: every tool is already visible")
    }
}
