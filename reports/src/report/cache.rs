//! Which order of the tools keeps the most of a prefix cache, what does the worst one cost, and where is eager cheaper?

use super::basis;
use super::figure::{change, dash, share, whole};
use super::labels::{Labels, head};
use super::largest;
use super::page::{Block, Table};
use crate::Run;
use crate::record::{CacheRow, SessionCell};

/// The section, or nothing where no cache was simulated.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let cells: Vec<&SessionCell> = run.scores().sessions.iter().filter(|cell| !cell.caches.is_empty()).collect();
    let Some(corpus) = largest(run.scores().corpora.iter().filter(|c| cells.iter().any(|cell| cell.corpus == c.name)))
    else {
        return Vec::new();
    };
    let mut blocks = vec![Block::Heading("What prefix caches make of it".to_owned())];
    let mut places: Vec<(&str, &str)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.corpus == corpus.name) {
        let place = (cell.script.as_str(), cell.layout.as_str());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let labels = Labels::new(cells.iter().map(|cell| cell.policy.as_str()));
    for (script, layout) in places {
        let near: Vec<&SessionCell> = cells
            .iter()
            .filter(|cell| (cell.script.as_str(), cell.layout.as_str()) == (script, layout))
            .copied()
            .collect();
        let here: Vec<&SessionCell> = near.iter().filter(|cell| cell.corpus == corpus.name).copied().collect();
        let place = format!("{} tools, corpus {}, script {script}, layout {layout}", whole(corpus.tools), corpus.name);
        blocks.extend(matrix(&here, &labels, &place));
        blocks.push(Block::Bullets(advice(&near, &here, &labels)));
    }
    blocks
}

/// The cost, without the answers where their price is not published.
fn price(row: &CacheRow) -> Option<f64> {
    row.cost.or(row.input_cost)
}

/// The name of a seam in the table.
fn seam(cell: &SessionCell, labels: &Labels) -> String {
    let limit = cell.limit.map(|limit| format!(", limit {limit}")).unwrap_or_default();
    match head(&cell.policy) {
        "eager" => format!("eager, {}", cell.order),
        _ => format!("{}{limit}, {}, {}", labels.short(&cell.policy), cell.entry, cell.order),
    }
}

/// Seams down, caches across: the cost of one session, cold.
fn matrix(here: &[&SessionCell], labels: &Labels, place: &str) -> Option<Block> {
    let first = here.first()?;
    let cold: Vec<&CacheRow> = first.caches.iter().filter(|row| row.start == "cold").collect();
    let counter = cold.first().map_or("", |row| row.counter.as_str());
    let caption = format!(
        "Cost of one session that begins with an empty cache, in thousands of base input tokens, answers included (* \
         without them: their price is not published); in brackets the share of the prompts that was read from the cache. {place}; tokens of {counter}; simulated. A dash: the profile \
         lacks a published value. A high share of hits does not mean a low cost: read both."
    );
    let heads = cold.iter().map(|row| row.profile.as_str());
    let mut table = Table::new(caption).words("seam").figures(heads).figures(["breaks", "churn"]);
    for cell in here {
        let mut line = vec![seam(cell, labels)];
        for row in cell.caches.iter().filter(|row| row.start == "cold") {
            let mark = if row.cost.is_none() { "*" } else { "" };
            let cost = dash(price(row), |cost| format!("{:.1}{mark}", cost / 1000.0));
            line.push(format!("{cost} ({})", share(row.hit_ratio)));
        }
        let row = cell.caches.first()?;
        line.extend([whole(row.breaks), whole(row.churn)]);
        table.row(line);
    }
    table.block()
}

/// For each cache: which seam to take, what the worst one costs, where eager is still cheaper.
fn advice(near: &[&SessionCell], here: &[&SessionCell], labels: &Labels) -> Vec<String> {
    let Some(first) = here.first() else { return Vec::new() };
    let rows = first.caches.iter();
    rows.map(|row| {
        // A session that left a need unmet did less work, and would look cheap.
        let deferring = here.iter().filter(|cell| cell.met == cell.needs && head(&cell.policy) != "eager");
        let mut costs: Vec<(f64, &SessionCell)> =
            deferring.filter_map(|cell| Some((price(cell.cache_like(row)?)?, *cell))).collect();
        costs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let name = format!("{}, {} ({})", row.profile, row.start, basis(row.basis));
        let ((Some(best), Some(worst)), true) = ((costs.first(), costs.last()), costs.len() > 1) else {
            let missing = if row.unknown.is_empty() {
                "no two deferring sessions met every need".to_owned()
            } else {
                format!("no published value for {}", row.unknown.join(", "))
            };
            return format!("{name}: no advice, {missing}.");
        };
        let thousand = |cost: f64| format!("{:.1} thousand", cost / 1000.0);
        let same = costs.iter().filter(|(cost, _)| (cost - best.0).abs() < 1e-9).count();
        let others = if same > 1 { format!(" (and {} more at the same cost)", same - 1) } else { String::new() };
        format!(
            "{name}: take {}{others}, {} a session. The worst, {}, costs {} ({}). {}",
            seam(best.1, labels),
            thousand(best.0),
            seam(worst.1, labels),
            thousand(worst.0),
            change((best.0 > 0.0).then(|| 100.0 * (worst.0 / best.0 - 1.0)), 1) + " %",
            eager(near, best.1, row),
        )
    })
    .collect()
}

