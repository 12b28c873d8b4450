//! Which sentences make up the longer part of a description?
//!
//! Placeholders: `{one}` and `{many}` the object, `{service}` the invented name, `{noun}` what the
//! service is, `{field}` and `{other}` two of its fields, `{n}` a number,
//! `{sibling}` another tool for the same object, `{lister}` a tool of the server that lists the object.

use super::Effect;

/// Sentences that fit tools of one effect.
#[must_use]
pub fn sentences(effect: Effect) -> &'static [&'static str] {
    match effect {
        Effect::Read => READ,
        Effect::List => LIST,
        Effect::Create => CREATE,
        Effect::Change => CHANGE,
        Effect::Remove => REMOVE,
    }
}

/// Endings of the first sentence when it does not name the service.
#[must_use]
pub fn tails(effect: Effect) -> &'static [&'static str] {
    match effect {
        Effect::Read => &["by identifier", "with its {field}", "including metadata"],
        Effect::List => &["with optional filters", "page by page", "sorted by {field}"],
        Effect::Create => &["with the given {field}", "for the current workspace"],
        Effect::Change => &["by identifier", "without touching its {field}"],
        Effect::Remove => &["permanently", "by identifier"],
    }
}

const READ: &[&str] = &[
    "Returns the complete {one} with its {field} and {other}.",
    "The response also states who made the last modification and at what moment.",
    "Responds with a not_found error for an unknown identifier.",
    "Large {many} are truncated after {n} kilobytes; a warning in the response says so.",
    "Nothing is modified by this call.",
    "Do not call this repeatedly for several {many}; prefer {lister} in that case.",
    "Use {lister} first if the identifier is unknown.",
    "Values the current account may not access come as null.",
];

const LIST: &[&str] = &[
    "Results are paged; request the following page with the cursor from the response.",
    "At most {n} {many} are returned per request.",
    "Filters can be combined, for example by {field} and {other}.",
    "An empty array means that no {one} matched the filter.",
    "Entries are sorted by creation date, most recent first, unless another order is requested.",
    "Each entry contains identifier, {field} and {other}.",
];

const CREATE: &[&str] = &[
    "Returns the identifier of the {one}, which later calls require.",
    "The {field} is mandatory; {other} falls back to the workspace default.",
    "Fails with a conflict error if a {one} with an equal {field} exists.",
    "A workspace may contain up to {n} {many}.",
    "Notifications are sent only when the workspace settings permit it.",
    "Set {field} explicitly if the default does not suit the workspace.",
];

const CHANGE: &[&str] = &[
    "Only the supplied parameters are modified; everything else remains as it was.",
    "Returns the {one} in its resulting state.",
    "Pass null to clear the {field}.",
    "Use {lister} first if the identifier is unknown.",
    "Requires write permission on the {one}.",
    "Subsequent calls within {n} seconds are treated as a single modification.",
    "The modification is recorded in the audit log together with the {field}.",
];

const REMOVE: &[&str] = &[
    "This operation is irreversible, so ask the user for confirmation first.",
    "Dependent records are kept but lose their reference to the {one}.",
    "Requires administrator permission.",
    "Call {lister} beforehand to be sure of the identifier.",
    "Returns true on success and a not_found error otherwise.",
    "The identifier is never reused; audit entries remain for {n} days.",
];

/// Sentences that fit every tool.
pub const GENERAL: &[&str] = &[
    "Identifiers are opaque strings; never construct them yourself.",
    "Requests are limited to {n} per minute for each {service} account.",
    "Requires a connected {service} account.",
    "All timestamps are in UTC and follow ISO 8601.",
    "Part of the {noun} connector by {service}.",
    "Errors carry a code and a readable explanation.",
    "Related tool: {sibling}.",
];

/// Headings and lines of a list of situations; every one is a line of its own.
pub const SITUATIONS: &[&str] = &[
    "- the user mentions a specific {one}",
    "- the user refers to {many} in {service}",
    "- a previous step returned the identifier of a {one}",
    "- the {field} or the {other} of a {one} is relevant to the conversation",
    "- another tool reported that the {one} is outdated",
];

/// Sentences that fit every parameter, without a final stop.
pub const PARAMETER: &[&str] = &[
    "Case matters",
    "Never null",
    "Must not be blank",
    "Blanks at both ends are cut off",
    "Leave it out to keep the stored value",
    "The workspace default applies if omitted",
    "Values that are not known are rejected with a validation error",
    "Longer values are cut, and a warning in the response says so",
    "Only administrators may set it; for others it has no effect",
    "Take it from an earlier response instead of composing it",
    "It can be combined with every other parameter of this tool",
    "Deprecated spellings from earlier versions are still accepted until further notice",
    "An empty value and a missing one are treated alike",
    "The value is stored as supplied and returned unchanged by the reading tools of this server",
    "When it contradicts another parameter, the more specific one of both decides",
    "Supplied values are validated before anything is stored, so a failed call has no side effects at all",
    "The server compares it after Unicode normalisation, so differently composed characters are equal",
    "Has no effect on entries that were locked by another session at that moment",
];
