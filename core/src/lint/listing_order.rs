//! Two listings in two sequences.

use std::collections::HashMap;

use super::{Check, Counted, Point, Rule, Severity};

pub(super) static ENTRY: Rule = Rule {
    name: "listing-order",
    severity: Severity::Warning,
    summary: "the second listing has the same tools in another sequence",
    why: "everything behind the first tool that moved is no longer a prefix: the prompt cache is written again",
    remedy: "list tools in one sequence, by name for instance",
    source: "google-gemini/gemini-cli#12615, openclaw/openclaw#58037",
    counted: Counted::No,
    check: Check::All(|lint, found| {
        let Some(other) = lint.against else { return };
        let places = super::listing_content::places(other);
        let mut seen: HashMap<&str, usize> = HashMap::new();
        // Server by server, tools of both listings only: what is new or gone is another matter.
        for (i, d) in lint.definitions.iter().enumerate() {
            let Some(&place) = places.get(&(d.server(), d.name())) else { continue };
            let last = seen.entry(d.server()).or_insert(place);
            if place < *last {
                let what = format!("position {i} here, before its predecessor in the second listing");
                found(Some(i), Point::new("", what, "the same sequence in both"));
                // The first tool that moved is what breaks the prefix.
                return;
            }
            *last = place;
        }
    }),
};
