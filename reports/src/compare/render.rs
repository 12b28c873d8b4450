//! How does a comparison read, for a person and for a program?

use serde_json::{Value, json};

use super::{Comparison, MetricChange, Quantity, RetrievalChange, SessionChange};
use crate::lines::to_lines;
use crate::plain::plain;
use crate::record::{Better, SCHEMA_VERSION};
use crate::render::RenderError;
use crate::report::{Block, Table, change, dash, decimal, p_value, whole};

impl Comparison {
    /// The comparison as text of at most 100 columns.
    pub fn to_text(&self) -> String {
        let mut blocks = vec![Block::Title("Comparison of A (before) and B (after)".to_owned())];
        if !self.mismatches.is_empty() {
            let reasons = self.mismatches.iter().map(ToString::to_string);
            blocks.push(Block::Text(
                "FORCED: A and B did not measure the same thing. Read no figure as progress.".to_owned(),
            ));
            blocks.push(Block::Bullets(reasons.collect()));
        }
        blocks.push(Block::Text(self.verdict()));
        if !self.retrieval.is_empty() {
            blocks.push(Block::Heading("Is the tool found".to_owned()));
            let text = "Pairs of the same query or tool; \"7 of 8\": one pair has no value on one side. \"B - A\" is the mean difference with its 95 % interval; p is the \
                        chance of a difference at least as large if A and B were alike; won, tied and lost count the pairs \
                        from B's side. A metric is called better or worse only when its interval excludes 0.";
            blocks.push(Block::Text(text.to_owned()));
            blocks.extend(self.retrieval.iter().filter_map(retrieval_table));
        }
        if !self.sessions.is_empty() {
            blocks.push(Block::Heading("What the sessions send".to_owned()));
            blocks.push(self.session_table());
        }
        for (side, cells) in [("A", &self.only_in_a), ("B", &self.only_in_b)] {
            if !cells.is_empty() {
                blocks.push(Block::Heading(format!("Only in {side}, not compared")));
                blocks.push(Block::Bullets(cells.clone()));
            }
        }
        plain(&blocks)
    }

    fn verdict(&self) -> String {
        let metrics = || self.retrieval.iter().flat_map(|cell| &cell.metrics);
        let quantities = || self.sessions.iter().flat_map(|cell| &cell.quantities);
        let worse = metrics().filter(|metric| metric.regressed()).count();
        let better = metrics().filter(|metric| metric.improved()).count();
        let exact = quantities().filter(|quantity| quantity.regressed()).count();
        let left_out = self.only_in_a.len() + self.only_in_b.len();
        let rest = match left_out {
            0 => String::new(),
            n => format!(
                " {} of one side only were NOT compared; they are listed below.",
                if n == 1 { "1 cell".to_owned() } else { format!("{n} cells") }
            ),
        };
        format!(
            "{}: of {} retrieval metrics {worse} got worse and {better} better; of {} exact quantities of sessions {exact} \
             got worse.{rest}",
            if self.regressed { "Regressed" } else { "Holds" },
            metrics().count(),
            quantities().count()
        )
    }

    /// Only the quantities that moved; the rest is counted.
    fn session_table(&self) -> Block {
        let mut table = Table::new("Exact quantities that moved.")
            .folding(["corpus", "script", "policy", "order", "entry", "layout", "limit", "ranker"])
            .words("quantity")
            .figures(["A", "B", "B - A"])
            .words("verdict");
        for session in &self.sessions {
            for quantity in session.quantities.iter().filter(|quantity| quantity.a != quantity.b) {
                table.row(session_row(session, quantity));
            }
        }
        let count = self.sessions.len();
        table.block().unwrap_or_else(|| Block::Text(format!("Nothing moved in {count} sessions.")))
    }

    /// The comparison as one JSON object and a newline.
    ///
    /// # Errors
    /// None that a comparison can cause.
    pub fn to_json(&self) -> Result<Vec<u8>, RenderError> {
        let retrieval = self.retrieval.iter().map(|cell| {
            json!({
                "corpus": cell.corpus,
                "ranker_a": cell.ranker_a,
                "ranker_b": cell.ranker_b,
                "metrics": cell.metrics.iter().map(metric_value).collect::<Vec<_>>(),
            })
        });
        let value = json!({
            "schema_version": SCHEMA_VERSION,
            "forced": !self.mismatches.is_empty(),
            "mismatches": self.mismatches.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "regressed": self.regressed,
            "retrieval": retrieval.collect::<Vec<_>>(),
            "sessions": self.sessions.iter().map(session_value).collect::<Vec<_>>(),
            "only_in_a": self.only_in_a,
            "only_in_b": self.only_in_b,
        });
        to_lines(&value, 4).map_err(|source| RenderError::Json { file: "comparison.json", source })
    }
}

