//! What exactly was measured, and what do the words mean? The end of a full report.

use super::basis;
use super::figure::{dash, whole};
use super::page::{Block, Table};
use crate::Run;
use crate::record::{Better, Scores};

/// Corpora, identity, counters and glossary.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let scores = run.scores();
    let mut blocks = vec![Block::Heading("What was measured".to_owned())];
    blocks.extend(corpora(scores));
    blocks.extend(counters(scores));
    blocks.push(Block::Bullets(identity(run)));
    if !scores.metrics.is_empty() {
        blocks.push(Block::Heading("Glossary".to_owned()));
        blocks.push(Block::Bullets(glossary(scores)));
    }
    blocks
}

fn corpora(scores: &Scores) -> Option<Block> {
    let mut table = Table::new("Corpora.")
        .words("corpus")
        .figures(["tools", "generated", "servers", "queries", "schema bytes"])
        .words("SHA-256");
    for corpus in &scores.corpora {
        table.row(vec![
            corpus.name.clone(),
            whole(corpus.tools),
            whole(corpus.generated_tools),
            dash(corpus.servers, whole),
            whole(corpus.queries),
            whole(corpus.schema_bytes),
            format!("`{}`", corpus.sha256),
        ]);
    }
    table.block()
}

fn counters(scores: &Scores) -> Option<Block> {
    let mut table = Table::new("Counters.").words("counter").words("basis").words("counts").words("vocabulary SHA-256");
    for counter in &scores.counters {
        let vocabulary = dash(counter.vocabulary_sha256.as_ref(), |hash| format!("`{hash}`"));
        table.row(vec![counter.name.clone(), basis(counter.basis).to_owned(), counter.summary.clone(), vocabulary]);
    }
    table.block()
}

fn identity(run: &Run) -> Vec<String> {
    let identity = &run.manifest().identity;
    let mut lines = vec![
        format!("suite version: {}", identity.suite_version),
        format!("scenario: {}", identity.scenario),
        format!("given: `{}`", one_line(&identity.given)),
    ];
    for (axis, specs) in &identity.resolved {
        let specs: Vec<String> = specs.iter().map(|spec| format!("`{spec}`")).collect();
        lines.push(format!("{axis}: {}", specs.join(", ")));
    }
    lines.push(format!("seed: {}", identity.seed));
    lines.push(format!("bootstrap replicates: {}", whole(identity.replicates)));
    lines
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

fn glossary(scores: &Scores) -> Vec<String> {
    let line = |metric: &crate::record::MetricInfo| {
        let better = match metric.better {
            Better::Higher => "higher",
            Better::Lower => "lower",
        };
        format!(
            "`{}` (version {}, {}, {better} is better): {} Undefined: {} Source: {}",
            metric.name,
            metric.version,
            metric.unit,
            sentence(&metric.summary),
            sentence(&metric.undefined),
            sentence(&metric.source)
        )
    };
    scores.metrics.iter().map(line).collect()
}

fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}
