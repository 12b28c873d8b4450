//! How is a search answered?

use super::fold::Receipts;
use super::receipts::NO_ROOM;
use crate::catalog::ToolId;
use crate::policy::{Answer, Ask, BLANK, Context, Found, arguments, is_blank, query_of};
use crate::receipt::{Receipt, Status};
use crate::transcript::{Call, Output};

impl Receipts {
    pub(super) fn ask_for(&mut self, context: Context, call: &Call) -> Ask {
        let home = match self.settled(context).home(call) {
            Ok(home) => home,
            Err(message) => return Ask::Done(Answer::error(message)),
        };
        if let Some(original) = &call.repaired {
            return Ask::Done(self.repair(context, call, original, &home));
        }
        let arguments = match arguments(call) {
            Ok(arguments) => arguments,
            Err(message) => return Ask::Done(Answer::error(message)),
        };
        match query_of(&arguments) {
            Ok(query) if is_blank(query) => Ask::Done(Answer::error(BLANK)),
            Ok(query) if query.len() > self.policy.ceilings.query_bytes => {
                let mut receipt = self.policy.receipt(context, &self.run, &home.id, Status::SelectionRefused, &[]);
                receipt.reason = Some("query_bytes".to_string());
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
        let home = match run.home(call) {
            Ok(home) => home,
            Err(message) => return Answer::error(message),
        };
        let (mut whole, _) = run.own(&home);
        let policy = &self.policy;
        let (mut selected, mut refused): (Vec<ToolId>, Vec<_>) = (Vec::new(), Vec::new());
        for &tool in &found.tools {
            if selected.contains(&tool) {
                continue;
            }
            let known = whole.contains(&tool);
            if !known {
                whole.push(tool);
            }
            // Best first: what does not fit leaves its place to the next.
            match policy.full(context, &whole) {
                None => selected.push(tool),
                Some(ceiling) => {
                    refused.push((tool, ceiling));
                    whole.truncate(whole.len() - usize::from(!known));
                }
            }
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
            let mut shortest = policy.refusal(context, &self.run, &step);
            shortest.reason = Some("result_bytes".to_string());
            if shortest.json().len() > policy.ceilings.result_bytes {
                shortest.reason = None;
            }
            shortest
        });
        if receipt.json().len() > policy.ceilings.result_bytes {
            return Answer::error(NO_ROOM);
        }
        if let Some(key) = &policy.key {
            receipt.sign(key, &call.id);
        }
        let json = receipt.json();
        Answer {
            output: Output::Json(json),
            record: None,
            found: found.clone(),
            activated: found,
            selection: selection.unwrap_or(before),
            refused,
            reason: receipt.reason,
            evidence: None,
        }
    }
}
