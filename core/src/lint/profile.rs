//! What does one provider or client accept?
//!
//! Values only: who publishes which number, and when it was checked, stands in the data files of the harness.

/// A published value with its source; none: not published, and then nobody is said to refuse anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<T> {
    /// The value.
    pub value: Option<T>,
    /// Where it is published, or why it is not known.
    pub source: String,
}

impl<T> Fact<T> {
    /// A known value.
    pub fn known(value: T, source: &str) -> Self {
        Self { value: Some(value), source: source.to_string() }
    }

    /// A value that nobody publishes.
    pub fn unknown(source: &str) -> Self {
        Self { value: None, source: source.to_string() }
    }
}

/// A set of ASCII characters, written as in a regular expression: `A-Za-z0-9_.-`.
///
/// ```
/// use deferbench_core::lint::Characters;
/// let set: Characters = "A-Za-z_.-".parse().unwrap();
/// assert!(set.holds('Q') && set.holds('-') && !set.holds('/') && !set.holds('é'));
/// assert_eq!(set.to_string(), "A-Za-z_.-");
/// assert!("z-a".parse::<Characters>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Characters {
    text: String,
    set: u128,
}

impl Characters {
    /// True for a character of the set.
    pub fn holds(&self, c: char) -> bool {
        c.is_ascii() && self.set >> (c as u32) & 1 == 1
    }
}

impl std::fmt::Display for Characters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a set of characters was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is no set of characters: expected ASCII characters and ranges such as A-Za-z0-9_.-, a hyphen last")]
pub struct CharactersError {
    /// The text.
    pub text: String,
}

impl std::str::FromStr for Characters {
    type Err = CharactersError;

    fn from_str(text: &str) -> Result<Self, CharactersError> {
        let refused = || CharactersError { text: text.to_string() };
        let bytes = text.as_bytes();
        if bytes.is_empty() || !text.is_ascii() || bytes.iter().any(u8::is_ascii_control) {
            return Err(refused());
        }
        let (mut set, mut i) = (0u128, 0);
        while i < bytes.len() {
            let last = if i + 2 < bytes.len() && bytes[i + 1] == b'-' { bytes[i + 2] } else { bytes[i] };
            if last < bytes[i] {
                return Err(refused());
            }
            (bytes[i]..=last).for_each(|b| set |= 1 << b);
            i += if last == bytes[i] && !(i + 2 < bytes.len() && bytes[i + 1] == b'-') { 1 } else { 3 };
        }
        Ok(Self { text: text.to_string(), set })
    }
}

/// What one provider or client accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The name in flags and findings.
    pub name: String,
    /// One sentence: who this is.
    pub summary: String,
    /// The day the sources were read.
    pub checked_on: String,
    /// Characters of a tool name.
    pub name_characters: Fact<Characters>,
    /// Characters that a tool name may begin with.
    pub name_start: Fact<Characters>,
    /// Most characters of a tool name.
    pub name_length: Fact<usize>,
    /// Most characters of `mcp__server__tool`, the form in which a client hands the tool on.
    pub prefixed_length: Fact<usize>,
    /// Characters of the name of an argument.
    pub parameter_characters: Fact<Characters>,
    /// Most characters of the name of an argument.
    pub parameter_length: Fact<usize>,
    /// Whether the root of an input schema has to say `"type": "object"`.
    pub root_type_required: Fact<bool>,
    /// Whether the root of an input schema may hold `anyOf`, `oneOf` or `allOf`.
    pub root_combinators: Fact<bool>,
    /// Whether `$ref` is followed.
    pub references: Fact<bool>,
    /// Whether a `$ref` may reach itself.
    pub recursion: Fact<bool>,
    /// Most tools of one request.
    pub tools: Fact<usize>,
}

impl Profile {
    /// The characters and the length that every provider we know accepts; the counts are taken under it.
    pub fn plain() -> Self {
        let source = "the part that every listed provider accepts";
        let letters = |text: &str| Fact { value: text.parse().ok(), source: source.to_string() };
        Self {
            name: "plain".to_string(),
            summary: "what every listed provider accepts".to_string(),
            checked_on: String::new(),
            name_characters: letters("A-Za-z0-9_-"),
            name_start: Fact::unknown(source),
            name_length: Fact::known(64, source),
            prefixed_length: Fact::known(64, source),
            parameter_characters: Fact::unknown(source),
            parameter_length: Fact::unknown(source),
            root_type_required: Fact::known(true, source),
            root_combinators: Fact::known(false, source),
            references: Fact::unknown(source),
            recursion: Fact::unknown(source),
            tools: Fact::unknown(source),
        }
    }

    /// True when a name has only characters and a length that are not known to be refused.
    ///
    /// ```
    /// let plain = deferbench_core::lint::Profile::plain();
    /// assert!(plain.accepts_name("get_user") && !plain.accepts_name("user.get") && !plain.accepts_name(""));
    /// assert!(plain.accepts_name(&"a".repeat(64)) && !plain.accepts_name(&"a".repeat(65)));
    /// ```
    pub fn accepts_name(&self, name: &str) -> bool {
        let all = |set: &Fact<Characters>, mut chars: std::str::Chars| {
            set.value.as_ref().is_none_or(|set| chars.all(|c| set.holds(c)))
        };
        let first = &name[..name.chars().next().map_or(0, char::len_utf8)];
        !name.is_empty()
            && all(&self.name_characters, name.chars())
            && all(&self.name_start, first.chars())
            && self.name_length.value.is_none_or(|n| name.chars().count() <= n)
    }
}
