//! What was found stays, agent by agent.

use std::collections::HashSet;
use std::sync::Arc;

use super::{
    Activation, Answer, Ask, Context, Fold, Found, Policy, PolicyEntry, PolicyError, arguments, is_blank, query_of,
};
use crate::catalog::ToolId;
use crate::spec::{Param, Range};
use crate::tool::Tool;
use crate::transcript::{Call, Event, Output, Snapshot, Transcript};

pub(super) static ENTRY: PolicyEntry = PolicyEntry {
    name: "cumulative",
    summary: "a search adds the tools it finds to the agent's selection, which never shrinks; each widening is recorded as a snapshot of the whole set",
    source: "dsh-tool-search",
    params: &[
        Param {
            key: "results",
            default: "5",
            range: Range::Integer(1, 1000),
            summary: "most tools that one search may load",
        },
        Param {
            key: "query_chars",
            default: "512",
            range: Range::Integer(1, 1_000_000),
            summary: "longest query, in UTF-16 code units after trimming",
        },
    ],
    limit_per_call: true,
    build: |v| {
        Ok(Arc::new(Cumulative { max_results: v.integer("results"), max_query_chars: v.integer("query_chars") }))
    },
};

/// The policy `cumulative`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cumulative {
    /// Most tools that one search may load; also the default of its `limit`.
    pub max_results: usize,
    /// Longest query after trimming, in UTF-16 code units.
    pub max_query_chars: usize,
}

impl Cumulative {
    /// Query and limit of a call, or the error that the model reads.
    fn request(&self, call: &Call) -> Result<(String, usize), String> {
        let arguments = arguments(call)?;
        let query = query_of(&arguments)?.trim();
        if is_blank(query) {
            return Err("the query is blank: describe the capability you need, or name a tool".to_string());
        }
        let length = query.encode_utf16().count();
        if length > self.max_query_chars {
            let max = self.max_query_chars;
            return Err(format!("the query has {length} characters, at most {max} are allowed: shorten it"));
        }
        let limit = match arguments.get("limit") {
            None => self.max_results,
            Some(value) => value
                .as_u64()
                .and_then(|n| usize::try_from(n).ok())
                .filter(|n| (1..=self.max_results).contains(n))
                .ok_or_else(|| format!("\"limit\" must be an integer from 1 to {}", self.max_results))?,
        };
        Ok((query.to_string(), limit))
    }
}

impl Policy for Cumulative {
    fn search_tool(&self) -> Option<Tool> {
        let description = "Finds tools that are not visible yet. Say what you need to do, or give a tool's exact name. \
                           What is found can be called from the next request on, not before.";
        let schema = format!(
            r#"{{"type":"object","properties":{{"query":{{"type":"string","description":"What you need to do, or an exact tool name; at most {} characters."}},"limit":{{"type":"integer","description":"How many tools to load at most, 1 to {}."}}}},"required":["query"]}}"#,
            self.max_query_chars, self.max_results
        );
        Tool::new("tool_search", Some(description), &schema).ok()
    }

    fn check(&self, _: Context) -> Result<(), PolicyError> {
        Ok(())
    }

    fn fold(&self) -> Box<dyn Fold> {
        Box::new(Accumulated { policy: self.clone(), order: Vec::new(), newest: None, events: 0 })
    }
}

/// What the snapshots of a transcript say.
struct Accumulated {
    policy: Cumulative,
    /// Every name in the order in which it was first added.
    order: Vec<String>,
    /// The newest snapshot and its position among the events.
    newest: Option<(Snapshot, usize)>,
    events: usize,
}

impl Fold for Accumulated {
    fn push(&mut self, _: Context, event: &Event) {
        if let Event::Selection { snapshot, added } = event {
            self.order.extend_from_slice(added);
            self.newest = Some((snapshot.clone(), self.events));
        }
        self.events += 1;
    }

    fn activation(&mut self, context: Context) -> Result<Activation, PolicyError> {
        let pins = context.pins.len();
        let Some((newest, at)) = &self.newest else {
            return Ok(Activation { pins, ..Activation::default() });
        };
        validate(newest).map_err(|problem| PolicyError::Snapshot { problem })?;
        let selected: HashSet<&str> = newest.selected.iter().map(String::as_str).collect();
        let mut seen = HashSet::new();
        let order = self.order.iter().chain(&newest.selected).map(String::as_str);
        let order = order.filter(|name| selected.contains(name) && seen.insert(*name));
        // A name that is gone stays in the snapshot: its tool becomes visible again when it returns.
        let tools = order.filter_map(|name| context.catalog.find(name)).collect();
        Ok(Activation { tools, pins, dropped: Vec::new(), said_by: vec![*at] })
    }

