//! What happens at a cache, request by request, and what comes out of it?

use super::profile::Unknown;
use super::prompt::Prompt;

/// One request to a cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The rendered prompt.
    pub prompt: Prompt,
    /// Who places breakpoints.
    pub breakpoints: Breakpoints,
    /// Second of the session at which it starts; never before that of the request before.
    pub at_s: u64,
    /// Seconds until its answer begins to stream.
    pub first_token_s: u64,
    /// Seconds until its answer is complete.
    pub done_s: u64,
    /// Tokens of its answer.
    pub output_tokens: u64,
}

/// Breakpoints, as positions of segments after which they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breakpoints {
    /// The cache's own.
    Automatic,
    /// The request's.
    Explicit(Vec<usize>),
    /// Both.
    Both(Vec<usize>),
}

impl Request {
    /// A request without a clock: it starts and ends at second 0.
    pub fn new(prompt: Prompt) -> Self {
        let breakpoints = Breakpoints::Automatic;
        Self { prompt, breakpoints, at_s: 0, first_token_s: 0, done_s: 0, output_tokens: 0 }
    }

    /// The same with an answer of so many tokens.
    pub fn answered(self, output_tokens: u64) -> Self {
        Self { output_tokens, ..self }
    }

    /// The same at a second of the session, with the seconds until the answer streams and until it is complete.
    pub fn at(self, at_s: u64, first_token_s: u64, done_s: u64) -> Self {
        Self { at_s, first_token_s, done_s, ..self }
    }

    /// The same with breakpoints of its own.
    pub fn marked(self, after_segments: &[usize]) -> Self {
        Self { breakpoints: Breakpoints::Explicit(after_segments.to_vec()), ..self }
    }
}

/// The tokens of one request: `prompt = hit + written + fresh`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// All tokens of the prompt.
    pub prompt: u64,
    /// Read from the cache.
    pub hit: Result<u64, Unknown>,
    /// Written to the cache.
    pub written: Result<u64, Unknown>,
    /// The longest common prefix with any earlier request: what no prefix cache can exceed.
    pub ceiling: u64,
    /// Tokens of the answer.
    pub output: u64,
}

impl Usage {
    /// Neither read nor written.
    pub fn fresh(&self) -> Result<u64, Unknown> {
        Ok(self.prompt.saturating_sub(self.hit? + self.written?))
    }

    /// Hit over prompt; unknown, or of an empty prompt: none.
    pub fn hit_ratio(&self) -> Option<f64> {
        self.hit.ok().filter(|_| self.prompt > 0).map(|hit| hit as f64 / self.prompt as f64)
    }

    /// Hit over what the prompts have in common: 1 where the cache takes all that the order of the tools offers.
    pub fn efficiency(&self) -> Option<f64> {
        self.hit.ok().filter(|_| self.ceiling > 0).map(|hit| hit as f64 / self.ceiling as f64)
    }
}