/// Where eager is cheaper than the best seam: over the catalogs that were measured, and over the turns of the session.
fn eager(near: &[&SessionCell], best: &SessionCell, like: &CacheRow) -> String {
    let cost = |cell: &SessionCell| cell.cache_like(like).and_then(price);
    let key = |cell: &SessionCell| (cell.policy.clone(), cell.order.clone(), cell.entry.clone(), cell.limit);
    let mut cheaper: Vec<&str> = Vec::new();
    let mut measured = 0;
    for cell in near.iter().filter(|cell| key(cell) == key(best)) {
        let every = near.iter().find(|other| head(&other.policy) == "eager" && other.corpus == cell.corpus);
        let Some((own, eager)) = cost(cell).zip(every.and_then(|other| cost(other))) else { continue };
        measured += 1;
        if eager <= own {
            cheaper.push(&cell.corpus);
        }
    }
    let sizes = match (cheaper.as_slice(), measured) {
        (_, 0) => return "Eager was not measured beside it.".to_owned(),
        ([], n) => format!("Eager is cheaper on none of {n} catalogs"),
        (names, _) => format!("Eager is still cheaper on {}", names.join(", ")),
    };
    let row = best.cache_like(like);
    let turns = match row.and_then(|row| row.crossings.as_deref()) {
        None => String::new(),
        Some([one]) => format!("; here the cheaper side is {} at every turn", one.cheaper),
        Some(many) => {
            let points: Vec<String> =
                many.iter().map(|point| format!("{} from turn {}", point.cheaper, point.turn)).collect();
            format!("; here the cheaper side is {}", points.join(", "))
        }
    };
    format!("{sizes}{turns}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, GEN_10, GEN_100};

    /// A session on a corpus whose cost under two caches is given; the second does not price answers.
    fn cell(corpus: &str, policy: &str, order: &str, cost: f64) -> SessionCell {
        let mut cell = testing::session(corpus, policy, order, Vec::new());
        cell.met = cell.needs;
        let mut unpriced = testing::cache("vllm", "cold", None);
        unpriced.input_cost = Some(cost / 2.0);
        cell.caches = vec![testing::cache("anthropic", "cold", Some(cost)), unpriced];
        cell
    }

    fn cells() -> Vec<SessionCell> {
        vec![
            cell(GEN_10, "eager", "registry", 900.0),
            cell(GEN_10, "cumulative", "append", 1_000.0),
            cell(GEN_100, "eager", "registry", 9_000.0),
            cell(GEN_100, "cumulative", "append", 2_000.0),
            cell(GEN_100, "cumulative", "registry", 3_000.0),
        ]
    }

    #[test]
    fn advice_names_best_worst_and_where_eager_is_cheaper() {
        let cells = cells();
        let near: Vec<&SessionCell> = cells.iter().collect();
        let labels = Labels::new(["eager", "cumulative"]);
        let found = advice(&near, &near[2..], &labels);
        let expected = format!(
            "anthropic, cold (simulated): take cumulative, limit 5, list, append, 2.0 thousand a session. The worst, \
             cumulative, limit 5, list, registry, costs 3.0 thousand (+50.0 %). Eager is still cheaper on {GEN_10}; here \
             the cheaper side is deferred from turn 1, eager from turn 3."
        );
        assert_eq!(found[0], expected);
        assert!(found[1].starts_with("vllm, cold (simulated): take cumulative, limit 5, list, append, 1.0 thousand"));
    }

    #[test]
    fn a_session_with_an_unmet_need_is_no_advice() {
        let mut cells = cells();
        cells[3].met -= 1;
        let near: Vec<&SessionCell> = cells.iter().collect();
        let found = advice(&near, &near[2..], &Labels::new(["eager", "cumulative"]));
        assert_eq!(found[0], "anthropic, cold (simulated): no advice, no two deferring sessions met every need.");
    }

    #[test]
    fn an_unpriced_answer_is_marked() {
        let cells = cells();
        let here: Vec<&SessionCell> = cells[2..].iter().collect();
        let Some(Block::Table(table)) = matrix(&here, &Labels::new(["eager", "cumulative"]), "Place") else { panic!() };
        assert_eq!(table.rows[1][1..3], ["2.0 (40.0 %)", "1.0* (40.0 %)"]);
    }
}
