//! How is a measured log shown?

use deferbench_core::cache::{Divergence, Length, Stability};
use deferbench_reports::page::{Block, Table, dash, decimal, maybe, share, whole};
use deferbench_reports::record::CounterInfo;
use serde_json::{Value, json as object};

use super::totals::Sum;
use super::{Measured, Row, Use};

/// What the figures leave out.
const LIMITS: [&str; 5] = [
    "Expected tokens are counted with the counter of this program over a rendering of its own; the provider's tokenizer, its scaffolding and images differ, and the difference holds that too.",
    "A request is compared with the one before of the same form and model; every earlier one of these may be read from the cache.",
    "A log without times (\"at\") is taken as sent without a pause: nothing expires.",
    "Whatever a provider does beyond the order of its prefix (routing to another machine, tool_choice, thinking that it drops) is not modelled.",
    "Numbers are laid out as JSON values, not as they were spelled.",
];

fn signed(value: i64) -> String {
    format!("{}{}", if value < 0 { "-" } else { "" }, whole(value.unsigned_abs()))
}

fn kind(divergence: &Divergence) -> &'static str {
    divergence.kind.map_or("scaffolding", |kind| kind.name())
}

fn place(divergence: &Divergence) -> String {
    let kind = kind(divergence);
    let name = if divergence.name.is_empty() { String::new() } else { format!(" {}", divergence.name) };
    let offset = divergence.offset.map_or(String::new(), |offset| format!(" + {}", whole(offset)));
    format!("{kind} {}{name}{offset}", divergence.index)
}

/// The report: limits, each request, each profile against what was reported, and sums.
pub fn blocks(log: &str, found: &Measured, counter: &CounterInfo) -> Vec<Block> {
    let totals = &found.totals;
    let mut blocks = vec![
        Block::Title(format!("Requests of {log}")),
        Block::Heading("What this does not show".to_string()),
        Block::Bullets(LIMITS.map(str::to_string).to_vec()),
        Block::Heading("What lives on".to_string()),
    ];
    let caption = format!(
        "Survival: common prefix over the request before; coverage: over this request; tokens by {}, segments apart. Parted at: kind and position of the first segment that differs, its tool, equal bytes of it; a dash: the request before is the beginning of this one, or there is none.",
        counter.name
    );
    let mut table = Table::new(caption).figures(["line"]).folding(["shape", "model"]).figures(["bytes", "tokens"]);
    table = table.figures(["tools survive", "prompt survives", "by segments", "covered"]).words("parted at");
    let survival = |of: Option<Stability>| of.map(|s| s.survival());
    for row in &found.rows {
        table.row(vec![
            row.line.to_string(),
            row.shape.to_string(),
            row.model.clone(),
            dash(row.prompt.bytes, whole),
            whole(row.prompt.tokens),
            share(survival(row.tools_stability).and_then(|s| s.tokens)),
            share(survival(row.stability).and_then(|s| s.tokens)),
            share(survival(row.stability).and_then(|s| s.segments)),
            share(row.stability.and_then(|s| s.coverage().tokens)),
            dash(row.divergence.as_ref(), place),
        ]);
    }
    blocks.extend(table.block());
    blocks.push(Block::Heading("What the cache should have read".to_string()));
    let caption = "Cached tokens: expected under the profile, reported by the provider, and reported less expected.";
    let mut table = Table::new(caption).figures(["line"]).folding(["profile"]);
    table = table.figures(["prompt", "reported prompt", "expected", "reported", "difference"]);
    for (row, used) in found.rows.iter().flat_map(|row| row.uses.iter().map(move |used| (row, used))) {
        table.row(vec![
            row.line.to_string(),
            totals.profiles[used.profile].profile.clone(),
            whole(used.usage.prompt),
            dash(row.reported.and_then(|r| r.prompt), whole),
            used.usage.hit.map_or_else(|unknown| format!("unknown: {}", unknown.0), whole),
            dash(row.reported.and_then(|r| r.cached), whole),
            dash(used.difference(row.reported), signed),
        ]);
    }
    blocks.extend(table.block());
    blocks.push(Block::Heading("In all".to_string()));
    blocks.push(Block::Bullets(vec![
        format!("{} requests, {} with one before.", whole(totals.requests as u64), whole(totals.compared as u64)),
        format!(
            "Of all tokens of requests before, {} survive; of the tools sections {}.",
            share(survival(totals.prompt).and_then(|s| s.tokens)),
            share(survival(totals.tools).and_then(|s| s.tokens)),
        ),
        format!("{} requests change something before the last segment of the request before.", whole(totals.breaks)),
        format!(
            "{} tokens of definitions are sent after the first change, {} of them again.",
            whole(totals.churn.sent),
            whole(totals.churn.again)
        ),
    ]));
    let mut table =
        Table::new("Sums; compared: requests of which both figures are known; input cost in base input tokens.");
    table = table.words("profile").folding(["order of the prefix"]);
    table =
        table.figures(["prompt", "hit", "hit ratio", "input cost", "compared", "expected", "reported", "difference"]);
    for sum in &totals.profiles {
        let order = if sum.order_published { sum.order.to_string() } else { format!("{} (assumed)", sum.order) };
        let known = |value: u64| dash((sum.reconciled > 0).then_some(value), whole);
        table.row(vec![
            sum.profile.clone(),
            order,
            whole(sum.totals.prefill),
            dash(sum.totals.hit, whole),
            share(sum.totals.hit_ratio()),
            decimal(sum.totals.cost, 0),
            whole(sum.reconciled),
            known(sum.expected),
            known(sum.reported),
            dash(sum.difference(), signed),
        ]);
    }
    blocks.extend(table.block());
    blocks
}

