//! From which point on is one way cheaper than another, and does that ever change back?

/// Which of two ways is cheaper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cheaper {
    /// The first: deferring.
    First,
    /// The second: eager loading. Equal costs count here: a tie saves nothing.
    Second,
}

/// A point from which on a side is cheaper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// The point: turns of the user, or tools of the catalog.
    pub at: u64,
    /// Which side is cheaper from here on.
    pub cheaper: Cheaper,
}

/// Every change of the cheaper side over a series of points `(x, first, second)`, the first point included.
///
/// The series need not be monotone: a session may cross several times.
///
/// ```
/// use deferbench_core::cache::{Cheaper, crossings};
/// let series = [(1, 5.0, 9.0), (2, 10.0, 10.0), (3, 12.0, 11.0), (4, 12.5, 13.0)];
/// let found: Vec<_> = crossings(series).into_iter().map(|c| (c.at, c.cheaper)).collect();
/// assert_eq!(found, [(1, Cheaper::First), (2, Cheaper::Second), (4, Cheaper::First)]);
/// ```
pub fn crossings(series: impl IntoIterator<Item = (u64, f64, f64)>) -> Vec<Crossing> {
    let mut out: Vec<Crossing> = Vec::new();
    for (at, first, second) in series {
        let cheaper = if first < second { Cheaper::First } else { Cheaper::Second };
        if out.last().is_none_or(|c| c.cheaper != cheaper) {
            out.push(Crossing { at, cheaper });
        }
    }
    out
}

/// The first point from which on the first way stays cheaper to the end of the series; none: never.
pub fn break_even(crossings: &[Crossing]) -> Option<u64> {
    crossings.last().filter(|c| c.cheaper == Cheaper::First).map(|c| c.at)
}

/// Steps after which a break is repaid: `(write - read) * lost / (read * deferred)`, where `lost` tokens are written
/// again and `deferred` tokens are not sent at each step. None: never.
pub fn repaid_after(lost: u64, deferred: u64, write: f64, read: f64) -> Option<f64> {
    let saved = read * deferred as f64;
    (saved > 0.0).then(|| (write - read) * lost as f64 / saved)
}
