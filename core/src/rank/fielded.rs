//! The default: exact names first, then BM25 over weighted fields.

use std::collections::HashSet;

use super::{Hits, Invariance, Ranker, RankerEntry, best};
use crate::catalog::{Catalog, ToolId};
use crate::exact_names::ExactNames;
use crate::explain::Explanation;
use crate::postings::{Collector, Postings, idf};
use crate::schema_text::{Part, texts};
use crate::spec::{Param, Range, Values};
use crate::text::{STOP_WORDS, Splitter};

const WEIGHT: Range = Range::Number(0.0, 100.0);

pub(super) static ENTRY: RankerEntry = RankerEntry {
    name: "fielded",
    summary: "exact names of the query first, then BM25F over name, server, description, parameter names, parameter descriptions and enum values; identifiers taken apart, stems, character pairs in scripts without spaces",
    source: "Robertson, Zaragoza and Taylor, Simple BM25 Extension to Multiple Weighted Fields, CIKM 2004, doi:10.1145/1031171.1031181",
    params: &[
        Param { key: "k1", default: "1.2", range: WEIGHT, summary: "how fast a repeated word stops counting" },
        Param {
            key: "b",
            default: "0.75",
            range: Range::Number(0.0, 1.0),
            summary: "how much long fields are discounted",
        },
        Param { key: "name", default: "3", range: WEIGHT, summary: "weight of the name" },
        Param { key: "server", default: "1", range: WEIGHT, summary: "weight of the server's label" },
        Param { key: "description", default: "1", range: WEIGHT, summary: "weight of the description" },
        Param { key: "parameters", default: "0.5", range: WEIGHT, summary: "weight of parameter names" },
        Param { key: "details", default: "0.5", range: WEIGHT, summary: "weight of parameter descriptions" },
        Param { key: "values", default: "0.25", range: WEIGHT, summary: "weight of enum values" },
        Param {
            key: "function_words",
            default: "0.1",
            range: Range::Number(0.0, 1.0),
            summary: "weight of English function words in the query",
        },
    ],
    invariant_to: &[Invariance::Registration, Invariance::HashSeed],
    build: |catalog, values| Box::new(Fielded::new(catalog, values)),
};

/// The fields, in the order in which their contributions are added.
const FIELDS: [&str; 6] = ["name", "server", "description", "parameters", "details", "values"];

/// One exact name is worth more than any sum of words.
const EXACT_NAME: f64 = 1e6;

struct Fielded {
    splitter: &'static Splitter,
    names: ExactNames,
    postings: Postings,
    ranks: Vec<u32>,
    weights: [f64; 6],
    averages: [f64; 6],
    k1: f64,
    b: f64,
    function_words: f64,
}

/// The words of one tool, with the field each stands in.
fn each_word(catalog: &Catalog, id: ToolId, splitter: &Splitter, mut each: impl FnMut(usize, &str)) {
    let tool = &catalog[id];
    (splitter.split)(tool.name(), &mut |w| each(0, w));
    (splitter.split)(tool.server().unwrap_or_default(), &mut |w| each(1, w));
    (splitter.split)(tool.description().unwrap_or_default(), &mut |w| each(2, w));
    if let Ok(schema) = tool.schema() {
        texts(&schema, &mut |part, text| {
            let field = match part {
                Part::Name => 3,
                Part::Description => 4,
                Part::Value => 5,
            };
            (splitter.split)(text, &mut |w| each(field, w));
        });
    }
}

impl Fielded {
    fn new(catalog: &Catalog, values: &Values) -> Self {
        let splitter = Splitter::find("words").unwrap_or(crate::text::SPLITTERS[0]);
        let (k1, b) = (values.number("k1"), values.number("b"));
        let weights = FIELDS.map(|f| values.number(f));
        let words: Vec<Vec<(u8, String)>> = catalog
            .ids()
            .map(|id| {
                let mut words = Vec::new();
                each_word(catalog, id, splitter, |field, w| words.push((field as u8, w.to_string())));
                words
            })
            .collect();
        let lengths = |words: &[(u8, String)]| {
            let mut out = [0.0; 6];
            words.iter().for_each(|(field, _)| out[usize::from(*field)] += 1.0);
            out
        };
        let mut averages = [0.0; 6];
        for tool in &words {
            let lengths = lengths(tool);
            (0..6).for_each(|f| averages[f] += lengths[f]);
        }
        averages = averages.map(|sum| if sum > 0.0 { sum / catalog.len() as f64 } else { 1.0 });
        let mut collector = Collector::default();
        for tool in &words {
            let lengths = lengths(tool);
            for (field, word) in tool {
                let f = usize::from(*field);
                if weights[f] > 0.0 {
                    collector.add(word, weights[f] / (1.0 - b + b * lengths[f] / averages[f]));
                }
            }
            collector.next_tool();
        }
        let n = catalog.len();
        let postings = collector.finish(|df, _, tf| idf(n, df) * tf / (k1 + tf));
        Self {
            splitter,
            names: ExactNames::new(catalog),
            postings,
            ranks: catalog.ids().map(|id| catalog.code_point_rank(id)).collect(),
            weights,
            averages,
            k1,
            b,
            function_words: values.number("function_words"),
        }
    }

