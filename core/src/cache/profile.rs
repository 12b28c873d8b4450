//! What is published about one prefix cache?
//!
//! Values only; who publishes which number, and when it was checked, stands in the data files of the harness. `None` is
//! a value that nobody publishes: a figure that needs it is unknown too.

use thiserror::Error;

/// A figure that cannot be told, because the profile has no value for this field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Error)]
#[error("\"{0}\" is not published; give the profile a value for it")]
pub struct Unknown(pub &'static str);

/// A number that a cache may do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Not there: no expiry, no eviction, no limit.
    Off,
    /// There, with this number.
    At(u64),
}

/// What an age is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// The start of the request: generation time counts.
    Start,
    /// The end of its answer.
    End,
}

/// When another request can read what a request writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readable {
    /// When the answer begins to stream.
    FirstToken,
    /// When the answer is complete.
    End,
}

/// Prices as multiples of the base input price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratios {
    /// A token that is written to the cache.
    pub write: Option<f64>,
    /// A token that is read from the cache.
    pub read: Option<f64>,
    /// A token that is neither.
    pub uncached: Option<f64>,
    /// A token of output.
    pub output: Option<f64>,
    /// A written token that is kept for an hour.
    pub storage: Option<f64>,
}

/// One prefix cache.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name used in flags.
    pub name: String,
    /// Prices.
    pub ratios: Ratios,
    /// The shortest prefix that is cached.
    pub min_tokens: Option<u64>,
    /// Seconds that an entry lives.
    pub ttl_s: Option<Setting>,
    /// True: reading starts the life again.
    pub refresh_on_read: Option<bool>,
    /// What a life is counted from.
    pub ttl_since: Option<Since>,
    /// When an entry can be read.
    pub readable: Option<Readable>,
    /// How a prompt finds what is cached.
    pub matcher: Matcher,
}

impl Profile {
    /// A cache for examples and tests: blocks of 128 tokens, at least 1,024, a tenth of the price, nothing ever leaves.
    pub fn example() -> Self {
        Self {
            name: "example".to_string(),
            ratios: Ratios {
                write: Some(1.0),
                read: Some(0.1),
                uncached: Some(1.0),
                output: Some(5.0),
                storage: Some(0.0),
            },
            min_tokens: Some(1024),
            ttl_s: Some(Setting::Off),
            refresh_on_read: Some(true),
            ttl_since: Some(Since::Start),
            readable: Some(Readable::FirstToken),
            matcher: Matcher::LongestPrefix(LongestPrefix {
                block: Some(128),
                recompute_last: Some(true),
                against: Against::All,
                whole_segments: false,
                capacity_tokens: Some(Setting::Off),
                shift_reuse: Some(Setting::Off),
            }),
        }
    }
}

/// How a prompt finds what is cached.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    /// The longest common prefix with a live request, in whole blocks.
    LongestPrefix(LongestPrefix),
    /// Exactly the positions that an earlier request wrote.
    Entry(Entry),
}

/// Which earlier requests are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// All that are still cached.
    All,
    /// The request before only.
    Previous,
}

/// A cache of blocks: vLLM's hash chain, SGLang's radix tree, most implicit caches.
#[derive(Debug, Clone, PartialEq)]
pub struct LongestPrefix {
    /// Tokens of a block.
    pub block: Option<u64>,
    /// True: the last token of a prompt is always computed, so a hit ends before it.
    pub recompute_last: Option<bool>,
    /// Which earlier requests are looked at.
    pub against: Against,
    /// True: only whole equal segments count.
    pub whole_segments: bool,
    /// Tokens that fit; past it the least recently used block leaves.
    pub capacity_tokens: Option<Setting>,
    /// Chunks of at least so many tokens are reused beyond the common prefix, by shifting.
    pub shift_reuse: Option<Setting>,
}

/// Where the cache itself places a breakpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Nowhere.
    None,
    /// After the last content block.
    LastBlock,
    /// After the newest message of the user or result of a tool.
    NewestUserOrTool,
    /// After tools and system text: a named resource that no request can change.
    ToolsAndSystem,
}

/// What happens to more breakpoints than the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The request is refused.
    Refused,
    /// The latest ones count.
    Latest,
}

/// A cache of written positions: breakpoints of the request, or units of the cache's own choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where the cache itself places a breakpoint.
    pub placement: Placement,
    /// Most breakpoints of a request, the cache's own included.
    pub max_breakpoints: Option<Setting>,
    /// What happens to more.
    pub beyond: Option<Beyond>,
    /// Positions that are looked at for each breakpoint, itself the first; off: the breakpoint only.
    pub lookback_positions: Option<Setting>,
    /// True: a run of tool calls, or of results, is one position.
    pub lookback_joins_runs: Option<bool>,
    /// Earlier messages at which the cache would have placed a breakpoint, and which it looks at.
    pub lookback_breakpoints: Option<Setting>,
    /// Units that the cache writes by itself, and finds at any position.
    pub units: Option<Units>,
}

/// Positions that a cache writes without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// At the end of the input.
    pub end_of_input: bool,
    /// At the end of the answer.
    pub end_of_output: bool,
    /// Where two requests part: readable from the third on.
    pub common_prefix: bool,
    /// At every so many tokens.
    pub interval: Option<Setting>,
}
