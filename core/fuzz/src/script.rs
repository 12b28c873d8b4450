//! How do bytes that are no JSON become a transcript?
//!
//! Almost no mutation of JSON is JSON. So the bytes are read as a small program too: each of its steps appends an event
//! that fits the others nearly, with ids, names and receipts from small pools.

use deferbench_core::receipt::{KIND, MacKey, Match, Receipt, Refused, Repaired, Status};
use deferbench_core::transcript::{Block, Call, Event, Original, Output, Snapshot, Transcript};

use crate::{CASES, CATALOG, KEY};

/// Longest transcript.
const EVENTS: usize = 24;

struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    /// The next byte as a number below `n`; 0 past the end.
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |byte| usize::from(*byte) % n)
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].to_string()
    }

    fn name(&mut self) -> String {
        match self.below(CATALOG.len() + 2) {
            0 => "tool_search".to_string(),
            1 => "nowhere".to_string(),
            n => CATALOG.tools()[n - 2].name().to_string(),
        }
    }

    fn call_id(&mut self) -> String {
        format!("c{}", self.below(6))
    }

    fn step_id(&mut self) -> String {
        format!("s{}", self.below(4))
    }

    fn run_id(&mut self) -> String {
        self.one(&[
            "r1",
            "r1",
            "r2",
            "",
            "a run whose id is longer than any identifier that a host would make up on its own",
        ])
    }

    fn call(&mut self) -> Call {
        let arguments =
            [r#"{"query":"mail"}"#, "{}", "no JSON", r#"{"query":" "}"#, r#"{"query":"a","reason":"inactive_call"}"#];
        let search = self.below(3) > 0;
        let name = if search { "tool_search".to_string() } else { self.name() };
        let mut call = Call::new(self.call_id(), name, self.one(&arguments));
        if self.below(4) == 3 {
            call.repaired = Some(Original { name: self.name(), arguments: self.one(&arguments) });
        }
        call
    }

    fn receipt(&mut self, answers: &str) -> Receipt {
        let status = [Status::Selected, Status::SearchRequired, Status::NoMatch, Status::SelectionRefused];
        let status = status[self.below(4)];
        let names = if status.selects() { 1 + self.below(3) } else { self.below(5) / 4 };
        let selected: Vec<String> = (0..names).map(|_| self.name()).collect();
        let second = self.below(3) > 0;
        let stale = self.below(8) == 7;
        let print = |name: &String| match CATALOG.find(name) {
            Some(id) if !stale => CATALOG[id].fingerprint().to_string(),
            _ => "0".repeat(64),
        };
        let repaired = (status == Status::SearchRequired && second).then(|| {
            let name = selected[self.below(selected.len())].clone();
            Repaired { name, arguments: None, arguments_omitted: self.below(2) == 1 }
        });
        let mut receipt = Receipt {
            schema_version: if second { 2 } else { 1 },
            kind: KIND.to_string(),
            status,
            run_id: self.run_id(),
            surface_key: self.one(&["default", "default", "default", "other"]),
            matches: selected.iter().take(1).map(|n| Match { name: n.clone(), description: String::new() }).collect(),
            truncated: false,
            step_id: second.then(|| self.step_id()),
            fingerprints: second.then(|| selected.iter().map(print).collect()),
            refused: second.then(|| match self.below(2) {
                0 => Vec::new(),
                _ => vec![Refused { name: "archive".into(), ceiling: "active".into(), schema_bytes: u64::MAX }],
            }),
            reason: None,
            repaired,
            selected,
            mac: None,
        };
        if second && self.below(2) == 1 {
            receipt.sign(&MacKey::new(KEY), answers);
        }
        receipt
    }

    fn event(&mut self) -> Event {
        match self.below(10) {
            0 => Event::Run { id: self.run_id() },
            1 => Event::User { text: "Go on.".into() },
            2..=4 => {
                let (step, calls) = (self.step_id(), self.below(4));
                Event::Assistant { step, text: String::new(), calls: (0..calls).map(|_| self.call()).collect() }
            }
            5 => {
                let outputs = [
                    Output::Text("Done.".into()),
                    Output::Error("No.".into()),
                    Output::Json("{}".into()),
                    Output::Content(vec![Block::Image { media_type: "image/png".into(), data: "AA==".into() }]),
                ];
                Event::Result { call: self.call_id(), tool: self.name(), output: outputs[self.below(4)].clone() }
            }
            6 => {
                let mut selected: Vec<String> = (0..self.below(4)).map(|_| self.name()).collect();
                if self.below(4) > 0 {
                    selected.sort();
                    selected.dedup();
                }
                let added = (0..self.below(3)).map(|_| self.name()).collect();
                Event::Selection { snapshot: Snapshot::new(self.one(&["mail", "mail", " "]), selected), added }
            }
            _ => {
                let call = self.call_id();
                let output = Output::Json(self.receipt(&call).json());
                Event::Result { call, tool: "tool_search".into(), output }
            }
        }
    }
}

/// The transcript that a program makes.
pub fn transcript(program: &[u8]) -> Transcript {
    let mut bytes = Bytes(program.iter());
    let mut transcript = Transcript::new();
    transcript.push(Event::Run { id: "r1".into() });
    while !bytes.0.as_slice().is_empty() && transcript.events().len() < EVENTS {
        if bytes.below(3) > 0 {
            transcript.push(bytes.event());
            continue;
        }
        // Now and then the newest search call gets the answer that a surface really gives.
        let case = &CASES[bytes.below(CASES.len())];
        let newest = transcript.events().iter().rev().find_map(|event| match event {
            Event::Assistant { calls, .. } => calls.iter().rev().find(|call| call.name == "tool_search").cloned(),
            _ => None,
        });
        let Some(call) = newest else { continue };
        if let Ok(answer) = case.surface.answer(&transcript, &call, &[]) {
            answer.events(&call).into_iter().for_each(|event| transcript.push(event));
        }
    }
    transcript
}
