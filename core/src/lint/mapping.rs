//! Which name can stand for a tool at a provider that refuses its own?

use std::collections::{BTreeSet, HashMap};

use thiserror::Error;

use super::profile::Profile;

/// A legal, unique name for every tool, and the way back.
///
/// A name that is legal stays. Every other gets its legal characters, each other one replaced by `_`, cut to make room for
/// `_` and eight hexadecimal digits of the blake3 hash of the whole name. So the name depends on the tool's own name alone
/// and not on the order of registration; should two names come out equal all the same, the later one by code point is
/// hashed again until it is alone.
///
/// ```
/// use deferbench_core::lint::{Profile, ProviderNames};
/// let names = ProviderNames::new(["files.read", "files/read", "list"], &Profile::plain()).unwrap();
/// assert_eq!(names.provider("list"), Some("list"));
/// let dotted = names.provider("files.read").unwrap();
/// assert!(dotted.starts_with("files_read_") && dotted != names.provider("files/read").unwrap());
/// assert_eq!(names.tool(dotted), Some("files.read"));
/// assert_eq!((names.provider("other"), names.tool("files_read")), (None, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderNames {
    forward: HashMap<String, String>,
    back: HashMap<String, String>,
}

/// Why names could not be mapped.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MappingError {
    /// The profile leaves no room for a hash.
    #[error(
        "profile \"{profile}\" accepts names of {length} characters of {characters}: expected at least 12, with a-f, 0-9 and _ among them; use another profile"
    )]
    Narrow {
        /// The profile.
        profile: String,
        /// Its length.
        length: usize,
        /// Its characters.
        characters: String,
    },
    /// One name twice.
    #[error("tool \"{name}\" occurs twice; names must be unique before they are mapped: rename one")]
    Repeated {
        /// The name.
        name: String,
    },
}

/// `_` and eight digits.
const MARK: usize = 9;

impl ProviderNames {
    /// Maps the names of a catalog.
    ///
    /// # Errors
    /// [`MappingError`] when a name occurs twice, or the profile has no room for a hash.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>, profile: &Profile) -> Result<Self, MappingError> {
        let mut sorted = BTreeSet::new();
        for name in names {
            if !sorted.insert(name) {
                return Err(MappingError::Repeated { name: name.to_string() });
            }
        }
        let mut out = Self { forward: HashMap::new(), back: HashMap::new() };
        let (legal, other): (Vec<&str>, Vec<&str>) = sorted.into_iter().partition(|n| profile.accepts_name(n));
        if !other.is_empty() {
            check(profile)?;
        }
        for name in legal {
            out.add(name, name.to_string());
        }
        for name in other {
            let mut again = 0u32;
            let mut candidate = mapped(name, again, profile);
            while out.back.contains_key(&candidate) {
                again += 1;
                candidate = mapped(name, again, profile);
            }
            out.add(name, candidate);
        }
        Ok(out)
    }

    fn add(&mut self, name: &str, provider: String) {
        self.back.insert(provider.clone(), name.to_string());
        self.forward.insert(name.to_string(), provider);
    }

    /// The name to send for a tool.
    pub fn provider(&self, tool: &str) -> Option<&str> {
        self.forward.get(tool).map(String::as_str)
    }

    /// The tool that a name in an answer means.
    pub fn tool(&self, provider: &str) -> Option<&str> {
        self.back.get(provider).map(String::as_str)
    }

    /// Every pair of tool and name to send, by tool in code-point order.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = self.forward.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        pairs.sort_unstable();
        pairs
    }
}

fn check(profile: &Profile) -> Result<(), MappingError> {
    let length = profile.name_length.value.unwrap_or(usize::MAX);
    let set = profile.name_characters.value.as_ref();
    let start = profile.name_start.value.as_ref();
    let hashes = set.is_none_or(|s| "_0123456789abcdef".chars().all(|c| s.holds(c)));
    if length < MARK + 3 || !hashes || start.is_some_and(|s| !s.holds('_')) {
        let characters = set.map_or_else(|| "any kind".to_string(), ToString::to_string);
        return Err(MappingError::Narrow { profile: profile.name.clone(), length, characters });
    }
    Ok(())
}

fn mapped(name: &str, again: u32, profile: &Profile) -> String {
    let legal = |c: char| profile.name_characters.value.as_ref().is_none_or(|s| s.holds(c));
    let start = |c: char| profile.name_start.value.as_ref().is_none_or(|s| s.holds(c));
    let room = profile.name_length.value.unwrap_or(usize::MAX) - MARK;
    let mut out = String::new();
    for c in name.chars() {
        let c = if legal(c) { c } else { '_' };
        if out.is_empty() && !start(c) {
            out.push('_');
        }
        out.push(c);
    }
    let mut out: String = out.chars().take(room).collect();
    let mut hasher = blake3::Hasher::new();
    hasher.update(name.as_bytes());
    if again > 0 {
        hasher.update(&again.to_le_bytes());
    }
    out.push('_');
    hasher.finalize().as_bytes()[..4].iter().for_each(|b| out.push_str(&format!("{b:02x}")));
    out
}
