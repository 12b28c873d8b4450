//! What does a session cost?

use std::collections::BTreeSet;

use super::profile::{Profile, Ratios, Setting, Unknown};
use super::request::Usage;

/// The sums over a session. A sum with an unknown part is unknown.
#[derive(Debug, Clone, PartialEq)]
pub struct Totals {
    /// Model requests.
    pub requests: u64,
    /// Prompt tokens of all requests.
    pub prefill: u64,
    /// The longest prompt.
    pub peak: u64,
    /// Tokens of all answers.
    pub output: u64,
    /// Tokens read from the cache.
    pub hit: Option<u64>,
    /// Tokens written to the cache.
    pub written: Option<u64>,
    /// Tokens neither read nor written.
    pub fresh: Option<u64>,
    /// In base input tokens: `read * hit + write * written + uncached * fresh + output * answers`, and storage.
    pub cost: Option<f64>,
    /// Fields without a published value that a missing figure needs.
    pub unknown: BTreeSet<&'static str>,
}

impl Totals {
    /// Sums up a session.
    ///
    /// A ratio is needed only where there are tokens to multiply it with: a session without output has a cost under a
    /// profile that does not tell the price of output.
    pub fn of(profile: &Profile, usages: &[Usage]) -> Self {
        let mut unknown = BTreeSet::new();
        let sum = |value: &dyn Fn(&Usage) -> Result<u64, Unknown>| usages.iter().map(value).sum::<Result<u64, _>>();
        let mut note = |sum: Result<u64, Unknown>| sum.inspect_err(|u| _ = unknown.insert(u.0)).ok();
        let hit = note(sum(&|u| u.hit));
        let written = note(sum(&|u| u.written));
        let fresh = note(sum(&|u| u.fresh()));
        let output = usages.iter().map(|u| u.output).sum();
        let ratios = &profile.ratios;
        let mut term = |tokens: Option<u64>, ratio: Option<f64>, field: &'static str| match (tokens, ratio) {
            (Some(0), _) => Some(0.0),
            (Some(tokens), Some(ratio)) => Some(ratio * tokens as f64),
            (_, None) => {
                unknown.insert(field);
                None
            }
            (None, _) => None,
        };
        let parts = [
            term(hit, ratios.read, "read"),
            term(written, ratios.write, "write"),
            term(fresh, ratios.uncached, "uncached"),
            term(Some(output), ratios.output, "output"),
            match (ratios.storage, profile.ttl_s) {
                (Some(0.0), _) => Some(0.0),
                (Some(storage), Some(Setting::At(s))) => term(written, Some(storage * s as f64 / 3600.0), "storage"),
                (Some(_), _) => term(written, None, "ttl_s"),
                (None, _) => term(written, None, "storage"),
            },
        ];
        Self {
            requests: usages.len() as u64,
            prefill: usages.iter().map(|u| u.prompt).sum(),
            peak: usages.iter().map(|u| u.prompt).max().unwrap_or(0),
            output,
            hit,
            written,
            fresh,
            cost: parts.into_iter().sum(),
            unknown,
        }
    }

    /// Hit over prompt tokens; none without tokens.
    pub fn hit_ratio(&self) -> Option<f64> {
        self.hit.filter(|_| self.prefill > 0).map(|hit| hit as f64 / self.prefill as f64)
    }

    /// Prompt tokens that were not read from the cache.
    pub fn uncached(&self) -> Option<u64> {
        self.hit.map(|hit| self.prefill - hit)
    }

    /// The cost in money, for a price of a million base input tokens.
    pub fn money(&self, price_per_million: f64) -> Option<f64> {
        self.cost.map(|cost| cost * price_per_million / 1e6)
    }
}

/// What broken prefixes cost against an ideal seam on the same requests: `(write - read) * sum(ideal hit - own hit)`.
///
/// # Errors
/// [`Unknown`] for a ratio or hit that is not known. Sessions of different lengths cannot be compared: `None`.
pub fn break_tax(profile: &Profile, ideal: &[Usage], own: &[Usage]) -> Result<Option<f64>, Unknown> {
    if ideal.len() != own.len() {
        return Ok(None);
    }
    let hits = |usages: &[Usage]| usages.iter().map(|u| u.hit).sum::<Result<u64, Unknown>>();
    Ok(Some(profile.ratios.spread()? * (hits(ideal)? as f64 - hits(own)? as f64)))
}

impl Ratios {
    /// What a token costs more that is written where it could have been read.
    ///
    /// # Errors
    /// [`Unknown`] for a ratio that is not known.
    pub fn spread(&self) -> Result<f64, Unknown> {
        Ok(self.write.ok_or(Unknown("write"))? - self.read.ok_or(Unknown("read"))?)
    }
}
