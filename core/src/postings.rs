//! In which tools does a word occur, and what is it worth there?

use std::collections::HashMap;

use crate::catalog::ToolId;

/// An inverted index whose entries already hold the part of the score that one occurrence of the word in a query adds.
pub(crate) struct Postings {
    terms: HashMap<String, u32>,
    starts: Vec<u32>,
    tools: Vec<u32>,
    impacts: Vec<f64>,
    len: usize,
}

/// Collects, tool by tool, a value for each of its words.
#[derive(Default)]
pub(crate) struct Collector {
    terms: HashMap<String, u32>,
    lists: Vec<Vec<(u32, f64)>>,
    tools: u32,
}

impl Collector {
    /// Adds `value` to the word's value in the tool that is being collected.
    pub fn add(&mut self, word: &str, value: f64) {
        let next = self.lists.len() as u32;
        let term = match self.terms.get(word) {
            Some(&t) => t,
            None => {
                self.terms.insert(word.to_string(), next);
                self.lists.push(Vec::new());
                next
            }
        };
        let list = &mut self.lists[term as usize];
        match list.last_mut() {
            Some((tool, sum)) if *tool == self.tools => *sum += value,
            _ => list.push((self.tools, value)),
        }
    }

    /// The tool that is being collected is complete.
    pub fn next_tool(&mut self) {
        self.tools += 1;
    }

    /// Turns each collected value into an impact: `impact(tools that have the word, tool, value)`.
    pub fn finish(self, impact: impl Fn(usize, usize, f64) -> f64) -> Postings {
        let mut out = Postings {
            terms: self.terms,
            starts: vec![0],
            tools: Vec::new(),
            impacts: Vec::new(),
            len: self.tools as usize,
        };
        for list in self.lists {
            let df = list.len();
            for (tool, value) in list {
                out.tools.push(tool);
                out.impacts.push(impact(df, tool as usize, value));
            }
            out.starts.push(out.tools.len() as u32);
        }
        out
    }
}

impl Postings {
    /// Sums the impacts of the words, in their order, each times its weight: the tools that have any of them.
    pub fn score<'a>(&self, words: impl Iterator<Item = (&'a str, f64)>) -> Vec<(ToolId, f64)> {
        let mut scores = vec![0.0; self.len];
        let mut touched = Vec::new();
        for (word, weight) in words {
            // A weight of 0 adds nothing; a tool is taken up when its sum first leaves 0.
            let Some(&term) = self.terms.get(word).filter(|_| weight > 0.0) else {
                continue;
            };
            let range = self.starts[term as usize] as usize..self.starts[term as usize + 1] as usize;
            for (&tool, &impact) in self.tools[range.clone()].iter().zip(&self.impacts[range]) {
                let score: &mut f64 = &mut scores[tool as usize];
                if *score == 0.0 {
                    touched.push(tool);
                }
                *score += weight * impact;
            }
        }
        touched.into_iter().map(|t| (ToolId(t), scores[t as usize])).collect()
    }

    /// How many tools have the word, and the impact in one of them.
    pub fn look_up(&self, word: &str, tool: ToolId) -> Option<(usize, f64)> {
        let term = *self.terms.get(word)? as usize;
        let range = self.starts[term] as usize..self.starts[term + 1] as usize;
        let at = self.tools[range.clone()].binary_search(&tool.0).ok()?;
        Some((range.len(), self.impacts[range.start + at]))
    }
}

/// Inverse document frequency: `ln(1 + (n - df + 0.5) / (df + 0.5))`, above 0 for every word that occurs.
///
/// Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, in the form of Lucene's `BM25Similarity`.
pub(crate) fn idf(n: usize, df: usize) -> f64 {
    let (n, df) = (n as f64, df as f64);
    libm::log(1.0 + (n - df + 0.5) / (df + 0.5))
}
