mod cumulative;
mod replace;

use super::*;
use crate::entry::Entry;
use crate::order::Order;
use crate::rank;
use crate::surface::{Surface, SurfaceConfig};
use crate::testing::catalog;
use crate::transcript::Snapshot;

/// A scripted agent: every step is a batch of searches, answered in call order.
struct Agent {
    catalog: Catalog,
    policy: Box<dyn Policy>,
    transcript: Transcript,
    steps: usize,
}

impl Agent {
    fn new(policy: &str, tools: &[(&str, &str)]) -> Self {
        let mut transcript = Transcript::new();
        transcript.push(Event::Run { id: "run-1".into() });
        Self { catalog: catalog(tools), policy: build(policy).unwrap().1, transcript, steps: 0 }
    }

    fn with<T>(&self, always_on: &[&str], then: impl FnOnce(&Surface) -> T) -> T {
        let built = rank::build("phrase", &self.catalog).unwrap();
        let config = SurfaceConfig {
            catalog: &self.catalog,
            ranker: built.ranker.as_ref(),
            policy: self.policy.as_ref(),
            order: Order::find("append").unwrap(),
            entry: Entry::find("list").unwrap(),
            search_tool: None,
            always_on,
            key: "default",
        };
        then(&Surface::new(config).unwrap())
    }

    /// Runs one step of parallel searches, each given as its JSON arguments; gives what the model reads.
    fn step(&mut self, arguments: &[&str]) -> Vec<Output> {
        self.steps += 1;
        let call = |(i, a): (usize, &&str)| Call::new(format!("c{}-{i}", self.steps), "tool_search", *a);
        let calls: Vec<Call> = arguments.iter().enumerate().map(call).collect();
        let step = format!("s{}", self.steps);
        self.transcript.push(Event::Assistant { step, text: String::new(), calls: calls.clone() });
        let mut outputs = Vec::new();
        for call in &calls {
            let answer = self.with(&[], |s| s.answer(&self.transcript, call));
            outputs.push(answer.output.clone());
            answer.events(call).into_iter().for_each(|e| self.transcript.push(e));
        }
        outputs
    }

    fn search(&mut self, query: &str) -> Output {
        self.step(&[&serde_json::json!({ "query": query }).to_string()]).remove(0)
    }

    fn active(&self) -> Vec<String> {
        let request = self.with(&[], |s| s.request(&self.transcript).unwrap());
        request.activated.iter().map(|&t| self.catalog[t].name().to_string()).collect()
    }

    fn receipt(output: &Output) -> serde_json::Value {
        match output {
            Output::Json(json) => serde_json::from_str(json).unwrap(),
            other => panic!("no receipt: {other:?}"),
        }
    }
}

const TOOLS: [(&str, &str); 6] = [
    ("mail_send", "Sends a letter."),
    ("mail_list", "Lists letters."),
    ("file_read", "Reads a file."),
    ("file_write", "Writes a file."),
    ("clock", "Tells the time."),
    ("big", "Huge definition."),
];
