//! How is a place in a JSON document spelled?
//!
//! Steps of a JSON pointer (RFC 6901), and the percent signs of a pointer that stands in a reference.

/// A key as a step of a pointer.
///
/// ```
/// use deferbench_core::pointer::{escaped, unescaped};
/// assert_eq!((escaped("a/b~1").as_str(), unescaped("a~1b~01").as_str()), ("a~1b~01", "a/b~1"));
/// ```
#[must_use]
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key that a step of a pointer names.
#[must_use]
pub fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The bytes of a fragment with its percent signs resolved; they need not be UTF-8.
///
/// ```
/// use deferbench_core::pointer::percent_decoded;
/// assert_eq!(percent_decoded("a%20b%"), b"a b%");
/// ```
#[must_use]
pub fn percent_decoded(fragment: &str) -> Vec<u8> {
    let (mut out, bytes, mut at) = (Vec::with_capacity(fragment.len()), fragment.as_bytes(), 0);
    while let Some(byte) = bytes.get(at) {
        let hex = (*byte == b'%').then(|| fragment.get(at + 1..at + 3)).flatten();
        let value = hex.and_then(|h| u8::from_str_radix(h, 16).ok());
        out.push(value.unwrap_or(*byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    out
}
