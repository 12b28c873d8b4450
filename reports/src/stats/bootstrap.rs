//! How far could the mean be off, had other queries been asked? The percentile bootstrap.

use super::draw::{Draw, Purpose};
use super::quantile;

/// A 95 % interval: both ends belong to it, `low` is never above `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The 0.025 quantile of the replicates.
    pub low: f64,
    /// The 0.975 quantile of the replicates.
    pub high: f64,
}

impl Interval {
    /// Whether 0 lies outside the interval.
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The percentile bootstrap intervals of the means of several columns over the same rows.
///
/// Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), section 13.3. Every column of one length sees the
/// same resampled rows, which depend on the seed and the number of rows only. A column of equal values has the exact
/// interval `[v, v]`. `None` for an empty column, and when `replicates` is 0.
///
/// ```
/// use deferbench_reports::stats::{Interval, bootstrap_means};
/// let intervals = bootstrap_means(&[&[1.0, 1.0, 1.0], &[0.0, 0.5, 1.0], &[]], 7, 10_000);
/// assert_eq!(intervals[0], Some(Interval { low: 1.0, high: 1.0 }));
/// assert!(intervals[1].is_some_and(|interval| interval.low < 0.5 && 0.5 < interval.high));
/// assert_eq!(intervals[2], None);
/// ```
pub fn bootstrap_means(columns: &[&[f64]], seed: u64, replicates: u64) -> Vec<Option<Interval>> {
    by_length(columns, |length, same| intervals(same, &(0..length).collect::<Vec<_>>(), seed, replicates))
}

/// As [`bootstrap_means`], for rows that stand or fall together.
///
/// `clusters[i]` is the cluster of row `i`. Clusters are drawn instead of rows, and the mean of a replicate is the sum
/// of all drawn rows by their number. Rows beyond the end of `clusters` are clusters of their own. With one row in
/// each cluster the result is that of [`bootstrap_means`].
///
/// ```
/// use deferbench_reports::stats::{Interval, clustered_bootstrap_means};
/// // One cluster: every replicate is the whole data.
/// let interval = clustered_bootstrap_means(&[&[0.0, 1.0]], &[5, 5], 7, 100);
/// assert_eq!(interval, [Some(Interval { low: 0.5, high: 0.5 })]);
/// ```
pub fn clustered_bootstrap_means(
    columns: &[&[f64]],
    clusters: &[usize],
    seed: u64,
    replicates: u64,
) -> Vec<Option<Interval>> {
    by_length(columns, |length, same| intervals(same, &numbered(clusters, length), seed, replicates))
}

/// Clusters as 0, 1, 2 ... in the order in which they first appear.
fn numbered(clusters: &[usize], length: usize) -> Vec<usize> {
    let mut known = std::collections::BTreeMap::new();
    let mut next = 0;
    (0..length)
        .map(|row| {
            let mut fresh = || {
                next += 1;
                next - 1
            };
            match clusters.get(row) {
                Some(cluster) => *known.entry(*cluster).or_insert_with(fresh),
                None => fresh(),
            }
        })
        .collect()
}

fn by_length(
    columns: &[&[f64]],
    intervals: impl Fn(usize, &[&[f64]]) -> Vec<Option<Interval>>,
) -> Vec<Option<Interval>> {
    let mut results = vec![None; columns.len()];
    let mut lengths: Vec<usize> = columns.iter().map(|column| column.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    for length in lengths {
        let places: Vec<usize> = (0..columns.len()).filter(|place| columns[*place].len() == length).collect();
        let same: Vec<&[f64]> = places.iter().map(|place| columns[*place]).collect();
        for (place, interval) in places.into_iter().zip(intervals(length, &same)) {
            results[place] = interval;
        }
    }
    results
}

/// The intervals of columns of one length, whose rows belong to the clusters 0 to the largest of `clusters`.
fn intervals(columns: &[&[f64]], clusters: &[usize], seed: u64, replicates: u64) -> Vec<Option<Interval>> {
    let constant = |column: &[f64]| column.first().copied().filter(|first| column.iter().all(|value| value == first));
    let varied: Vec<&[f64]> = columns.iter().copied().filter(|column| constant(column).is_none()).collect();
    let mut drawn = replicate_means(&varied, clusters, seed, replicates).into_iter();
    columns
        .iter()
        .map(|column| match constant(column) {
            _ if column.is_empty() || replicates == 0 => None,
            Some(value) => Some(Interval { low: value, high: value }),
            None => {
                let mut means = drawn.next()?;
                means.sort_by(f64::total_cmp);
                Some(Interval { low: quantile(&means, 0.025)?, high: quantile(&means, 0.975)? })
            }
        })
        .collect()
}

/// One list of replicate means for each column; nothing for columns without rows.
fn replicate_means(columns: &[&[f64]], clusters: &[usize], seed: u64, replicates: u64) -> Vec<Vec<f64>> {
    let width = columns.len();
    let count = clusters.iter().max().map_or(0, |last| last + 1);
    let Ok(bound) = u32::try_from(count) else { return Vec::new() };
    if width == 0 || count == 0 {
        return vec![Vec::new(); width];
    }
    // Row by row: the size of the cluster, then the sum of each column over the cluster.
    let stride = width + 1;
    let mut units = vec![0.0; count * stride];
    for (row, cluster) in clusters.iter().enumerate() {
        units[cluster * stride] += 1.0;
        for (place, column) in columns.iter().enumerate() {
            units[cluster * stride + 1 + place] += column[row];
        }
    }
    let mut draw = Draw::new(seed, Purpose::Bootstrap);
    let mut means = vec![Vec::new(); width];
    let mut sums = vec![0.0; stride];
    for _ in 0..replicates {
        sums.fill(0.0);
        for _ in 0..count {
            let start = draw.below(bound) as usize * stride;
            for (sum, value) in sums.iter_mut().zip(&units[start..start + stride]) {
                *sum += value;
            }
        }
        for (list, sum) in means.iter_mut().zip(&sums[1..]) {
            list.push(sum / sums[0]);
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<Interval>, low: f64, high: f64, tolerance: f64) {
        let found = found.unwrap();
        let close = (found.low - low).abs() <= tolerance && (found.high - high).abs() <= tolerance;
        assert!(close, "{found:?} is not [{low}, {high}] within {tolerance}");
    }

    const VALUES: [f64; 7] = [0.3, 1.0 / 3.0, 0.7, 2.25, 10.1, 11.0, 12.5];

    #[test]
    fn the_intervals_are_those_of_an_independent_program_with_the_same_draws() {
        // python3 tests/oracle/chacha8.py: bootstrap and clustered; Python's sum is compensated, hence the tolerance
        near(bootstrap_means(&[&VALUES], 7, 500)[0], 2.0500000000000003, 8.866785714285713, 1e-12);
        let clusters = [4, 9, 4, 2, 2, 2, 0];
        let clustered = clustered_bootstrap_means(&[&VALUES], &clusters, 7, 500);
        near(clustered[0], 0.47619047619047616, 9.458333333333334, 1e-12);
    }

    #[test]
    fn the_intervals_are_those_of_scipy_up_to_chance() {
        // v = [((i * 37) % 101) / 100 for i in range(60)]
        // scipy.stats.bootstrap((v,), np.mean, n_resamples=1_000_000, method='percentile').confidence_interval
        // = [0.42133, 0.56900], standard error s = 0.03771.
        // The standard error of a 0.025 quantile of 10,000 replicates of a nearly normal mean is
        // s * sqrt(0.025 * 0.975 / 10_000) / normal_density(1.96) = s * 0.02671 = 0.00101: four of them are 0.0041.
        let values: Vec<f64> = (0..60).map(|i| f64::from((i * 37) % 101) / 100.0).collect();
        for seed in [0, 7, 123_456_789] {
            near(bootstrap_means(&[&values], seed, 10_000)[0], 0.42133, 0.56900, 0.0041);
        }
        // b = [1.0] * 45 + [0.0] * 5: [0.82, 0.98], on a lattice of 0.02: one step is allowed.
        let hits: Vec<f64> = (0..50).map(|i| if i < 45 { 1.0 } else { 0.0 }).collect();
        near(bootstrap_means(&[&hits], 7, 10_000)[0], 0.82, 0.98, 0.02 + 1e-12);
    }

    #[test]
    fn columns_share_their_rows() {
        let mirrored: Vec<f64> = VALUES.iter().map(|value| 20.0 - value).collect();
        let both = bootstrap_means(&[&VALUES, &[1.0; 7], &mirrored], 7, 1_000);
        assert_eq!(both[0], bootstrap_means(&[&VALUES], 7, 1_000)[0]);
        let (plain, mirror) = (both[0].unwrap(), both[2].unwrap());
        near(Some(plain), 20.0 - mirror.high, 20.0 - mirror.low, 1e-12);
    }

    #[test]
    fn single_rows_as_clusters_change_nothing() {
        let clustered = clustered_bootstrap_means(&[&VALUES], &[3, 1, 2], 7, 300);
        assert_eq!(clustered, bootstrap_means(&[&VALUES], 7, 300));
    }

    #[test]
    fn a_repeated_row_in_one_cluster_widens_the_interval() {
        let twice: Vec<f64> = VALUES.iter().flat_map(|value| [*value; 2]).collect();
        let clusters: Vec<usize> = (0..14).map(|row| row / 2).collect();
        assert_eq!(clustered_bootstrap_means(&[&twice], &clusters, 7, 300), bootstrap_means(&[&VALUES], 7, 300));
        let naive = bootstrap_means(&[&twice], 7, 300)[0].unwrap();
        let honest = bootstrap_means(&[&VALUES], 7, 300)[0].unwrap();
        assert!(naive.high - naive.low < honest.high - honest.low);
    }

    #[test]
    fn nothing_drawn_is_no_interval() {
        assert_eq!(bootstrap_means(&[&[1.0, 2.0], &[3.0, 3.0]], 7, 0), [None, None]);
    }
}
