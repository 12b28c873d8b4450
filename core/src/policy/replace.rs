//! The newest search decides, run by run.

mod fold;

use super::{Activation, Answer, Context, Policy, PolicyEntry, PolicyError, arguments, is_blank, query_of};
use crate::catalog::ToolId;
use crate::receipt::{KIND, MacKey, Match, Receipt, Refused, Status};
use crate::spec::{Param, Range, Values};
use crate::tool::Tool;
use crate::transcript::{Call, Output, Transcript};

/// Room for a run id and for a step id in the shortest receipt: the length of a UUID.
const ID_BYTES: usize = 36;

const POSITIVE: Range = Range::Integer(1, 1 << 40);

pub(super) static ENTRY: PolicyEntry = PolicyEntry {
    name: "replace",
    summary: "the receipts of the newest step that found something are the selection of the run; a search replaces what earlier ones selected",
    source: "stitchkit createDeferredAgentToolSurface; the defaults here are the example of its documentation",
    params: &[
        Param { key: "query_bytes", default: "1024", range: POSITIVE, summary: "longest query, UTF-8 bytes" },
        Param { key: "results", default: "8", range: POSITIVE, summary: "most tools that one search may select" },
        Param { key: "result_bytes", default: "8192", range: POSITIVE, summary: "longest receipt, UTF-8 bytes" },
        Param { key: "selected", default: "8", range: POSITIVE, summary: "most tools of one selection" },
        Param {
            key: "active",
            default: "16",
            range: POSITIVE,
            summary: "most tools of one request, search tool included",
        },
        Param { key: "schema_bytes", default: "32768", range: POSITIVE, summary: "most schema bytes of one request" },
        Param {
            key: "read_v1",
            default: "no",
            range: Range::Choice(&["no", "yes"]),
            summary: "whether receipts of version 1 count",
        },
    ],
    limit_per_call: false,
    build: |v| Ok(Box::new(Replace::new(Ceilings::from_values(v), v.text("read_v1") == "yes")?)),
};

/// The six ceilings of the policy `replace`: all required, all positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ceilings {
    /// Longest query, UTF-8 bytes.
    pub query_bytes: usize,
    /// Most tools that one search may select.
    pub results: usize,
    /// Longest receipt, UTF-8 bytes.
    pub result_bytes: usize,
    /// Most tools of one selection.
    pub selected: usize,
    /// Most tools of one request, search tool included.
    pub active: usize,
    /// Most schema bytes of one request.
    pub schema_bytes: usize,
}

impl Ceilings {
    fn from_values(v: &Values) -> Self {
        Self {
            query_bytes: v.integer("query_bytes"),
            results: v.integer("results"),
            result_bytes: v.integer("result_bytes"),
            selected: v.integer("selected"),
            active: v.integer("active"),
            schema_bytes: v.integer("schema_bytes"),
        }
    }
}

/// The policy `replace`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replace {
    ceilings: Ceilings,
    read_v1: bool,
    key: Option<MacKey>,
}

/// Tool count and schema bytes of one request.
#[derive(Clone, Copy)]
struct Load {
    count: usize,
    bytes: usize,
}

impl Replace {
    /// Checks the ceilings against each other.
    ///
    /// # Errors
    /// [`PolicyError::NotPositive`] for a ceiling of 0; [`PolicyError::TooSmall`] when one search may return more tools
    /// than a selection may hold.
    ///
    /// ```
    /// use deferbench_core::policy::{Ceilings, PolicyError, Replace};
    /// let ceilings = Ceilings {
    ///     query_bytes: 1_024, results: 8, result_bytes: 8_192, selected: 8, active: 16, schema_bytes: 0,
    /// };
    /// assert_eq!(Replace::new(ceilings, false), Err(PolicyError::NotPositive { option: "schema_bytes" }));
    /// ```
    pub fn new(ceilings: Ceilings, read_v1: bool) -> Result<Self, PolicyError> {
        let c = &ceilings;
        for (option, value) in [
            ("query_bytes", c.query_bytes),
            ("results", c.results),
            ("result_bytes", c.result_bytes),
            ("selected", c.selected),
            ("active", c.active),
            ("schema_bytes", c.schema_bytes),
        ] {
            if value == 0 {
                return Err(PolicyError::NotPositive { option });
            }
        }
        if c.results > c.selected {
            let because = "one search may return that many tools";
            return Err(PolicyError::TooSmall { option: "selected", found: c.selected, needed: c.results, because });
        }
        Ok(Self { ceilings, read_v1, key: None })
    }

