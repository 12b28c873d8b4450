//! Does every policy hold to its promises, whatever the transcript says?
#![no_main]

use deferbench_core::transcript::Transcript;
use deferbench_core_fuzz::{check_transcript, script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let seed = data.iter().fold(data.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let transcript = serde_json::from_slice::<Transcript>(data).unwrap_or_else(|_| script::transcript(data));
    check_transcript(&transcript, seed);
});
