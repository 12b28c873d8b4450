//! Which summary stands for a list of values, and how sure is it?
//!
//! Everything here is seeded and sums in a fixed order, so that one input gives one output on every machine.

mod bootstrap;
mod draw;
mod paired;

pub use bootstrap::{Interval, bootstrap_means, clustered_bootstrap_means};
pub use draw::{Draw, Purpose};
pub use paired::{WinTieLoss, sign_flip, win_tie_loss};

/// The arithmetic mean, summed from the first value to the last.
///
/// `None` for an empty list: a mean of nothing is undefined, not 0.
///
/// ```
/// use deferbench_reports::stats::mean;
/// assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(mean(&[]), None);
/// ```
pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let sum = values.iter().fold(0.0, |sum, value| sum + value);
    Some(sum / values.len() as f64)
}

/// The quantile at `p` of values in ascending order, by linear interpolation.
///
/// This is type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (The American Statistician, 1996),
/// the default of numpy and R. The interpolation is done from the nearer neighbour, as numpy does.
/// `None` for an empty list, and for a `p` outside 0 to 1.
///
/// ```
/// use deferbench_reports::stats::quantile;
/// assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.25), Some(1.5));
/// assert_eq!(quantile(&[7.0], 0.975), Some(7.0));
/// assert_eq!(quantile(&[], 0.5), None);
/// ```
pub fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let last = sorted.len().checked_sub(1)?;
    let position = last as f64 * p;
    let below = position.floor() as usize;
    let share = position - below as f64;
    let low = *sorted.get(below)?;
    let high = *sorted.get((below + 1).min(last))?;
    Some(if share < 0.5 { low + (high - low) * share } else { high - (high - low) * (1.0 - share) })
}

/// The middle value; of an even number of values, the mean of the two in the middle.
///
/// The values may come in any order. `None` for an empty list.
///
/// ```
/// use deferbench_reports::stats::median;
/// assert_eq!(median(&[9.0, 1.0, 3.0, 5.0]), Some(4.0));
/// assert_eq!(median(&[]), None);
/// ```
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    // values = [0.3, 1/3, 0.7, 2.25, 10.1, 11, 12.5]
    const VALUES: [f64; 7] = [0.3, 1.0 / 3.0, 0.7, 2.25, 10.1, 11.0, 12.5];

    #[test]
    fn quantiles_are_those_of_numpy_to_the_last_bit() {
        // [repr(float(np.quantile(values, p))) for p in (0, .025, .1, .33, .5, .77, .975, 1)]
        let expected = [
            (0.0, 0.3),
            (0.025, 0.305),
            (0.1, 0.32),
            (0.33, 0.6926666666666667),
            (0.5, 2.25),
            (0.77, 10.658),
            (0.975, 12.274999999999999),
            (1.0, 12.5),
        ];
        for (p, value) in expected {
            assert_eq!(quantile(&VALUES, p), Some(value), "p = {p}");
        }
    }

    #[test]
    fn quantile_refuses_what_is_no_share() {
        for p in [-0.1, 1.1, f64::NAN] {
            assert_eq!(quantile(&VALUES, p), None);
        }
    }

    #[test]
    fn the_mean_sums_from_the_left() {
        // (1e16 + 1) + -1e16: the 1 is lost on the way, as in Python's (1e16 + 1.0) - 1e16 == 0.0
        assert_eq!(mean(&[1e16, 1.0, -1e16]), Some(0.0));
        assert_eq!(mean(&[1e16, -1e16, 1.0]), Some(1.0 / 3.0));
    }
}
