//! Which fields does a profile have, and what does each accept?

use deferbench_core::cache::{Against, Beyond, Entry, Matcher, Placement, Profile, Readable, Since, Units};
use toml::Value;

use super::ProfileError;
use super::values::{choice, fill, ratio, setting, truth, whole};

/// One field of a profile.
pub struct Field {
    /// The key in files and specs.
    pub key: &'static str,
    /// One phrase: what it is.
    pub summary: &'static str,
    /// What it accepts, beside "unknown" where that is allowed.
    pub expected: &'static str,
    /// False: the shape of the cache itself, which must be known.
    pub may_be_unknown: bool,
    /// True for a matcher that has it.
    applies: fn(&Matcher) -> bool,
    /// Puts the value in its place; none: unknown. False: not a value of this field.
    put: fn(&mut Profile, Option<&Value>) -> bool,
}

const RATIO: &str = "a number from 0 on";
const WHOLE: &str = "a whole number from 0 on";
const SETTING: &str = "a whole number from 0 on, or \"none\"";
const TRUTH: &str = "true or false";

macro_rules! field {
    ($key:literal, $summary:literal, $expected:expr, |$profile:ident| $slot:expr, $read:expr) => {
        Field {
            key: $key,
            summary: $summary,
            expected: $expected,
            may_be_unknown: true,
            applies: |_| true,
            put: |$profile, value| fill($slot, value, $read),
        }
    };
}

macro_rules! of_matcher {
    ($kind:ident, $key:literal, $summary:literal, $expected:expr, |$matcher:ident| $slot:expr, $read:expr) => {
        of_matcher!($kind, $key, $summary, $expected, true, |$matcher, value| fill($slot, value, $read))
    };
    ($kind:ident, $key:literal, $summary:literal, $expected:expr, $unknown:literal, |$matcher:ident, $value:ident| $put:expr) => {
        Field {
            key: $key,
            summary: $summary,
            expected: $expected,
            may_be_unknown: $unknown,
            applies: |m| matches!(m, Matcher::$kind(_)),
            put: |profile, $value| match &mut profile.matcher {
                Matcher::$kind($matcher) => $put,
                _ => false,
            },
        }
    };
}

