//! What does a seam cost, and where does it cross eager loading?

use deferbench_core::cache::{Crossing, Profile, Totals, crossings as changes, simulate};

use super::{Expander, SEAMS, Seam, Synthetic, SyntheticError};

/// What the cache holds when a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Nothing.
    Cold,
    /// The seam's own tools and the system text: an earlier session has written them.
    Warm,
}

/// Along what two ways are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis<'a> {
    /// Turns of the user, from 1 to this many.
    Turns(u64),
    /// Deferred tools, at each of these numbers.
    Deferred(&'a [u64]),
}

impl Start {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Cold, Self::Warm];

    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }
}

/// The totals of a session under a seam and a cache.
///
/// # Errors
/// [`SyntheticError`] for a script or a seam that cannot be expanded.
pub fn totals(script: &Synthetic, seam: &Seam, profile: &Profile, start: Start) -> Result<Totals, SyntheticError> {
    let turns = series(script, seam, profile, start, &[script.turns])?;
    Ok(turns.into_iter().next().unwrap_or_else(|| Totals::of(profile, &[])))
}

/// Every change of the cheaper side between a seam (first) and eager loading (second). None: a cost is unknown.
///
/// # Errors
/// [`SyntheticError`] for a script or a seam that cannot be expanded.
pub fn crossings(
    script: &Synthetic,
    seam: &Seam,
    profile: &Profile,
    start: Start,
    axis: Axis<'_>,
) -> Result<Option<Vec<Crossing>>, SyntheticError> {
    let (points, costs): (Vec<u64>, [Vec<Option<f64>>; 2]) = match axis {
        Axis::Turns(most) => {
            let points: Vec<u64> = (1..=most).collect();
            let long = script.with_turns(most.max(script.turns));
            let cost = |seam| -> Result<Vec<_>, SyntheticError> {
                Ok(series(&long, seam, profile, start, &points)?.into_iter().map(|t| t.cost).collect())
            };
            let costs = [cost(seam)?, cost(&SEAMS[0])?];
            (points, costs)
        }
        Axis::Deferred(points) => {
            let cost = |seam: &Seam| -> Result<Vec<_>, SyntheticError> {
                let one = |n: &u64| Ok(totals(&script.with_deferred(*n), seam, profile, start)?.cost);
                points.iter().map(one).collect()
            };
            (points.to_vec(), [cost(seam)?, cost(&SEAMS[0])?])
        }
    };
    let [own, eager] = costs;
    let pairs = points.into_iter().zip(own).zip(eager);
    let known: Option<Vec<_>> = pairs.map(|((at, a), b)| Some((at, a?, b?))).collect();
    Ok(known.map(changes))
}

/// The totals after each of some numbers of turns. What comes later changes nothing about what was before, so one
/// simulation serves all.
fn series(
    script: &Synthetic,
    seam: &Seam,
    profile: &Profile,
    start: Start,
    turns: &[u64],
) -> Result<Vec<Totals>, SyntheticError> {
    let expanded = Expander::new(script)?.expand(seam)?;
    let warm = usize::from(start == Start::Warm);
    let mut requests = expanded.requests;
    if warm == 1 {
        requests.insert(0, expanded.shared);
    }
    let usages = simulate(profile, &requests)?;
    let after = |turn: &u64| (*turn as usize).checked_sub(1).and_then(|i| expanded.after_turn.get(i)).copied();
    let ends = turns.iter().map(|t| after(t).unwrap_or(0));
    Ok(ends.map(|end| Totals::of(profile, &usages[warm..warm + end])).collect())
}
