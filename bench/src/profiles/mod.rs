//! Which prefix caches are known? One TOML file each: every value with its source, the day it was checked, and how sure
//! it is.

mod error;
mod fields;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub use error::ProfileError;
pub use fields::{FIELDS, Field};
pub use read::parse;

use deferbench_core::cache::Profile;
use deferbench_core::error::SpecError;
use deferbench_core::spec::Spec;
use deferbench_corpora::input::read_text;
use deferbench_reports::record::Basis;
use serde::Deserialize;

macro_rules! built_in {
    ($($name:literal),+ $(,)?) => {
        /// The built-in profiles: name and TOML text. Those that begin with `ref_` reproduce published figures only.
        pub static BUILT_IN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../profiles/", $name, ".toml")))),+];
    };
}

built_in! {
    "anthropic", "openai_to_5_5", "openai_5_6", "deepseek_legacy", "deepseek_v4", "gemini_implicit", "gemini_explicit",
    "xai_grok", "mistral", "kimi_k2", "kimi_k3", "glm", "qwen_explicit", "qwen_implicit", "minimax", "cerebras", "vllm",
    "sglang", "tensorrt_llm", "llama_cpp", "ref_anthropic_5m", "ref_openai_to_5_5", "ref_deepseek_like", "ref_gpt_4o",
    "ref_self_hosted_16", "ref_no_cache",
}

/// A prefix cache with the provenance of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheProfile {
    /// The values.
    pub profile: Profile,
    /// One sentence.
    pub summary: String,
    /// Where each value is published, in the order of [`FIELDS`].
    pub facts: Vec<Fact>,
    /// Values that the user gave in place of unpublished or other ones: `key=value`.
    pub assumed: Vec<String>,
}

/// One value and its provenance.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Key of the field.
    pub key: &'static str,
    /// The value as written; `unknown` where nobody publishes one.
    pub value: String,
    /// Other published values, of other models or options.
    pub variants: Vec<String>,
    /// Where it is published, or why it is not known.
    pub source: String,
    /// The day it was checked: year-month-day.
    pub checked_on: String,
    /// How sure it is.
    pub confidence: Confidence,
}

/// How sure a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The vendor says so.
    High,
    /// Somebody else says or measured so, or the vendor said it of something close.
    Medium,
    /// One remark, or an inference.
    Low,
}

impl CacheProfile {
    /// The provenance of a field.
    pub fn fact(&self, key: &str) -> Option<&Fact> {
        self.facts.iter().find(|f| f.key == key)
    }

    /// What figures under this profile are: computed by a model, or resting on an assumption too.
    pub fn basis(&self) -> Basis {
        if self.assumed.is_empty() { Basis::Simulated } else { Basis::Estimated }
    }

    /// The same with another value. A published variant stays simulated; any other value is an assumption.
    ///
    /// # Errors
    /// [`ProfileError::Field`] for a field that this kind of cache does not have, or a value that is none of its kind.
    ///
    /// ```
    /// use deferbench::profiles::open;
    /// use deferbench_reports::record::Basis;
    /// let cache = open("deepseek_v4(unit_interval=none,min_tokens=0)").unwrap();
    /// assert_eq!((cache.profile.min_tokens, cache.basis()), (Some(0), Basis::Estimated));
    /// assert_eq!(open("anthropic(min_tokens=4096)").unwrap().basis(), Basis::Simulated);
    /// let error = open("vllm(blocks=32)").unwrap_err().to_string();
    /// assert!(error.contains("no field \"blocks\"; it has: write, read"), "{error}");
    /// ```
    pub fn with(mut self, key: &str, value: &str) -> Result<Self, ProfileError> {
        let origin = self.profile.name.clone();
        let field = fields::find(&origin, &self.profile, key, None)?;
        let written: toml::Value = value.parse().unwrap_or_else(|_| value.into());
        fields::set(&origin, &mut self.profile, field, &written, None)?;
        let shown = read::shown(&written);
        let published = |f: &Fact| std::iter::once(&f.value).chain(&f.variants).any(|v| same(v, &shown));
        if !self.fact(field.key).is_some_and(published) {
            self.assumed.push(format!("{key}={shown}"));
        }
        Ok(self)
    }
}

/// The profile of a built-in name, of a name with other values (`anthropic(ttl_s=3600,write=2.0)`), or of a TOML file.
///
/// # Errors
/// An unknown name lists the known ones; a file that cannot be read or says something wrong is named with its line.
pub fn open(text: &str) -> Result<CacheProfile, ProfileError> {
    if let Some((name, toml)) = BUILT_IN.iter().find(|(name, _)| *name == text) {
        return parse(name, toml);
    }
    if std::path::Path::new(text).is_file() {
        return own(parse(text, &read_text(text.as_ref())?)?, text);
    }
    let unknown = || SpecError::unknown("profile", text, BUILT_IN.iter().map(|(name, _)| *name));
    let spec: Spec = text.parse().map_err(|_| unknown())?;
    let (name, toml) = BUILT_IN.iter().find(|(name, _)| *name == spec.name).ok_or_else(unknown)?;
    for (i, (key, _)) in spec.args.iter().enumerate() {
        if spec.args[..i].iter().any(|(k, _)| k == key) {
            return Err(ProfileError::field(name, None, key, "given twice; give each field once".to_string()));
        }
    }
    let mut cache = spec.args.iter().try_fold(parse(name, toml)?, |profile, (key, value)| profile.with(key, value))?;
    // Two variants of one profile may stand side by side.
    cache.profile.name = spec.to_string();
    Ok(cache)
}

/// Equal words, or equal numbers however they are written.
fn same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    a == b || number(a).is_some_and(|a| number(b) == Some(a))
}

/// A user's own profile must not pass for a built-in one.
fn own(cache: CacheProfile, origin: &str) -> Result<CacheProfile, ProfileError> {
    if BUILT_IN.iter().any(|(name, _)| *name == cache.profile.name) {
        let problem = "this is the name of a built-in profile; give yours another, so that results cannot be confused";
        return Err(ProfileError::field(origin, None, "name", problem.to_string()));
    }
    Ok(cache)
}

/// Every built-in profile.
///
/// # Errors
/// [`ProfileError`]; a test reads every one.
pub fn built_in() -> Result<Vec<CacheProfile>, ProfileError> {
    BUILT_IN.iter().map(|(name, text)| parse(name, text)).collect()
}
