mod cumulative;
mod model;
mod properties;
mod replace;
mod scenario;

use super::*;
use crate::rank;
use crate::session::Session;
use crate::surface::{Surface, SurfaceConfig};
use crate::testing::catalog;
use crate::transcript::{Snapshot, Transcript};

/// A scripted agent: every step is a batch of searches, answered in call order.
struct Agent {
    catalog: Arc<Catalog>,
    policy: Arc<dyn Policy>,
    transcript: Transcript,
    steps: usize,
}

impl Agent {
    fn new(policy: &str, tools: &[(&str, &str)]) -> Self {
        let mut transcript = Transcript::new();
        transcript.push(Event::Run { id: "run-1".into() });
        let (catalog, policy) = (Arc::new(catalog(tools)), build(policy).unwrap().1);
        Self { catalog, policy, transcript, steps: 0 }
    }

    fn surface(&self, always_on: &[&str]) -> Result<Surface, crate::surface::SurfaceError> {
        let config = SurfaceConfig::new(self.catalog.clone(), self.policy.clone()).unwrap();
        let ranker = rank::build("phrase", &self.catalog).unwrap().ranker;
        let always_on = always_on.iter().map(|s| s.to_string()).collect();
        Surface::new(SurfaceConfig { ranker, always_on, ..config })
    }

    fn with<T>(&self, always_on: &[&str], then: impl FnOnce(&Surface) -> T) -> T {
        then(&self.surface(always_on).unwrap())
    }

    /// A session that goes on where the transcript ends.
    fn session(&self, always_on: &[&str]) -> Session {
        Session::resume(Arc::new(self.surface(always_on).unwrap()), self.transcript.clone())
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
            let answer = self.with(&[], |s| s.answer(&self.transcript, call, &[]).unwrap());
            outputs.push(answer.output.clone());
            answer.events(call).into_iter().for_each(|e| self.transcript.push(e));
        }
        outputs
    }

    fn search(&mut self, query: &str) -> Output {
        self.step(&[&serde_json::json!({ "query": query }).to_string()]).remove(0)
    }

    fn active(&self) -> Vec<String> {
        let request = self.with(&[], |s| s.request(&self.transcript, &[]).unwrap());
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
