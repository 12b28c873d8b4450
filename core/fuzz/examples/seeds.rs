//! Writes the seeds of every fuzz target: what the library itself records when a session runs.
//!
//! `cargo run --manifest-path core/fuzz/Cargo.toml --example seeds` writes them again after a change of the format.

use std::fs;
use std::path::Path;

use deferbench_core::messages::{anthropic, openai};
use deferbench_core::session::Session;
use deferbench_core::transcript::{Block, Call, Event, Output, Transcript};
use deferbench_core_fuzz::{CASES, Case};

fn main() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let write = |target: &str, name: &str, text: String| {
        fs::create_dir_all(seeds.join(target)).unwrap();
        fs::write(seeds.join(target).join(format!("{name}.json")), text).unwrap();
    };
    for case in CASES.iter() {
        let name = case.name.replace(['(', '=', ')'], "-").trim_end_matches('-').to_string();
        let transcript = session(case);
        write("transcript", &name, serde_json::to_string(&transcript).unwrap());
        let receipts = transcript.events().iter().filter_map(|event| match event {
            Event::Result { output: Output::Json(json), .. } => Some(json.clone()),
            _ => None,
        });
        for (i, receipt) in receipts.enumerate() {
            write("receipt", &format!("{name}-{i}"), receipt);
        }
        let messages = anthropic::write(&transcript).unwrap();
        write("messages", &format!("{name}-anthropic"), serde_json::to_string(&messages).unwrap());
        let messages = openai::write(&without_images(&transcript)).unwrap();
        write("messages", &format!("{name}-openai"), serde_json::to_string(&messages).unwrap());
    }
}

/// Two runs: a search, a direct call, a call of a tool that is not visible, two searches in one step, what is refused.
fn session(case: &Case) -> Transcript {
    let mut session = Session::new(case.surface.clone(), "run-1");
    session.user("Write a letter.");
    let search = |id: &str, query: &str| Call::new(id, "tool_search", format!(r#"{{"query":"{query}"}}"#));
    step(&mut session, "s1", vec![search("c1", "letter")]);
    step(&mut session, "s2", vec![Call::new("c2", "mail_send", r#"{"a":"Hello."}"#)]);
    step(&mut session, "s3", vec![Call::new("c3", "file_read", r#"{"a":"b"}"#)]);
    step(&mut session, "s4", vec![search("c4", "measures"), search("c5", "archive")]);
    step(&mut session, "s5", vec![Call::new("c6", "archive", "{}")]);
    step(&mut session, "s6", vec![search("c7", &"long ".repeat(20))]);
    session.run("run-2");
    session.user("And the time?");
    step(&mut session, "s7", vec![search("c8", "nothing alike"), search("c9", "file")]);
    step(&mut session, "s8", Vec::new());
    session.transcript().clone()
}

fn step(session: &mut Session, step: &str, calls: Vec<Call>) {
    let request = session.step(&[]).unwrap();
    for call in session.receive(&request, step, "One moment.", calls) {
        match call.name.as_str() {
            "tool_search" => drop(session.search(&call)),
            _ => {
                let image = Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
                session.result(&call, Output::Content(vec![Block::Text("Sent.".into()), image]));
            }
        }
    }
}

/// A tool message of Chat Completions holds no image.
fn without_images(transcript: &Transcript) -> Transcript {
    let mut without = Transcript::new();
    for event in transcript.events().iter().cloned() {
        without.push(match event {
            Event::Result { call, tool, output: output @ Output::Content(_) } => {
                Event::Result { call, tool, output: Output::Text(output.text().into_owned()) }
            }
            event => event,
        });
    }
    without
}
