//! Which bytes are a definition, and which bytes identify it?
//!
//! Two forms of the same JSON: the *compact* form keeps the source's key order and spelling and is what is sent and
//! counted; the *canonical* form (RFC 8785) forgets them and is what is hashed.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A blake3 hash of canonical bytes: the identity of a tool or of a catalog.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Hashes bytes that are already canonical.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The 32 bytes of the hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Removes the white space outside strings and changes nothing else: key order, number spelling and escapes stay.
///
/// The input has to be JSON already; other text comes out with its white space removed.
///
/// ```
/// assert_eq!(deferbench_core::canonical::compact("{ \"b\" : 1e3,\n \"a\": \"x y\" }"), r#"{"b":1e3,"a":"x y"}"#);
/// ```
pub fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped, mut start) = (false, false, 0);
    for (i, b) in json.bytes().enumerate() {
        if in_string {
            in_string = escaped || b != b'"';
            escaped = !escaped && b == b'\\';
        } else if b == b'"' {
            in_string = true;
        } else if matches!(b, b' ' | b'\n' | b'\r' | b'\t') {
            out.push_str(&json[start..i]);
            start = i + 1;
        }
    }
    out.push_str(&json[start..]);
    out
}

/// The deepest nesting of arrays and objects in a JSON text; 0 for a scalar.
///
/// Counted without recursion, so that a hostile text cannot exhaust the stack.
///
/// ```
/// assert_eq!(deferbench_core::canonical::nesting(r#"{"a":[{}],"b":"[[[["}"#), 3);
/// ```
pub fn nesting(json: &str) -> usize {
    let (mut in_string, mut escaped, mut depth, mut deepest) = (false, false, 0usize, 0usize);
    for b in json.bytes() {
        if in_string {
            in_string = escaped || b != b'"';
            escaped = !escaped && b == b'\\';
            continue;
        }
        match b {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The writer recurses, so that its depth has to have an end; a definition nests at most 512 levels.
const DEEPEST: usize = 520;

/// Writes JSON in canonical form: RFC 8785, except that an integer beyond ±2^53 keeps its spelling.
///
/// RFC 8785 turns such an integer into the nearest double, so that two different definitions would be one.
///
/// # Errors
/// When the text is not JSON, or nested deeper than 520 levels.
///
/// ```
/// use deferbench_core::canonical::canonical;
/// assert_eq!(canonical(r#"{"b": 1e2, "a": -0, "n": 9007199254740993}"#).unwrap(), r#"{"a":0,"b":100,"n":9007199254740993}"#);
/// ```
pub fn canonical(json: &str) -> Result<String, serde_json::Error> {
    let depth = nesting(json);
    if depth > DEEPEST {
        let problem = format!("nested {depth} levels deep, at most {DEEPEST} have a canonical form");
        return Err(serde::de::Error::custom(problem));
    }
    let mut out = String::with_capacity(json.len());
    write(json.trim(), &mut out)?;
    Ok(out)
}

fn write(json: &str, out: &mut String) -> Result<(), serde_json::Error> {
    match json.as_bytes().first() {
        Some(b'{') => {
            let Members(mut members) = serde_json::from_str(json)?;
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&serde_json_canonicalizer::to_string(key)?);
                out.push(':');
                write(value.get(), out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            let Items(items) = serde_json::from_str(json)?;
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item.get(), out)?;
            }
            out.push(']');
        }
        Some(b'-' | b'0'..=b'9') => out.push_str(&number(json)?),
        Some(b'"') => out.push_str(&serde_json_canonicalizer::to_string(&serde_json::from_str::<String>(json)?)?),
        _ => {
            serde_json::from_str::<serde::de::IgnoredAny>(json)?;
            out.push_str(json);
        }
    }
    Ok(())
}

fn number(spelled: &str) -> Result<String, serde_json::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value: f64 = serde_json::from_str(spelled)?;
    let integer = spelled.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if integer && value.abs() >= EXACT { Ok(spelled.to_string()) } else { serde_json_canonicalizer::to_string(&value) }
}

/// The members of an object in source order, values unparsed. A repeated key keeps its first place and its last value.
///
/// ```
/// use deferbench_core::canonical::Members;
/// let Members(members) = serde_json::from_str(r#"{"b":1e3,"a":2,"b":[3]}"#).unwrap();
/// assert_eq!(members.iter().map(|(k, v)| (k.as_str(), v.get())).collect::<Vec<_>>(), [("b", "[3]"), ("a", "2")]);
/// ```
pub struct Members<'a>(pub Vec<(String, &'a RawValue)>);

struct Items<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(String, &'de RawValue)> = Vec::new();
                let mut seen = std::collections::HashMap::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    match seen.get(&key) {
                        Some(&at) => {
                            let slot: &mut (String, &RawValue) = &mut members[at];
                            slot.1 = value;
                        }
                        None => {
                            seen.insert(key.clone(), members.len());
                            members.push((key, value));
                        }
                    }
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(V)
    }
}

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Items<'de>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(V)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key-order example of RFC 8785, section 3.2.3: sorted by UTF-16 code units, not by code points.
    #[test]
    fn keys_sort_by_utf16_code_units() {
        let source = "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}";
        assert_eq!(
            canonical(source).unwrap(),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
        );
    }

    /// Where no integer is beyond 2^53 the form equals the reference crate's.
    #[test]
    fn agrees_with_the_reference_crate() {
        for source in [
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"literals":[null,true,false]}"#,
            r#"{"z":{"b":[],"a":{}},"s":"\u000F\n\"\\ é"}"#,
            "[1.0,-0.0,0.1,1e21]",
        ] {
            let value: serde_json::Value = serde_json::from_str(source).unwrap();
            assert_eq!(canonical(source).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
        }
    }

    #[test]
    fn large_integers_stay_apart() {
        assert_ne!(canonical("9007199254740992").unwrap(), canonical("9007199254740993").unwrap());
        assert_eq!(canonical("123456789012345678901234567890").unwrap(), "123456789012345678901234567890");
    }

    #[test]
    fn hostile_nesting_is_an_error() {
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
        assert!(canonical(&deep).unwrap_err().to_string().contains("20000 levels"));
    }

    #[test]
    fn a_repeated_key_keeps_its_last_value() {
        assert_eq!(canonical(r#"{"a":1,"b":2,"a":3}"#).unwrap(), r#"{"a":3,"b":2}"#);
    }

    /// Key order and number spelling are what is measured; a feature switched on elsewhere in the build must not change them.
    #[test]
    fn serde_json_keeps_key_order() {
        let value: serde_json::Value = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
        assert_eq!(value.to_string(), r#"{"b":1,"a":2}"#);
    }

    #[test]
    fn compact_leaves_strings_alone() {
        assert_eq!(compact(" [ \"a \\\" b\" , \"\\\\\" , 1 ] "), "[\"a \\\" b\",\"\\\\\",1]");
    }
}
