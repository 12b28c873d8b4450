//! How is a part with parameters written: `bm25(k1=0.9,text=split)`?

use std::fmt;
use std::str::FromStr;

use crate::error::SpecError;

/// A name with arguments, as typed.
///
/// ```
/// use deferbench_core::spec::Spec;
/// let spec: Spec = " bm25( k1=0.9, text='a,b' ) ".parse().unwrap();
/// assert_eq!(spec.to_string(), "bm25(k1=0.9,text='a,b')");
/// assert!("bm25(k1)".parse::<Spec>().unwrap_err().to_string().contains("expected \"=\""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The part's name.
    pub name: String,
    /// Keys and values in the order given.
    pub args: Vec<(String, String)>,
}

/// What a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// A finite number between two bounds, both included.
    Number(f64, f64),
    /// A whole number between two bounds, both included.
    Integer(u64, u64),
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// One parameter of a part: what it is called, what it accepts, and its default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// The key in a spec.
    pub key: &'static str,
    /// The default, in canonical spelling.
    pub default: &'static str,
    /// What it accepts.
    pub range: Range,
    /// One phrase: what it does.
    pub summary: &'static str,
}

/// A spec checked against the parameters of its part: every key has a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    name: String,
    values: Vec<(&'static Param, String)>,
}

impl Eq for Param {}

impl Spec {
    /// Checks the arguments against the parameters of the part, fills in defaults, and brings values to one spelling.
    ///
    /// `kind` is what an error calls the part, for example `ranker`.
    ///
    /// # Errors
    /// [`SpecError::Parameter`] for a key the part does not have or a key given twice, [`SpecError::Value`] for a value out of range.
    pub fn resolve(&self, kind: &'static str, params: &'static [Param]) -> Result<Values, SpecError> {
        for (i, (key, _)) in self.args.iter().enumerate() {
            let known = params.iter().any(|p| p.key == key);
            if !known || self.args[..i].iter().any(|(k, _)| k == key) {
                let keys: Vec<&str> = params.iter().map(|p| p.key).collect();
                let known = if keys.is_empty() { "none".to_string() } else { keys.join(", ") + " (each once)" };
                return Err(SpecError::Parameter { kind, name: self.name.clone(), key: key.clone(), known });
            }
        }
        let value = |p: &'static Param| {
            let given = self.args.iter().find(|(k, _)| k == p.key).map_or(p.default, |(_, v)| v.as_str());
            let canonical = p.range.canonical(given).ok_or_else(|| SpecError::Value {
                kind,
                name: self.name.clone(),
                key: p.key.to_string(),
                found: given.to_string(),
                expected: p.range.to_string(),
            })?;
            Ok((p, canonical))
        };
        Ok(Values { name: self.name.clone(), values: params.iter().map(value).collect::<Result<_, _>>()? })
    }
}

impl Values {
    /// Every parameter at its default.
    pub(crate) fn defaults(name: &str, params: &'static [Param]) -> Self {
        Self { name: name.to_string(), values: params.iter().map(|p| (p, p.default.to_string())).collect() }
    }

    /// The value of a key as text; the empty text for a key the part does not declare.
    pub fn text(&self, key: &str) -> &str {
        self.values.iter().find(|(p, _)| p.key == key).map_or("", |(_, v)| v)
    }

    /// The value of a key as a number; 0 for a key the part does not declare as a number.
    pub fn number(&self, key: &str) -> f64 {
        self.text(key).parse().unwrap_or(0.0)
    }

    /// The value of a key as a whole number; 0 for a key the part does not declare as a number.
    pub fn integer(&self, key: &str) -> usize {
        self.text(key).parse().unwrap_or(0)
    }
}

impl fmt::Display for Values {
    /// The canonical form: declared order, defaults left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = self.values.iter().filter(|(p, v)| p.default != v);
        let args = changed.map(|(p, v)| (p.key.to_string(), v.clone())).collect();
        Spec { name: self.name.clone(), args }.fmt(f)
    }
}

