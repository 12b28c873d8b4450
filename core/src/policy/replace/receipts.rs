//! How is a receipt written under its byte ceiling?

use super::{Compat, Replace};
use crate::catalog::ToolId;
use crate::policy::Context;
use crate::receipt::{KIND, Match, Receipt, Refused, Status};

/// What the model reads where even the shortest receipt does not fit.
pub(super) const NO_ROOM: &str = "the search has no room for an answer; the host has to allow longer results";

impl Replace {
    /// A receipt without descriptions, refused names or a repaired call.
    pub(super) fn receipt(
        &self,
        context: Context,
        run: &str,
        step: &str,
        status: Status,
        selected: &[ToolId],
    ) -> Receipt {
        let second = self.compat != Compat::Upstream;
        let prints = || selected.iter().map(|&t| context.catalog[t].fingerprint().to_string()).collect();
        Receipt {
            schema_version: if second { 2 } else { 1 },
            kind: KIND.to_string(),
            status,
            run_id: run.to_string(),
            surface_key: context.surface.to_string(),
            selected: selected.iter().map(|&t| context.catalog[t].name().to_string()).collect(),
            matches: Vec::new(),
            truncated: false,
            step_id: second.then(|| step.to_string()),
            fingerprints: second.then(prints),
            refused: second.then(Vec::new),
            reason: None,
            repaired: None,
            // A stand-in of the right length, so that the byte ceiling counts it.
            mac: self.key.filter(|_| second).map(|_| "0".repeat(64)),
        }
    }

    /// The shortest receipt: a refusal without names, for what does not fit otherwise.
    pub(super) fn refusal(&self, context: Context, run: &str, step: &str) -> Receipt {
        let refusal = self.receipt(context, run, step, Status::SelectionRefused, &[]);
        Receipt { truncated: true, ..refusal }
    }

    /// The refused tools as the model reads them.
    pub(super) fn refused(&self, context: Context, refused: &[(ToolId, &str)]) -> Vec<Refused> {
        let entry = |(tool, ceiling): &(ToolId, &str)| Refused {
            name: context.catalog[*tool].name().to_string(),
            ceiling: ceiling.to_string(),
            schema_bytes: context.catalog[*tool].schema_bytes() as u64,
        };
        refused.iter().map(entry).collect()
    }

    /// Makes a receipt fit: arguments of a repaired call and refused names give way, then descriptions are left out.
    /// Nothing where what is selected does not fit.
    pub(super) fn fit(&self, context: Context, mut receipt: Receipt, described: &[ToolId]) -> Option<Receipt> {
        let ceiling = self.ceilings.result_bytes;
        let long = receipt.json().len() > ceiling;
        if let Some(repaired) = receipt.repaired.as_mut().filter(|_| long) {
            repaired.arguments = None;
            repaired.arguments_omitted = true;
        }
        while receipt.json().len() > ceiling {
            receipt.refused.as_mut().and_then(Vec::pop)?;
            receipt.truncated = true;
        }
        let mut room = ceiling - receipt.json().len();
        for &tool in described {
            let tool = &context.catalog[tool];
            let entry = Match {
                name: tool.name().to_string(),
                description: tool.description().unwrap_or_default().to_string(),
            };
            let comma = usize::from(!receipt.matches.is_empty());
            let size = serde_json::to_string(&entry).map_or(usize::MAX, |s| s.len() + comma);
            if size > room {
                // `true` is one byte shorter than `false`, so this never grows the receipt.
                receipt.truncated = true;
                break;
            }
            room -= size;
            receipt.matches.push(entry);
        }
        Some(receipt)
    }
}
