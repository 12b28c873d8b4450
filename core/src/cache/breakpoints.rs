//! Where does a request write entries, and where does it look for them?

use std::collections::BTreeSet;

use thiserror::Error;

use super::profile::{Beyond, Entry, Placement, Setting, Unknown};
use super::prompt::Prompt;
use super::request::{Breakpoints, Request};
use super::segment::{Kind, Segment};

/// Why a provider would refuse a request.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// More breakpoints than the most.
    #[error("request {request}: {found} breakpoints, the most are {most}; mark fewer blocks")]
    TooManyBreakpoints {
        /// Position of the request, from 0.
        request: usize,
        /// How many there are, the automatic one included.
        found: usize,
        /// The most.
        most: u64,
    },
    /// A breakpoint after a segment that is not there.
    #[error(
        "request {request}: a breakpoint after segment {segment}, but there are {segments} segments, counted from 0"
    )]
    NoSuchSegment {
        /// Position of the request, from 0.
        request: usize,
        /// The position given.
        segment: usize,
        /// How many there are.
        segments: usize,
    },
}

/// The breakpoints of one request, as positions in tokens.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    /// At which an entry is written.
    pub written: BTreeSet<u64>,
    /// At which an entry may be found: also those past the most.
    pub all: BTreeSet<u64>,
    /// The cache places one by itself.
    automatic: bool,
}

/// The breakpoints of a request, its own and the cache's.
pub(super) fn marks(matcher: &Entry, now: usize, request: &Request) -> Result<Result<Marks, Unknown>, CacheError> {
    let segments = request.prompt.segments();
    let (automatic, explicit) = match &request.breakpoints {
        Breakpoints::Automatic => (true, &[][..]),
        Breakpoints::Explicit(after) => (false, &after[..]),
        Breakpoints::Both(after) => (true, &after[..]),
    };
    let mut own = BTreeSet::new();
    for &segment in explicit {
        let Some(marked) = segments.get(segment) else {
            return Err(CacheError::NoSuchSegment { request: now, segment, segments: segments.len() });
        };
        own.insert(marked.tokens.end);
    }
    let placed = automatic.then(|| place(matcher.placement, &request.prompt)).flatten();
    own.extend(placed);
    let most = match matcher.max_breakpoints {
        Some(Setting::At(most)) => most,
        Some(Setting::Off) => u64::MAX,
        None if own.len() <= 1 => 1,
        None => return Ok(Err(Unknown("max_breakpoints"))),
    };
    let mut written = own.clone();
    if own.len() as u64 > most {
        match matcher.beyond {
            Some(Beyond::Refused) => {
                return Err(CacheError::TooManyBreakpoints { request: now, found: own.len(), most });
            }
            Some(Beyond::Latest) => written = own.iter().rev().take(most as usize).copied().collect(),
            None => return Ok(Err(Unknown("beyond"))),
        }
    }
    Ok(Ok(Marks { written, all: own, automatic }))
}

/// Where the cache itself places its breakpoint.
fn place(placement: Placement, prompt: &Prompt) -> Option<u64> {
    let segments = prompt.segments();
    let chosen = match placement {
        Placement::None => None,
        Placement::LastBlock => segments.last(),
        Placement::NewestUserOrTool => segments.iter().rev().find(|s| eligible(s)),
        Placement::ToolsAndSystem => segments.iter().take_while(|s| matches!(s.kind, Kind::Tool | Kind::System)).last(),
    };
    chosen.map(|s| s.tokens.end)
}

/// A message after which the cache may place a breakpoint: no output of the model.
fn eligible(segment: &Segment) -> bool {
    matches!(segment.kind, Kind::User | Kind::Result | Kind::Definition)
}

/// The positions at which a request looks for an entry.
pub(super) fn probes(matcher: &Entry, request: &Request, marks: &Marks) -> Result<BTreeSet<u64>, Unknown> {
    let mut probes = marks.all.clone();
    let segments = request.prompt.segments();
    if marks.automatic && matcher.placement == Placement::NewestUserOrTool {
        probes.extend(segments.iter().filter(|s| eligible(s)).map(|s| s.tokens.end));
    }
    match matcher.lookback_breakpoints {
        Some(Setting::At(most)) => probes = probes.into_iter().rev().take(most as usize).collect(),
        Some(Setting::Off) => {}
        None => return Err(Unknown("lookback_breakpoints")),
    }
    match matcher.lookback_positions {
        Some(Setting::At(positions)) => {
            for (at, _) in segments.iter().enumerate().filter(|(_, s)| marks.all.contains(&s.tokens.end)) {
                probes.extend(behind(segments, at, positions, matcher.lookback_joins_runs)?);
            }
        }
        Some(Setting::Off) => {}
        None => return Err(Unknown("lookback_positions")),
    }
    Ok(probes)
}

/// The ends of the segments that a breakpoint after segment `at` looks back at, itself the first position.
fn behind(segments: &[Segment], at: usize, positions: u64, joins: Option<bool>) -> Result<Vec<u64>, Unknown> {
    let mut ends = Vec::new();
    let mut position = 1;
    for (i, segment) in segments[..=at].iter().enumerate().rev() {
        if position > positions {
            break;
        }
        ends.push(segment.tokens.end);
        let run = matches!(segment.kind, Kind::Call | Kind::Result);
        position += match joins {
            Some(true) if run => u64::from(i == 0 || segments[i - 1].kind != segment.kind),
            None if run => return Err(Unknown("lookback_joins_runs")),
            _ => segment.blocks,
        };
    }
    Ok(ends)
}
