//! Which whole number comes next, on every machine and with every release of every library?

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What the numbers of a stream are used for; each purpose has its own stream under one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Rows of a bootstrap replicate.
    Bootstrap,
    /// Signs of a randomisation test.
    SignFlip,
}

/// A stream of uniform whole numbers.
///
/// The key of ChaCha8 is the seed and the purpose, each as 8 little-endian bytes, then 16 zero bytes; nonce and first
/// counter are 0. Bounded numbers are made here, because the libraries may change how they make theirs.
///
/// ```
/// use deferbench_reports::stats::{Draw, Purpose};
/// let mut draw = Draw::new(7, Purpose::Bootstrap);
/// assert!((0..100).all(|_| draw.below(3) < 3));
/// assert_eq!(draw.below(1), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Draw {
    stream: ChaCha8Rng,
}

impl Draw {
    /// Starts the stream of a seed and a purpose.
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        let purpose: u64 = match purpose {
            Purpose::Bootstrap => 1,
            Purpose::SignFlip => 2,
        };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&purpose.to_le_bytes());
        Self { stream: ChaCha8Rng::from_seed(key) }
    }

    /// A whole number from 0 to `bound` - 1, each equally likely; 0 when `bound` is 0.
    ///
    /// Lemire, "Fast Random Integer Generation in an Interval" (ACM TOMACS, 2019): the high half of a 64-bit product,
    /// drawn again in the rare case that would favour some numbers.
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.bits()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.bits()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.stream.next_u32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, purpose: Purpose, bound: u32) -> Vec<u32> {
        let mut draw = Draw::new(seed, purpose);
        (0..8).map(|_| draw.below(bound)).collect()
    }

    #[test]
    fn the_streams_are_those_of_an_independent_program() {
        // python3 tests/oracle/chacha8.py
        assert_eq!(first(0, Purpose::Bootstrap, 10), [3, 2, 7, 3, 5, 3, 3, 6]);
        assert_eq!(first(7, Purpose::Bootstrap, 4206), [167, 3658, 252, 226, 254, 7, 3586, 2525]);
        assert_eq!(
            first(7, Purpose::SignFlip, 3_000_000_000),
            [1833848819, 2727569769, 1722141266, 1453601252, 1560042853, 297205602, 702206482, 1976066377]
        );
        assert_eq!(
            first(u64::MAX, Purpose::Bootstrap, u32::MAX),
            [118478498, 2496290432, 2204626201, 522435736, 1675145774, 3064252498, 2982992294, 689486953]
        );
    }

    #[test]
    fn a_bound_of_nothing_gives_nothing() {
        assert_eq!(first(1, Purpose::Bootstrap, 0), [0; 8]);
    }
}
