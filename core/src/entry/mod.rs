//! How does an activated tool enter the request?

use crate::order::Slot;

crate::entries! {
    /// Every entry, in the sequence of the reports.
    pub static ENTRIES: [Entry] = { list }
}

/// The declaration of an entry.
pub struct Entry {
    /// The name used in flags.
    pub name: &'static str,
    /// One sentence: where the definition of an activated tool stands.
    pub summary: &'static str,
    /// Where it is used.
    pub source: &'static str,
    /// Which of the ordered tools are written into the tools array.
    pub in_array: fn(Slot) -> bool,
}

impl Entry {
    /// The entry of a name.
    ///
    /// ```
    /// assert!(deferbench_core::entry::Entry::find("list").is_some());
    /// ```
    pub fn find(name: &str) -> Option<&'static Entry> {
        ENTRIES.iter().find(|e| e.name == name).copied()
    }
}
