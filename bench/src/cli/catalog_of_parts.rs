//! What can be selected? One list per kind of part, made from the parts' own declarations.

use deferbench_core::spec::Param;
use deferbench_core::{compact, entry, lint, order, policy, rank, text};
use deferbench_corpora::generate::query;
use deferbench_corpora::{generated, import};
use deferbench_reports::render;

use crate::{counter, layout, lifecycle, log, metric, profiles, providers, scenario, script};

/// A kind of part.
pub struct Kind {
    /// The word of `deferbench list`.
    pub name: &'static str,
    /// One sentence: what it decides.
    pub summary: &'static str,
    /// Its parts.
    pub parts: fn() -> Vec<Part>,
}

/// One selectable part.
pub struct Part {
    /// The name used in specs and flags.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// Where it comes from; empty where it is this project's own.
    pub source: String,
    /// Parameters with defaults.
    pub params: &'static [Param],
}

macro_rules! kind {
    ($name:literal, $summary:literal, $all:expr, $params:expr) => {
        Kind {
            name: $name,
            summary: $summary,
            parts: || {
                $all.iter()
                    .map(|e| Part {
                        name: e.name.into(),
                        summary: e.summary.into(),
                        source: e.source.into(),
                        params: $params(e),
                    })
                    .collect()
            },
        }
    };
    ($name:literal, $summary:literal, $all:expr) => {
        kind!($name, $summary, $all, |_| &[])
    };
}

/// Every kind, in the order of `deferbench list`.
pub static KINDS: &[Kind] = &[
    kind!("policies", "how a search result becomes activation", policy::POLICIES, |e: &&policy::PolicyEntry| e.params),
    kind!("rankers", "which tools answer a query", rank::RANKERS, |e: &&rank::RankerEntry| e.params),
    kind!("splitters", "how a text becomes search words", text::SPLITTERS),
    kind!("orders", "in which sequence tools are written", order::ORDERS, |e: &&order::Order| e.params),
    kind!("entries", "how an activated tool enters the request", entry::ENTRIES),
    kind!("layouts", "how a request becomes prompt text", layout::LAYOUTS),
    kind!("counters", "how many tokens a text has", counter::COUNTERS),
    kind!("metrics", "what is reported", metric::METRICS),
    kind!("scripts", "what happens in a session", script::SCRIPTS),
    kind!("classes", "how the queries of a generated corpus are worded", query::CLASSES),
    kind!("lint-rules", "what a definition may make somebody stumble over", lint::RULES),
    Kind {
        name: "compactions",
        summary: "what a definition could do without, and what that changes",
        parts: || {
            let part = |c: &&compact::Compaction| Part {
                name: c.name.to_string(),
                summary: format!("{} ({})", c.summary, c.effect.text()),
                source: c.source.to_string(),
                params: &[],
            };
            compact::COMPACTIONS.iter().map(part).collect()
        },
    },
    Kind {
        name: "providers",
        summary: "who accepts which names and schemas, and since when we know",
        parts: || {
            let part = |p: &lint::Profile| Part {
                name: p.name.clone(),
                summary: format!("{} (checked {})", p.summary, p.checked_on),
                source: sources(p),
                params: &[],
            };
            providers::built_in().unwrap_or_default().iter().map(part).collect()
        },
    },
    Kind {
        name: "profiles",
        summary: "what is published about prefix caches, and who says so",
        parts: || {
            let part = |c: &profiles::CacheProfile| Part {
                name: c.profile.name.clone(),
                summary: c.summary.clone(),
                source: c.facts.iter().map(published).collect::<Vec<_>>().join("; "),
                params: &[],
            };
            profiles::built_in().unwrap_or_default().iter().map(part).collect()
        },
    },
    kind!("shapes", "whose recorded request bodies can be read", log::SHAPES),
    kind!("importers", "which outside formats can be read", import::IMPORTERS),
    Kind {
        name: "corpora",
        summary: "what a CORPUS argument may be, beside files and folders",
        parts: || {
            let summary = "generated tools and queries of this project".to_string();
            vec![Part { name: "gen".to_string(), summary, source: String::new(), params: generated::PARAMS }]
        },
    },
    Kind {
        name: "renderers",
        summary: "which files a report has",
        parts: || {
            let part = |r: &&render::Renderer| Part {
                name: r.name.to_string(),
                summary: r.summary.to_string(),
                source: String::new(),
                params: &[],
            };
            render::RENDERERS.iter().map(part).collect()
        },
    },
    Kind {
        name: "scenarios",
        summary: "which grids are built in",
        parts: || {
            let comment = |text: &str| text.lines().next().unwrap_or_default().trim_start_matches("# ").to_string();
            let part = |(name, text): &(&str, &str)| Part {
                name: name.to_string(),
                summary: comment(text),
                source: String::new(),
                params: &[],
            };
            scenario::BUILT_IN.iter().map(part).collect()
        },
    },
    Kind {
        name: "traces",
        summary: "what must hold over the life of a session",
        parts: || {
            let part = |t: &lifecycle::Story| Part {
                name: t.name().to_string(),
                summary: t.why().to_string(),
                source: t.source().to_string(),
                params: &[],
            };
            lifecycle::built_in().unwrap_or_default().iter().map(part).collect()
        },
    },
];

/// A value of a cache profile with its source.
fn published(fact: &profiles::Fact) -> String {
    format!("{} = {} ({}; checked {})", fact.key, fact.value, fact.source, fact.checked_on)
}

/// Every value of a profile with its source.
fn sources(p: &lint::Profile) -> String {
    fn fact<T: std::fmt::Display>(key: &str, fact: &lint::Fact<T>) -> String {
        let value = fact.value.as_ref().map_or_else(|| "unknown".to_string(), T::to_string);
        format!("{key} = {value} ({})", fact.source)
    }
    [
        fact("name_characters", &p.name_characters),
        fact("name_start", &p.name_start),
        fact("name_length", &p.name_length),
        fact("prefixed_length", &p.prefixed_length),
        fact("parameter_characters", &p.parameter_characters),
        fact("parameter_length", &p.parameter_length),
        fact("root_type_required", &p.root_type_required),
        fact("root_combinators", &p.root_combinators),
        fact("references", &p.references),
        fact("recursion", &p.recursion),
        fact("tools", &p.tools),
    ]
    .join("; ")
}

impl Kind {
    /// As a Markdown table.
    pub fn markdown(&self) -> String {
        let mut out = String::from("| name | what it does |\n|---|---|\n");
        for part in (self.parts)() {
            out.push_str(&format!("| `{}` | {} |\n", part.name, part.summary.replace('|', "\\|")));
        }
        out
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.name, self.summary);
        for part in (self.parts)() {
            out.push_str(&format!("  {}\n      {}\n", part.name, part.summary));
            if !part.source.is_empty() {
                out.push_str(&format!("      source: {}\n", part.source));
            }
            for p in part.params {
                out.push_str(&format!("      {}={}  {}; {}\n", p.key, p.default, p.summary, p.range));
            }
        }
        out
    }
}
