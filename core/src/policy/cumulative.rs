//! What was found stays, agent by agent.

mod fold;
mod snapshots;
mod widen;

use std::sync::Arc;

use super::{BLANK, Context, Fold, Policy, PolicyEntry, PolicyError, arguments, is_blank, query_of};
use crate::spec::{Param, Range, Values};
use crate::tool::Tool;
use crate::transcript::Call;

pub(crate) use snapshots::check_next;
pub use snapshots::check_snapshots;
use snapshots::validate;
pub(crate) use widen::Use;

const CEILING: Range = Range::Integer(0, 1 << 40);

pub(super) static ENTRY: PolicyEntry = PolicyEntry {
    name: "cumulative",
    summary: "a search adds the tools it finds to the agent's selection, which never shrinks unless a ceiling is set or the host resets it; each change is recorded as a snapshot of the whole set",
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
        Param {
            key: "max_tools",
            default: "0",
            range: CEILING,
            summary: "most selected tools; past it the least recently used leave; 0: no ceiling",
        },
        Param {
            key: "max_schema_bytes",
            default: "0",
            range: CEILING,
            summary: "most schema bytes of the selected tools; past it the least recently used leave; 0: no ceiling",
        },
        Param {
            key: "compat",
            default: "no",
            range: Range::Choice(&["no", "upstream"]),
            summary: "upstream: as published, defects included",
        },
    ],
    limit_per_call: true,
    build: |v| Ok(Arc::new(Cumulative::from_values(v)?)),
};

/// The policy `cumulative`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cumulative {
    /// Most tools that one search may load; also the default of its `limit`.
    pub max_results: usize,
    /// Longest query after trimming, in UTF-16 code units.
    pub max_query_chars: usize,
    /// Most selected tools; none: as many as are found, as published.
    pub max_tools: Option<usize>,
    /// Most schema bytes of the selected tools; none: as many as are found, as published.
    pub max_schema_bytes: Option<usize>,
    /// Whether the published behaviour is kept, defects included: a query of punctuation alone is searched for, snapshots
    /// that remove something are refused.
    pub upstream: bool,
}

impl Default for Cumulative {
    /// As published: 5 results, 512 characters, no ceiling; defects mended.
    fn default() -> Self {
        Self { max_results: 5, max_query_chars: 512, max_tools: None, max_schema_bytes: None, upstream: false }
    }
}

impl Cumulative {
    /// The policy of a spec.
    ///
    /// # Errors
    /// [`PolicyError::TooSmall`] when one search may load more tools than may be selected;
    /// [`PolicyError::NoCeilings`] for a ceiling beside `compat=upstream`.
    ///
    /// ```
    /// use deferbench_core::policy;
    /// assert!(policy::build("cumulative(max_tools=5)").is_ok());
    /// let error = policy::build("cumulative(max_tools=4)").err().unwrap().to_string();
    /// assert_eq!(error, "ceiling max_tools is 4; the smallest value that works is 5, because one search may load that many tools");
    /// ```
    pub fn from_values(v: &Values) -> Result<Self, PolicyError> {
        let ceiling = |key| Some(v.integer(key)).filter(|n| *n > 0);
        let policy = Self {
            max_results: v.integer("results"),
            max_query_chars: v.integer("query_chars"),
            max_tools: ceiling("max_tools"),
            max_schema_bytes: ceiling("max_schema_bytes"),
            upstream: v.text("compat") == "upstream",
        };
        policy.sound()?;
        Ok(policy)
    }

    /// Checks the fields against each other.
    ///
    /// # Errors
    /// As for [`Cumulative::from_values`], and [`PolicyError::NotPositive`] for a limit of 0.
    pub fn sound(&self) -> Result<(), PolicyError> {
        for (option, value) in [
            ("results", self.max_results),
            ("query_chars", self.max_query_chars),
            ("max_tools", self.max_tools.unwrap_or(1)),
            ("max_schema_bytes", self.max_schema_bytes.unwrap_or(1)),
        ] {
            if value == 0 {
                return Err(PolicyError::NotPositive { option });
            }
        }
        if self.upstream && (self.max_tools, self.max_schema_bytes) != (None, None) {
            return Err(PolicyError::NoCeilings);
        }
        match self.max_tools.filter(|max| *max < self.max_results) {
            Some(found) => {
                let because = "one search may load that many tools";
                Err(PolicyError::TooSmall { option: "max_tools", found, needed: self.max_results, because })
            }
            None => Ok(()),
        }
    }

    /// Query and limit of a call, or the error that the model reads. A repaired call names its one tool.
    pub(crate) fn request(&self, call: &Call) -> Result<(String, usize), String> {
        if let Some(original) = &call.repaired {
            let name = Some(original.name.trim()).filter(|name| !name.is_empty());
            return Ok((name.unwrap_or("a call of a hidden tool").to_string(), 1));
        }
        let arguments = arguments(call)?;
        let query = query_of(&arguments)?.trim();
        if query.is_empty() || (is_blank(query) && !self.upstream) {
            return Err(BLANK.to_string());
        }
        let length = query.encode_utf16().count();
        if length > self.max_query_chars {
            let max = self.max_query_chars;
            return Err(format!("the query has {length} characters, at most {max} are allowed: shorten it"));
        }
        let limit = match arguments.get("limit") {
            None => self.max_results,
            // 2.0 is an integer in JSON Schema, and in the published system.
            Some(value) => value
                .as_f64()
                .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n))
                .map(|n| n as usize)
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
        self.sound()
    }

    fn fold(&self) -> Box<dyn Fold> {
        Box::new(fold::Accumulated::new(self.clone()))
    }
}
