//! What did the traces show?

use deferbench_reports::page::{Block, Table, dash, share, whole};
use serde_json::{Value, json};

use super::measure::{COUNTER, LAYOUT};
use super::{Outcome, Story};

/// The blocks of the report: limits first, then one row for each case, then what failed.
pub fn blocks(traces: &[Story], outcomes: &[Outcome]) -> Vec<Block> {
    let failed = outcomes.iter().filter(|o| !o.failures.is_empty()).count();
    let mut blocks = vec![
        Block::Title("Lifecycle traces".to_string()),
        Block::Heading("What this does not show".to_string()),
        Block::Bullets(vec![
            "The model is scripted: it calls what the story needs, and where it cannot see the tool it calls it all the same, or searches once; a real model may give up or do something else.".to_string(),
            "Each story is as short as the failure allows, so differences between cases tell more than the sums; catalogs have a few tools with short definitions.".to_string(),
            "A receipt of this project names a hash for each selected tool, which the published one does not: where the requests are equal, ours have more tokens for it.".to_string(),
            "The published behaviour is this project's own implementation of its description, not that program itself.".to_string(),
        ]),
        Block::Heading("Cases".to_string()),
    ];
    let caption = format!(
        "\"ours\" keeps what the trace asks for; \"upstream\" is the published behaviour, with what it costs. Requests, and needs of the story whose tool ran in the end; tokens of all requests ({COUNTER}, layout {LAYOUT}); mean share of the previous prompt that is kept as a prefix, in bytes; a dash where the story sends no request. All counted on the built-in engine, none estimated."
    );
    let mut table = Table::new(caption)
        .words("trace")
        .words("case")
        .words("result")
        .figures(["requests", "met", "tokens", "kept"])
        .words("ended");
    for o in outcomes {
        let result = if o.failures.is_empty() { "pass" } else { "FAIL" };
        let sent = o.requests > 0;
        let figure = |text: String| if sent { text } else { dash(None::<u64>, whole) };
        let ended = match &o.ended {
            Some(_) if !sent => "no surface".to_string(),
            other => other.clone().unwrap_or_default(),
        };
        table.row(vec![
            o.trace.clone(),
            o.case.clone(),
            result.to_string(),
            figure(whole(o.requests)),
            figure(format!("{} of {}", o.met, o.needs)),
            figure(whole(o.tokens)),
            share(o.survival),
            ended,
        ]);
    }
    blocks.extend(table.block());
    blocks.push(Block::Text(format!("{} of {} cases hold.", outcomes.len() - failed, outcomes.len())));
    if failed > 0 {
        blocks.push(Block::Heading("What did not hold".to_string()));
        let lines =
            outcomes.iter().flat_map(|o| o.failures.iter().map(move |f| format!("{}, {}: {f}", o.trace, o.case)));
        blocks.push(Block::Bullets(lines.collect()));
    }
    blocks.push(Block::Heading("What each trace is about".to_string()));
    let about = |t: &Story| format!("{}: {} ({})", t.name(), t.why(), t.source());
    blocks.push(Block::Bullets(traces.iter().map(about).collect()));
    blocks
}

/// The outcomes for machines.
pub fn json(outcomes: &[Outcome]) -> Value {
    json!({"schema_version": 1, "counter": COUNTER, "layout": LAYOUT, "unit": "utf8", "basis": "measured", "engine": "built-in", "outcomes": outcomes})
}
