//! How does a request in parts become what a cache sees?

use std::ops::Range;

use deferbench_core::cache::{Breakpoints, Kind, Request};

use super::{Body, Piece};
use crate::counter::Counter;
use crate::layout::{self, Rendered, Segment};
use crate::profiles::CacheProfile;
use crate::prompt::{PromptError, Role, of_rendered};

/// In which order the sections stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    ToolsFirst,
    SystemFirst,
}

impl Order {
    pub const ALL: [Self; 2] = [Self::ToolsFirst, Self::SystemFirst];

    /// The order of a profile; where none is published, the one that most have.
    pub fn of(cache: &CacheProfile) -> Self {
        let published = cache.fact("prefix_order").map(|fact| fact.value.as_str());
        if published == Some(Self::SystemFirst.name()) { Self::SystemFirst } else { Self::ToolsFirst }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::ToolsFirst => "tools system messages",
            Self::SystemFirst => "system tools messages",
        }
    }
}

/// The text of a request while it is written.
#[derive(Default)]
struct Writer<'a> {
    text: String,
    segments: Vec<Segment<'a>>,
    roles: Vec<Role>,
    marks: Vec<usize>,
}

impl<'a> Writer<'a> {
    fn piece(&mut self, piece: &'a Piece) {
        let start = self.text.len();
        self.text.push_str(&piece.text);
        if piece.marked {
            self.marks.push(self.segments.len());
        }
        let kind = match piece.kind {
            Kind::Tool => layout::Kind::Tool,
            Kind::System => layout::Kind::System,
            kind => {
                self.roles.push(Role { kind, blocks: piece.blocks });
                layout::Kind::Message
            }
        };
        self.segments.push(Segment { kind, tool: &piece.name, range: start..self.text.len() });
    }

    /// Pieces on lines of their own.
    fn lines(&mut self, pieces: &'a [Piece]) {
        for piece in pieces {
            self.line();
            self.piece(piece);
        }
    }

    /// The definitions as one array; nothing for none.
    fn array(&mut self, tools: &'a [Piece]) -> Range<usize> {
        if !tools.is_empty() {
            self.line();
        }
        let start = self.text.len();
        for (i, tool) in tools.iter().enumerate() {
            self.text.push(if i == 0 { '[' } else { ',' });
            self.piece(tool);
        }
        if !tools.is_empty() {
            self.text.push(']');
        }
        start..self.text.len()
    }

    fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The request to a cache; none from a counter that cannot tell where tokens begin.
pub(super) fn request(body: &Body, order: Order, counter: &dyn Counter) -> Result<Option<Request>, PromptError> {
    let mut out = Writer::default();
    if order == Order::SystemFirst {
        out.lines(&body.system);
    }
    let tools = out.array(&body.tools);
    if order == Order::ToolsFirst {
        out.lines(&body.system);
    }
    out.lines(&body.messages);
    let breakpoints = match (body.automatic, out.marks) {
        (true, marks) if marks.is_empty() => Breakpoints::Automatic,
        (true, marks) => Breakpoints::Both(marks),
        (false, marks) => Breakpoints::Explicit(marks),
    };
    let rendered = Rendered { text: out.text, segments: out.segments, tools };
    let prompt = of_rendered(rendered, &out.roles, counter)?;
    Ok(prompt.map(|prompt| Request { breakpoints, ..Request::new(prompt) }))
}