    /// Distinct words of the query with their weights, in query order.
    fn words(&self, query: &str) -> Vec<(String, f64)> {
        let mut seen = HashSet::new();
        let weight = |w: &str| {
            if STOP_WORDS.contains(&w) { self.function_words } else { 1.0 }
        };
        self.splitter
            .words(query)
            .into_iter()
            .filter(|w| seen.insert(w.clone()))
            .map(|w| {
                let weight = weight(&w);
                (w, weight)
            })
            .collect()
    }
}

impl Ranker for Fielded {
    fn search(&self, query: &str, limit: usize) -> Hits {
        let words = self.words(query);
        let mut scored = self.postings.score(words.iter().map(|(w, x)| (w.as_str(), *x)));
        let exact = self.names.find(query);
        for (place, &tool) in exact.iter().enumerate() {
            let bonus = EXACT_NAME * (exact.len() - place) as f64;
            match scored.iter_mut().find(|(t, _)| *t == tool) {
                Some((_, score)) => *score += bonus,
                None => scored.push((tool, bonus)),
            }
        }
        best(scored.into_iter(), |t| self.ranks[t.index()], limit)
    }

    fn explain(&self, catalog: &Catalog, query: &str, tool: ToolId) -> Explanation {
        let mut words = Vec::new();
        each_word(catalog, tool, self.splitter, |field, w| words.push((field, w.to_string())));
        let length = |field: usize| words.iter().filter(|(f, _)| *f == field).count();
        let mut parts = Vec::new();
        for (word, weight) in self.words(query) {
            let Some((df, impact)) = self.postings.look_up(&word, tool) else {
                continue;
            };
            let term = |f: usize| {
                let tf = words.iter().filter(|(field, w)| *field == f && *w == word).count();
                let norm = 1.0 - self.b + self.b * length(f) as f64 / self.averages[f];
                (tf, self.weights[f] * tf as f64 / norm)
            };
            let total: f64 = (0..6).map(|f| term(f).1).sum();
            let leaf = |f: usize| {
                let (tf, value) = term(f);
                let (len, average) = (length(f), self.averages[f]);
                (value > 0.0).then(|| {
                    let why = format!(
                        "{}: tf {tf}, length {len} of mean {average:.2}, weight {}",
                        FIELDS[f], self.weights[f]
                    );
                    Explanation::leaf(weight * impact * value / total, why)
                })
            };
            let idf = idf(catalog.len(), df);
            let why = format!(
                "{word}: in {df} of {} tools, idf {idf:.6}, k1 {}, query weight {weight}",
                catalog.len(),
                self.k1
            );
            parts.push(Explanation::sum(why, (0..6).filter_map(leaf).collect()));
        }
        let exact = self.names.find(query);
        if let Some(place) = exact.iter().position(|t| *t == tool) {
            let why = format!("exact name, place {} of {} in the query", place + 1, exact.len());
            parts.push(Explanation::leaf(EXACT_NAME * (exact.len() - place) as f64, why));
        }
        Explanation::sum("fielded", parts)
    }
}

#[cfg(test)]
mod tests {
    use crate::rank::build;
    use crate::testing::catalog;
    use crate::{Catalog, Tool};

    fn first(catalog: &Catalog, query: &str) -> Option<String> {
        let hits = build("fielded", catalog).unwrap().ranker.search(query, 1).hits;
        hits.first().map(|h| catalog[h.tool].name().to_string())
    }

    /// P04, P05, P06: schema text, server label and scripts without spaces are found.
    #[test]
    fn every_field_is_indexed() {
        let schema = r#"{"type":"object","properties":{"region":{"type":"string","enum":["frankfurt"]},"q":{"description":"Postal code"}}}"#;
        let json = |name: &str, server: &str, text: &str, schema: &str| {
            let json =
                format!(r#"{{"name":"{name}","server":"{server}","description":"{text}","inputSchema":{schema}}}"#);
            Tool::from_json(&json, &crate::Limits::default()).unwrap()
        };
        let catalog = Catalog::new(vec![
            json("a", "acme", "One.", "{}"),
            json("b", "zeta", "Two.", schema),
            json("c", "zeta", "使用必应搜索指定的关键词", "{}"),
            json("canvas_createEdge", "zeta", "Four.", "{}"),
        ])
        .unwrap();
        for (query, name) in [
            ("acme", "a"),
            ("servers in frankfurt", "b"),
            ("postal codes", "b"),
            ("regions", "b"),
            ("关键词", "c"),
            ("create edges", "canvas_createEdge"),
        ] {
            assert_eq!(first(&catalog, query).as_deref(), Some(name), "{query}");
        }
    }

    /// P01: an exact name beats any number of matching words.
    #[test]
    fn exact_names_come_first() {
        let catalog =
            catalog(&[("x_y", "nothing alike"), ("words", "many many words that all occur here in the query")]);
        assert_eq!(first(&catalog, "many words that all occur here in the query of x_y").as_deref(), Some("x_y"));
    }
}
