//! What do providers and clients accept? One TOML file each: every value with its source, and the day it was checked.

use deferbench_core::error::SpecError;
use deferbench_core::lint::{Characters, Fact, Profile};
use deferbench_corpora::error::toml_line;
use deferbench_corpora::input::read_text;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The built-in profiles: name and text.
pub static BUILT_IN: &[(&str, &str)] = &[
    ("mcp", include_str!("../providers/mcp.toml")),
    ("openai", include_str!("../providers/openai.toml")),
    ("anthropic", include_str!("../providers/anthropic.toml")),
    ("gemini", include_str!("../providers/gemini.toml")),
    ("strict", include_str!("../providers/strict.toml")),
];

/// Why a profile could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The text is no profile.
    #[error(
        "profile {origin}: line {line}: {detail}; expected name, summary, checked_on, and for each limit a table with value (or \"unknown\") and source"
    )]
    Toml {
        /// File or name.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// The parser's words.
        detail: String,
    },
    /// A value has no source, or is no value of its kind.
    #[error("profile {origin}: {field}: {problem}")]
    Field {
        /// File or name.
        origin: String,
        /// Which one.
        field: &'static str,
        /// What is wrong, and what helps.
        problem: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Raw {
    name: String,
    summary: String,
    checked_on: String,
    name_characters: Value,
    name_start: Value,
    name_length: Value,
    prefixed_length: Value,
    parameter_characters: Value,
    parameter_length: Value,
    root_type_required: Value,
    root_combinators: Value,
    references: Value,
    recursion: Value,
    tools: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct Value {
    value: toml::Value,
    source: String,
}

/// Reads a profile.
///
/// # Errors
/// [`ProfileError`], with line or field.
///
/// ```
/// use deferbench::providers::{BUILT_IN, parse};
/// let (name, text) = BUILT_IN[1];
/// let openai = parse(name, text).unwrap();
/// assert_eq!((openai.name_length.value, openai.parameter_length.value), (Some(64), None));
/// let error = parse("mine.toml", &text.replace("value = 64", "value = \"many\"")).unwrap_err();
/// assert!(error.to_string().starts_with("profile mine.toml: name_length: expected a whole number or \"unknown\", found"));
/// ```
pub fn parse(origin: &str, text: &str) -> Result<Profile, ProfileError> {
    let raw: Raw = toml::from_str(text).map_err(|e| ProfileError::Toml {
        origin: origin.to_string(),
        line: toml_line(text, &e),
        detail: e.message().to_string(),
    })?;
    let set = |field, v: &Value| -> Result<Fact<Characters>, ProfileError> {
        let text: Fact<String> = fact(origin, field, "a set of characters", v)?;
        let read = |s: String| {
            s.parse()
                .map_err(|e: deferbench_core::lint::profile::CharactersError| refused(origin, field, e.to_string()))
        };
        Ok(Fact { value: text.value.map(read).transpose()?, source: text.source })
    };
    let number = |field, v: &Value| fact::<usize>(origin, field, "a whole number", v);
    let truth = |field, v: &Value| fact::<bool>(origin, field, "true, false", v);
    Ok(Profile {
        name_characters: set("name_characters", &raw.name_characters)?,
        name_start: set("name_start", &raw.name_start)?,
        name_length: number("name_length", &raw.name_length)?,
        prefixed_length: number("prefixed_length", &raw.prefixed_length)?,
        parameter_characters: set("parameter_characters", &raw.parameter_characters)?,
        parameter_length: number("parameter_length", &raw.parameter_length)?,
        root_type_required: truth("root_type_required", &raw.root_type_required)?,
        root_combinators: truth("root_combinators", &raw.root_combinators)?,
        references: truth("references", &raw.references)?,
        recursion: truth("recursion", &raw.recursion)?,
        tools: number("tools", &raw.tools)?,
        name: raw.name,
        summary: raw.summary,
        checked_on: raw.checked_on,
    })
}

fn refused(origin: &str, field: &'static str, problem: String) -> ProfileError {
    ProfileError::Field { origin: origin.to_string(), field, problem }
}

fn fact<T: DeserializeOwned>(
    origin: &str,
    field: &'static str,
    kind: &str,
    v: &Value,
) -> Result<Fact<T>, ProfileError> {
    if v.source.trim().is_empty() {
        return Err(refused(origin, field, "no source; say where the value is published".to_string()));
    }
    let source = v.source.clone();
    if v.value.as_str() == Some("unknown") {
        return Ok(Fact { value: None, source });
    }
    let found = v.value.to_string();
    let value = v.value.clone().try_into();
    let value = value.map_err(|_| refused(origin, field, format!("expected {kind} or \"unknown\", found {found}")))?;
    Ok(Fact { value: Some(value), source })
}

/// Every built-in profile.
///
/// # Errors
/// [`ProfileError`]; a test reads every one.
pub fn built_in() -> Result<Vec<Profile>, ProfileError> {
    BUILT_IN.iter().map(|(name, text)| parse(name, text)).collect()
}

/// The profiles of some names or files; without any, all built-in ones.
///
/// # Errors
/// An unknown name, a file that cannot be read, or [`ProfileError`].
pub fn chosen(names: &[String]) -> anyhow::Result<Vec<Profile>> {
    if names.is_empty() {
        return Ok(built_in()?);
    }
    let find = |name: &String| -> anyhow::Result<Profile> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(known, _)| known == name) {
            return Ok(parse(name, text)?);
        }
        if !std::path::Path::new(name).is_file() {
            return Err(SpecError::unknown("profile", name, BUILT_IN.iter().map(|(n, _)| *n)).into());
        }
        Ok(parse(name, &read_text(name.as_ref())?)?)
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P22: `strict` is no more generous than any other profile, in any value.
    #[test]
    fn strict_is_the_narrowest() {
        let all = built_in().unwrap();
        let strict = all.iter().find(|p| p.name == "strict").unwrap();
        for (profile, (name, _)) in all.iter().zip(BUILT_IN) {
            assert_eq!(profile.name, *name);
            let numbers = |p: &Profile| {
                [p.name_length.value, p.prefixed_length.value, p.parameter_length.value, p.tools.value]
                    .map(|n| n.unwrap_or(usize::MAX))
            };
            assert!(numbers(strict).iter().zip(numbers(profile)).all(|(a, b)| *a <= b), "{name}");
            for c in (0..128u8).map(char::from) {
                let sets = |p: &Profile| {
                    [&p.name_characters, &p.name_start, &p.parameter_characters]
                        .map(|s| s.value.as_ref().is_none_or(|s| s.holds(c)))
                };
                assert!(sets(strict).iter().zip(sets(profile)).all(|(a, b)| !a || b), "{name} {c:?}");
            }
            assert!(profile.root_type_required.value != Some(true) || strict.root_type_required.value == Some(true));
            assert!(profile.root_combinators.value != Some(false) || strict.root_combinators.value == Some(false));
            // A narrower set than the counts are taken under would count what no provider refuses.
            assert!(!strict.accepts_name("a.b") && strict.accepts_name("a_b"));
        }
    }

    #[test]
    fn a_value_needs_a_source_and_every_value_is_asked_for() {
        let text = BUILT_IN[0].1;
        let without = text.replace("source = \"not said\"", "source = \" \"");
        assert!(parse("x", &without).unwrap_err().to_string().contains("recursion: no source"));
        let short = &text[..text.find("[tools]").unwrap()];
        assert!(parse("x", short).unwrap_err().to_string().contains("missing field `tools`"));
        assert!(
            parse("x", &text.replace("A-Za-z0-9_.-", "z-a")).unwrap_err().to_string().contains("no set of characters")
        );
    }
}
