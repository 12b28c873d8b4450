//! How are costs shown?

use std::collections::BTreeMap;

use deferbench_core::compact::Settings;
use deferbench_core::cost::Part;
use deferbench_reports::page::{Block, Table, share, whole};
use deferbench_reports::record::{Basis, CounterInfo};
use serde_json::{Map, Value, json};

use super::{Cost, Size, Sizes, part_names};

/// One row each for what?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Each tool.
    Tool,
    /// Each server.
    Server,
}

/// A row: label of the server, name of the tool or number of tools, sizes.
struct Row {
    server: String,
    tool: Option<String>,
    tools: usize,
    schema_bytes: u64,
    sizes: Sizes,
}

/// The parts that a table of tools has room for; the others are its rest.
const SHOWN: [Part; 6] =
    [Part::Description, Part::Structure, Part::Texts, Part::Enums, Part::Definitions, Part::OutputSchema];

fn rows(cost: &Cost, by: Rows) -> Vec<Row> {
    let each = cost.tools.iter();
    match by {
        Rows::Tool => each
            .map(|t| Row {
                server: t.server.clone(),
                tool: Some(t.tool.clone()),
                tools: 1,
                schema_bytes: t.schema_bytes,
                sizes: t.sizes,
            })
            .collect(),
        Rows::Server => {
            let mut servers: BTreeMap<&str, Row> = BTreeMap::new();
            for t in each {
                let row = servers.entry(&t.server).or_insert_with(|| Row {
                    server: t.server.clone(),
                    tool: None,
                    tools: 0,
                    schema_bytes: 0,
                    sizes: Sizes::default(),
                });
                row.tools += 1;
                row.schema_bytes += t.schema_bytes;
                row.sizes.add(&t.sizes);
            }
            servers.into_values().collect()
        }
    }
}

fn total(cost: &Cost) -> Sizes {
    let mut out = Sizes::default();
    cost.tools.iter().for_each(|t| out.add(&t.sizes));
    out
}

fn of(part: u64, whole: u64) -> String {
    share((whole > 0).then(|| part as f64 / whole as f64))
}

/// The report: limits, the parts of all tools, the largest rows, and what each compaction would save.
pub fn blocks(
    corpus: &str,
    cost: &Cost,
    by: Rows,
    limit: usize,
    counter: &CounterInfo,
    settings: &Settings,
) -> Vec<Block> {
    let basis = if counter.basis == Basis::Measured { "measured" } else { "estimated" };
    let sum = total(cost);
    let all = sum.total();
    let mut blocks = vec![
        Block::Title(format!("Cost of {corpus}")),
        Block::Heading("What this does not show".to_string()),
        Block::Bullets(vec![
            format!("Tokens are {basis} by {} over the MCP definition alone; a provider prints it in a form of its own.", counter.name),
            "annotations, output and other members are listed and stored; whether a harness sends them is its own choice, and schema_bytes leaves them out.".to_string(),
        ]),
        Block::Heading("Parts".to_string()),
    ];
    let mut table = Table::new(format!(
        "{} tools. name has the outer braces; each member has its comma, key and colon; texts and enums are those inside the input schema outside $defs, and structure is the rest of that schema; a token belongs to the part where it begins.",
        whole(cost.tools.len() as u64)
    ))
    .words("part")
    .figures(["bytes", "of all", "tokens", "of all"]);
    let mut line = |name: &str, size: Size| {
        table.row(vec![
            name.to_string(),
            whole(size.bytes),
            of(size.bytes, all.bytes),
            whole(size.tokens),
            of(size.tokens, all.tokens),
        ]);
    };
    part_names().zip(sum.0).for_each(|(name, size)| line(name, size));
    line("all", all);
    blocks.extend(table.block());
    blocks.push(Block::Heading(if by == Rows::Tool { "Largest tools" } else { "Largest servers" }.to_string()));
    let mut rows = rows(cost, by);
    // Stable: equal ones stay in the order of the listing, or of the label.
    rows.sort_by_key(|r| std::cmp::Reverse(r.sizes.total().tokens));
    let shown = rows.len().min(limit);
    let caption = format!("Tokens; {} of {}, the largest first.", whole(shown as u64), whole(rows.len() as u64));
    let first = if by == Rows::Tool { "tool" } else { "server" };
    let mut table = Table::new(caption).words(first);
    if by == Rows::Server {
        table = table.figures(["tools"]);
    }
    table = table.figures(["all"]).figures(SHOWN.map(Part::name)).figures(["rest"]);
    for row in rows.iter().take(limit) {
        let mut cells = match &row.tool {
            Some(tool) if row.server.is_empty() => vec![tool.clone()],
            Some(tool) => vec![format!("{}/{tool}", row.server)],
            None => vec![row.server.clone(), whole(row.tools as u64)],
        };
        let (all, shown) = (row.sizes.total().tokens, SHOWN.map(|p| row.sizes.0[p as usize].tokens));
        cells.push(whole(all));
        cells.extend(shown.iter().map(|tokens| whole(*tokens)));
        cells.push(whole(all - shown.iter().sum::<u64>()));
        table.row(cells);
    }
    blocks.extend(table.block());
    blocks.push(Block::Heading("What saying less would save".to_string()));
    let caption = format!(
        "Each measured by rewriting every definition and counting again, alone and all together; parameter texts cut to {} characters.",
        settings.parameter_text
    );
    let mut table = Table::new(caption)
        .words("compaction")
        .figures(["tools", "bytes", "of all", "tokens", "of all"])
        .words("what it changes");
    for s in &cost.savings {
        let sign = if s.tokens < 0 { "-" } else { "" };
        let tokens = s.tokens.unsigned_abs();
        table.row(vec![
            s.compaction.map_or("all together", |c| c.name).to_string(),
            whole(s.tools as u64),
            whole(s.bytes),
            of(s.bytes, all.bytes),
            format!("{sign}{}", whole(tokens)),
            format!("{sign}{}", of(tokens, all.tokens)),
            s.compaction.map_or("validation", |c| c.effect.text().trim_start_matches("changes ")).to_string(),
        ]);
    }
    blocks.extend(table.block());
    blocks
}

