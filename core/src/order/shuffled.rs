//! No order at all.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Order, slots};
use crate::spec::{Param, Range};

pub(super) static ENTRY: Order = Order {
    name: "shuffled",
    summary: "all tools and the search tool in a seeded permutation, another one at every step",
    source: "harnesses that iterate over a hash map: openai/codex before #2611, librefang#3765, go-micro#4902",
    promise: "everything may move at every step, also where nothing was activated; the same seed and step give the same sequence",
    invariant_to_registration: false,
    keeps_places: false,
    params: &[Param {
        key: "seed",
        default: "7",
        range: Range::Integer(0, u64::MAX),
        summary: "what the permutations are drawn with",
    }],
    arrange: |a, values| {
        let seed: u64 = values.text("seed").parse().unwrap_or_default();
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&a.step.to_le_bytes());
        let mut random = ChaCha8Rng::from_seed(key);
        let mut all: Vec<_> = slots(a.base).chain(a.search_slot()).chain(slots(a.activated)).collect();
        all.sort_by_cached_key(|_| random.next_u64());
        all
    },
};
