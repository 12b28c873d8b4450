//! What does a prefix cache make of a session?
//!
//! Prompts go in, tokens read and written come out, and a price; nothing is sent anywhere. A prompt is a row of labelled
//! segments ([`Prompt`]); a cache is data ([`Profile`]). Two kinds of matcher exist in the field: the longest common
//! prefix in whole blocks, and entries at written positions.
//!
//! | item | question |
//! |---|---|
//! | [`Stability`], [`divergence`], [`Churn`], [`breaks`] | How much of the request before survives, and where does it part? |
//! | [`simulate`], [`Usage`] | What does each request read and write? |
//! | [`Totals`], [`break_tax`] | What does the session cost, and what do broken prefixes cost? |
//! | [`crossings`], [`break_even`] | From which point on is one way cheaper? |
//!
//! ```
//! use deferbench_core::cache::{Kind, Piece, Profile, Prompt, Request, Totals, simulate};
//! let [tools, system, user] = [(Kind::Tool, "tools", 2000), (Kind::System, "system", 3000), (Kind::User, "user", 100)]
//!     .map(|(kind, label, tokens)| Piece::new(kind, label, tokens));
//! let first = Request::new(Prompt::of_sizes([tools.clone(), system.clone()]));
//! let second = Request::new(Prompt::of_sizes([tools, system, user]));
//! // Blocks of 128: 5,000 tokens in common are 39 whole blocks, 4,992 tokens.
//! let profile = Profile::example();
//! let usages = simulate(&profile, &[first, second]).unwrap();
//! assert_eq!((usages[0].hit, usages[1].hit), (Ok(0), Ok(4992)));
//! // 0.1 x 4,992 + (5,000 + 5,100 - 4,992)
//! assert!((Totals::of(&profile, &usages).cost.unwrap() - 5607.2).abs() < 1e-9);
//! ```

mod break_even;
mod breakpoints;
mod entry;
mod life;
mod lineage;
mod longest_prefix;
mod profile;
mod prompt;
mod request;
mod segment;
mod shift;
mod stability;
#[cfg(test)]
mod tests;
mod totals;
mod units;

pub use break_even::{Cheaper, Crossing, break_even, crossings, repaid_after};
pub use breakpoints::CacheError;
pub use lineage::{Descent, Grain, Stretch, descents};
pub use profile::{
    Against, Beyond, Entry, LongestPrefix, Matcher, Placement, Profile, Ratios, Readable, Setting, Since, Units,
    Unknown,
};
pub use prompt::{Length, Prompt, Section};
pub use request::{Breakpoints, Request, Usage};
pub use segment::{Kind, Label, Piece, Segment, content_id};
pub use stability::{Churn, Divergence, Shares, Stability, breaks, divergence};
pub use totals::{Totals, break_tax};

/// What a cache does with the requests of a session, in the order in which they start.
///
/// # Errors
/// [`CacheError`] for a request that the provider would refuse.
pub fn simulate(profile: &Profile, requests: &[Request]) -> Result<Vec<Usage>, CacheError> {
    run(profile, requests, &descents(requests.iter().map(|r| &r.prompt), grain(profile)))
}

/// [`simulate`] with the descents of the prompts token by token at hand, so that several profiles share them; one that
/// compares whole segments needs others.
///
/// # Errors
/// [`CacheError`] for a request that the provider would refuse.
pub fn simulate_on(profile: &Profile, requests: &[Request], by_token: &[Descent]) -> Result<Vec<Usage>, CacheError> {
    match grain(profile) {
        Grain::Token => run(profile, requests, by_token),
        Grain::Segment => simulate(profile, requests),
    }
}

/// The steps in which a cache compares prompts.
fn grain(profile: &Profile) -> Grain {
    match &profile.matcher {
        Matcher::LongestPrefix(matcher) if matcher.whole_segments => Grain::Segment,
        _ => Grain::Token,
    }
}

fn run(profile: &Profile, requests: &[Request], descents: &[Descent]) -> Result<Vec<Usage>, CacheError> {
    match &profile.matcher {
        Matcher::LongestPrefix(matcher) => Ok(longest_prefix::simulate(profile, matcher, requests, descents)),
        Matcher::Entry(matcher) => entry::simulate(profile, matcher, requests, descents),
    }
}
