//! Which seams can a session of sizes be expanded to?

/// Where the definitions of activated tools go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definitions {
    /// All deferred tools stand in the array from the start, and nothing is searched.
    Eager,
    /// Into the tools array, in the seam's order.
    Array,
    /// Into the history, as result text; an executor tool stands in the array.
    Bridge,
    /// Into the history, as definitions.
    Message,
}

/// One order and one way for a tool to enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seam {
    /// The name in results.
    pub name: &'static str,
    /// The order of the tools array.
    pub order: &'static str,
    /// Where definitions go.
    pub definitions: Definitions,
}

/// The seams of the reference figures; the first is what the others are compared with.
pub static SEAMS: &[Seam] = &[
    Seam { name: "eager", order: "append", definitions: Definitions::Eager },
    Seam { name: "newest_first", order: "newest_first", definitions: Definitions::Array },
    Seam { name: "registry", order: "registry", definitions: Definitions::Array },
    Seam { name: "append", order: "append", definitions: Definitions::Array },
    Seam { name: "bridge", order: "append", definitions: Definitions::Bridge },
    Seam { name: "message", order: "append", definitions: Definitions::Message },
];

impl Seam {
    /// The seam of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SEAMS.iter().find(|s| s.name == name)
    }
}
