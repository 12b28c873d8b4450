//! How does a request become prompt text?
//!
//! A layout prints the tools, the system text and the messages of a request, and labels every segment: one tool, the
//! system text, or one message. Commas and brackets between them are scaffolding.

use std::ops::Range;

use deferbench_core::Tool;
use deferbench_core::entry::Form;
use deferbench_core::error::SpecError;
use deferbench_core::transcript::Event;

deferbench_core::entries! {
    /// Every layout, in the order of `list`.
    pub static LAYOUTS: [Layout] = { l1, seed_json }
}

/// The declaration of a layout.
pub struct Layout {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: what stands where, and how one tool is printed.
    pub summary: &'static str,
    /// Which providers or models lay requests out like this.
    pub source: &'static str,
    /// Unit of lengths and prefixes.
    pub unit: Unit,
    /// Prints a request.
    pub render: for<'a> fn(&Parts<'a, '_>) -> Rendered<'a>,
}

/// The unit in which lengths and common prefixes are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// UTF-8 bytes.
    Utf8,
    /// UTF-16 code units, as JavaScript counts.
    Utf16,
}

impl Unit {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf8",
            Self::Utf16 => "utf16",
        }
    }

    /// The length of a text.
    pub fn len(self, text: &str) -> u64 {
        match self {
            Self::Utf16 if !text.is_ascii() => text.encode_utf16().count() as u64,
            _ => text.len() as u64,
        }
    }

    /// The length of the longest common prefix of two texts.
    ///
    /// ```
    /// use deferbench::layout::Unit;
    /// // U+1F600 and U+1F601 share three of four UTF-8 bytes, and the first of two UTF-16 code units.
    /// assert_eq!(Unit::Utf8.common_prefix("a😀", "a😁"), 4);
    /// assert_eq!(Unit::Utf16.common_prefix("a😀", "a😁"), 2);
    /// ```
    pub fn common_prefix(self, a: &str, b: &str) -> u64 {
        let bytes = common_prefix(a.as_bytes(), b.as_bytes());
        match self {
            Self::Utf8 => bytes as u64,
            Self::Utf16 => {
                let at = (0..=bytes).rev().find(|i| a.is_char_boundary(*i)).unwrap_or(0);
                let high = |text: &str| text[at..].chars().next().map(|c| c.encode_utf16(&mut [0; 2])[0]);
                let half = high(a).is_some() && high(a) == high(b);
                self.len(&a[..at]) + u64::from(half)
            }
        }
    }
}

/// Length of the longest common prefix of two byte strings.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let whole = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(x, y)| x == y).count() * BLOCK;
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(x, y)| x == y).count()
}

/// A definition that stands in the history.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// Position of the event that it follows.
    pub after: usize,
    /// The tool.
    pub tool: &'a Tool,
    /// How it stands there.
    pub form: Form,
}

/// What a request is made of.
#[derive(Default)]
pub struct Parts<'a, 'h> {
    /// Tool definitions in the sequence in which they are sent; those with a deferral mark are not among them.
    pub tools: Vec<&'a Tool>,
    /// Definitions that are sent with a deferral mark: no part of the prompt.
    pub deferred: Vec<&'a Tool>,
    /// Definitions that stand in the history, in its sequence.
    pub definitions: Vec<Placed<'a>>,
    /// The system text.
    pub system: &'h str,
    /// The history.
    pub events: &'h [Event],
}

/// The kind of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One tool definition.
    Tool,
    /// The system text.
    System,
    /// One message of the history.
    Message,
    /// One tool definition in the history.
    Definition,
}

impl Kind {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::System => "system",
            Self::Message => "message",
            Self::Definition => "definition",
        }
    }
}

/// A labelled piece of the prompt text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// What it is.
    pub kind: Kind,
    /// The name of the tool that is defined; empty for system text and messages.
    pub tool: &'a str,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// A request as prompt text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered<'a> {
    /// The whole prompt.
    pub text: String,
    /// The labelled segments, in text order.
    pub segments: Vec<Segment<'a>>,
    /// The tools section, brackets included, in bytes.
    pub tools: Range<usize>,
}

