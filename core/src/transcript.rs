//! What happened in a session so far?
//!
//! The transcript is the only state: which tools are active is folded from it, so that resuming, forking and replaying
//! a session need nothing else.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// One call that the model asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The call's id, unique in the transcript.
    pub id: String,
    /// The tool's name: as the model wrote it, or the search tool's where the call was repaired.
    pub name: String,
    /// The arguments: JSON text.
    pub arguments: String,
    /// What the model wrote, where a call of an inactive tool was turned into a search for that tool.
    ///
    /// Only the host sets it: no argument of the model does, so a model cannot pass a search of its own off as a repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired: Option<Original>,
    /// What the model wrote, where the call came through an executor; name and arguments above are the tool's own.
    ///
    /// Only the host sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridged: Option<Original>,
}

/// A call as the model wrote it, where it was carried out as another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Original {
    /// The tool's name: an inactive tool's, or the executor's.
    pub name: String,
    /// The arguments: JSON text.
    pub arguments: String,
}

impl Call {
    /// A call as the model wrote it.
    ///
    /// ```
    /// use deferbench_core::transcript::Call;
    /// let call = Call::new("c1", "tool_search", r#"{"query":"weather"}"#);
    /// assert_eq!((call.name.as_str(), call.repaired), ("tool_search", None));
    /// ```
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), repaired: None, bridged: None }
    }

    /// Name and arguments as the history shows them to the model: a call that came through an executor goes on standing
    /// there as the executor's.
    ///
    /// ```
    /// use deferbench_core::transcript::{Call, Original};
    /// let call = Call::new("c1", "clock", "{}");
    /// assert_eq!(call.shown(), ("clock", "{}"));
    /// let original = Original { name: "tool_call".into(), arguments: r#"{"name":"clock"}"#.into() };
    /// assert_eq!(Call { bridged: Some(original), ..call }.shown(), ("tool_call", r#"{"name":"clock"}"#));
    /// ```
    pub fn shown(&self) -> (&str, &str) {
        self.bridged.as_ref().map_or((&self.name, &self.arguments), |o| (&o.name, &o.arguments))
    }
}

/// What a call gave back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Output {
    /// Text.
    Text(String),
    /// A JSON value: its text.
    Json(String),
    /// An ordinary tool error: its message.
    Error(String),
    /// Several blocks, or one that is not text, exactly as the tool gave them.
    Content(Vec<Block>),
}

/// One block of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// Text.
    Text(String),
    /// An image.
    Image {
        /// Its media type, for example `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
    /// A JSON value beside the text: its text. MCP calls it structured content.
    Structured(String),
}

impl Output {
    /// The text that the model reads; an image stands for itself by its media type, for its bytes are no text.
    ///
    /// ```
    /// use deferbench_core::transcript::{Block, Output};
    /// let image = Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
    /// let output = Output::Content(vec![Block::Text("A chart.".into()), image]);
    /// assert_eq!(output.text(), "A chart.\n[image/png]");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(t) | Self::Json(t) | Self::Error(t) => Cow::Borrowed(t),
            Self::Content(blocks) => Cow::Owned(blocks.iter().map(Block::text).collect::<Vec<_>>().join("\n")),
        }
    }
}

impl Block {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(t) | Self::Structured(t) => Cow::Borrowed(t),
            Self::Image { media_type, .. } => Cow::Owned(format!("[{media_type}]")),
        }
    }
}

/// The durable record of an activation under the policy `cumulative`: the whole set after a search widened it.
///
/// Version 1 has the first two fields and only grows; version 2 also says what left, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The query, trimmed, not empty; where no search was asked for, the reason.
    pub query: String,
    /// Every selected name, by code point, each once.
    pub selected: Vec<String>,
    /// Names that left with this snapshot, by code point, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// Why they left; given where something left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Snapshot {
    /// A snapshot of version 1.
    pub fn new(query: impl Into<String>, selected: Vec<String>) -> Self {
        Self { query: query.into(), selected, ..Self::default() }
    }
}

/// One entry of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event", deny_unknown_fields)]
pub enum Event {
    /// A durable task begins. Its id survives recovery; a queued successor has another one.
    Run {
        /// The run's id.
        id: String,
    },
    /// Whether the run that goes on defers tools: decided once, at its start. Without it, it does.
    Deferral {
        /// False: every request of the run carries every tool.
        deferred: bool,
    },
    /// The user says something.
    User {
        /// What the user says.
        text: String,
    },
    /// The model answers: one step.
    Assistant {
        /// The step's id, unique in the transcript.
        step: String,
        /// What the model says.
        text: String,
        /// What the model calls, in its order; several are a parallel batch.
        calls: Vec<Call>,
    },
    /// A call came back.
    Result {
        /// The call's id.
        call: String,
        /// The tool that ran.
        tool: String,
        /// What it gave back.
        output: Output,
    },
    /// A search widened the selection of the policy `cumulative`.
    Selection {
        /// The durable record.
        snapshot: Snapshot,
        /// What was added, best hit first; a name of the snapshot that is nowhere in such a list counts as added in code-point order.
        added: Vec<String>,
    },
}

impl Event {
    /// The id of the call that this event answers.
    pub fn answers(&self) -> Option<&str> {
        match self {
            Self::Result { call, .. } => Some(call),
            _ => None,
        }
    }
}

/// The append-only log of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transcript {
    events: Vec<Event>,
}

impl Transcript {
    /// An empty transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an event.
    pub fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// All events, oldest first, the transcript itself given up.
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }

    /// All events, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The id of the run that goes on; the empty text before the first.
    ///
    /// ```
    /// use deferbench_core::transcript::{Event, Transcript};
    /// let mut transcript = Transcript::new();
    /// assert_eq!(transcript.run(), "");
    /// transcript.push(Event::Run { id: "r1".into() });
    /// assert_eq!(transcript.run(), "r1");
    /// ```
    pub fn run(&self) -> &str {
        self.events
            .iter()
            .rev()
            .find_map(|e| if let Event::Run { id } = e { Some(id.as_str()) } else { None })
            .unwrap_or("")
    }

    /// Whether the run that goes on defers tools; none where nothing was decided. The first decision of a run stays.
    pub fn deferral(&self) -> Option<bool> {
        let (run, mut inside) = (self.run(), self.run().is_empty());
        self.events.iter().find_map(|event| match event {
            Event::Run { id } => {
                inside = id == run;
                None
            }
            Event::Deferral { deferred } if inside => Some(*deferred),
            _ => None,
        })
    }
}

/// The id of a step whose provider gives none: that of its first call, which stays the same wherever the message stands;
/// without calls `message-N`, N counted by the host.
///
/// A receipt names its step, so the id has to survive that older messages are cut away.
///
/// ```
/// use deferbench_core::transcript::{Call, step_id};
/// assert_eq!(step_id(&[Call::new("call_7", "read_file", "{}")], 3), "call_7");
/// assert_eq!(step_id(&[], 3), "message-3");
/// ```
pub fn step_id(calls: &[Call], message: usize) -> String {
    calls.first().map_or_else(|| format!("message-{message}"), |c| c.id.clone())
}
