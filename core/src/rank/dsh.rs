//! The ranking of `dsh-tool-search`.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

use super::{Hits, Invariance, Ranker, RankerEntry, best};
use crate::catalog::{Catalog, ToolId};
use crate::explain::Explanation;
use crate::postings::{Collector, Postings, idf};
use crate::text::Splitter;

pub(super) static ENTRY: RankerEntry = RankerEntry {
    name: "dsh",
    summary: "name and substring tiers over BM25 of name and description, as the published benchmark ran it",
    source: "dsh-tool-search: 1e6 the name is the query, 1e5 the name is one of its words, 1000 the name contains the query, 100 the description does, BM25 with the constant k1 + 1, 50 per word in the name, 20 per word that the name starts with",
    params: &[],
    invariant_to: &[Invariance::Registration, Invariance::HashSeed],
    build: |catalog, _| Box::new(Dsh::new(catalog)),
};

const K1: f64 = 1.2;
const B: f64 = 0.75;

struct Doc {
    name: String,
    description: String,
    name_words: HashSet<String>,
}

struct Dsh {
    docs: Vec<Doc>,
    postings: Postings,
    ranks: Vec<u32>,
}

/// The query in the three forms that the tiers look at.
struct Query {
    whole: String,
    raw: HashSet<String>,
    words: Vec<String>,
}

fn normal(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase()
}

fn words(text: &str) -> Vec<String> {
    Splitter::find("runs").map(|s| s.words(text)).unwrap_or_default()
}

impl Query {
    fn new(query: &str) -> Self {
        let mut seen = HashSet::new();
        Self {
            whole: normal(query.trim()),
            raw: normal(query).split_whitespace().map(str::to_string).collect(),
            words: words(query).into_iter().filter(|w| seen.insert(w.clone())).collect(),
        }
    }
}

impl Dsh {
    fn new(catalog: &Catalog) -> Self {
        let (mut collector, mut docs, mut lengths) = (Collector::default(), Vec::new(), Vec::new());
        for tool in catalog.tools() {
            let description = tool.description().unwrap_or_default();
            let name_words = words(tool.name());
            let mut length = 0u64;
            for word in name_words.iter().chain(&words(description)) {
                collector.add(word, 1.0);
                length += 1;
            }
            collector.next_tool();
            lengths.push(length as f64);
            docs.push(Doc {
                name: normal(tool.name()),
                description: normal(description),
                name_words: name_words.into_iter().collect(),
            });
        }
        let n = catalog.len();
        let average = (lengths.iter().sum::<f64>() / n.max(1) as f64).max(1.0);
        let postings = collector
            .finish(|df, tool, tf| idf(n, df) * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * lengths[tool] / average)));
        Self { docs, postings, ranks: catalog.ids().map(|id| catalog.code_point_rank(id)).collect() }
    }

    /// Every contribution to the score of one tool, in the order in which they are added.
    fn each_part(&self, query: &Query, tool: ToolId, mut each: impl FnMut(f64, &dyn Fn() -> String)) {
        let doc = &self.docs[tool.index()];
        let mut tier = |holds: bool, value: f64, what: &str| {
            if holds {
                each(value, &|| what.to_string());
            }
        };
        tier(doc.name == query.whole, 1e6, "the name is the query");
        tier(query.raw.contains(&doc.name), 1e5, "the name is a word of the query");
        tier(doc.name.contains(&query.whole), 1000.0, "the name contains the query");
        tier(doc.description.contains(&query.whole), 100.0, "the description contains the query");
        for word in &query.words {
            if let Some((df, impact)) = self.postings.look_up(word, tool) {
                each(impact, &|| format!("{word}: BM25, in {df} of {} tools", self.docs.len()));
            }
            if doc.name_words.contains(word) {
                each(50.0, &|| format!("{word}: a word of the name"));
            }
            if doc.name.starts_with(word.as_str()) {
                each(20.0, &|| format!("{word}: the name starts with it"));
            }
        }
    }
}

impl Ranker for Dsh {
    fn search(&self, query: &str, limit: usize) -> Hits {
        let query = Query::new(query);
        if query.whole.is_empty() {
            return Hits::default();
        }
        let scored = (0..self.docs.len() as u32).map(|i| {
            let mut sum = 0.0;
            self.each_part(&query, ToolId(i), |value, _| sum += value);
            (ToolId(i), sum)
        });
        best(scored, |t| self.ranks[t.index()], limit)
    }

    fn explain(&self, _: &Catalog, query: &str, tool: ToolId) -> Explanation {
        let mut parts = Vec::new();
        let query = Query::new(query);
        if !query.whole.is_empty() {
            self.each_part(&query, tool, |value, what| parts.push(Explanation::leaf(value, what())));
        }
        Explanation::sum("dsh", parts)
    }
}

#[cfg(test)]
mod tests {
    use crate::rank::build;
    use crate::testing::catalog;

    /// D04, D05, D07: each tier by hand. N = 3, so that BM25 stays below 3 and the tiers are visible in the integer part.
    #[test]
    fn tiers_add_up() {
        let catalog = catalog(&[("read", "x"), ("read_file", "y"), ("z", "please read file now")]);
        let ranker = build("dsh", &catalog).unwrap();
        let score = |query: &str, name: &str| {
            let hits = ranker.ranker.search(query, 3).hits;
            hits.iter().find(|h| catalog[h.tool].name() == name).map(|h| h.score.floor())
        };
        // 1e6 + 1e5 + 1000 + 50 + 20, plus BM25 below 1.
        assert_eq!(score("read", "read"), Some(1_101_070.0));
        // 1000 + 50 + 20.
        assert_eq!(score("read", "read_file"), Some(1_070.0));
        assert_eq!(score("read", "z"), Some(100.0));
        // A raw word, a name word and a prefix: 1e5 + 50 + 20.
        assert_eq!(score("read now", "read"), Some(100_070.0));
        assert_eq!(score("weather", "read"), None);
    }

    /// D06: k1 = 1.2, b = 0.75 and the constant k1 + 1, by hand. N = 2, df = 1, idf = ln 2; lengths 3 and 4, average 3.5;
    /// ln 2 * 1 * 2.2 / (1 + 1.2 (0.25 + 0.75 * 4 / 3.5)) = ln 2 * 2.2 / 2.32857142857, beside 100 for the substring.
    #[test]
    fn bm25_part_by_hand() {
        let catalog = catalog(&[("alpha", "beta gamma"), ("delta", "gamma gamma epsilon")]);
        let hits = build("dsh", &catalog).unwrap().ranker.search("epsilon", 3).hits;
        assert_eq!(hits.len(), 1);
        assert!((hits[0].score - 100.0 - std::f64::consts::LN_2 * 2.2 / 2.328_571_428_57).abs() < 1e-9);
    }

    /// D08: NFKC and lower case on both sides.
    #[test]
    fn wide_letters_are_folded() {
        let catalog = catalog(&[("read", "x"), ("write", "y")]);
        let hits = build("dsh", &catalog).unwrap().ranker.search(" ＲＥＡＤ ", 3).hits;
        assert_eq!(catalog[hits[0].tool].name(), "read");
        assert!(hits[0].score > 1e6);
    }
}
