//! The default ranking of stitchkit: one phrase, then single words.

use std::collections::HashSet;

use super::{Hits, Invariance, Ranker, RankerEntry, best};
use crate::catalog::{Catalog, ToolId};
use crate::explain::Explanation;
use crate::spec::{Param, Range};

pub(super) static ENTRY: RankerEntry = RankerEntry {
    name: "phrase",
    summary: "five classes of substring match of the whole query; where none matches, the number of query words that occur; ties in catalog order",
    source: "stitchkit createDeferredAgentToolSurface, default ranking, second generation",
    params: &[Param {
        key: "words",
        default: "yes",
        range: Range::Choice(&["yes", "no"]),
        summary: "no: the phrase alone, as the first generation had it",
    }],
    invariant_to: &[Invariance::HashSeed],
    build: |catalog, values| Box::new(Phrase::new(catalog, values.text("words") == "yes")),
};

struct Phrase {
    texts: Vec<(String, String)>,
    words: bool,
}

const CLASSES: [&str; 5] = [
    "the name is the query",
    "the name starts with the query",
    "a part of the name starts with the query",
    "the name contains the query",
    "the description contains the query",
];

impl Phrase {
    fn new(catalog: &Catalog, words: bool) -> Self {
        let text = |t: &crate::Tool| (t.name().to_lowercase(), t.description().unwrap_or_default().to_lowercase());
        Self { texts: catalog.tools().iter().map(text).collect(), words }
    }

    fn class(&self, query: &str, tool: usize) -> Option<usize> {
        let (name, description) = &self.texts[tool];
        [
            name == query,
            name.starts_with(query),
            name.split(['_', '-']).any(|part| part.starts_with(query)),
            name.contains(query),
            description.contains(query),
        ]
        .iter()
        .position(|holds| *holds)
    }

    /// Score and reason for every tool: the phrase pass, or the word pass where that finds nothing.
    fn scores(&self, query: &str) -> Vec<(ToolId, f64, String)> {
        let query = query.trim().to_lowercase();
        if query.is_empty() {
            return Vec::new();
        }
        let id = |i: usize| ToolId(i as u32);
        let phrase: Vec<_> = (0..self.texts.len())
            .filter_map(|i| self.class(&query, i).map(|c| (id(i), 5.0 - c as f64, CLASSES[c].to_string())))
            .collect();
        let mut seen = HashSet::new();
        let words: Vec<&str> = query.split_whitespace().filter(|w| seen.insert(*w)).collect();
        if !phrase.is_empty() || words.len() < 2 || !self.words {
            return phrase;
        }
        let count = |i: usize| {
            let (name, description) = &self.texts[i];
            let text = format!("{name} {description}");
            let found: Vec<&str> = words.iter().copied().filter(|w| text.contains(w)).collect();
            (id(i), found.len() as f64, format!("words found: {}", found.join(", ")))
        };
        (0..self.texts.len()).map(count).filter(|(_, n, _)| *n > 0.0).collect()
    }
}

impl Ranker for Phrase {
    fn search(&self, query: &str, limit: usize) -> Hits {
        best(self.scores(query).into_iter().map(|(t, s, _)| (t, s)), |t| t.0, limit)
    }

    fn explain(&self, _: &Catalog, query: &str, tool: ToolId) -> Explanation {
        let found = self.scores(query).into_iter().find(|(t, _, _)| *t == tool);
        found.map_or_else(|| Explanation::leaf(0.0, "no match"), |(_, score, why)| Explanation::leaf(score, why))
    }
}

#[cfg(test)]
mod tests {
    use crate::rank::build;
    use crate::testing::catalog;

    fn found(query: &str) -> Vec<String> {
        found_by("phrase", query)
    }

    fn found_by(ranker: &str, query: &str) -> Vec<String> {
        let catalog = catalog(&[
            ("zz", "mentions file"),
            ("my_file", "b"),
            ("profile", "c"),
            ("file_read", "d"),
            ("file", "e"),
            ("other", "read the disk"),
        ]);
        let hits = build(ranker, &catalog).unwrap().ranker.search(query, 9).hits;
        hits.iter().map(|h| catalog[h.tool].name().to_string()).collect()
    }

    /// S26: class order, then catalog order; the word pass only where the phrase pass found nothing.
    #[test]
    fn classes_then_words() {
        assert_eq!(found("File"), ["file", "file_read", "my_file", "profile", "zz"]);
        assert_eq!(found("read file"), ["file_read", "zz", "my_file", "profile", "file", "other"]);
        assert_eq!(found("nothing"), Vec::<String>::new());
        assert_eq!(found_by("phrase(words=no)", "read file"), Vec::<String>::new());
    }
}