fn parts(sizes: &Sizes) -> Value {
    let part = |(name, s): (&str, Size)| (name.to_string(), json!({"bytes": s.bytes, "tokens": s.tokens}));
    Value::Object(part_names().zip(sizes.0).map(part).collect())
}

/// Everything, for machines.
pub fn json(corpus: &str, cost: &Cost, by: Rows, counter: &CounterInfo, settings: &Settings) -> Value {
    let row = |r: Row| {
        let all = r.sizes.total();
        let mut out = Map::from_iter([("server".to_string(), json!(r.server))]);
        match r.tool {
            Some(tool) => out.insert("tool".to_string(), json!(tool)),
            None => out.insert("tools".to_string(), json!(r.tools)),
        };
        out.insert("schema_bytes".to_string(), json!(r.schema_bytes));
        out.insert("bytes".to_string(), json!(all.bytes));
        out.insert("tokens".to_string(), json!(all.tokens));
        out.insert("parts".to_string(), parts(&r.sizes));
        Value::Object(out)
    };
    let saving = |s: &super::Saving| {
        json!({
            "compaction": s.compaction.map_or("all together", |c| c.name),
            "effect": s.compaction.map_or("changes validation", |c| c.effect.text()),
            "tools": s.tools,
            "bytes": s.bytes,
            "tokens": s.tokens,
        })
    };
    let sum = total(cost);
    json!({
        "schema_version": 1,
        "corpus": corpus,
        "tools": cost.tools.len(),
        "counter": counter,
        "bytes": sum.total().bytes,
        "tokens": sum.total().tokens,
        "schema_bytes": cost.tools.iter().map(|t| t.schema_bytes).sum::<u64>(),
        "parts": parts(&sum),
        "rows": rows(cost, by).into_iter().map(row).collect::<Vec<_>>(),
        "settings": {"parameter_text": settings.parameter_text},
        "savings": cost.savings.iter().map(saving).collect::<Vec<_>>(),
    })
}

/// A header, and one row for each tool or server, in the order of the listing.
pub fn csv(cost: &Cost, by: Rows, counter: &CounterInfo) -> Vec<Vec<String>> {
    let names = |unit: &'static str| part_names().map(move |part| format!("{part}_{unit}"));
    let second = if by == Rows::Tool { "tool" } else { "tools" };
    let mut header: Vec<String> = ["server", second, "counter", "schema_bytes", "bytes"].map(str::to_string).to_vec();
    header.extend(names("bytes"));
    header.push("tokens".to_string());
    header.extend(names("tokens"));
    let mut out = vec![header];
    for row in rows(cost, by) {
        let all = row.sizes.total();
        let mut cells = vec![row.server, row.tool.unwrap_or_else(|| row.tools.to_string())];
        cells.extend([counter.name.clone(), row.schema_bytes.to_string(), all.bytes.to_string()]);
        cells.extend(row.sizes.0.iter().map(|s| s.bytes.to_string()));
        cells.push(all.tokens.to_string());
        cells.extend(row.sizes.0.iter().map(|s| s.tokens.to_string()));
        out.push(cells);
    }
    out
}