/// Every field, in the order of the files.
pub static FIELDS: &[Field] = &[
    field!("write", "price of a written token, in base input prices", RATIO, |p| &mut p.ratios.write, ratio),
    field!("read", "price of a token that is read from the cache", RATIO, |p| &mut p.ratios.read, ratio),
    field!("uncached", "price of a token that is neither", RATIO, |p| &mut p.ratios.uncached, ratio),
    field!("output", "price of a token of output", RATIO, |p| &mut p.ratios.output, ratio),
    field!("storage", "price of keeping a written token for an hour", RATIO, |p| &mut p.ratios.storage, ratio),
    Field {
        key: "prefix_order",
        summary: "in which order the sections of a request are laid out",
        expected: "\"tools system messages\" or \"system tools messages\"",
        may_be_unknown: true,
        applies: |_| true,
        put: |_, value| {
            let known = ["tools system messages", "system tools messages"];
            value.is_none_or(|v| v.as_str().is_some_and(|order| known.contains(&order)))
        },
    },
    field!("min_tokens", "the shortest prefix that is cached", WHOLE, |p| &mut p.min_tokens, whole),
    field!("ttl_s", "seconds that an entry lives", SETTING, |p| &mut p.ttl_s, setting),
    field!("refresh_on_read", "whether reading starts the life again", TRUTH, |p| &mut p.refresh_on_read, truth),
    field!(
        "ttl_since",
        "what a life is counted from",
        "\"start\" or \"end\" of the request",
        |p| &mut p.ttl_since,
        |v| { choice(v, &[("start", Since::Start), ("end", Since::End)]) }
    ),
    field!("readable", "when others can read", "\"first_token\" or \"end\" of the answer", |p| &mut p.readable, |v| {
        choice(v, &[("first_token", Readable::FirstToken), ("end", Readable::End)])
    }),
    of_matcher!(LongestPrefix, "block", "tokens of a block", "a whole number from 1 on", |m| &mut m.block, |v| {
        whole(v).filter(|block| *block > 0)
    }),
    of_matcher!(
        LongestPrefix,
        "recompute_last",
        "whether the last token of a prompt is always computed",
        TRUTH,
        |m| &mut m.recompute_last,
        truth
    ),
    of_matcher!(
        LongestPrefix,
        "against",
        "which earlier requests are matched",
        "\"all\" or \"previous\"",
        false,
        |m, v| {
            let kinds = [("all", Against::All), ("previous", Against::Previous)];
            v.and_then(|v| choice(v, &kinds)).map(|against| m.against = against).is_some()
        }
    ),
    of_matcher!(LongestPrefix, "whole_segments", "whether only whole equal segments count", TRUTH, false, |m, v| {
        v.and_then(truth).map(|whole| m.whole_segments = whole).is_some()
    }),
    of_matcher!(
        LongestPrefix,
        "capacity_tokens",
        "tokens that fit before the least recently used block leaves",
        SETTING,
        |m| &mut m.capacity_tokens,
        setting
    ),
    of_matcher!(
        LongestPrefix,
        "shift_reuse",
        "shortest chunk that is reused beyond the common prefix",
        SETTING,
        |m| &mut m.shift_reuse,
        setting
    ),
    of_matcher!(
        Entry,
        "placement",
        "where the cache itself places a breakpoint",
        "\"none\", \"last_block\", \"newest_user_or_tool\" or \"tools_and_system\"",
        false,
        |m, v| {
            let kinds = [
                ("none", Placement::None),
                ("last_block", Placement::LastBlock),
                ("newest_user_or_tool", Placement::NewestUserOrTool),
                ("tools_and_system", Placement::ToolsAndSystem),
            ];
            v.and_then(|v| choice(v, &kinds)).map(|placement| m.placement = placement).is_some()
        }
    ),
    of_matcher!(
        Entry,
        "max_breakpoints",
        "most breakpoints of a request",
        SETTING,
        |m| &mut m.max_breakpoints,
        setting
    ),
    of_matcher!(Entry, "beyond", "what happens to more", "\"refused\" or \"latest\"", |m| &mut m.beyond, |v| {
        choice(v, &[("refused", Beyond::Refused), ("latest", Beyond::Latest)])
    }),
    of_matcher!(
        Entry,
        "lookback_positions",
        "positions that a breakpoint looks at, itself the first",
        SETTING,
        |m| &mut m.lookback_positions,
        setting
    ),
    of_matcher!(
        Entry,
        "lookback_joins_runs",
        "whether a run of tool calls or results is one position",
        TRUTH,
        |m| &mut m.lookback_joins_runs,
        truth
    ),
    of_matcher!(
        Entry,
        "lookback_breakpoints",
        "earlier breakpoints that are looked at",
        SETTING,
        |m| &mut m.lookback_breakpoints,
        setting
    ),
    of_matcher!(Entry, "unit_end_of_input", "whether the end of the input is a unit", TRUTH, false, |m, v| {
        v.and_then(truth).map(|on| units(m).end_of_input = on).is_some()
    }),
    of_matcher!(Entry, "unit_end_of_output", "whether the end of the answer is a unit", TRUTH, false, |m, v| {
        v.and_then(truth).map(|on| units(m).end_of_output = on).is_some()
    }),
    of_matcher!(Entry, "unit_common_prefix", "whether what requests share is a unit", TRUTH, false, |m, v| {
        v.and_then(truth).map(|on| units(m).common_prefix = on).is_some()
    }),
    of_matcher!(Entry, "unit_interval", "tokens between units", SETTING, |m| &mut units(m).interval, setting),
];

fn units(matcher: &mut Entry) -> &mut Units {
    let none = Units { end_of_input: false, end_of_output: false, common_prefix: false, interval: None };
    matcher.units.get_or_insert(none)
}

/// The fields of a kind of cache.
pub(super) fn of(profile: &Profile) -> impl Iterator<Item = &'static Field> {
    let matcher = &profile.matcher;
    FIELDS.iter().filter(move |f| (f.applies)(matcher))
}

/// The field of a key.
pub(super) fn find(
    origin: &str,
    profile: &Profile,
    key: &str,
    line: Option<usize>,
) -> Result<&'static Field, ProfileError> {
    of(profile).find(|f| f.key == key).ok_or_else(|| {
        let known: Vec<&str> = of(profile).map(|f| f.key).collect();
        let problem = format!("this kind of cache has no field \"{key}\"; it has: {}", known.join(", "));
        ProfileError::field(origin, line, key, problem)
    })
}

/// Gives a field its value.
pub(super) fn set(
    origin: &str,
    profile: &mut Profile,
    field: &Field,
    value: &Value,
    line: Option<usize>,
) -> Result<(), ProfileError> {
    let known = Some(value).filter(|v| v.as_str() != Some("unknown"));
    if (known.is_some() || field.may_be_unknown) && (field.put)(profile, known) {
        return Ok(());
    }
    let unknown = if field.may_be_unknown { " or \"unknown\"" } else { "" };
    let problem = format!("expected {}{unknown}, found {value}", field.expected);
    Err(ProfileError::field(origin, line, field.key, problem))
}
