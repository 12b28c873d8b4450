//! What becomes of a call of a tool that the model cannot see?

use super::fold::{Home, Receipts};
use crate::policy::{Answer, Context};
use crate::receipt::{Repaired, Status};
use crate::transcript::{Call, Original};

impl Receipts {
    /// Adds the tool to the selection. At a ceiling the tool with the oldest last call or activation leaves, the one
    /// activated first among equals; never one that a search of the same step has just promised.
    pub(super) fn repair(&mut self, context: Context, call: &Call, original: &Original, home: &Home) -> Answer {
        let Some(tool) = context.catalog.find(&original.name) else {
            return Answer::error(format!("there is no tool \"{}\"", original.name));
        };
        let cap = self.policy.ceilings.selected;
        let run = self.settled(context);
        let searched = run.own(home).1;
        let mut selected = run.selection(cap);
        let uses: Vec<usize> = selected.iter().map(|t| run.last_use(*t)).collect();
        let policy = &self.policy;
        let over = |selected: &[_]| policy.full(context, selected);
        let (name, arguments) = (original.name.clone(), Some(original.arguments.clone()));
        let repaired = Some(Repaired { name, arguments, arguments_omitted: false });
        let mut uses: Vec<_> = selected.iter().copied().zip(uses).filter(|(t, _)| *t != tool).collect();
        if !selected.contains(&tool) {
            selected.push(tool);
        }
        let mut refused = over(&[tool]);
        while let (None, Some(ceiling)) = (refused, over(&selected)) {
            let oldest = uses.iter().enumerate().min_by_key(|(at, (_, last))| (*last, *at)).map(|(at, _)| at);
            match oldest.filter(|_| !searched) {
                Some(at) => {
                    let (leaves, _) = uses.remove(at);
                    selected.retain(|t| *t != leaves);
                }
                None => refused = Some(ceiling),
            }
        }
        if let Some(ceiling) = refused {
            let mut receipt = policy.receipt(context, &self.run, &home.id, Status::SelectionRefused, &[]);
            receipt.refused = Some(policy.refused(context, &[(tool, ceiling)]));
            receipt.repaired = repaired;
            return self.close(context, call, receipt, Vec::new(), None);
        }
        let mut receipt = policy.receipt(context, &self.run, &home.id, Status::SearchRequired, &selected);
        receipt.repaired = repaired;
        self.close(context, call, receipt, vec![tool], Some(selected))
    }
}
