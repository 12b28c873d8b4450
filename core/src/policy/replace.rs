//! The newest search decides, run by run.

mod answer;
mod fold;
mod receipts;
mod repair;
mod upstream;

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use super::{Context, Fold, Policy, PolicyEntry, PolicyError};
use crate::catalog::ToolId;
use crate::receipt::MacKey;
use crate::spec::{Param, Range, Values};
use crate::tool::Tool;

/// Room for a run id and for a step id in the shortest receipt: the length of a UUID.
const ID_BYTES: usize = 36;

/// The shortest receipt for which the published system checks: run id `run`, surface key `surface`.
const UPSTREAM_SHORTEST: usize = 164;

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
            key: "compat",
            default: "no",
            range: Range::Choice(&["no", "v1", "upstream"]),
            summary: "v1: receipts of version 1 count too; upstream: everything as published, defects included",
        },
    ],
    limit_per_call: false,
    build: |v| Ok(Arc::new(Replace::from_values(v)?)),
};

/// The six ceilings of the policy `replace`: all required, all positive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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

/// How much of the published system is kept beside the rules of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compat {
    /// Nothing: receipts of version 2 only.
    #[default]
    No,
    /// Receipts of version 1 count too; they have no step id and group by the message that holds their calls.
    V1,
    /// Receipts, merging, ceilings and repair as published, defects included: what a mended defect costs can be measured.
    Upstream,
}

impl Compat {
    fn from_values(v: &Values) -> Self {
        match v.text("compat") {
            "v1" => Self::V1,
            "upstream" => Self::Upstream,
            _ => Self::No,
        }
    }
}

/// The policy `replace`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replace {
    ceilings: Ceilings,
    compat: Compat,
    key: Option<MacKey>,
    /// Longest run id and longest step id, bytes.
    ids: (usize, usize),
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
    /// than a selection may hold, which the published system finds out at run time, search by search.
    ///
    /// ```
    /// use deferbench_core::policy::{Ceilings, Compat, PolicyError, Replace};
    /// let ceilings = Ceilings {
    ///     query_bytes: 1_024, results: 8, result_bytes: 8_192, selected: 8, active: 16, schema_bytes: 0,
    /// };
    /// assert_eq!(Replace::new(ceilings, Compat::No), Err(PolicyError::NotPositive { option: "schema_bytes" }));
    /// ```
    pub fn new(ceilings: Ceilings, compat: Compat) -> Result<Self, PolicyError> {
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
        if c.results > c.selected && compat != Compat::Upstream {
            let because = "one search may return that many tools";
            return Err(PolicyError::TooSmall { option: "selected", found: c.selected, needed: c.results, because });
        }
        Ok(Self { ceilings, compat, key: None, ids: (ID_BYTES, ID_BYTES) })
    }

    /// The policy of a spec, for a host that adds a key to it.
    ///
    /// # Errors
    /// As for [`Replace::new`].
    pub fn from_values(values: &Values) -> Result<Self, PolicyError> {
        Self::new(Ceilings::from_values(values), Compat::from_values(values))
    }

    /// The same policy with a key: receipts are signed, and only signed ones count.
    pub fn with_key(self, key: MacKey) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The same policy for run ids and step ids of other lengths than the 36 bytes of a UUID; the shortest receipt that
    /// can occur with them has to fit under the ceiling `result_bytes`, which is checked when a surface is built.
    pub fn with_id_bytes(self, run: usize, step: usize) -> Self {
        Self { ids: (run, step), ..self }
    }

    /// The load of a request with these tools beside the search tool; a tool that stands in two lists counts once.
    fn load(&self, context: Context, lists: &[&[ToolId]]) -> Load {
        let search = context.search.map_or(0, Tool::schema_bytes);
        let mut load = Load { count: 1, bytes: search };
        let mut seen = HashSet::new();
        for tool in lists.iter().copied().flatten().filter(|t| seen.insert(**t)) {
            load.count += 1;
            load.bytes += context.catalog[*tool].schema_bytes();
        }
        load
    }

    /// The load of a request that also has the always-on tools and the pins.
    fn with_selected(&self, context: Context, selected: &[ToolId]) -> Load {
        self.load(context, &[context.base, context.pins, selected])
    }

    /// The ceiling that a load is over.
    fn over(&self, load: Load) -> Option<&'static str> {
        if load.count > self.ceilings.active {
            Some("active")
        } else {
            (load.bytes > self.ceilings.schema_bytes).then_some("schema_bytes")
        }
    }

    /// The ceiling that a selection is over, beside always-on tools and pins.
    fn full(&self, context: Context, selected: &[ToolId]) -> Option<&'static str> {
        let full = (selected.len() > self.ceilings.selected).then_some("selected");
        full.or_else(|| self.over(self.with_selected(context, selected)))
    }

    /// How many pins fit beside a selection.
    ///
    /// # Errors
    /// [`PolicyError`] when the pins do not fit without a selection, or the selection not without pins.
    fn fitting_pins(&self, context: Context, selected: &[ToolId]) -> Result<usize, PolicyError> {
        let alone = self.load(context, &[context.base, context.pins]);
        if let Some(ceiling) = self.over(alone) {
            let (found, limit) = match ceiling {
                "active" => (alone.count, self.ceilings.active),
                _ => (alone.bytes, self.ceilings.schema_bytes),
            };
            let (base, pins) = (context.base.len(), context.pins.len());
            return Err(PolicyError::Pins { ceiling, base, pins, found, limit });
        }
        let with = |n: usize| self.load(context, &[context.base, &context.pins[..n], selected]);
        let fits = (0..=context.pins.len()).rev().find(|n| self.over(with(*n)).is_none());
        // Receipts are built under the ceilings; only a transcript from under other ones can be over them.
        let ceiling = self.over(with(0)).unwrap_or("active");
        fits.ok_or(PolicyError::Overflow { ceiling, tools: selected.len() })
    }

    /// Bytes of the shortest receipt of a run.
    fn shortest(&self, context: Context, run: &str, step: &str) -> usize {
        self.refusal(context, run, step).json().len()
    }
}