impl Layout {
    /// The layout of a name.
    ///
    /// # Errors
    /// [`SpecError::Unknown`], listing the known names.
    pub fn find(name: &str) -> Result<&'static Layout, SpecError> {
        LAYOUTS
            .iter()
            .find(|l| l.name == name)
            .copied()
            .ok_or_else(|| SpecError::unknown("layout", name, LAYOUTS.iter().map(|l| l.name)))
    }

    /// Whether the history is part of what the layout prints.
    pub fn shows_history(&self) -> bool {
        let events = [Event::User { text: String::new() }];
        let rendered = (self.render)(&Parts { events: &events, ..Parts::default() });
        rendered.segments.iter().any(|s| s.kind == Kind::Message)
    }
}

impl<'a> Rendered<'a> {
    fn new() -> Self {
        Self { text: String::new(), segments: Vec::new(), tools: 0..0 }
    }

    /// Appends a segment that `write` prints.
    fn segment(&mut self, kind: Kind, tool: &'a str, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.segments.push(Segment { kind, tool, range: start..self.text.len() });
    }

    /// Appends the tools section as one compact array; nothing for no tools.
    fn tools_array(&mut self, tools: &[&'a Tool], open: &str, parameters_key: &str, close: &str) {
        let start = self.text.len();
        for (i, &tool) in tools.iter().enumerate() {
            self.text.push(if i == 0 { '[' } else { ',' });
            self.segment(Kind::Tool, tool.name(), |out| {
                out.push_str(open);
                item(out, tool, parameters_key);
                out.push_str(close);
            });
        }
        if !tools.is_empty() {
            self.text.push(']');
        }
        self.tools = start..self.text.len();
    }
}

impl<'a> Parts<'a, '_> {
    /// The definitions that stand right behind an event.
    fn behind(&self, event: usize) -> &[Placed<'a>] {
        let from = self.definitions.partition_point(|d| d.after < event);
        let to = self.definitions.partition_point(|d| d.after <= event);
        &self.definitions[from..to]
    }
}

/// One definition as compact JSON: name, description where there is one, parameters.
fn item(out: &mut String, tool: &Tool, parameters_key: &str) {
    out.push_str("{\"name\":");
    out.push_str(tool.name_json());
    if let Some(description) = tool.description_json() {
        out.push_str(",\"description\":");
        out.push_str(description);
    }
    out.push_str(",\"");
    out.push_str(parameters_key);
    out.push_str("\":");
    out.push_str(tool.schema_json());
    out.push('}');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Both units agree with the plain definition: count equal leading units one by one.
        #[test]
        fn common_prefixes_by_the_definition(a in "[ab😀😁é]{0,90}", b in "[ab😀😁é]{0,90}", shared in "[ab😀é]{0,90}") {
            let (a, b) = (format!("{shared}{a}"), format!("{shared}{b}"));
            let bytes = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count() as u64;
            prop_assert_eq!(Unit::Utf8.common_prefix(&a, &b), bytes);
            let units = a.encode_utf16().zip(b.encode_utf16()).take_while(|(x, y)| x == y).count() as u64;
            prop_assert_eq!(Unit::Utf16.common_prefix(&a, &b), units);
        }
    }

    #[test]
    fn segments_cover_the_tools_and_only_scaffolding_is_left() {
        let tool = |name| Tool::new(name, Some("Text."), r#"{"type":"object"}"#).unwrap();
        let (a, b) = (tool("a"), tool("b"));
        let events = [Event::User { text: "Hello \"you\"".into() }];
        for layout in LAYOUTS {
            let parts = Parts { tools: vec![&a, &b], system: "Be brief.", events: &events, ..Parts::default() };
            let rendered = (layout.render)(&parts);
            let names: Vec<&str> = rendered.segments.iter().map(|s| s.tool).filter(|t| !t.is_empty()).collect();
            assert_eq!(names, ["a", "b"], "{}", layout.name);
            let section = &rendered.text[rendered.tools.clone()];
            let parsed: serde_json::Value = serde_json::from_str(section).unwrap();
            assert_eq!(parsed.as_array().unwrap().len(), 2);
            for pair in rendered.segments.windows(2) {
                let between = &rendered.text[pair[0].range.end..pair[1].range.start];
                assert!(between.chars().all(|c| ",[]\n".contains(c)), "{between:?}");
            }
        }
    }
}
