//! What happened in a session so far?
//!
//! The transcript is the only state: which tools are active is folded from it, so that resuming, forking and replaying
//! a session need nothing else.

use serde::{Deserialize, Serialize};

/// One call that the model asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The call's id, unique in the transcript.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments: JSON text.
    pub arguments: String,
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
}

impl Output {
    /// The text that the model reads.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(t) | Self::Json(t) | Self::Error(t) => t,
        }
    }
}

/// The durable record of an activation under the policy `cumulative`: the whole set after a search widened it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The query, trimmed, not empty.
    pub query: String,
    /// Every selected name, by code point, each once.
    pub selected: Vec<String>,
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

    /// The newest step and its calls.
    pub fn last_step(&self) -> Option<(&str, &[Call])> {
        self.events.iter().rev().find_map(|e| match e {
            Event::Assistant { step, calls, .. } => Some((step.as_str(), calls.as_slice())),
            _ => None,
        })
    }
}