    /// The same policy with a key: receipts are signed, and only signed ones count.
    pub fn with_key(self, key: MacKey) -> Self {
        Self { key: Some(key), ..self }
    }

    fn base(&self, context: Context) -> Load {
        let bytes: usize = context.base.iter().map(|&t| context.catalog[t].schema_bytes()).sum();
        let search = context.search.map_or(0, Tool::schema_bytes);
        Load { count: 1 + context.base.len(), bytes: search + bytes }
    }

    /// The load of a request with these tools; an always-on tool that is also selected counts once.
    fn load(&self, context: Context, selected: &[ToolId]) -> Load {
        let mut load = self.base(context);
        for t in selected.iter().filter(|t| !context.base.contains(t)) {
            load.count += 1;
            load.bytes += context.catalog[*t].schema_bytes();
        }
        load
    }

    fn over(&self, load: Load) -> Option<&'static str> {
        if load.count > self.ceilings.active {
            Some("active")
        } else {
            (load.bytes > self.ceilings.schema_bytes).then_some("schema_bytes")
        }
    }

    fn receipt(&self, context: Context, transcript: &Transcript, status: Status, selected: &[ToolId]) -> Receipt {
        Receipt {
            schema_version: 2,
            kind: KIND.to_string(),
            status,
            run_id: transcript.run().to_string(),
            surface_key: context.surface.to_string(),
            selected: selected.iter().map(|&t| context.catalog[t].name().to_string()).collect(),
            matches: Vec::new(),
            truncated: false,
            step_id: Some(transcript.last_step().map(|(s, _)| s.to_string()).unwrap_or_default()),
            fingerprints: Some(selected.iter().map(|&t| context.catalog[t].fingerprint().to_string()).collect()),
            refused: Some(Vec::new()),
            // A stand-in of the right length, so that the byte ceiling counts it.
            mac: self.key.map(|_| "0".repeat(64)),
        }
    }

    /// Adds what the model reads about the selected tools while the receipt stays within its ceiling.
    fn describe(&self, context: Context, mut receipt: Receipt, selected: &[ToolId], more: bool) -> Option<Receipt> {
        receipt.truncated = more;
        // What is selected has to be in the receipt; names that were refused give way first.
        while receipt.json().len() > self.ceilings.result_bytes {
            receipt.refused.as_mut().and_then(Vec::pop)?;
            receipt.truncated = true;
        }
        let mut room = self.ceilings.result_bytes - receipt.json().len();
        for &tool in selected {
            let tool = &context.catalog[tool];
            let entry = Match {
                name: tool.name().to_string(),
                description: tool.description().unwrap_or_default().to_string(),
            };
            let comma = usize::from(!receipt.matches.is_empty());
            let size = serde_json::to_string(&entry).map_or(usize::MAX, |s| s.len() + comma);
            if size > room {
                receipt.truncated = true;
                // `true` is one byte shorter than `false`, so this never grows the receipt.
                break;
            }
            room -= size;
            receipt.matches.push(entry);
        }
        Some(receipt)
    }
}

impl Policy for Replace {
    fn search_tool(&self) -> Option<Tool> {
        let description = "Finds tools that are not visible yet and makes the best ones callable from the next step on, \
                           in place of what an earlier search found. The query is read as one phrase and as individual words; \
                           an exact tool name works best.";
        let schema = r#"{"type":"object","properties":{"query":{"type":"string","minLength":1,"description":"What you need to do, or an exact tool name."}},"required":["query"],"additionalProperties":false}"#;
        Tool::new("tool_search", Some(description), schema).ok()
    }

    fn check(&self, context: Context) -> Result<(), PolicyError> {
        let base = self.base(context);
        let because = "the search tool and the always-on tools alone need that much";
        let c = &self.ceilings;
        if base.count > c.active {
            return Err(PolicyError::TooSmall { option: "active", found: c.active, needed: base.count, because });
        }
        if base.bytes > c.schema_bytes {
            return Err(PolicyError::TooSmall {
                option: "schema_bytes",
                found: c.schema_bytes,
                needed: base.bytes,
                because,
            });
        }
        let mut smallest = self.receipt(context, &Transcript::new(), Status::SelectionRefused, &[]);
        smallest.truncated = true;
        // The ids of run and step are not known yet.
        let needed = smallest.json().len() + 2 * ID_BYTES;
        if needed > c.result_bytes {
            let because = "the shortest receipt is that long when the ids of run and step have 36 bytes each";
            return Err(PolicyError::TooSmall { option: "result_bytes", found: c.result_bytes, needed, because });
        }
        Ok(())
    }

