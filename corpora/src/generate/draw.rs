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

    /// A sum of four uniform draws: near a normal distribution with mean 0 and standard deviation 1.
    pub fn bell(&mut self) -> f64 {
        let sum: u32 = (0..4).map(|_| self.below(1_000)).sum();
        (f64::from(sum) - 1_998.0) / 577.35
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

    /// Brings a list into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
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
    fn a_bell_has_mean_0_and_deviation_1() {
        let mut draw = Draw::new(1, "test", 0);
        let all: Vec<f64> = (0..10_000).map(|_| draw.bell()).collect();
        let mean = all.iter().sum::<f64>() / 10_000.0;
        let square = all.iter().map(|x| x * x).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.03 && (0.97..1.03).contains(&square), "{mean} {square}");
    }
}
