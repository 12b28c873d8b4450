//! Why has a tool this score?

use serde::Serialize;

/// A tree whose leaves sum to the score: each node is the sum of its details, or a leaf with a reason.
///
/// ```
/// use deferbench_core::explain::Explanation;
/// let tree = Explanation::sum("total", vec![Explanation::leaf(1.5, "name"), Explanation::leaf(0.5, "description")]);
/// assert_eq!(tree.value, 2.0);
/// assert_eq!(tree.to_string(), "2.000000000  total\n  1.500000000  name\n  0.500000000  description\n");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Contribution to the score.
    pub value: f64,
    /// What contributes, with the numbers behind it.
    pub description: String,
    /// The parts of the contribution; empty in a leaf.
    pub details: Vec<Explanation>,
}

impl Explanation {
    /// A contribution without parts.
    pub fn leaf(value: f64, description: impl Into<String>) -> Self {
        Self { value, description: description.into(), details: Vec::new() }
    }

    /// The sum of its parts, added in order.
    pub fn sum(description: impl Into<String>, details: Vec<Explanation>) -> Self {
        Self { value: details.iter().fold(0.0, |a, d| a + d.value), description: description.into(), details }
    }

    /// The sum of all leaves, in tree order.
    pub fn leaves(&self) -> f64 {
        if self.details.is_empty() { self.value } else { self.details.iter().fold(0.0, |a, d| a + d.leaves()) }
    }

    fn print(&self, depth: usize, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:indent$}{:.9}  {}", "", self.value, self.description, indent = 2 * depth)?;
        self.details.iter().try_for_each(|d| d.print(depth + 1, f))
    }
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.print(0, f)
    }
}