fn retrieval_table(cell: &RetrievalChange) -> Option<Block> {
    let rankers = if cell.ranker_a == cell.ranker_b {
        format!("ranker {}", cell.ranker_a)
    } else {
        format!("ranker {} in A, {} in B", cell.ranker_a, cell.ranker_b)
    };
    let mut table = Table::new(format!("Corpus {}, {rankers}.{}", cell.corpus, unpaired(cell)))
        .words("metric")
        .figures(["pairs", "A", "B", "B - A", "p", "won/tied/lost"])
        .words("verdict");
    for metric in &cell.metrics {
        let difference = match metric.interval {
            None => change(metric.difference, 3),
            Some(interval) => format!(
                "{} [{}, {}]",
                change(metric.difference, 3),
                change(Some(interval.low), 3),
                change(Some(interval.high), 3)
            ),
        };
        table.row(vec![
            metric.metric.clone(),
            match metric.undefined {
                0 => whole(metric.n),
                undefined => format!("{} of {}", whole(metric.n), whole(metric.n + undefined)),
            },
            decimal(metric.mean_a, 3),
            decimal(metric.mean_b, 3),
            difference,
            p_value(metric.p_value),
            format!("{}/{}/{}", metric.count.wins, metric.count.ties, metric.count.losses),
            verdict(metric.regressed(), metric.improved()).to_owned(),
        ]);
    }
    table.block()
}

/// A sentence about rows without a partner; the counts differ between names and queries, so the largest are named.
fn unpaired(cell: &RetrievalChange) -> String {
    let most = |count: fn(&MetricChange) -> u64| cell.metrics.iter().map(count).max().unwrap_or_default();
    match (most(|metric| metric.only_in_a), most(|metric| metric.only_in_b)) {
        (0, 0) => String::new(),
        (a, b) => format!(" Rows without a partner, at most: {} in A, {} in B.", whole(a), whole(b)),
    }
}

fn verdict(worse: bool, better: bool) -> &'static str {
    match (worse, better) {
        (true, _) => "worse",
        (_, true) => "better",
        _ => "",
    }
}

fn session_row(session: &SessionChange, quantity: &Quantity) -> Vec<String> {
    let decimals = if quantity.name.ends_with("survival") { 4 } else { 0 };
    let words = [&session.corpus, &session.script, &session.policy, &session.order, &session.entry, &session.layout];
    let mut row: Vec<String> = words.into_iter().cloned().collect();
    row.push(dash(session.limit, whole));
    let named = |ranker: &Option<String>| dash(ranker.clone(), |ranker| ranker);
    let (before, after) = (named(&session.ranker_a), named(&session.ranker_b));
    row.push(if before == after { before } else { format!("{before} in A, {after} in B") });
    row.push(quantity.name.clone());
    row.extend([decimal(quantity.a, decimals), decimal(quantity.b, decimals)]);
    row.push(change(quantity.difference(), decimals));
    row.push(verdict(quantity.regressed(), quantity.difference().is_some()).to_owned());
    row
}

fn direction(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher",
        Better::Lower => "lower",
    }
}

fn metric_value(metric: &MetricChange) -> Value {
    json!({
        "metric": metric.metric,
        "better": metric.better.map(direction),
        "n": metric.n,
        "undefined": metric.undefined,
        "only_in_a": metric.only_in_a,
        "only_in_b": metric.only_in_b,
        "mean_a": metric.mean_a,
        "mean_b": metric.mean_b,
        "difference": metric.difference,
        "low": metric.interval.map(|interval| interval.low),
        "high": metric.interval.map(|interval| interval.high),
        "p_value": metric.p_value,
        "wins": metric.count.wins,
        "ties": metric.count.ties,
        "losses": metric.count.losses,
        "regressed": metric.regressed(),
    })
}

fn session_value(session: &SessionChange) -> Value {
    let quantity = |quantity: &Quantity| {
        json!({
            "name": quantity.name,
            "better": direction(quantity.better),
            "a": quantity.a,
            "b": quantity.b,
            "regressed": quantity.regressed(),
        })
    };
    json!({
        "corpus": session.corpus,
        "script": session.script,
        "policy": session.policy,
        "order": session.order,
        "entry": session.entry,
        "layout": session.layout,
        "limit": session.limit,
        "ranker_a": session.ranker_a,
        "ranker_b": session.ranker_b,
        "quantities": session.quantities.iter().map(quantity).collect::<Vec<_>>(),
    })
}
