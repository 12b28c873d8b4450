//! Will an agent find the tools of this server, what do they cost, and what should its author change first?
//!
//! Each tool is asked for in four ways: by its name, by the words of its name, by the first sentence of its description,
//! and by the server's word with the words of its name; once among the server's own tools and once in a crowd of a
//! thousand generated ones. A suggestion is applied to the definitions, and then everything is measured again with the
//! queries of before.

mod edits;
mod show;

use std::collections::HashSet;

use deferbench_core::cost::Wire;
use deferbench_core::lint::{Finding, Lint};
use deferbench_core::rank::{self, BuiltRanker};
use deferbench_core::{Catalog, Limits, Tool};
use deferbench_corpora::{Corpus, listing};
use deferbench_reports::record::CounterInfo;
use serde::Serialize;

use crate::counter::{Counter, CounterEntry};
use crate::providers;

pub use edits::Edit;
pub use show::{json, text};

/// The tools around the server's own.
pub const CROWD: &str = "gen(tools=1000,seed=7)";

/// Places of an answer that are looked at.
const DEPTH: usize = 50;

/// The ways in which a tool is asked for.
pub const WAYS: [&str; 4] = ["own name", "name words", "first sentence", "server and name"];

/// The place of a tool in an answer, from 1; none: not among the first fifty.
pub type Place = Option<usize>;

/// What was found about one tool.
#[derive(Debug, Clone, Serialize)]
pub struct ToolCheck {
    /// The name in the catalog.
    pub tool: String,
    /// `schema_bytes`.
    pub bytes: u64,
    /// Tokens of the wire text.
    pub tokens: u64,
    /// The place for each of [`WAYS`], among the server's own tools.
    pub alone: [Place; 4],
    /// The same in the crowd.
    pub crowd: [Place; 4],
    /// The own tool that stands nearest when it is asked for by words.
    pub confused_own: Option<String>,
    /// The generated tool that does.
    pub confused_crowd: Option<String>,
}

/// What a check found.
#[derive(Debug, Clone)]
pub struct Check {
    /// The corpus' name.
    pub corpus: String,
    /// The ranker's spec.
    pub ranker: String,
    /// Who counted the tokens.
    pub counter: CounterInfo,
    /// Each tool, in the order of the catalog.
    pub tools: Vec<ToolCheck>,
    /// Every finding of the linter, under every built-in profile.
    pub findings: Vec<Finding>,
    /// The best three suggestions; fewer where fewer gain anything.
    pub edits: Vec<Edit>,
    /// Tools whose queries the suggestions were measured with.
    pub sample: usize,
}

/// The queries of one tool.
#[derive(Debug, Clone)]
struct Asked {
    /// Its position among the own tools.
    position: usize,
    queries: [String; 4],
}

/// Checks the tools of a corpus with a ranker.
///
/// # Errors
/// An unknown ranker, a text that the counter cannot count, or definitions that make no catalog with the crowd.
pub fn check(corpus: &Corpus, counter: &CounterEntry, ranker: &str) -> anyhow::Result<Check> {
    let own = corpus.catalog.tools();
    let crowd = deferbench_corpora::open(CROWD, &Limits::default())?;
    let asked = asked(corpus);
    let alone = rank::build(ranker, &corpus.catalog)?;
    let merged = merged(own, crowd.catalog.tools())?;
    let within = rank::build(ranker, &merged)?;
    let count = (counter.counter)();
    let mut tools = Vec::with_capacity(own.len());
    for a in &asked {
        let tool = &own[a.position];
        let mut out = ToolCheck {
            tool: tool.name().to_string(),
            bytes: tool.schema_bytes() as u64,
            tokens: count.count(&wire_text(tool))?,
            alone: places(&alone, a),
            crowd: places(&within, a),
            confused_own: None,
            confused_crowd: None,
        };
        // By words, since by its name a tool is hardly ever taken for another; by its sentence where the words find it alone.
        for query in &a.queries[1..3] {
            for hit in within.ranker.search(query, DEPTH).tools().filter(|t| t.index() != a.position) {
                let slot = if hit.index() < own.len() { &mut out.confused_own } else { &mut out.confused_crowd };
                slot.get_or_insert_with(|| merged[hit].name().to_string());
            }
        }
        tools.push(out);
    }
    let (definitions, profiles) = (listing::of(corpus)?, providers::built_in()?);
    // A step through the whole listing, so that the suggestions of a large one stay affordable.
    let step = asked.len().div_ceil(edits::MOST_TOOLS).max(1);
    let sample: Vec<Asked> = asked.into_iter().step_by(step).collect();
    let before = (tools.iter().map(|t| t.tokens).sum(), mrr(&within, &sample));
    Ok(Check {
        corpus: corpus.name.clone(),
        ranker: within.spec.clone(),
        counter: counter.info(),
        edits: edits::best(corpus, crowd.catalog.tools(), &sample, before, count, ranker)?,
        sample: sample.len(),
        findings: Lint { definitions: &definitions, profiles: &profiles, against: None }.findings(),
        tools,
    })
}

