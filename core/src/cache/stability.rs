//! How much of the request before is still the beginning of this one, and where do they part?

use std::iter::Sum;

use super::prompt::{Length, Prompt, Section};
use super::segment::{Kind, Segment};

/// One section of a request against the same section of the request before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stability {
    /// The longest common prefix.
    pub common: Length,
    /// The section before.
    pub before: Length,
    /// The section now.
    pub now: Length,
}

impl Stability {
    /// Compares a section of two consecutive requests; none for the first request.
    pub fn of(before: Option<&Prompt>, now: &Prompt, section: Section) -> Option<Self> {
        let before = before?;
        Some(Self {
            common: now.common_section(before, section),
            before: before.length(section),
            now: now.length(section),
        })
    }

    /// Common prefix over the length before: how much of the old prefix lives. None of an empty section.
    pub fn survival(&self) -> Shares {
        self.shares(self.before)
    }

    /// Common prefix over the length now: how much of the new prompt could be reused. None of an empty section.
    pub fn coverage(&self) -> Shares {
        self.shares(self.now)
    }

    fn shares(&self, of: Length) -> Shares {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        Shares {
            bytes: self.common.bytes.zip(of.bytes).and_then(|(part, whole)| share(part, whole)),
            tokens: share(self.common.tokens, of.tokens),
            segments: share(self.common.segments, of.segments),
        }
    }
}

/// A ratio in three units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// In UTF-8 bytes; none where no text is known.
    pub bytes: Option<f64>,
    /// In tokens.
    pub tokens: Option<f64>,
    /// In leading whole segments.
    pub segments: Option<f64>,
}

/// The first place where a request differs from the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// Kind of the first segment that differs; none: only scaffolding differs.
    pub kind: Option<Kind>,
    /// Its position among the segments.
    pub index: usize,
    /// The tool's name; empty for system text, messages and scaffolding.
    pub name: String,
    /// Bytes of it that are the same; none where no text is known.
    pub offset: Option<u64>,
}

/// Where a request parts from the one before; none where the old prompt is the beginning of the new one.
///
/// Told is the segment of the new request; of the old one where the new request ends earlier.
pub fn divergence(before: &Prompt, now: &Prompt) -> Option<Divergence> {
    if now.continues(before) {
        return None;
    }
    let (old, new) = (before.segments(), now.segments());
    let index = old.iter().zip(new).take_while(|(a, b)| a.same(b)).count();
    let told = |s: &Segment, offset| Some(Divergence { kind: Some(s.kind), index, name: s.name.clone(), offset });
    match (old.get(index), new.get(index)) {
        (Some(a), Some(b)) if a.kind == b.kind => told(b, now.common_in(b, before, a)),
        (_, Some(b)) => told(b, now.length(Section::Prompt).bytes.map(|_| 0)),
        (Some(a), None) => told(a, before.length(Section::Prompt).bytes.map(|_| 0)),
        (None, None) => Some(Divergence { kind: None, index, name: String::new(), offset: now.common(before).bytes }),
    }
}

/// Tool definitions that are sent after the first token that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Churn {
    /// Tokens of every definition after the common prefix.
    pub sent: u64,
    /// Of these, tokens of definitions that the request before held too.
    pub again: u64,
}

impl Churn {
    /// What one request sends of its definitions after the common prefix; nothing for the first request.
    pub fn of(before: Option<&Prompt>, now: &Prompt) -> Self {
        let Some(before) = before else { return Self::default() };
        let kept = now.common(before).tokens;
        let mut churn = Self::default();
        for segment in now.segments().iter().filter(|s| s.kind.defines_tool()) {
            let after = segment.tokens.end.saturating_sub(segment.tokens.start.max(kept));
            churn.sent += after;
            if before.segments().iter().any(|s| s.kind.defines_tool() && s.id == segment.id) {
                churn.again += after;
            }
        }
        churn
    }

    /// The sum over a session.
    pub fn of_session<'a>(prompts: impl IntoIterator<Item = &'a Prompt>) -> Self {
        consecutive(prompts).map(|(before, now)| Self::of(Some(before), now)).sum()
    }
}

impl Sum for Churn {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self { sent: sum.sent + one.sent, again: sum.again + one.again })
    }
}

/// Requests of a session that change something before the last segment of the request before.
pub fn breaks<'a>(prompts: impl IntoIterator<Item = &'a Prompt>) -> u64 {
    let broken = |(before, now): &(&Prompt, &Prompt)| {
        let whole = before.length(Section::Prompt).segments;
        now.common(before).segments < whole.saturating_sub(1)
    };
    consecutive(prompts).filter(broken).count() as u64
}

fn consecutive<'a>(prompts: impl IntoIterator<Item = &'a Prompt>) -> impl Iterator<Item = (&'a Prompt, &'a Prompt)> {
    let mut previous = None;
    prompts.into_iter().filter_map(move |now| previous.replace(now).map(|before| (before, now)))
}
