//! Are two lists of paired values different, or is it chance?

use super::draw::{Draw, Purpose};

/// Below this difference two values are a tie.
const TIE: f64 = 1e-12;

/// Up to this number of pairs every pattern of signs is tried.
const EXACT: usize = 12;

/// The two-sided p-value of the paired sign-flip randomisation test.
///
/// Under the hypothesis that both sides are alike, each difference could as well have the other sign. The p-value is
/// the share of sign patterns whose sum is at least as far from 0 as the observed one. Up to 12 differences all
/// patterns are tried; beyond, `draws` random ones, and p = (count + 1) / (draws + 1), so that p is never 0
/// (Phipson and Smyth, "Permutation P-values Should Never Be Zero", 2010). `None` for no differences.
///
/// ```
/// use deferbench_reports::stats::sign_flip;
/// // Of the 8 patterns of three equal differences, two are as extreme as the observed one.
/// assert_eq!(sign_flip(&[1.0, 1.0, 1.0], 7, 10_000), Some(0.25));
/// assert_eq!(sign_flip(&[0.0, 0.0], 7, 10_000), Some(1.0));
/// assert_eq!(sign_flip(&[], 7, 10_000), None);
/// ```
pub fn sign_flip(differences: &[f64], seed: u64, draws: u64) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let observed = differences.iter().sum::<f64>().abs();
    let scale = differences.iter().map(|difference| difference.abs()).sum::<f64>();
    let as_extreme = |sum: f64| sum.abs() >= observed - TIE * scale;
    if differences.len() <= EXACT {
        let patterns = 1_u32 << differences.len();
        let count = (0..patterns).filter(|pattern| as_extreme(flipped(differences, *pattern, 0.0))).count();
        return Some(count as f64 / f64::from(patterns));
    }
    let mut draw = Draw::new(seed, Purpose::SignFlip);
    let mut count = 0_u64;
    for _ in 0..draws {
        let sum = differences.chunks(32).fold(0.0, |sum, chunk| flipped(chunk, draw.bits(), sum));
        count += u64::from(as_extreme(sum));
    }
    Some((count + 1) as f64 / (draws + 1) as f64)
}

/// `sum` plus the differences, each negated where its bit of the pattern is set (lowest bit first).
fn flipped(differences: &[f64], pattern: u32, sum: f64) -> f64 {
    differences.iter().enumerate().fold(sum, |sum, (place, difference)| {
        if pattern >> place & 1 == 1 { sum - difference } else { sum + difference }
    })
}

/// How many pairs each side wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WinTieLoss {
    /// Pairs whose first value is larger.
    pub wins: u64,
    /// Pairs that differ by less than 1e-12.
    pub ties: u64,
    /// Pairs whose first value is smaller.
    pub losses: u64,
}

/// Counts the pairs of `a` and `b` by which value is larger; values without a partner are left out.
///
/// ```
/// use deferbench_reports::stats::{WinTieLoss, win_tie_loss};
/// let count = win_tie_loss(&[1.0, 0.5, 0.1 + 0.2], &[0.0, 1.0, 0.3]);
/// assert_eq!(count, WinTieLoss { wins: 1, ties: 1, losses: 1 });
/// ```
pub fn win_tie_loss(a: &[f64], b: &[f64]) -> WinTieLoss {
    let mut count = WinTieLoss::default();
    for (a, b) in a.iter().zip(b) {
        match a - b {
            difference if difference.abs() < TIE => count.ties += 1,
            difference if difference > 0.0 => count.wins += 1,
            _ => count.losses += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pairs_give_the_exact_p_value_of_scipy() {
        // scipy.stats.permutation_test((d,), lambda x, axis: np.mean(x, axis=axis), permutation_type='samples',
        //                              n_resamples=np.inf, vectorized=True).pvalue
        let cases: [(&[f64], f64); 4] = [
            (&[0.5, -0.25, 1.0, 0.0, 2.0, -0.5, 0.75], 0.21875),
            (&[1.0; 8], 0.0078125),
            (&[0.1, -0.1, 0.2, -0.2, 0.3, 0.1, -0.3, 0.2, 0.2, -0.1, 0.4, 0.1], 0.29296875),
            (&[0.0; 3], 1.0),
        ];
        for (differences, p) in cases {
            assert_eq!(sign_flip(differences, 1, 10), Some(p), "{differences:?}");
        }
    }

    const FIFTEEN: [f64; 15] = [0.5, -0.25, 1.0, 0.0, 2.0, -0.5, 0.75, 0.1, -1.5, 0.3, 0.9, 1.1, -0.2, 0.6, 0.4];

    #[test]
    fn many_pairs_give_the_p_value_of_an_independent_program_with_the_same_draws() {
        // python3 tests/oracle/chacha8.py: sign_flip; the second needs more than 32 signs
        assert_eq!(sign_flip(&FIFTEEN, 7, 1_000), Some(0.13186813186813187));
        let forty: Vec<f64> = (0..40).map(|i| f64::from((i * 37) % 11 - 4) / 8.0).collect();
        assert_eq!(sign_flip(&forty, 7, 1_000), Some(0.12987012987012986));
    }

    #[test]
    fn many_pairs_come_near_the_exact_p_value() {
        // The exact value over all 2^15 patterns, by scipy as above, is 0.125244140625. The standard error of 10,000
        // draws is sqrt(p (1 - p) / 10_000) = 0.0033: four of them are 0.0133.
        let p = sign_flip(&FIFTEEN, 3, 10_000).unwrap();
        assert!((p - 0.125244140625).abs() < 0.0133, "{p}");
    }

    #[test]
    fn a_p_value_of_draws_is_never_zero() {
        assert_eq!(sign_flip(&[1.0; 200], 7, 999), Some(0.001));
    }
}