impl Policy for Replace {
    fn search_tool(&self) -> Option<Tool> {
        let description = "Finds tools that are not visible yet and makes the best ones callable from the next step on, \
                           in place of what an earlier search found. The query is read as one phrase and as individual words; \
                           an exact tool name works best.";
        let query =
            r#""query":{"type":"string","minLength":1,"description":"What you need to do, or an exact tool name."}"#;
        // The published system shows the model a flag that only the host should set.
        let reason = match self.compat {
            Compat::Upstream => r#","reason":{"type":"string","enum":["inactive_call"]}"#,
            _ => "",
        };
        let schema = format!(
            r#"{{"type":"object","properties":{{{query}{reason}}},"required":["query"],"additionalProperties":false}}"#
        );
        Tool::new("tool_search", Some(description), &schema).ok()
    }

    fn ceilings(&self) -> Option<&Ceilings> {
        Some(&self.ceilings)
    }

    fn check(&self, context: Context) -> Result<(), PolicyError> {
        let base = self.load(context, &[context.base]);
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
        let needed = match self.compat {
            Compat::Upstream => UPSTREAM_SHORTEST,
            _ => self.shortest(context, "", "") + self.ids.0 + self.ids.1,
        };
        if needed > c.result_bytes {
            let because = "the shortest receipt is that long with the longest ids of run and step";
            return Err(PolicyError::TooSmall { option: "result_bytes", found: c.result_bytes, needed, because });
        }
        Ok(())
    }

    fn fold(&self) -> Box<dyn Fold> {
        match self.compat {
            Compat::Upstream => Box::new(upstream::Upstream::new(self.clone())),
            _ => Box::new(fold::Receipts::new(self.clone())),
        }
    }
}
