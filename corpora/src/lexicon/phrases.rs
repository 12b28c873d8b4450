//! Which sentences make up the longer part of a description?
//!
//! Placeholders: `{one}` and `{many}` the object, `{service}` the invented name, `{noun}` what the
//! service is, `{field}` and `{other}` two of its fields, `{n}` a number,
//! `{id}` the parameter that identifies the object, `{must}`, `{may}` and `{might}` parameters that must or may be given,
//! `{page}` the parameter that asks for the next page, `{sibling}` another tool for the same object, `{lister}` a tool of the server that lists the object.

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
        Effect::Read => &["by {id}", "with its {field}", "including metadata"],
        Effect::List => &["narrowed down by {may}", "page by page with {page}", "sorted by {field}"],
        Effect::Create => &["with the given {must}", "for the current workspace"],
        Effect::Change => &["by {id}", "without affecting its permissions"],
        Effect::Remove => &["permanently", "by {id}"],
    }
}

const READ: &[&str] = &[
    "Returns the complete {one} with its {field} and {other}.",
    "The response also states who made the last modification and at what moment.",
    "Responds with a not_found error for an unknown {id}.",
    "Large {many} are truncated after {n} kilobytes, which the response indicates.",
    "Nothing is modified by this operation.",
    "Do not invoke this repeatedly for several {many}; prefer {lister} in that case.",
    "Use {lister} first if {id} is unknown.",
    "Properties the current account may not access come as null.",
    "Purely informational.",
    "Optional properties without content are omitted.",
    "Nested records appear as references unless expansion is requested.",
    "Consistent responses are guaranteed within a region; a replica in a distant region may lag by up to {n} milliseconds.",
    "If the {one} is unavailable, the response contains an explanation instead of the {field}, and its error code indicates whether a retry is sensible.",
    "Rich text arrives as Markdown, with embedded media replaced by opaque references, so that the response remains small enough for the context of an assistant.",
];

const LIST: &[&str] = &[
    "Results are paged; request the following page with {page}.",
    "At most {n} {many} are returned per request.",
    "Several parameters are permitted at once, for example {may} and {might}.",
    "An empty array means that no {one} matched the filter.",
    "Entries are sorted by creation date, most recent first, unless the request states otherwise.",
    "Every entry contains identifier, {field} and {other}.",
    "Supports wildcards.",
    "Inactive entries are excluded by default.",
    "Prefer narrow requests with {may}; an unrestricted one in a large workspace exceeds the response limit and is truncated after {n} entries.",
    "The total is approximate for workspaces with more than {n} {many}, because an exact total requires a complete traversal of the index, which is expensive.",
];

const CREATE: &[&str] = &[
    "Returns the identifier of the {one}, which subsequent requests require.",
    "The {must} is mandatory; {may} falls back to the workspace default.",
    "Fails with a conflict error if a {one} with an equal {field} exists.",
    "A workspace may contain up to {n} {many}.",
    "Notifications are sent only when the workspace configuration permits it.",
    "Provide {may} explicitly if the default does not suit the workspace.",
    "Quotas apply.",
    "An omitted {may} is inferred.",
    "Supports Unicode in every text parameter.",
    "The {one} becomes available to the workspace immediately, although indexing may require up to {n} additional minutes.",
    "Every mandatory parameter is examined first; if any is invalid, nothing is stored and the error response enumerates all problems.",
    "Without {may}, the workspace administrator receives a request for completion, and the {one} remains provisional until the missing parameter has been supplied.",
];

const CHANGE: &[&str] = &[
    "Only the supplied parameters are modified; everything else remains as it was.",
    "Returns the {one} in its resulting state.",
    "An omitted {may} remains as it was.",
    "Use {lister} first if {id} is unknown.",
    "Requires write permission on the {one}.",
    "Subsequent requests within {n} milliseconds are treated as a single modification.",
    "The modification is recorded in the audit log together with the {field}.",
    "Effective immediately.",
    "Unsuitable {may} yields an error.",
    "Permission errors name the missing scope, so that the user can request it from an administrator.",
    "Concurrent modifications are detected: if the {one} deviates from the expected state, a conflict error is returned and nothing is stored.",
    "Affects a single {one} only; integrations that depend on its {field} receive a signal afterwards and may respond with modifications of their own.",
];

