//! Textbook BM25 over one text per tool.

use super::{Hits, Invariance, Ranker, RankerEntry, best};
use crate::catalog::{Catalog, ToolId};
use crate::explain::Explanation;
use crate::postings::{Collector, Postings, idf};
use crate::schema_text::reference_parameters;
use crate::spec::{Param, Range, Values};
use crate::text::Splitter;

pub(super) static ENTRY: RankerEntry = RankerEntry {
    name: "bm25",
    summary: "textbook BM25 over one text per tool; a query word counts once for each time it stands in the query",
    source: "Robertson and Zaragoza 2009, Lucene form: idf = ln(1 + (N - df + 0.5)/(df + 0.5)), term = tf/(tf + k1 (1 - b + b len/avg))",
    params: &[
        Param {
            key: "text",
            default: "plain",
            range: Range::Choice(&["plain", "split", "schema", "stem"]),
            summary: "plain: name and description; split: identifiers taken apart; schema: also parameter names and descriptions; stem: also stems, function words left out",
        },
        Param {
            key: "k1",
            default: "1.2",
            range: Range::Number(0.0, 100.0),
            summary: "how fast a repeated word stops counting",
        },
        Param {
            key: "b",
            default: "0.75",
            range: Range::Number(0.0, 1.0),
            summary: "how much long texts are discounted",
        },
    ],
    invariant_to: &[Invariance::Registration, Invariance::HashSeed],
    build: |catalog, values| Box::new(Bm25::new(catalog, values)),
};

struct Bm25 {
    splitter: &'static Splitter,
    with_schema: bool,
    postings: Postings,
    ranks: Vec<u32>,
}

impl Bm25 {
    fn new(catalog: &Catalog, values: &Values) -> Self {
        let text = values.text("text");
        let splitter =
            Splitter::find(if text == "schema" { "split" } else { text }).unwrap_or(crate::text::SPLITTERS[0]);
        let with_schema = matches!(text, "schema" | "stem");
        let (k1, b) = (values.number("k1"), values.number("b"));
        let (mut collector, mut lengths) = (Collector::default(), Vec::with_capacity(catalog.len()));
        for id in catalog.ids() {
            let mut length = 0u64;
            each_word(catalog, id, splitter, with_schema, &mut |word| {
                length += 1;
                collector.add(word, 1.0);
            });
            collector.next_tool();
            lengths.push(length as f64);
        }
        let n = catalog.len();
        let total: f64 = lengths.iter().sum();
        let average = if total > 0.0 { total / n as f64 } else { 1.0 };
        let postings =
            collector.finish(|df, tool, tf| idf(n, df) * tf / (tf + k1 * (1.0 - b + b * lengths[tool] / average)));
        Self { splitter, with_schema, postings, ranks: catalog.ids().map(|id| catalog.code_point_rank(id)).collect() }
    }
}

fn each_word(catalog: &Catalog, id: ToolId, splitter: &Splitter, with_schema: bool, each: &mut dyn FnMut(&str)) {
    let tool = &catalog[id];
    (splitter.split)(tool.name(), each);
    (splitter.split)(tool.description().unwrap_or_default(), each);
    if with_schema && let Ok(schema) = tool.schema() {
        reference_parameters(&schema, &mut |text| (splitter.split)(text, each));
    }
}

impl Ranker for Bm25 {
    fn search(&self, query: &str, limit: usize) -> Hits {
        let words = self.splitter.words(query);
        let scored = self.postings.score(words.iter().map(|w| (w.as_str(), 1.0)));
        best(scored.into_iter(), |t| self.ranks[t.index()], limit)
    }

    fn explain(&self, catalog: &Catalog, query: &str, tool: ToolId) -> Explanation {
        let leaf = |word: String| {
            let (df, impact) = self.postings.look_up(&word, tool)?;
            let mut tf = 0;
            each_word(catalog, tool, self.splitter, self.with_schema, &mut |w| tf += usize::from(w == word));
            let idf = idf(catalog.len(), df);
            Some(Explanation::leaf(
                impact,
                format!("{word}: tf {tf}, in {df} of {} tools, idf {idf:.6}", catalog.len()),
            ))
        };
        Explanation::sum("bm25", self.splitter.words(query).into_iter().filter_map(leaf).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::rank::build;
    use crate::testing::catalog;

    /// By hand: N = 2, df = 1, idf = ln(1 + 1.5/1.5) = ln 2; lengths 3 and 2, average 2.5;
    /// term = 1 / (1 + 1.2 (0.25 + 0.75 * 3/2.5)) = 1 / 2.38.
    #[test]
    fn one_word_by_hand() {
        let catalog = catalog(&[("mail", "sends letters"), ("disk", "free")]);
        let hits = build("bm25", &catalog).unwrap().ranker.search("letters", 5).hits;
        assert_eq!(hits.len(), 1);
        assert!((hits[0].score - std::f64::consts::LN_2 / 2.38).abs() < 1e-9);
        let twice = build("bm25", &catalog).unwrap().ranker.search("letters letters", 5).hits;
        assert!((twice[0].score - 2.0 * std::f64::consts::LN_2 / 2.38).abs() < 1e-9);
    }
}