fn length(of: Length) -> Value {
    object!({"bytes": of.bytes, "tokens": of.tokens, "segments": of.segments})
}

/// Survival and coverage of both sections.
fn shares(tools: Option<Stability>, prompt: Option<Stability>) -> [Value; 2] {
    let one =
        |s: deferbench_core::cache::Shares| object!({"bytes": s.bytes, "tokens": s.tokens, "segments": s.segments});
    let both = |of: fn(&Stability) -> deferbench_core::cache::Shares| match (tools, prompt) {
        (Some(tools), Some(prompt)) => object!({"tools": one(of(&tools)), "prompt": one(of(&prompt))}),
        _ => Value::Null,
    };
    [both(Stability::survival), both(Stability::coverage)]
}

fn row(row: &Row, profiles: &[Sum]) -> Value {
    let [survival, coverage] = shares(row.tools_stability, row.stability);
    let divergence = row
        .divergence
        .as_ref()
        .map(|d| object!({"kind": kind(d), "segment": d.index, "tool": d.name, "offset": d.offset}));
    let used = |used: &Use| {
        let usage = &used.usage;
        object!({
            "profile": profiles[used.profile].profile,
            "prompt": usage.prompt,
            "expected": usage.hit.ok(),
            "written": usage.written.ok(),
            "fresh": usage.fresh().ok(),
            "ceiling": usage.ceiling,
            "reported": row.reported.and_then(|r| r.cached),
            "difference": used.difference(row.reported),
            "unknown": usage.hit.err().or(usage.written.err()).map(|unknown| unknown.0),
        })
    };
    object!({
        "line": row.line,
        "shape": row.shape,
        "model": row.model,
        "at": row.at_s,
        "prefix_order": row.order,
        "prompt": length(row.prompt),
        "tools": length(row.tools),
        "before": row.before,
        "survival": survival,
        "coverage": coverage,
        "divergence": divergence,
        "reported": row.reported.map(|r| object!({"cached": r.cached, "written": r.written, "prompt": r.prompt})),
        "profiles": row.uses.iter().map(used).collect::<Vec<_>>(),
    })
}

fn sum(sum: &Sum) -> Value {
    object!({
        "profile": sum.profile,
        "basis": sum.basis,
        "assumed": sum.assumed,
        "prefix_order": sum.order,
        "prefix_order_published": sum.order_published,
        "requests": sum.totals.requests,
        "prompt": sum.totals.prefill,
        "hit": sum.totals.hit,
        "written": sum.totals.written,
        "hit_ratio": sum.totals.hit_ratio(),
        "input_cost": sum.totals.cost,
        "unknown": sum.totals.unknown,
        "compared": sum.reconciled,
        "expected": sum.expected,
        "reported": sum.reported,
        "difference": sum.difference(),
    })
}

/// Everything, for machines.
pub fn json(log: &str, found: &Measured, counter: &CounterInfo) -> Value {
    let totals = &found.totals;
    let [survival, coverage] = shares(totals.tools, totals.prompt);
    object!({
        "schema_version": 1,
        "log": log,
        "counter": counter,
        "limits": LIMITS,
        "requests": found.rows.iter().map(|r| row(r, &totals.profiles)).collect::<Vec<_>>(),
        "totals": {
            "requests": totals.requests,
            "compared": totals.compared,
            "survival": survival,
            "coverage": coverage,
            "breaks": totals.breaks,
            "churn": {"sent": totals.churn.sent, "again": totals.churn.again},
            "profiles": totals.profiles.iter().map(sum).collect::<Vec<_>>(),
        },
    })
}

/// A header, and one row for each request and profile.
pub fn csv(found: &Measured, counter: &CounterInfo) -> Vec<Vec<String>> {
    let mut header: Vec<String> =
        ["line", "shape", "model", "counter", "bytes", "tokens", "tools_tokens"].map(str::to_string).to_vec();
    for (name, part) in [("survival", "tools"), ("survival", "prompt"), ("coverage", "tools"), ("coverage", "prompt")] {
        header.extend(["bytes", "tokens", "segments"].map(|unit| format!("{name}_{part}_{unit}")));
    }
    let rest = ["divergence_kind", "divergence_segment", "divergence_tool", "divergence_offset", "profile"];
    header.extend(rest.iter().chain(&["expected", "written", "reported", "difference"]).map(|name| name.to_string()));
    let mut out = vec![header];
    for (row, used) in found.rows.iter().flat_map(|row| row.uses.iter().map(move |used| (row, used))) {
        let mut cells = vec![row.line.to_string(), row.shape.to_string(), row.model.clone(), counter.name.clone()];
        cells.extend([maybe(row.prompt.bytes), row.prompt.tokens.to_string(), row.tools.tokens.to_string()]);
        for of in [Stability::survival, Stability::coverage] {
            for stability in [row.tools_stability, row.stability] {
                let shares = stability.map(|s| of(&s));
                let each =
                    [shares.and_then(|s| s.bytes), shares.and_then(|s| s.tokens), shares.and_then(|s| s.segments)];
                cells.extend(each.map(maybe));
            }
        }
        let at = row.divergence.as_ref();
        cells.push(maybe(at.map(kind)));
        cells.push(maybe(at.map(|d| d.index as u64)));
        cells.push(maybe(at.map(|d| &d.name)));
        cells.push(maybe(at.and_then(|d| d.offset)));
        cells.push(found.totals.profiles[used.profile].profile.clone());
        cells.extend([
            maybe(used.usage.hit.ok()),
            maybe(used.usage.written.ok()),
            maybe(row.reported.and_then(|r| r.cached)),
        ]);
        cells.push(maybe(used.difference(row.reported)));
        out.push(cells);
    }
    out
}
