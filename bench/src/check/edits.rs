//! Which three changes gain most?

use deferbench_core::compact::{COMPACTIONS, Effect, Settings};
use deferbench_core::cost::Wire;
use deferbench_core::{Tool, rank};
use deferbench_corpora::Corpus;
use serde::Serialize;

use super::{Asked, merged, mrr, rebuilt, server_word, tokens, words};
use crate::counter::Counter;

/// Most tools whose queries are measured for each suggestion.
pub const MOST_TOOLS: usize = 100;

/// A change of the definitions with what it was measured to gain.
#[derive(Debug, Clone, Serialize)]
pub struct Edit {
    /// A compaction's name, or the name of the change.
    pub edit: &'static str,
    /// What is changed, in words.
    pub what: String,
    /// What it changes beside the size.
    pub effect: &'static str,
    /// Tools that it changes.
    pub tools: usize,
    /// Tokens of all definitions, before and after.
    pub tokens: (u64, u64),
    /// Mean reciprocal rank in the crowd, before and after, with the queries of before.
    pub mrr: (Option<f64>, Option<f64>),
}

impl Edit {
    /// Share of the tokens saved and mean reciprocal rank gained, added: one token in a hundred weighs as much as a
    /// hundredth of a rank.
    pub fn gain(&self) -> f64 {
        let saved = (self.tokens.0 as f64 - self.tokens.1 as f64) / (self.tokens.0.max(1)) as f64;
        saved + self.mrr.1.unwrap_or(0.0) - self.mrr.0.unwrap_or(0.0)
    }
}

type Change<'c> = Box<dyn Fn(&Tool, &mut Wire) + 'c>;

/// The three changes with the largest gain over `before`, the tokens of all definitions and the mean reciprocal rank; none that loses more than it gains, and none that changes what is valid.
pub fn best(
    corpus: &Corpus,
    crowd: &[Tool],
    sample: &[Asked],
    before: (u64, Option<f64>),
    counter: &dyn Counter,
    ranker: &str,
) -> anyhow::Result<Vec<Edit>> {
    let own = corpus.catalog.tools();
    let measure = |tools: &[Tool]| -> anyhow::Result<(u64, Option<f64>)> {
        Ok((tokens(tools, counter)?, mrr(&rank::build(ranker, &merged(tools, crowd)?)?, sample)))
    };
    let mut out = Vec::new();
    for (edit, what, effect, change) in candidates(corpus) {
        let mut changed = 0;
        let mut tools = Vec::with_capacity(own.len());
        for tool in own {
            let as_is = Wire::of(tool);
            let mut wire = as_is.clone();
            change(tool, &mut wire);
            if wire == as_is {
                tools.push(tool.clone());
            } else {
                changed += 1;
                tools.push(rebuilt(&wire, tool.server())?);
            }
        }
        // A change that gives two tools one name is none.
        let mut names = std::collections::HashSet::new();
        if changed == 0 || !tools.iter().all(|t| names.insert(t.name())) {
            continue;
        }
        let after = measure(&tools)?;
        let found = Edit { edit, what, effect, tools: changed, tokens: (before.0, after.0), mrr: (before.1, after.1) };
        // Half a thousandth is what three decimals print as nothing.
        if found.gain() > 0.0005 {
            out.push(found);
        }
    }
    out.sort_by(|a, b| b.gain().total_cmp(&a.gain()).then(a.edit.cmp(b.edit)));
    out.truncate(3);
    Ok(out)
}

fn candidates(corpus: &Corpus) -> Vec<(&'static str, String, &'static str, Change<'_>)> {
    let mut out: Vec<(&'static str, String, &'static str, Change)> = Vec::new();
    for compaction in COMPACTIONS.iter().filter(|c| c.effect != Effect::Validation) {
        let change = |_: &Tool, wire: &mut Wire| (compaction.rewrite)(wire, &Settings::default());
        out.push((compaction.name, compaction.summary.to_string(), compaction.effect.text(), Box::new(change)));
    }
    let quote = |text: String| serde_json::Value::from(text).to_string();
    let lacks = |tool: &Tool| {
        let word = server_word(corpus, tool);
        let said = format!("{} {}", words(tool.name()), words(tool.description().unwrap_or_default()));
        (!word.is_empty() && !said.split(' ').any(|w| w == word)).then_some(word)
    };
    let reads = Effect::Reading.text();
    let say = move |tool: &Tool, wire: &mut Wire| {
        if let Some(word) = lacks(tool) {
            let text = tool.description().unwrap_or_default();
            let blank = if text.is_empty() { "" } else { " " };
            wire.description_json = Some(quote(format!("{text}{blank}({word})")).into());
        }
    };
    out.push((
        "say-the-server",
        "the server's word ends every description that lacks it".to_string(),
        reads,
        Box::new(say),
    ));
    let name = move |tool: &Tool, wire: &mut Wire| {
        if let Some(word) = lacks(tool) {
            wire.name_json = quote(format!("{word}_{}", tool.name())).into();
        }
    };
    out.push((
        "name-the-server",
        "the server's word begins every name that lacks it".to_string(),
        "renames tools",
        Box::new(name),
    ));
    let describe = move |tool: &Tool, wire: &mut Wire| {
        if tool.description().unwrap_or_default().trim().is_empty() {
            wire.description_json = Some(quote(words(tool.bare_name())).into());
        }
    };
    out.push((
        "describe",
        "the words of its name describe every tool without a description".to_string(),
        reads,
        Box::new(describe),
    ));
    out
}
