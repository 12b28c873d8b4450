//! Is a snapshot sound, and does it follow from the one before?

use crate::policy::PolicyError;
use crate::transcript::{Event, Snapshot};

/// Checks the shape of one snapshot.
pub(crate) fn validate(snapshot: &Snapshot) -> Result<(), &'static str> {
    if snapshot.query.is_empty() || snapshot.query.trim() != snapshot.query {
        return Err("its query is empty or padded");
    }
    // Names may hold spaces anywhere: MCP does not forbid them.
    if snapshot.selected.iter().chain(&snapshot.removed).any(String::is_empty) {
        return Err("a name in it is empty");
    }
    if snapshot.selected.is_empty() && snapshot.removed.is_empty() {
        return Err("it names no tool");
    }
    let increasing = |names: &[String]| names.windows(2).all(|pair| pair[0] < pair[1]);
    if !increasing(&snapshot.selected) || !increasing(&snapshot.removed) {
        return Err("its names are not strictly increasing");
    }
    if snapshot.reason.as_ref().is_some_and(|r| r.trim().is_empty())
        || snapshot.removed.is_empty() == snapshot.reason.is_some()
    {
        return Err("a reason stands where something was removed, and nowhere else");
    }
    if snapshot.removed.iter().any(|name| holds(&snapshot.selected, name)) {
        return Err("a tool is both selected and removed");
    }
    Ok(())
}

/// Checks that a sound snapshot follows from the set before: nothing is lost without being named, and something changes.
pub(crate) fn check_next(before: &[String], snapshot: &Snapshot) -> Result<(), &'static str> {
    validate(snapshot)?;
    if !before.iter().all(|name| holds(&snapshot.selected, name) || holds(&snapshot.removed, name)) {
        return Err("it dropped a selected tool");
    }
    if snapshot.removed.iter().any(|name| !holds(before, name)) {
        return Err("it removed a tool that was not selected");
    }
    if snapshot.removed.is_empty() && snapshot.selected.len() == before.len() {
        return Err("it added no tool");
    }
    Ok(())
}

fn holds(sorted: &[String], name: &String) -> bool {
    sorted.binary_search(name).is_ok()
}

/// Checks every snapshot of a transcript's events: exact shape, and each a strict superset of the one before, together with what
/// it says that it removed. Before the first one anything may have been cut away by a compaction.
///
/// # Errors
/// [`PolicyError::Snapshot`], with what is wrong.
///
/// ```
/// use deferbench_core::transcript::{Event, Snapshot};
/// let snapshot = |names: &[&str]| Event::Selection {
///     snapshot: Snapshot::new("q", names.iter().map(|n| n.to_string()).collect()),
///     added: vec![],
/// };
/// let mut events = vec![snapshot(&["a"]), snapshot(&["a", "b"])];
/// assert!(deferbench_core::policy::check_snapshots(&events).is_ok());
/// events.push(snapshot(&["a", "c"]));
/// assert!(deferbench_core::policy::check_snapshots(&events).unwrap_err().to_string().contains("dropped"));
/// ```
pub fn check_snapshots(events: &[Event]) -> Result<(), PolicyError> {
    let mut before: Option<&[String]> = None;
    for event in events {
        if let Event::Selection { snapshot, .. } = event {
            let sound = before.map_or_else(|| validate(snapshot), |before| check_next(before, snapshot));
            sound.map_err(|problem| PolicyError::Snapshot { problem })?;
            before = Some(&snapshot.selected);
        }
    }
    Ok(())
}
