//! Which names does a pattern match?

use thiserror::Error;

/// A pattern over tool names: `*` stands for any run of characters, an empty one too; everything else for itself. It has
/// to match the whole name, case included.
///
/// ```
/// use deferbench_core::disclosure::Pattern;
/// let pattern = Pattern::new("mcp__*__list").unwrap();
/// assert!(pattern.matches("mcp__mail__list") && pattern.matches("mcp____list"));
/// assert!(!pattern.matches("mcp__list") && !pattern.matches("MCP__mail__list"));
/// assert!(Pattern::new(" *").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern(String);

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is empty.
    #[error("an always-visible pattern is empty; write a tool name, or * for every tool")]
    Empty,
    /// It begins or ends with white space.
    #[error("the always-visible pattern \"{pattern}\" begins or ends with white space; take that away")]
    Padded {
        /// The pattern.
        pattern: String,
    },
    /// It is given twice.
    #[error("the always-visible pattern \"{pattern}\" is given twice")]
    Repeated {
        /// The pattern.
        pattern: String,
    },
}

impl Pattern {
    /// Takes a pattern.
    ///
    /// # Errors
    /// [`PatternError`] for an empty or padded text.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        if pattern.is_empty() {
            return Err(PatternError::Empty);
        }
        if pattern.trim() != pattern {
            return Err(PatternError::Padded { pattern: pattern.to_string() });
        }
        Ok(Self(pattern.to_string()))
    }

    /// Takes several patterns.
    ///
    /// # Errors
    /// [`PatternError`] for the first that is wrong or given twice.
    pub fn all<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Vec<Self>, PatternError> {
        let mut out: Vec<Self> = Vec::new();
        for pattern in patterns {
            let pattern = Self::new(pattern.as_ref())?;
            if out.contains(&pattern) {
                return Err(PatternError::Repeated { pattern: pattern.0 });
            }
            out.push(pattern);
        }
        Ok(out)
    }

    /// Whether it matches the whole name. Linear in the name for each part between two stars.
    pub fn matches(&self, name: &str) -> bool {
        let Some((first, rest)) = self.0.split_once('*') else { return self.0 == name };
        let Some(mut left) = name.strip_prefix(first) else { return false };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        for part in middle.split('*') {
            // The first place leaves most to the parts that follow.
            match left.find(part) {
                Some(at) => left = &left[at + part.len()..],
                None => return false,
            }
        }
        left.len() >= last.len() && left.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The plain definition, by recursion.
    fn matches(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => matches(rest, name) || (!name.is_empty() && matches(pattern, &name[1..])),
            ([p, rest @ ..], [n, left @ ..]) => p == n && matches(rest, left),
            _ => false,
        }
    }

    proptest! {
        /// D01: `*` only, anchored at both ends.
        #[test]
        fn patterns_by_the_definition(pattern in "[ab*é]{1,8}", name in "[abé]{0,10}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(Pattern::new(&pattern).unwrap().matches(&name), matches(&chars(&pattern), &chars(&name)));
        }
    }

    /// D01: five ways to be wrong.
    #[test]
    fn wrong_patterns() {
        let error = |patterns: &[&str]| Pattern::all(patterns).unwrap_err();
        assert_eq!(error(&[""]), PatternError::Empty);
        for padded in [" a", "a ", "\ta"] {
            assert!(matches!(error(&["b", padded]), PatternError::Padded { .. }));
        }
        assert_eq!(error(&["a*", "b", "a*"]), PatternError::Repeated { pattern: "a*".into() });
        assert_eq!(Pattern::all(["a*", "A*"]).unwrap().len(), 2);
    }
}
