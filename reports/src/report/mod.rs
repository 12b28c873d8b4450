//! What stands in a report, in which order, whatever the form? Limits first, numbers after.

mod cache;
mod figure;
mod found;
mod identity;
mod labels;
mod notes;
mod page;
mod saving;
mod seed;
mod short;
mod survival;
mod turns;

pub(crate) use figure::{change, p_value};
pub use figure::{dash, decimal, share, whole};
pub use page::{Block, Column, Table, printable};

use crate::Run;
use crate::record::{Basis, CorpusInfo, CounterInfo};
use crate::render::RenderError;
use crate::seed_tables::{SeedTables, is_seed};

/// How much a report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// For a terminal: what was found, what survives on the largest corpus, and at the end the short answer.
    Screen,
    /// Every corpus, every counter, the identity of the run and a glossary.
    Full,
}

/// The blocks of the report of a run.
pub(crate) fn blocks(run: &Run, detail: Detail) -> Result<Vec<Block>, RenderError> {
    let scores = run.scores();
    let mut blocks = vec![Block::Title(format!("Deferbench {}, scenario {}", scores.suite_version, scores.scenario))];
    blocks.extend(notes::unfinished(run));
    blocks.push(Block::Heading("What this does not show".to_owned()));
    blocks.push(match scores.limits.as_slice() {
        [] => Block::Text("This run states no limits.".to_owned()),
        limits => Block::Bullets(limits.to_vec()),
    });
    if is_seed(run) {
        blocks.extend(seed::blocks(&SeedTables::new(run)?));
    } else {
        if detail == Detail::Full {
            blocks.extend(short::blocks(run));
            blocks.extend(saving::blocks(run));
            blocks.extend(turns::blocks(run));
        }
        blocks.extend(found::blocks(run, detail));
        blocks.extend(survival::blocks(run, detail));
        blocks.extend(cache::blocks(run));
    }
    blocks.extend(notes::blocks(run));
    match detail {
        Detail::Full => blocks.extend(identity::blocks(run)),
        // A terminal shows the end first.
        Detail::Screen if !is_seed(run) => blocks.extend(short::blocks(run)),
        Detail::Screen => {}
    }
    Ok(blocks)
}

/// The counter of the tables that have room for one: a real vocabulary before any other measured counter, else the first.
fn main_counter(counters: &[CounterInfo]) -> Option<&CounterInfo> {
    let measured = |counter: &&CounterInfo| counter.basis == Basis::Measured;
    counters
        .iter()
        .find(|counter| measured(counter) && counter.vocabulary_sha256.is_some())
        .or_else(|| counters.iter().find(|counter| measured(counter) && !counter.name.starts_with("bytes")))
        .or(counters.first())
}

/// The corpus with the most tools; the first of several.
fn largest<'a>(corpora: impl Iterator<Item = &'a CorpusInfo>) -> Option<&'a CorpusInfo> {
    corpora.reduce(|best, corpus| if corpus.tools > best.tools { corpus } else { best })
}

pub(crate) fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Measured => "measured",
        Basis::Simulated => "simulated",
        Basis::Estimated => "estimated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(name: &str, basis: Basis, vocabulary: Option<&str>) -> CounterInfo {
        let vocabulary_sha256 = vocabulary.map(str::to_owned);
        CounterInfo { name: name.to_owned(), basis, summary: String::new(), vocabulary_sha256 }
    }

    #[test]
    fn the_main_counter_has_a_vocabulary_if_any_has() {
        let bytes = counter("bytes@1", Basis::Measured, None);
        let chars = counter("chars4@1", Basis::Estimated, None);
        let real = counter("o200k_base@tiktoken", Basis::Measured, Some("ab"));
        let main = |counters: &[CounterInfo]| main_counter(counters).map(|counter| counter.name.clone());
        assert_eq!(main(&[bytes.clone(), chars.clone(), real]), Some("o200k_base@tiktoken".to_owned()));
        assert_eq!(main(&[chars.clone(), bytes]), Some("chars4@1".to_owned()));
        assert_eq!(main(&[]), None);
    }
}
