//! Is the tool found? Retrieval figures with their intervals.

use std::collections::BTreeSet;

use super::figure::{decimal, interval, whole};
use super::labels::Labels;
use super::page::{Block, Table};
use super::{Detail, largest};
use crate::Run;
use crate::aggregate::{RetrievalSummary, Summary};

/// What fits on a screen.
const SCREEN: [&[&str]; 2] = [&["exact_name@1", "hit@1", "hit@5"], &["complete@5", "ndcg@10"]];

/// What the class table shows on a screen.
const CLASS: &[&str] = &["hit@1", "hit@5", "ndcg@10"];

/// The section, or nothing when nothing was ranked.
pub(super) fn blocks(run: &Run, detail: Detail) -> Vec<Block> {
    let cells = &run.aggregates().retrieval;
    if cells.is_empty() {
        return Vec::new();
    }
    let identity = &run.manifest().identity;
    let mut blocks = vec![
        Block::Heading("Is the tool found".to_owned()),
        Block::Text(format!(
            "Means over queries, from 0 (never) to 1 (always), with 95 % intervals in brackets ({} bootstrap replicates, \
             seed {}). Metrics called ..._name@1 ask for every tool by its own name; the others ask in the words of the \
             labelled queries.",
            whole(identity.replicates),
            identity.seed
        )),
    ];
    let mut names = metric_names(run, detail);
    let defined = |name: &String| cells.iter().any(|cell| cell.metric(name).is_some_and(|s| s.mean.is_some()));
    let unlabelled = cells.iter().all(|cell| cell.n == 0);
    if unlabelled {
        names.iter_mut().for_each(|group| group.retain(defined));
        names.retain(|group| !group.is_empty());
    }
    let all: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    blocks.push(Block::Bullets(meanings(run, &all)));
    for (place, group) in names.iter().enumerate() {
        blocks.extend(table(run, cells, group, place == 0, detail));
    }
    if unlabelled {
        let text = "There are no labelled queries, so hit@k, recall@k and the like are undefined. A bundle with queries.jsonl \
                    brings them.";
        blocks.push(Block::Text(text.to_owned()));
    }
    blocks.extend(Labels::new(cells.iter().map(|cell| cell.ranker.as_str())).legend().map(Block::Text));
    blocks.extend(remarks(run, cells, &all));
    blocks.extend(classes(run, detail));
    blocks
}

/// The metrics of each table; on a screen only those the run knows.
fn metric_names(run: &Run, detail: Detail) -> Vec<Vec<String>> {
    let cells = &run.aggregates().retrieval;
    let known = |name: &str| cells.iter().any(|cell| cell.metric(name).is_some());
    match detail {
        Detail::Screen => {
            let chosen = |group: &&[&str]| {
                let known = group.iter().filter(|name| known(name) || described(run, name).is_some());
                known.map(|name| (*name).to_owned()).collect::<Vec<_>>()
            };
            SCREEN.iter().map(chosen).filter(|group| !group.is_empty()).collect()
        }
        Detail::Full => {
            let mut names: Vec<String> = Vec::new();
            for summary in cells.iter().flat_map(|cell| cell.name_metrics.iter().chain(&cell.metrics)) {
                if !names.contains(&summary.metric) {
                    names.push(summary.metric.clone());
                }
            }
            vec![names]
        }
    }
}

fn described<'a>(run: &'a Run, name: &str) -> Option<&'a str> {
    run.scores().metrics.iter().find(|metric| metric.name == name).map(|metric| metric.summary.as_str())
}

/// What each metric means; the cut-offs of one metric share a line.
fn meanings(run: &Run, names: &[&str]) -> Vec<String> {
    let mut meanings: Vec<(String, &str)> = Vec::new();
    for name in names {
        let Some(meaning) = described(run, name) else { continue };
        match meanings.iter_mut().find(|(_, known)| *known == meaning) {
            Some((names, _)) => *names = format!("{names}, {name}"),
            None => meanings.push(((*name).to_owned(), meaning)),
        }
    }
    meanings.into_iter().map(|(names, meaning)| format!("{names}: {meaning}")).collect()
}

fn decimals(detail: Detail) -> usize {
    match detail {
        Detail::Screen => 2,
        Detail::Full => 3,
    }
}

fn table(run: &Run, cells: &[RetrievalSummary], names: &[String], counts: bool, detail: Detail) -> Option<Block> {
    let labels = Labels::new(run.aggregates().retrieval.iter().map(|cell| cell.ranker.as_str()));
    let caption = if counts { "By corpus and ranker." } else { "The same cells, further metrics." };
    let heads = if counts { &["queries", "names"][..] } else { &[] };
    let mut table = Table::new(caption)
        .folding(["corpus", "ranker"])
        .figures(heads.iter().copied())
        .figures(names.iter().map(String::as_str));
    for cell in cells {
        let mut row = vec![cell.corpus.clone(), labels.short(&cell.ranker).to_owned()];
        if counts {
            row.extend([whole(cell.n), whole(cell.names)]);
        }
        row.extend(names.iter().map(|name| interval(cell.metric(name), decimals(detail))));
        table.row(row);
    }
    table.block()
}

