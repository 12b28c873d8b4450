//! How does a check fit on one screen of 80 columns and 50 lines?

use deferbench_core::lint::Severity;
use deferbench_reports::page::{decimal, printable, share, whole};
use deferbench_reports::record::Basis;
use serde_json::{Value, json as value};

use super::{CROWD, Check, Place, WAYS};
use crate::lint::{by_rule, who};

/// Columns of a line.
const WIDTH: usize = 80;
/// Most tools, the worst first.
const TOOLS: usize = 12;
/// Most rules.
const RULES: usize = 8;

/// The screen.
pub fn text(check: &Check) -> String {
    let mut out: Vec<String> = Vec::new();
    let basis = if check.counter.basis == Basis::Measured { "measured" } else { "estimated" };
    let n = check.tools.len();
    let (tokens, bytes) = check.tools.iter().fold((0, 0), |(t, b), x| (t + x.tokens, b + x.bytes));
    out.push(format!(
        "{}: {} tools, {} tokens, {} schema bytes",
        check.corpus,
        whole(n as u64),
        whole(tokens),
        whole(bytes)
    ));
    out.push(format!("Tokens {basis} by {}.", check.counter.name));
    out.push(format!("Ranker {}; crowd {CROWD}.", check.ranker));
    out.push("No model was asked: queries are made of the definitions themselves, and a".to_string());
    out.push("user's own words are harder. First = first among all hits.".to_string());
    out.push(String::new());
    for (way, name) in WAYS.iter().enumerate() {
        let first = |of: fn(&super::ToolCheck) -> &[Place; 4]| {
            check.tools.iter().filter(|t| of(t)[way] == Some(1)).count() as u64
        };
        let (alone, crowd) = (first(|t| &t.alone), first(|t| &t.crowd));
        out.push(format!("asked by {name:<16} first: {:>5} alone {:>5} in the crowd", whole(alone), whole(crowd)));
    }
    out.push(String::new());
    out.push(row("tool (worst first)", &["tokens", "name", "words", "text"].map(String::from), "taken for"));
    let mut worst: Vec<&super::ToolCheck> = check.tools.iter().collect();
    let depth = |t: &super::ToolCheck| t.crowd[..3].iter().map(|p| p.unwrap_or(usize::MAX)).max();
    worst.sort_by(|a, b| depth(b).cmp(&depth(a)).then(b.tokens.cmp(&a.tokens)).then(a.tool.cmp(&b.tool)));
    for t in worst.iter().take(TOOLS) {
        let place = |way: usize| t.crowd[way].map_or_else(|| ">50".to_string(), |p| p.to_string());
        let figures = [whole(t.tokens), place(0), place(1), place(2)];
        let other = t.confused_own.as_ref().map(|o| format!("own {o}"));
        let other = other.or_else(|| t.confused_crowd.as_ref().map(|c| format!("crowd {c}")));
        out.push(row(&t.tool, &figures, &other.unwrap_or_else(|| "–".to_string())));
    }
    out.push(format!("{} of {} tools; places in the crowd.", whole(n.min(TOOLS) as u64), whole(n as u64)));
    out.push(String::new());
    let rules = by_rule(&check.findings);
    let of = |severity| check.findings.iter().filter(|f| f.severity == severity).count() as u64;
    let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|s| whole(of(s)));
    out.push(format!("Lint: {} errors, {} warnings, {} infos", counts[0], counts[1], counts[2]));
    for r in rules.iter().take(RULES) {
        let example = format!("{}: {}", who(r.findings[0]), r.findings[0].found);
        out.push(format!(
            "{:<8}{:<22}{:>5}  {example}",
            r.severity.to_string(),
            r.rule,
            whole(r.findings.len() as u64)
        ));
    }
    if rules.len() > RULES {
        out.push(format!("and {} more rules; deferbench lint prints them all", rules.len() - RULES));
    }
    out.push(String::new());
    out.push(format!(
        "Try first: each applied and measured again, {} queries in the crowd",
        whole(4 * check.sample as u64)
    ));
    for (i, e) in check.edits.iter().enumerate() {
        let saved = (e.tokens.0 > 0).then(|| (e.tokens.1 as f64 - e.tokens.0 as f64) / e.tokens.0 as f64);
        out.push(format!("{}. {} ({} tools; {})", i + 1, e.edit, whole(e.tools as u64), e.effect));
        out.push(format!("   {}", e.what));
        out.push(format!(
            "   tokens {} -> {} ({}), mean reciprocal rank {} -> {}",
            whole(e.tokens.0),
            whole(e.tokens.1),
            share(saved),
            decimal(e.mrr.0, 3),
            decimal(e.mrr.1, 3)
        ));
    }
    if check.edits.is_empty() {
        out.push("nothing that was tried gains anything".to_string());
    }
    out.iter().map(|line| fit(line, WIDTH) + "\n").collect()
}

fn row(tool: &str, figures: &[String; 4], other: &str) -> String {
    format!("{:<30} {:>7} {:>5} {:>5} {:>5}  {other}", fit(tool, 30), figures[0], figures[1], figures[2], figures[3])
}

/// One line of at most `width` characters, whatever it holds.
fn fit(text: &str, width: usize) -> String {
    let text = printable(text);
    if text.chars().count() <= width {
        return text.trim_end().to_string();
    }
    text.chars().take(width - 1).collect::<String>() + "…"
}

/// Everything, for machines.
pub fn json(check: &Check) -> Value {
    let rule = |r: &crate::lint::OfRule| value!({"rule": r.rule, "severity": r.severity, "tools": r.tools, "findings": r.findings.len(), "example": r.findings[0]});
    value!({
        "schema_version": 1,
        "corpus": check.corpus,
        "ranker": check.ranker,
        "counter": check.counter,
        "crowd": CROWD,
        "ways": WAYS,
        "tools": check.tools,
        "lint": by_rule(&check.findings).iter().map(rule).collect::<Vec<_>>(),
        "sample": check.sample,
        "edits": check.edits,
    })
}