impl Range {
    fn canonical(&self, given: &str) -> Option<String> {
        match *self {
            Self::Number(low, high) => {
                given.parse::<f64>().ok().filter(|v| (low..=high).contains(v)).map(|v| v.to_string())
            }
            Self::Integer(low, high) => {
                given.parse::<u64>().ok().filter(|v| (low..=high).contains(v)).map(|v| v.to_string())
            }
            Self::Choice(words) => words.contains(&given).then(|| given.to_string()),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Integer(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.args.iter().enumerate() {
            let open = if i == 0 { '(' } else { ',' };
            if value.is_empty() || value.contains(|c: char| c.is_whitespace() || ",()='".contains(c)) {
                write!(f, "{open}{key}='{}'", value.replace('\'', "''"))?;
            } else {
                write!(f, "{open}{key}={value}")?;
            }
        }
        if self.args.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let fail = |at, expected| SpecError::Syntax { text: text.to_string(), at, expected };
        let skip = |at: &mut usize| {
            while chars.get(*at).is_some_and(|c| c.is_whitespace()) {
                *at += 1
            }
        };
        let word = |at: &mut usize| {
            let start = *at;
            while chars.get(*at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
                *at += 1;
            }
            chars[start..*at].iter().collect::<String>()
        };
        skip(&mut at);
        let name = word(&mut at);
        if name.is_empty() {
            return Err(fail(at, "a name"));
        }
        skip(&mut at);
        let mut args = Vec::new();
        if chars.get(at) == Some(&'(') {
            at += 1;
            loop {
                skip(&mut at);
                if chars.get(at) == Some(&')') && args.is_empty() {
                    break;
                }
                let key = word(&mut at);
                if key.is_empty() {
                    return Err(fail(at, "a key"));
                }
                skip(&mut at);
                if chars.get(at) != Some(&'=') {
                    return Err(fail(at, "\"=\""));
                }
                at += 1;
                skip(&mut at);
                args.push((key, value(&chars, &mut at).ok_or_else(|| fail(at, "the closing quote"))?));
                skip(&mut at);
                match chars.get(at) {
                    Some(',') => at += 1,
                    Some(')') => break,
                    _ => return Err(fail(at, "\",\" or \")\"")),
                }
            }
            at += 1;
            skip(&mut at);
        }
        if at < chars.len() { Err(fail(at, "the end")) } else { Ok(Self { name, args }) }
    }
}

/// A plain value ends at `,` or `)`; a quoted one at `'`, where `''` is one quote. `None`: no closing quote.
fn value(chars: &[char], at: &mut usize) -> Option<String> {
    let mut out = String::new();
    if chars.get(*at) == Some(&'\'') {
        loop {
            *at += 1;
            match (chars.get(*at)?, chars.get(*at + 1)) {
                ('\'', Some('\'')) => {
                    *at += 1;
                    out.push('\'');
                }
                ('\'', _) => break,
                (c, _) => out.push(*c),
            }
        }
        *at += 1;
        return Some(out);
    }
    while let Some(c) = chars.get(*at).filter(|c| !matches!(c, ',' | ')')) {
        out.push(*c);
        *at += 1;
    }
    Some(out.trim_end().to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    static PARAMS: &[Param] = &[
        Param { key: "k1", default: "1.2", range: Range::Number(0.0, 10.0), summary: "" },
        Param { key: "text", default: "split", range: Range::Choice(&["plain", "split"]), summary: "" },
        Param { key: "n", default: "5", range: Range::Integer(1, 9), summary: "" },
    ];

    fn resolve(text: &str) -> Result<Values, SpecError> {
        text.parse::<Spec>()?.resolve("ranker", PARAMS)
    }

    #[test]
    fn canonical_form_leaves_defaults_out() {
        assert_eq!(resolve("x(text=plain,k1=1.20)").unwrap().to_string(), "x(text=plain)");
        assert_eq!(resolve("x(n=5)").unwrap().to_string(), "x");
        assert_eq!(resolve("x(k1=0.90)").unwrap().number("k1"), 0.9);
    }

    #[test]
    fn wrong_arguments_are_named() {
        let message = |t: &str| resolve(t).unwrap_err().to_string();
        assert!(message("x(k2=1)").contains("no parameter \"k2\"; it has: k1, text, n"));
        assert!(message("x(k1=1,k1=2)").contains("each once"));
        assert!(message("x(k1=NaN)").contains("a number from 0 to 10"));
        assert!(message("x(text=stemm)").contains("one of plain, split"));
        assert!(message("x(n=0)").contains("a whole number from 1 to 9"));
        assert!(message("x(n=5").contains("expected \",\" or \")\""));
        assert!(message("x) y").contains("expected the end"));
        assert!(message("").contains("expected a name"));
    }

    proptest! {
        #[test]
        fn printed_specs_parse_back(name in "[a-z][a-z0-9_.-]{0,8}", args in prop::collection::vec(("[a-z]{1,4}", "[ -~é]{0,12}"), 0..4)) {
            let args: Vec<(String, String)> = args.into_iter().map(|(k, v)| (k, v.trim().to_string())).collect();
            let spec = Spec { name, args };
            prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Spec>();
        }
    }
}
