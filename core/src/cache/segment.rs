//! What is a prompt made of, piece by piece?

use std::ops::Range;

/// The kind of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One definition in the tools section.
    Tool,
    /// The system text.
    System,
    /// A message of the user.
    User,
    /// Text of the model.
    Assistant,
    /// Tool calls of the model.
    Call,
    /// The result of a tool call.
    Result,
    /// One tool definition inside the history.
    Definition,
}

impl Kind {
    /// The name in results: every piece of the history is a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::System => "system",
            _ => "message",
        }
    }

    /// True for a tool definition, wherever it stands.
    pub fn defines_tool(self) -> bool {
        matches!(self, Self::Tool | Self::Definition)
    }

    /// True for what the model wrote.
    pub fn is_output(self) -> bool {
        matches!(self, Self::Assistant | Self::Call)
    }
}

/// One labelled piece of a prompt. What stands between two segments is scaffolding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub kind: Kind,
    /// The tool's name; empty for system text and messages.
    pub name: String,
    /// Identity of its content: equal pieces have equal numbers.
    pub id: u128,
    /// Where it stands, in bytes; where no text is known, in tokens.
    pub bytes: Range<u64>,
    /// The whole tokens inside it.
    pub tokens: Range<u64>,
    /// Content blocks in it: what the look-back of a breakpoint counts.
    pub blocks: u64,
}

impl Segment {
    /// True for the same piece, wherever it stands.
    pub fn same(&self, other: &Self) -> bool {
        self.id == other.id && self.kind == other.kind && self.name == other.name
    }

    /// Its length in tokens.
    pub fn len(&self) -> u64 {
        self.tokens.end - self.tokens.start
    }

    /// True for a piece without tokens.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

/// A labelled stretch of a prompt's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// What it is.
    pub kind: Kind,
    /// The tool's name; empty for system text and messages.
    pub name: String,
    /// Where it stands, in bytes.
    pub bytes: Range<usize>,
    /// Content blocks in it.
    pub blocks: u64,
}

/// A piece of which only the size in tokens is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: Kind,
    /// The tool's name; empty for system text and messages.
    pub name: String,
    /// Identity of its content.
    pub id: u128,
    /// Its size.
    pub tokens: u64,
    /// Content blocks in it.
    pub blocks: u64,
}

impl Piece {
    /// A piece of one content block that is known by its label: equal labels mean equal content.
    ///
    /// ```
    /// use deferbench_core::cache::{Kind, Piece};
    /// assert_eq!(Piece::new(Kind::System, "s", 10), Piece::new(Kind::System, "s", 10));
    /// assert_ne!(Piece::new(Kind::System, "s", 10).id, Piece::new(Kind::System, "t", 10).id);
    /// ```
    pub fn new(kind: Kind, label: &str, tokens: u64) -> Self {
        let name = if kind.defines_tool() { label.to_string() } else { String::new() };
        Self { kind, name, id: content_id(label.as_bytes()), tokens, blocks: 1 }
    }
}

/// The identity of some content: the first half of its blake3 hash.
pub fn content_id(content: &[u8]) -> u128 {
    let hash = blake3::hash(content);
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(half)
}
