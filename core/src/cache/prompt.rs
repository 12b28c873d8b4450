//! What is one rendered request to a cache, and how much do two have in common?

use std::ops::Range;

use super::segment::{Kind, Label, Piece, Segment, content_id};

/// A rendered request: labelled segments, and the text and tokens where they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    segments: Vec<Segment>,
    size: Length,
    /// The tools section in bytes and in tokens.
    tools: (Range<u64>, Range<u64>),
    text: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Text {
    text: String,
    /// The byte at which each token ends.
    ends: Vec<u64>,
}

impl Text {
    /// Leading tokens that two stretches have in common, and bytes. A token is its bytes: two are the same where they
    /// begin and end at the same place of equal bytes.
    fn common(
        &self,
        (bytes, tokens): (Range<usize>, Range<usize>),
        other: &Self,
        theirs: (Range<usize>, Range<usize>),
    ) -> (u64, u64) {
        let (start, offset) = (bytes.start as u64, theirs.0.start as u64);
        let same = common(&self.text.as_bytes()[bytes], &other.text.as_bytes()[theirs.0]);
        let pairs = self.ends[tokens].iter().zip(&other.ends[theirs.1]);
        let whole = pairs.take_while(|(a, b)| **a - start <= same && **a - start == **b - offset).count();
        (same, whole as u64)
    }
}

/// A length, or how much two prompts have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Length {
    /// UTF-8 bytes; none where only sizes in tokens are known.
    pub bytes: Option<u64>,
    /// Tokens.
    pub tokens: u64,
    /// Segments; in common: leading equal ones.
    pub segments: u64,
}

/// A part of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The tools section, brackets included.
    Tools,
    /// The whole prompt.
    Prompt,
}

impl Prompt {
    /// A prompt of which only the sizes are known: each piece stands for tokens that no other piece begins with.
    ///
    /// ```
    /// use deferbench_core::cache::{Kind, Piece, Prompt};
    /// let [a, b, c] = ["a", "b", "c"].map(|l| Piece::new(Kind::User, l, 10));
    /// let (ab, ac) = (Prompt::of_sizes([a.clone(), b]), Prompt::of_sizes([a, c]));
    /// assert_eq!((ab.tokens(), ab.common(&ac).tokens, ab.common(&ac).bytes), (20, 10, None));
    /// ```
    pub fn of_sizes(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let mut at = 0;
        let place = |piece: Piece| {
            let range = at..at + piece.tokens;
            at = range.end;
            let Piece { kind, name, id, blocks, .. } = piece;
            Segment { kind, name, id, bytes: range.clone(), tokens: range, blocks }
        };
        let segments: Vec<Segment> = pieces.into_iter().map(place).collect();
        let size = Length { bytes: None, tokens: at, segments: segments.len() as u64 };
        let mut prompt = Self { segments, size, tools: (0..0, 0..0), text: None };
        let tools = &prompt.segments[prompt.tool_segments()];
        if let (Some(first), Some(last)) = (tools.first(), tools.last()) {
            let span = first.tokens.start..last.tokens.end;
            prompt.tools = (span.clone(), span);
        }
        prompt
    }

    /// A prompt with its text: the byte at which each token ends, the tools section in bytes, and the labelled byte
    /// ranges in text order.
    ///
    /// A token belongs to the segment in which it ends. Ranges lie inside the text.
    pub fn of_text(text: String, ends: Vec<u64>, tools: Range<usize>, labels: impl IntoIterator<Item = Label>) -> Self {
        let whole = |byte: usize| ends.partition_point(|end| *end <= byte as u64) as u64;
        let label = |Label { kind, name, bytes, blocks }: Label| Segment {
            kind,
            name,
            id: content_id(&text.as_bytes()[bytes.clone()]),
            tokens: whole(bytes.start)..whole(bytes.end),
            bytes: bytes.start as u64..bytes.end as u64,
            blocks,
        };
        let segments: Vec<Segment> = labels.into_iter().map(label).collect();
        let size =
            Length { bytes: Some(text.len() as u64), tokens: ends.len() as u64, segments: segments.len() as u64 };
        let tools = (tools.start as u64..tools.end as u64, whole(tools.start)..whole(tools.end));
        Self { segments, size, tools, text: Some(Text { text, ends }) }
    }

    /// Its segments, in prompt order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Its tokens, counted.
    pub fn tokens(&self) -> u64 {
        self.size.tokens
    }

