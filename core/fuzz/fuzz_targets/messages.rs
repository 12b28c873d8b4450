//! Do messages of any shape become a transcript or an error, and a transcript that every policy can read?
#![no_main]

use deferbench_core::messages::{MessageError, anthropic, openai};
use deferbench_core::transcript::{Event, Transcript};
use deferbench_core_fuzz::check_transcript;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let Ok(messages) = serde_json::from_slice::<Vec<Value>>(data) else { return };
    check(&messages, openai::read, openai::write, data.len());
    check(&messages, anthropic::read, anthropic::write, data.len());
});

fn check(
    messages: &[Value],
    read: fn(&str, &str, &[Value]) -> Result<Transcript, MessageError>,
    write: fn(&Transcript) -> Result<Vec<Value>, MessageError>,
    seed: usize,
) {
    let Ok(transcript) = read("run-1", "tool_search", messages) else { return };
    check_transcript(&transcript, seed);
    // What was read can be written, and reads as it was.
    let written = write(&transcript).unwrap();
    let again = read("run-1", "tool_search", &written).unwrap();
    assert_eq!(comparable(again), comparable(transcript));
}

/// The last digits of a long number in the arguments may change: see the documentation of `anthropic`.
fn comparable(transcript: Transcript) -> Vec<Event> {
    let mut events = transcript.events().to_vec();
    for event in &mut events {
        if let Event::Assistant { calls, .. } = event {
            calls.iter_mut().for_each(|call| call.arguments.clear());
        }
    }
    events
}
