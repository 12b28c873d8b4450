//! Which aggregates does a program read? `summary.json`, the same object that `eval --format json` prints.

use serde_json::{Map, Value, json};

use super::{OutputFile, RenderError, Renderer};
use crate::Run;
use crate::aggregate::{RetrievalSummary, Summary};
use crate::lines::to_lines;
use crate::record::SCHEMA_VERSION;

pub(super) static RENDERER: Renderer = Renderer {
    name: "json",
    summary: "summary.json: means and intervals of every corpus, ranker and class, for programs.",
    names: &[FILE],
    files,
};

const FILE: &str = "summary.json";

fn files(run: &Run) -> Result<Vec<OutputFile>, RenderError> {
    Ok(vec![OutputFile { name: FILE.to_owned(), bytes: eval_json(run)? }])
}

/// The bytes of `summary.json`: one JSON object and a newline.
///
/// A metric is an object of `mean`, `low` and `high`, null where undefined, and `n` where it differs from the number of
/// queries beside it: name metrics are means over tools, and undefined rows do not count.
///
/// # Errors
/// None that a run can cause.
pub fn eval_json(run: &Run) -> Result<Vec<u8>, RenderError> {
    to_lines(&eval_value(run), 5).map_err(|source| RenderError::Json { file: FILE, source })
}

/// The object of [`eval_json`].
pub fn eval_value(run: &Run) -> Value {
    let cells = &run.aggregates().retrieval;
    let results = run.scores().corpora.iter().map(|corpus| {
        let rankers = cells.iter().filter(|cell| cell.corpus == corpus.name).map(ranker);
        json!({
            "corpus": {
                "name": corpus.name, "sha256": corpus.sha256, "tools": corpus.tools, "queries": corpus.queries,
            },
            "rankers": rankers.collect::<Vec<_>>(),
        })
    });
    json!({"schema_version": SCHEMA_VERSION, "results": results.collect::<Vec<_>>()})
}

fn ranker(cell: &RetrievalSummary) -> Value {
    let classes = cell.classes.iter().map(|class| {
        let metrics = metrics(class.metrics.iter(), class.n);
        (class.class.clone(), json!({"n": class.n, "overlap": class.overlap.mean, "metrics": metrics}))
    });
    json!({
        "spec": cell.ranker,
        "n": cell.n,
        "metrics": metrics(cell.metrics.iter().chain(&cell.name_metrics), cell.n),
        "classes": classes.collect::<Map<_, _>>(),
    })
}

fn metrics<'a>(summaries: impl Iterator<Item = &'a Summary>, rows: u64) -> Map<String, Value> {
    let entry = |summary: &Summary| {
        let mut value = json!({"mean": summary.mean, "low": summary.low, "high": summary.high});
        if summary.n != rows {
            value["n"] = json!(summary.n);
        }
        (summary.metric.clone(), value)
    };
    summaries.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_object_has_the_promised_shape() {
        let bytes = eval_json(&testing::run()).unwrap();
        assert!(bytes.ends_with(b"\n"));
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let result = &value["results"][1];
        let ranker = &result["rankers"][0];
        assert_eq!(keys(&value), ["schema_version", "results"]);
        assert_eq!(keys(&result["corpus"]), ["name", "sha256", "tools", "queries"]);
        assert_eq!(keys(ranker), ["spec", "n", "metrics", "classes"]);
        assert_eq!(keys(&ranker["classes"]), ["keyword", "paraphrase"]);
        assert_eq!(keys(&ranker["classes"]["keyword"]), ["n", "overlap", "metrics"]);
        assert_eq!(keys(&ranker["metrics"]["hit@1"]), ["mean", "low", "high"]);
        // Ranks 1, 2, -, 1, 4, 1, 8, 1: four of eight queries are found first.
        assert_eq!((&ranker["n"], &ranker["metrics"]["hit@1"]["mean"]), (&json!(8), &json!(0.5)));
    }

    #[test]
    fn another_number_of_rows_is_stated() {
        let value = eval_value(&testing::run());
        let metrics = &value["results"][1]["rankers"][0]["metrics"];
        assert_eq!(metrics["exact_name@1"], json!({"mean": 1.0, "low": 1.0, "high": 1.0, "n": 100}));
        assert_eq!(metrics["complete@5"]["n"], 7);
        assert_eq!(metrics["hit@5"].get("n"), None);
    }

    #[test]
    fn without_queries_everything_but_the_names_is_null() {
        let ranker = &eval_value(&testing::run())["results"][2]["rankers"][0];
        assert_eq!(ranker["n"], 0);
        let metrics = ranker["metrics"].as_object().unwrap();
        let defined: Vec<&str> =
            metrics.iter().filter(|(_, m)| !m["mean"].is_null()).map(|(name, _)| name.as_str()).collect();
        assert_eq!((defined, metrics.len()), (vec!["exact_name@1"], 6));
    }

    #[test]
    fn a_metric_that_is_nowhere_defined_is_null() {
        let run = testing::changed(|scores| {
            for row in &mut scores.retrieval[0].queries {
                row.values.insert("hit@1".to_owned(), None);
            }
        });
        let ranker = &eval_value(&run)["results"][0]["rankers"][0];
        assert_eq!(ranker["metrics"]["hit@1"], json!({"mean": null, "low": null, "high": null, "n": 0}));
    }
}