const REMOVE: &[&str] = &[
    "This operation is irreversible, so ask the user for confirmation first.",
    "Dependent records are kept but no longer refer to the {one}.",
    "Requires administrator permission.",
    "Consult {lister} beforehand to be sure of {id}.",
    "Returns true on success and a not_found error otherwise.",
    "The identifier is never reused; audit entries remain for {n} days.",
    "Cannot be reversed.",
    "Never invoke this speculatively.",
    "Only administrators and the owner of the {one} are permitted to perform this operation.",
    "Storage occupied by the {one} becomes available within {n} minutes; until then the quota of the {service} account remains unaffected.",
    "If other records still depend on the {one}, the operation fails with a dependency error that enumerates them, up to a maximum of {n} identifiers per response.",
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
    "Requires OAuth.",
    "Parameter names are case sensitive.",
    "Numbers are decimal, never localised.",
    "Availability depends on region and workspace.",
    "Text parameters are trimmed, and surplus whitespace is normalised.",
    "Intended for interactive assistants as well as unattended integrations with {service}.",
    "The response is a JSON object; properties that are not documented here are experimental and may disappear without prior information.",
    "If the {service} account is suspended, every request fails with a forbidden error until the owner of the workspace reinstates access; retries are pointless in the meantime.",
    "Beta quality.",
    "Responses are compressed when the client supports it.",
    "Demonstration accounts of {service} contain fictitious {many}, regenerated every night, which are suitable for rehearsals without consequences.",
    "Transport failures are retried automatically with exponential delays; after {n} unsuccessful attempts the error is returned to the client unaltered.",
    "Languages other than English are supported in text parameters, but error explanations and property names are always English.",
    "Personal data is masked unless an administrator of the workspace has authorised the connected {service} account to access it.",
    "Dates without an offset are interpreted in the zone of the workspace, which an administrator can configure under regional preferences.",
    "Identifiers from other services are unknown here, even if an equivalent {one} exists there; obtain the {service} identifier first.",
    "Usage is recorded per workspace and appears in the administration area of {service}, where owners can also configure a monthly maximum.",
    "Older clients may omit parameters introduced recently; the defaults reproduce the behaviour of earlier interfaces.",
    "This interface is stable: incompatible modifications are announced at least {n} days ahead and receive an interface number of their own.",
];

/// Headings and lines of a list of situations; every one is a line of its own.
pub const SITUATIONS: &[&str] = &[
    "- the user mentions a specific {one}",
    "- the user refers to {many} in {service}",
    "- a previous step returned the identifier of a {one}",
    "- the {field} or the {other} of a {one} is relevant to the conversation",
    "- an error response states that the {one} is outdated",
    "- the user asks about {many}",
    "- an earlier response from {service} contained an incomplete {one}",
    "- a {one} is mentioned without an identifier and {lister} has already returned matches",
    "- the conversation requires facts from {service} that are more recent than the ones already available",
    "- facts about {many} are necessary for an answer and the conversation does not contain them yet",
    "- the user is uncertain which {one} of the {service} account is meant and requires its {field} in order to decide",
];

/// Sentences that fit every parameter, without a final stop.
pub const PARAMETER: &[&str] = &[
    "Deprecated spellings from earlier versions are still accepted until further notice",
    "Supplied values are examined before anything else happens, so a failed call has no side effects at all",
    "An explanation with examples stands in the reference of this server",
    "The error response names it where its value is the reason of a failure",
];

/// Sentences that fit a parameter which must be given.
pub const REQUIRED: &[&str] = &["Never null", "Without it the call fails before anything happens"];

/// Sentences that fit a parameter which may be left out.
pub const OPTIONAL: &[&str] = &[
    "The workspace default applies if omitted",
    "It can be combined with every other parameter of this tool",
    "Leave it out unless the user mentions it",
];

/// Sentences that fit a parameter of free text.
pub const FREE_TEXT: &[&str] = &[
    "Case matters",
    "Must not be blank",
    "Blanks at both ends are cut off",
    "Longer values are cut, and a warning in the response says so",
    "The server compares it after Unicode normalisation, so differently composed characters are equal",
];

/// Sentences that fit an identifier.
pub const IDENTIFIER: &[&str] = &[
    "Case matters",
    "An identifier of another workspace is treated like an unknown one",
    "Values that are not known are rejected with a validation error",
    "Take it from an earlier response instead of composing it",
];

/// Sentences that fit a list of texts.
pub const TEXTS: &[&str] = &["Repeated entries count once", "Entries keep the order in which they are supplied"];

/// Sentences that fit a number.
pub const NUMBER: &[&str] =
    &["Values outside the permitted range are rejected", "Separators of thousands are not accepted"];