    fn ask(&mut self, _: Context, call: &Call) -> Ask {
        match self.policy.request(call) {
            Ok((query, limit)) => Ask::Search { query, limit },
            Err(message) => Ask::Done(Answer::error(message)),
        }
    }

    fn answer(&mut self, context: Context, call: &Call, found: &Found) -> Answer {
        let query = match self.policy.request(call) {
            Ok((query, _)) => query,
            Err(message) => return Answer::error(message),
        };
        let before = match self.activation(context) {
            Ok(activation) => activation.tools,
            Err(error) => return Answer::error(error.to_string()),
        };
        let found = found.tools.clone();
        let visible = |tool: &ToolId| [&before[..], context.base, context.pins].iter().any(|set| set.contains(tool));
        // A pin is visible now; only what is selected stays when the pin goes.
        let stays = |tool: &ToolId| before.contains(tool) || context.base.contains(tool);
        let added: Vec<ToolId> = found.iter().copied().filter(|t| !stays(t)).collect();
        let deferred = context.catalog.ids().filter(|t| !visible(t) && !added.contains(t)).count();
        let mut text = String::new();
        for tool in &found {
            let status = if visible(tool) { "already_loaded" } else { "loaded" };
            text.push_str(&format!("- {}: {status}\n", context.catalog[*tool].name()));
        }
        let text = if found.is_empty() {
            "No matching tools found.".to_string()
        } else {
            format!("Tools found:\n{text}Still deferred: {deferred}")
        };
        let name = |t: &ToolId| context.catalog[*t].name().to_string();
        let record = (!added.is_empty()).then(|| {
            // The names of vanished tools stay.
            let mut selected = self.newest.as_ref().map(|(s, _)| s.selected.clone()).unwrap_or_default();
            selected.extend(added.iter().map(name));
            selected.sort();
            selected.dedup();
            Event::Selection { snapshot: Snapshot { query, selected }, added: added.iter().map(name).collect() }
        });
        let selection = before.iter().chain(&added).copied().collect();
        let output = Output::Text(text);
        Answer { output, record, found, activated: added, selection, refused: Vec::new(), evidence: None }
    }
}

fn validate(snapshot: &Snapshot) -> Result<(), &'static str> {
    if snapshot.query.is_empty() || snapshot.query.trim() != snapshot.query {
        return Err("its query is empty or padded");
    }
    // Names may hold spaces anywhere: MCP does not forbid them.
    if snapshot.selected.iter().any(String::is_empty) || snapshot.selected.is_empty() {
        return Err("a selected name is empty, or there is none");
    }
    if snapshot.selected.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err("its names are not strictly increasing");
    }
    Ok(())
}

/// Checks every snapshot of a transcript: exact shape, and each a strict superset of the one before.
///
/// # Errors
/// [`PolicyError::Snapshot`], with what is wrong.
///
/// ```
/// use deferbench_core::transcript::{Event, Snapshot, Transcript};
/// let snapshot = |names: &[&str]| Event::Selection {
///     snapshot: Snapshot { query: "q".into(), selected: names.iter().map(|n| n.to_string()).collect() },
///     added: vec![],
/// };
/// let mut transcript = Transcript::new();
/// transcript.push(snapshot(&["a"]));
/// transcript.push(snapshot(&["a", "b"]));
/// assert!(deferbench_core::policy::check_snapshots(&transcript).is_ok());
/// transcript.push(snapshot(&["a", "c"]));
/// assert!(deferbench_core::policy::check_snapshots(&transcript).unwrap_err().to_string().contains("dropped"));
/// ```
pub fn check_snapshots(transcript: &Transcript) -> Result<(), PolicyError> {
    let mut before: &[String] = &[];
    for event in transcript.events() {
        let Event::Selection { snapshot, .. } = event else {
            continue;
        };
        let held = |name: &String| snapshot.selected.binary_search(name).is_ok();
        let problem = match validate(snapshot) {
            Err(problem) => Some(problem),
            Ok(()) if !before.iter().all(held) => Some("it dropped a selected tool"),
            Ok(()) if snapshot.selected.len() == before.len() => Some("it added no tool"),
            Ok(()) => None,
        };
        if let Some(problem) = problem {
            return Err(PolicyError::Snapshot { problem });
        }
        before = &snapshot.selected;
    }
    Ok(())
}