    /// Its length, or that of its tools section.
    pub fn length(&self, section: Section) -> Length {
        match section {
            Section::Prompt => self.size,
            Section::Tools => Length {
                bytes: self.size.bytes.map(|_| self.tools.0.end - self.tools.0.start),
                tokens: self.tools.1.end - self.tools.1.start,
                segments: self.tool_segments().len() as u64,
            },
        }
    }

    /// What it has in common with another prompt, from the first token on.
    pub fn common(&self, other: &Self) -> Length {
        self.common_section(other, Section::Prompt)
    }

    /// What the tools sections, or the whole prompts, have in common from their first token on.
    pub fn common_section(&self, other: &Self, section: Section) -> Length {
        let (a, b) = (&self.segments[self.indices(section)], &other.segments[other.indices(section)]);
        let same = a.iter().zip(b).take_while(|(x, y)| x.same(y)).count();
        let (bytes, tokens) = match (&self.text, &other.text) {
            (Some(x), Some(y)) => {
                let (bytes, tokens) = x.common(self.ranges(section), y, other.ranges(section));
                (Some(bytes), tokens)
            }
            _ => (None, a[..same].iter().map(Segment::len).sum()),
        };
        Length { bytes, tokens, segments: same as u64 }
    }

    /// Leading tokens in common, knowing that the first `from` are.
    pub(super) fn common_tokens(&self, other: &Self, from: u64) -> u64 {
        match (&self.text, &other.text) {
            (Some(x), Some(y)) => {
                let start = |t: &Text| from.checked_sub(1).map_or(0, |i| t.ends[i as usize] as usize);
                let rest = |t: &Text| (start(t)..t.text.len(), from as usize..t.ends.len());
                from + x.common(rest(x), y, rest(y)).1
            }
            _ => self.common_segments(other),
        }
    }

    /// The tokens before the first segment that is not the same.
    pub(super) fn common_segments(&self, other: &Self) -> u64 {
        let same = self.segments.iter().zip(&other.segments).take_while(|(x, y)| x.same(y)).count();
        self.segments[..same].last().map_or(0, |s| s.tokens.end)
    }

    /// The bytes of each of its tokens, where they are known.
    pub(super) fn token_texts(&self) -> Option<Vec<&[u8]>> {
        let Text { text, ends } = self.text.as_ref()?;
        let starts = std::iter::once(&0).chain(ends);
        Some(starts.zip(ends).map(|(a, b)| &text.as_bytes()[*a as usize..*b as usize]).collect())
    }

    /// True where the other prompt is the beginning of this one, to the last byte and token.
    pub fn continues(&self, other: &Self) -> bool {
        match (&self.text, &other.text) {
            (Some(x), Some(y)) => x.text.starts_with(&y.text),
            _ => self.common_segments(other) == other.tokens(),
        }
    }

    /// Bytes that two facing segments begin with in common; tokens are no part of it.
    pub(super) fn common_in(&self, mine: &Segment, other: &Self, theirs: &Segment) -> Option<u64> {
        let (x, y) = (self.text.as_ref()?, other.text.as_ref()?);
        let bytes = |s: &Segment| s.bytes.start as usize..s.bytes.end as usize;
        Some(common(&x.text.as_bytes()[bytes(mine)], &y.text.as_bytes()[bytes(theirs)]))
    }

    /// The first run of tool segments.
    fn tool_segments(&self) -> Range<usize> {
        let start = self.segments.iter().position(|s| s.kind == Kind::Tool).unwrap_or(0);
        let len = self.segments[start..].iter().take_while(|s| s.kind == Kind::Tool).count();
        start..start + len
    }

    fn indices(&self, section: Section) -> Range<usize> {
        match section {
            Section::Tools => self.tool_segments(),
            Section::Prompt => 0..self.segments.len(),
        }
    }

    /// A section in bytes and in tokens.
    fn ranges(&self, section: Section) -> (Range<usize>, Range<usize>) {
        match section {
            Section::Tools => (index(&self.tools.0), index(&self.tools.1)),
            Section::Prompt => (0..self.size.bytes.unwrap_or(0) as usize, 0..self.size.tokens as usize),
        }
    }
}

fn index(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Length of the longest common prefix.
fn common<T: PartialEq>(a: &[T], b: &[T]) -> u64 {
    const BLOCK: usize = 64;
    let whole = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(x, y)| x == y).count() * BLOCK;
    (whole + a[whole..].iter().zip(&b[whole..]).take_while(|(x, y)| x == y).count()) as u64
}