/// What limits or thins out a mean: queries that need more tools than fit, and undefined rows.
fn remarks(run: &Run, cells: &[RetrievalSummary], names: &[&str]) -> Option<Block> {
    let mut remarks: Vec<String> = Vec::new();
    for cell in cells {
        let shown: Vec<&Summary> = names.iter().filter_map(|name| cell.metric(name)).collect();
        for summary in &shown {
            if let Some(most) = summary.attainable.filter(|most| *most < 1.0) {
                let depth = summary.metric.trim_start_matches("complete@");
                remarks.push(format!(
                    "{} can reach at most {} on {}: some of its queries need more than {depth} tools.",
                    summary.metric,
                    decimal(Some(most), 3),
                    cell.corpus
                ));
            }
        }
    }
    remarks.extend(undefined(run, cells, names));
    let mut seen = BTreeSet::new();
    remarks.retain(|remark| seen.insert(remark.clone()));
    (!remarks.is_empty()).then_some(Block::Bullets(remarks))
}

/// One sentence for all metrics that leave out the same rows for the same reason.
fn undefined(run: &Run, cells: &[RetrievalSummary], names: &[&str]) -> Vec<String> {
    let mut groups: Vec<((String, &str), Vec<&str>)> = Vec::new();
    for name in names {
        let left_out = |cell: &RetrievalSummary| {
            let summary = cell.metric(name).filter(|summary| summary.undefined > 0)?;
            let (undefined, all) = (whole(summary.undefined), whole(summary.n + summary.undefined));
            Some(format!("{undefined} of {all} on {}", cell.corpus))
        };
        let mut places: Vec<String> = cells.iter().filter_map(left_out).collect();
        places.dedup();
        if places.is_empty() {
            continue;
        }
        let metric = run.scores().metrics.iter().find(|metric| metric.name == *name);
        let key = (places.join(", "), metric.map_or("the value is undefined", |metric| metric.undefined.as_str()));
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, names)) => names.push(name),
            None => groups.push((key, vec![name])),
        }
    }
    let sentence = |((places, reason), names): ((String, &str), Vec<&str>)| {
        format!("{}: left out of the mean where {reason}: {places}.", names.join(", "))
    };
    groups.into_iter().map(sentence).collect()
}

/// The tables by class, of the largest corpus on a screen, else of every corpus with several classes.
fn classes(run: &Run, detail: Detail) -> Vec<Block> {
    let cells: Vec<&RetrievalSummary> =
        run.aggregates().retrieval.iter().filter(|cell| cell.classes.len() > 1).collect();
    let corpora = run.scores().corpora.iter().filter(|corpus| cells.iter().any(|cell| cell.corpus == corpus.name));
    let names: Vec<&str> = match detail {
        Detail::Screen => largest(corpora).into_iter().map(|corpus| corpus.name.as_str()).collect(),
        Detail::Full => corpora.map(|corpus| corpus.name.as_str()).collect(),
    };
    names.iter().filter_map(|name| class_table(&cells, name, detail)).collect()
}

fn class_table(cells: &[&RetrievalSummary], corpus: &str, detail: Detail) -> Option<Block> {
    let labels = Labels::new(cells.iter().map(|cell| cell.ranker.as_str()));
    let cells: Vec<&RetrievalSummary> = cells.iter().copied().filter(|cell| cell.corpus == corpus).collect();
    let metrics: Vec<&str> = cells.first()?.metrics.iter().map(|summary| summary.metric.as_str()).collect();
    let metrics: Vec<&str> = match detail {
        Detail::Screen => metrics.into_iter().filter(|name| CLASS.contains(name)).collect(),
        Detail::Full => metrics,
    };
    let caption = format!(
        "By class of query on {corpus}. \"Overlap\" is the share of a query's words that stand in the needed tool's name \
         or description."
    );
    let mut table = Table::new(caption)
        .words("class")
        .folding(["ranker"])
        .figures(["queries", "overlap"])
        .figures(metrics.iter().copied());
    let count = cells.first()?.classes.len();
    for place in 0..count {
        for cell in &cells {
            let Some(class) = cell.classes.get(place) else { continue };
            let mut row = vec![class.class.clone(), labels.short(&cell.ranker).to_owned(), whole(class.n)];
            row.push(decimal(class.overlap.mean, decimals(detail)));
            let found = |name: &&str| class.metrics.iter().find(|summary| summary.metric == **name);
            row.extend(metrics.iter().map(|name| interval(found(name), decimals(detail))));
            table.row(row);
        }
    }
    table.block()
}
