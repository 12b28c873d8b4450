//! How does a TOML file become a profile?

use std::collections::BTreeMap;

use deferbench_core::cache::{Against, Entry, LongestPrefix, Matcher, Placement, Profile, Ratios, Setting, Units};
use deferbench_corpora::error::{line_at, toml_line};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::{CacheProfile, Confidence, Fact, ProfileError, fields};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    summary: String,
    matcher: Spanned<String>,
    facts: BTreeMap<Spanned<String>, RawFact>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFact {
    value: Value,
    #[serde(default)]
    variants: Vec<Value>,
    source: String,
    checked_on: String,
    confidence: Confidence,
}

/// Reads a profile.
///
/// # Errors
/// [`ProfileError`], with line and field.
///
/// ```
/// use deferbench::profiles::{BUILT_IN, parse};
/// let (name, text) = BUILT_IN[0];
/// assert_eq!(parse(name, text).unwrap().profile.min_tokens, Some(1024));
/// let error = parse("mine.toml", &text.replace("value = 1024", "value = \"many\"")).unwrap_err().to_string();
/// assert!(error.starts_with("profile mine.toml: line 44: min_tokens: expected a whole number"), "{error}");
/// ```
pub fn parse(origin: &str, text: &str) -> Result<CacheProfile, ProfileError> {
    let raw: Raw = toml::from_str(text).map_err(|e| ProfileError::Toml {
        origin: origin.to_string(),
        line: toml_line(text, &e),
        detail: e.message().to_string(),
    })?;
    let line = |at: usize| Some(line_at(text.as_bytes(), at));
    let wrong = |at: Option<usize>, field: &str, problem: String| ProfileError::field(origin, at, field, problem);
    if raw.name.is_empty() || !raw.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
        let problem = format!("expected letters, digits, _, - and ., found \"{}\"", raw.name);
        return Err(wrong(None, "name", problem));
    }
    let kind = raw.matcher.get_ref();
    let mut profile = blank(raw.name, kind).ok_or_else(|| {
        let problem = format!("expected \"longest_prefix\" or \"entry\", found \"{kind}\"");
        wrong(line(raw.matcher.span().start), "matcher", problem)
    })?;
    let mut facts = Vec::new();
    for (key, fact) in &raw.facts {
        let at = line(key.span().start);
        let field = fields::find(origin, &profile, key.get_ref(), at)?;
        fields::set(origin, &mut profile, field, &fact.value, at)?;
        for variant in &fact.variants {
            fields::set(origin, &mut profile.clone(), field, variant, at)?;
        }
        if fact.source.trim().is_empty() {
            let problem = "no source; say where the value is published, or why it is not known".to_string();
            return Err(wrong(at, field.key, problem));
        }
        if !is_day(&fact.checked_on) {
            let problem = format!("checked_on: expected a day such as 2026-12-01, found \"{}\"", fact.checked_on);
            return Err(wrong(at, field.key, problem));
        }
        facts.push(Fact {
            key: field.key,
            value: shown(&fact.value),
            variants: fact.variants.iter().map(shown).collect(),
            source: fact.source.clone(),
            checked_on: fact.checked_on.clone(),
            confidence: fact.confidence,
        });
    }
    let wanted: Vec<&'static str> = fields::of(&profile).map(|f| f.key).collect();
    if let Some(missing) = wanted.iter().find(|key| facts.iter().all(|f| f.key != **key)) {
        let problem = "the field is missing; write value = \"unknown\" and say in source why";
        return Err(wrong(None, missing, problem.to_string()));
    }
    facts.sort_by_key(|f| wanted.iter().position(|key| *key == f.key));
    drop_units_that_are_off(&mut profile);
    Ok(CacheProfile { profile, summary: raw.summary, facts, assumed: Vec::new() })
}

/// A cache of a kind of which nothing is known yet.
fn blank(name: String, matcher: &str) -> Option<Profile> {
    let matcher = match matcher {
        "longest_prefix" => Matcher::LongestPrefix(LongestPrefix {
            block: None,
            recompute_last: None,
            against: Against::All,
            whole_segments: false,
            capacity_tokens: None,
            shift_reuse: None,
        }),
        "entry" => Matcher::Entry(Entry {
            placement: Placement::None,
            max_breakpoints: None,
            beyond: None,
            lookback_positions: None,
            lookback_joins_runs: None,
            lookback_breakpoints: None,
            units: None,
        }),
        _ => return None,
    };
    let ratios = Ratios { write: None, read: None, uncached: None, output: None, storage: None };
    let (min_tokens, ttl_s, refresh_on_read, ttl_since, readable) = (None, None, None, None, None);
    Some(Profile { name, ratios, min_tokens, ttl_s, refresh_on_read, ttl_since, readable, matcher })
}

/// A cache in which no rule writes units looks at breakpoints only.
fn drop_units_that_are_off(profile: &mut Profile) {
    let off = Units { end_of_input: false, end_of_output: false, common_prefix: false, interval: Some(Setting::Off) };
    if let Matcher::Entry(matcher) = &mut profile.matcher {
        matcher.units = matcher.units.filter(|units| *units != off);
    }
}

/// A value as it is written in a spec: without quotation marks.
pub(super) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, len: usize| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
    let [year, month, day] = parts[..] else { return false };
    let in_range = |part: &str, most: u32| part.parse().is_ok_and(|n: u32| (1..=most).contains(&n));
    number(year, 4) && number(month, 2) && number(day, 2) && in_range(month, 12) && in_range(day, 31)
}