    fn activation(&self, context: Context, transcript: &Transcript) -> Result<Activation, PolicyError> {
        let mut dropped = Vec::new();
        let newest = self.steps(context, transcript, &mut dropped).pop();
        let tools = newest.map(|(_, tools)| tools).unwrap_or_default();
        // Receipts are built under the ceilings; only a transcript from under other ones can be over them.
        match self.over(self.load(context, &tools)) {
            Some(ceiling) => Err(PolicyError::Overflow { ceiling, tools: tools.len() }),
            None => Ok(Activation { tools, dropped }),
        }
    }

    fn search(&self, context: Context, transcript: &Transcript, call: &Call) -> Answer {
        let arguments = match arguments(call) {
            Ok(arguments) => arguments,
            Err(message) => return Answer::error(message),
        };
        let query = match query_of(&arguments) {
            Ok(query) if is_blank(query) => {
                return Answer::error("the query is blank: describe the capability you need, or name a tool");
            }
            Ok(query) => query,
            Err(message) => return Answer::error(message),
        };
        let c = &self.ceilings;
        let oversized = query.len() > c.query_bytes;
        let hits = if oversized { Default::default() } else { context.ranker.search(query, c.results) };
        let found: Vec<ToolId> = hits.tools().collect();
        // What the earlier calls of this step selected stays: the receipts of one step are merged.
        let step = transcript.last_step().map(|(s, _)| s).unwrap_or_default();
        let earlier = self
            .steps(context, transcript, &mut Vec::new())
            .into_iter()
            .find(|(s, _)| s == step)
            .map(|(_, tools)| tools)
            .unwrap_or_default();
        let (mut selected, mut refused, mut new) = (Vec::new(), Vec::new(), 0);
        for &tool in &found {
            let alone = self.over(self.load(context, &[tool]));
            let known = earlier.contains(&tool);
            let full = (!known && earlier.len() + new >= c.selected).then_some("selected");
            match alone.or(full) {
                Some(ceiling) => refused.push((tool, ceiling)),
                None => {
                    new += usize::from(!known);
                    selected.push(tool);
                }
            }
        }
        let mut whole = earlier.clone();
        whole.extend(selected.iter().filter(|t| !earlier.contains(t)));
        if let Some(ceiling) = self.over(self.load(context, &whole)) {
            refused.splice(0..0, selected.drain(..).map(|t| (t, ceiling)));
        }
        let status = match (selected.is_empty(), oversized || !refused.is_empty()) {
            (false, _) => Status::Selected,
            (true, true) => Status::SelectionRefused,
            (true, false) => Status::NoMatch,
        };
        let named: Vec<(String, usize)> = refused
            .iter()
            .map(|(t, _)| (context.catalog[*t].name().to_string(), context.catalog[*t].schema_bytes()))
            .collect();
        let mut receipt = self.receipt(context, transcript, status, &selected);
        receipt.refused = Some(
            refused
                .iter()
                .zip(&named)
                .map(|((_, ceiling), (name, bytes))| Refused {
                    name: name.clone(),
                    ceiling: ceiling.to_string(),
                    schema_bytes: *bytes as u64,
                })
                .collect(),
        );
        let more = hits.matching > found.len();
        let receipt = match self.describe(context, receipt, &selected, more) {
            Some(receipt) => receipt,
            None => {
                selected.clear();
                let mut smallest = self.receipt(context, transcript, Status::SelectionRefused, &[]);
                smallest.truncated = true;
                if smallest.json().len() > c.result_bytes {
                    return Answer::error("the result ceiling is too small for any answer: raise result_bytes");
                }
                smallest
            }
        };
        let mut receipt = receipt;
        if let Some(key) = &self.key {
            receipt.sign(key, &call.id);
        }
        Answer {
            output: Output::Json(receipt.json()),
            record: None,
            found: selected.clone(),
            activated: selected,
            refused: named,
        }
    }
}