fn wire_text(tool: &Tool) -> String {
    Wire::of(tool).split().text
}

fn places(built: &BuiltRanker, asked: &Asked) -> [Place; 4] {
    let place = |query: &String| {
        let hits = built.ranker.search(query, DEPTH);
        hits.tools().position(|t| t.index() == asked.position).map(|p| p + 1)
    };
    [0, 1, 2, 3].map(|way| place(&asked.queries[way]))
}

/// The queries of every tool, from its definition as it stands now.
fn asked(corpus: &Corpus) -> Vec<Asked> {
    let of = |(position, tool): (usize, &Tool)| {
        let words = words(tool.bare_name());
        let sentence = first_sentence(tool.description().unwrap_or_default());
        let sentence = if sentence.is_empty() { words.clone() } else { sentence };
        let vendor = format!("{} {words}", server_word(corpus, tool));
        Asked { position, queries: [tool.bare_name().to_string(), words, sentence, vendor] }
    };
    corpus.catalog.tools().iter().enumerate().map(of).collect()
}

/// The words of an identifier: `getUserList` and `get-user_list` are `get user list`.
fn words(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() {
            out.push(' ');
        } else {
            if c.is_uppercase() && before.is_lowercase() {
                out.push(' ');
            }
            out.extend(c.to_lowercase());
        }
        before = c;
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Up to the first full stop before a blank, or the first line break.
fn first_sentence(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.len());
    line[..end].trim_end_matches('.').chars().take(200).collect()
}

/// The first word of a server's label that says which server it is.
fn server_word(corpus: &Corpus, tool: &Tool) -> String {
    const GENERAL: [&str; 7] = ["mcp", "server", "servers", "api", "tools", "the", "modelcontextprotocol"];
    let label = words(tool.server().unwrap_or(&corpus.name));
    let found = label.split(' ').find(|w| !GENERAL.contains(w)).map(str::to_string);
    found.unwrap_or(label)
}

/// The own tools, names kept, then the crowd; a generated tool of an own name gets another one.
fn merged(own: &[Tool], crowd: &[Tool]) -> anyhow::Result<Catalog> {
    let clashing: HashSet<&str> = own.iter().flat_map(|t| [t.name(), t.bare_name()]).collect();
    let crowd_names = crowd.iter().map(Tool::name);
    let mut taken: HashSet<String> = clashing.iter().copied().chain(crowd_names).map(str::to_string).collect();
    let mut tools = own.to_vec();
    for tool in crowd {
        if !clashing.contains(tool.name()) {
            tools.push(tool.clone());
            continue;
        }
        let mut name = format!("crowd_{}", tool.name());
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        let mut wire = Wire::of(tool);
        wire.name_json = serde_json::Value::from(name).to_string().into();
        tools.push(rebuilt(&wire, tool.server())?);
    }
    Ok(Catalog::new(tools)?)
}

/// A rewritten definition as a tool of the same server.
fn rebuilt(wire: &Wire, server: Option<&str>) -> anyhow::Result<Tool> {
    let mut json = wire.split().text;
    if let Some(server) = server {
        json.truncate(json.len() - 1);
        json.push_str(&format!(",\"server\":{}}}", serde_json::Value::from(server)));
    }
    let limits = Limits { name_bytes: 512, nesting: 512, ..Limits::default() };
    Ok(Tool::from_json(&json, &limits)?)
}

/// Mean reciprocal place over tools and ways; a tool that is not found counts 0.
fn mrr(built: &BuiltRanker, asked: &[Asked]) -> Option<f64> {
    let each = asked.iter().flat_map(|a| places(built, a));
    let (sum, n) = each.fold((0.0, 0usize), |(sum, n), p| (sum + p.map_or(0.0, |p| 1.0 / p as f64), n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// Tokens of the wire text of some tools.
fn tokens(tools: &[Tool], counter: &dyn Counter) -> anyhow::Result<u64> {
    let mut out = 0;
    for tool in tools {
        out += counter.count(&wire_text(tool))?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
