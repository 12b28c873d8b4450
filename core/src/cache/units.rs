//! Which positions does a cache write by itself?
//!
//! DeepSeek's cache prefix units: at the end of the input, at the end of the answer, where several requests part, and at
//! fixed intervals (DeepSeek API docs, context caching).

use std::collections::BTreeSet;

use super::entry::Entries;
use super::life::Stamp;
use super::lineage::Descent;
use super::profile::{Setting, Units, Unknown};
use super::request::Request;

/// The positions that a request writes.
pub(super) fn ends(units: Units, request: &Request, descent: &Descent) -> BTreeSet<u64> {
    let prompt = request.prompt.tokens();
    let mut ends = BTreeSet::new();
    if units.end_of_input {
        ends.insert(prompt);
    }
    if units.common_prefix {
        // What this request shares with another, and that two others share already was written when they came.
        ends.extend(descent.path.iter().rev().skip(1).map(|s| s.end));
    }
    if let Some(Setting::At(interval)) = units.interval.filter(|i| *i != Setting::At(0)) {
        ends.extend((1..=prompt / interval).map(|k| k * interval));
    }
    ends
}

/// Writes the end of the answer that this request continues: only now is it known which tokens it has.
pub(super) fn answers(
    units: Units,
    entries: &mut Entries,
    answered: &mut BTreeSet<usize>,
    requests: &[Request],
    now: usize,
    descent: &Descent,
) {
    let Some(asked) = descent.extends.filter(|_| units.end_of_output) else { return };
    let start = requests[asked].prompt.tokens();
    let after = requests[now].prompt.segments().iter().skip_while(|s| s.tokens.start < start);
    let answer = after.take_while(|s| s.kind.is_output()).last().map(|s| s.tokens.end);
    // A request has one answer: who continues it with other words continues something else.
    if let Some((end, owner)) = answer.and_then(|end| Some((end, descent.owner_before(end)?)))
        && answered.insert(asked)
    {
        entries.entry((owner, end)).or_insert(Stamp::new(asked));
    }
}

/// Every written position on the way of a prompt.
pub(super) fn positions(entries: &Entries, descent: &Descent) -> BTreeSet<u64> {
    let mut from = 0;
    let mut out = BTreeSet::new();
    for stretch in &descent.path {
        if stretch.end > from {
            let range = (stretch.owner, from + 1)..=(stretch.owner, stretch.end);
            out.extend(entries.range(range).map(|((_, end), _)| *end));
            from = stretch.end;
        }
    }
    out
}

/// A hit is certain where every unit is known, or where no prefix could be longer.
pub(super) fn certain(units: Units, hit: u64, min: Option<u64>, descent: &Descent) -> Result<(), Unknown> {
    let longest = descent.longest();
    match units.interval {
        None if hit < longest && min.is_none_or(|min| longest >= min) => Err(Unknown("unit_interval")),
        _ => Ok(()),
    }
}
