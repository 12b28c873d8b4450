//! Where do all random choices of the generators come from?
//!
//! One ChaCha8 stream for every (seed, part, index), so that a choice in one place never moves the
//! choices of another. The bounded draw is written here, because the range functions of `rand` may
//! return other values in another release.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A seeded source of bounded draws.
#[derive(Debug, Clone)]
pub struct Draw {
    rng: ChaCha8Rng,
}

impl Draw {
    /// The stream of one part of the generator; `index` tells its tools or servers apart.
    #[must_use]
    pub fn new(seed: u64, part: &str, index: u64) -> Self {
        let mut key = [0_u8; 32];
        let bytes = seed.to_le_bytes().into_iter().chain(index.to_le_bytes());
        let bytes = bytes.chain(part.bytes().take(16));
        for (slot, byte) in key.iter_mut().zip(bytes) {
            *slot = byte;
        }
        Self { rng: ChaCha8Rng::from_seed(key) }
    }

    /// A number below `bound`, every one equally likely (Lemire's method); 0 for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u64::from(self.rng.next_u32()) * u64::from(bound);
            if (wide & u64::from(u32::MAX)) >= u64::from(threshold) {
                return u32::try_from(wide >> 32).unwrap_or(0);
            }
        }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True in `percent` of 100 draws.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// An index below `len` (0 for an empty list).
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// One entry of a list; none of an empty one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let at = self.index(items.len());
        items.get(at).copied()
    }

    /// The position of a weight, each as likely as its weight.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (at, weight) in weights.iter().enumerate() {
            if left < *weight {
                return at;
            }
            left -= weight;
        }
        0
    }

    /// Brings a list into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    /// A list of `len` positions in which each weight gets its share as exactly as possible, in a random order.
    pub fn deck(&mut self, weights: &[u32], len: usize) -> Vec<usize> {
        let total = u64::from(weights.iter().sum::<u32>().max(1));
        let mut deck = Vec::with_capacity(len);
        for card in 0..len as u64 {
            let point = (2 * card + 1) * total / (2 * (len as u64).max(1));
            let mut left = point;
            let mut chosen = 0;
            for (at, weight) in weights.iter().enumerate() {
                if left < u64::from(*weight) {
                    chosen = at;
                    break;
                }
                left -= u64::from(*weight);
            }
            deck.push(chosen);
        }
        self.shuffle(&mut deck);
        deck
    }
}

#[cfg(test)]
mod tests {
    use super::Draw;

    #[test]
    fn a_stream_repeats_itself_and_parts_differ() {
        let take = |seed, part, index| {
            let mut draw = Draw::new(seed, part, index);
            (0..8).map(|_| draw.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(take(7, "tool", 3), take(7, "tool", 3));
        assert_ne!(take(7, "tool", 3), take(7, "tool", 4));
        assert_ne!(take(7, "tool", 3), take(7, "query", 3));
        assert_ne!(take(7, "tool", 3), take(8, "tool", 3));
    }

    #[test]
    fn draws_stay_in_bounds_and_reach_every_value() {
        let mut draw = Draw::new(1, "test", 0);
        let mut counts = [0_u32; 7];
        for _ in 0..7_000 {
            counts[draw.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|n| (850..1_150).contains(n)), "{counts:?}");
        assert_eq!(draw.below(0), 0);
        assert_eq!(draw.below(1), 0);
        for _ in 0..100 {
            assert!((3..=5).contains(&draw.between(3, 5)));
        }
    }

    #[test]
    fn a_deck_holds_each_weight_in_its_share() {
        let deck = Draw::new(1, "test", 0).deck(&[3, 1], 40);
        assert_eq!(deck.iter().filter(|card| **card == 0).count(), 30);
        assert_eq!(deck.len(), 40);
    }
}
