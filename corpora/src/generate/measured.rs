//! Which lengths and counts do real tool lists have?
//!
//! Quantiles over the 7,902 tools of 178 published MCP servers, captured 2026-11-30. A target is the value at a rank, so
//! that a block of generated tools has the measured distribution whatever the seed.

/// One measured distribution: values at shares of the tools, in per mille.
#[derive(Debug, Clone, Copy)]
pub struct Measured(&'static [(u32, u32)]);

/// Characters of a name.
pub const NAME: Measured =
    Measured(&[(0, 4), (100, 11), (250, 14), (500, 19), (750, 24), (900, 30), (990, 44), (1000, 60)]);
/// Characters of a description; the longest of real lists, 18,920, are left out.
pub const DESCRIPTION: Measured =
    Measured(&[(0, 10), (100, 33), (250, 55), (500, 152), (750, 350), (900, 683), (990, 2557), (1000, 4000)]);
/// Parameters of a tool; the largest real tool has 205.
pub const PARAMETERS: Measured = Measured(&[
    (0, 0),
    (57, 0),
    (59, 1),
    (280, 1),
    (340, 2),
    (450, 2),
    (470, 3),
    (560, 3),
    (750, 5),
    (900, 9),
    (990, 20),
    (1000, 40),
]);
/// UTF-8 bytes of a compact input schema; the largest real one has 84,167.
pub const SCHEMA: Measured =
    Measured(&[(0, 30), (100, 126), (250, 215), (500, 398), (750, 835), (900, 1798), (990, 10_016), (1000, 14_000)]);
/// UTF-8 bytes of an output schema.
pub const OUTPUT: Measured =
    Measured(&[(0, 60), (100, 74), (250, 110), (500, 153), (750, 418), (900, 1333), (1000, 3000)]);
/// Tools of a server.
pub const SERVER: Measured =
    Measured(&[(0, 1), (100, 4), (250, 9), (500, 24), (750, 46), (900, 93), (990, 344), (1000, 401)]);

impl Measured {
    /// The value at the middle of a rank, from 0; between two measured points it grows by a constant factor.
    #[must_use]
    pub fn at(self, rank: usize, of: usize) -> u32 {
        let share = (rank as f64 + 0.5) * 1000.0 / of.max(1) as f64;
        let upper = self.0.iter().position(|(at, _)| f64::from(*at) >= share).unwrap_or(self.0.len() - 1).max(1);
        let ((low, a), (high, b)) = (self.0[upper - 1], self.0[upper]);
        let part = (share - f64::from(low)) / f64::from(high - low);
        let (a, b) = (f64::from(a) + 1.0, f64::from(b) + 1.0);
        libm::round(a * libm::pow(b / a, part.clamp(0.0, 1.0)) - 1.0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{DESCRIPTION, PARAMETERS, SERVER};

    /// The measured points come back: the middle of 1,000 ranks is the median.
    #[test]
    fn measured_points_come_back() {
        // The middle of rank 99 of 1,000 is 9.95 %, just below the measured point.
        assert_eq!([99, 499, 899].map(|at| DESCRIPTION.at(at, 1000)), [33, 152, 681]);
        assert_eq!([10, 100, 200, 500, 899].map(|at| PARAMETERS.at(at, 1000)), [0, 1, 1, 3, 9]);
        assert_eq!(SERVER.at(0, 1), 24);
        let all: Vec<u32> = (0..100).map(|at| DESCRIPTION.at(at, 100)).collect();
        assert!(all.is_sorted(), "{all:?}");
    }
}
