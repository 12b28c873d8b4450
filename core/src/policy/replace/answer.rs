//! How is a search answered?

use super::fold::Receipts;
use crate::catalog::ToolId;
use crate::policy::{Answer, Ask, Context, Found, arguments, is_blank, query_of};
use crate::receipt::{Receipt, Status};
use crate::transcript::{Call, Output};

pub(super) const BLANK: &str = "the query is blank: describe the capability you need, or name a tool";

impl Receipts {
    pub(super) fn ask_for(&mut self, context: Context, call: &Call) -> Ask {
        if let Some(original) = &call.repaired {
            return Ask::Done(self.repair(context, call, original));
        }
        let arguments = match arguments(call) {
            Ok(arguments) => arguments,
            Err(message) => return Ask::Done(Answer::error(message)),
        };
        match query_of(&arguments) {
            Ok(query) if is_blank(query) => Ask::Done(Answer::error(BLANK)),
            Ok(query) if query.len() > self.policy.ceilings.query_bytes => {
                let step = self.settled(context).home(call).id;
                let receipt = self.policy.receipt(context, &self.run, &step, Status::SelectionRefused, &[]);
                Ask::Done(self.close(context, call, receipt, Vec::new(), None))
            }
            Ok(query) => Ask::Search { query: query.to_string(), limit: self.policy.ceilings.results },
            Err(message) => Ask::Done(Answer::error(message)),
        }
    }

    /// Selects what was found as far as the ceilings allow. What earlier calls of the same step selected stays: the
    /// receipts of one step are merged.
    pub(super) fn answer_with(&mut self, context: Context, call: &Call, found: &Found) -> Answer {
        let run = self.settled(context);
        let home = run.home(call);
        let (earlier, _) = run.own(&home);
        let policy = &self.policy;
        let (mut selected, mut refused, mut new) = (Vec::new(), Vec::new(), 0);
        for &tool in &found.tools {
            let alone = policy.over(policy.with_selected(context, &[tool]));
            let known = earlier.contains(&tool);
            let full = (!known && earlier.len() + new >= policy.ceilings.selected).then_some("selected");
            match alone.or(full) {
                Some(ceiling) => refused.push((tool, ceiling)),
                None => {
                    new += usize::from(!known);
                    selected.push(tool);
                }
            }
        }
        let mut whole = earlier.clone();
        whole.extend(selected.iter().filter(|t| !earlier.contains(t)));
        // Repairs of this step that pushed each other out all come back beside a search: they can be over a ceiling already.
        let full = (whole.len() > policy.ceilings.selected).then_some("selected");
        if let Some(ceiling) = full.or_else(|| policy.over(policy.with_selected(context, &whole))) {
            refused.splice(0..0, selected.drain(..).map(|t| (t, ceiling)));
        }
        let whole = (!selected.is_empty()).then_some(whole);
        let status = match (selected.is_empty(), refused.is_empty()) {
            (false, _) => Status::Selected,
            (true, false) => Status::SelectionRefused,
            (true, true) => Status::NoMatch,
        };
        let mut receipt = policy.receipt(context, &self.run, &home.id, status, &selected);
        receipt.refused = Some(policy.refused(context, &refused));
        receipt.truncated = found.matching > found.tools.len();
        self.close(context, call, receipt, selected, whole)
    }

    /// Cuts a receipt to its ceiling, signs it, and makes it the answer. `found` is what the receipt brings, `selection`
    /// what is selected then; none: what was selected before.
    pub(super) fn close(
        &mut self,
        context: Context,
        call: &Call,
        receipt: Receipt,
        mut found: Vec<ToolId>,
        mut selection: Option<Vec<ToolId>>,
    ) -> Answer {
        let cap = self.policy.ceilings.selected;
        let before = self.settled(context).selection(cap);
        let policy = &self.policy;
        let refused = receipt.refused.clone().unwrap_or_default();
        let step = receipt.step_id.clone().unwrap_or_default();
        let mut receipt = policy.fit(context, receipt, &found).unwrap_or_else(|| {
            found.clear();
            selection = None;
            let mut shortest = policy.receipt(context, &self.run, &step, Status::SelectionRefused, &[]);
            shortest.truncated = true;
            shortest
        });
        if receipt.json().len() > policy.ceilings.result_bytes {
            return Answer::error("the result ceiling is too small for any answer: raise result_bytes");
        }
        if let Some(key) = &policy.key {
            receipt.sign(key, &call.id);
        }
        Answer {
            output: Output::Json(receipt.json()),
            record: None,
            found: found.clone(),
            activated: found,
            selection: selection.unwrap_or(before),
            refused,
            evidence: None,
        }
    }
}
