//! How do definitions reach the wire as they are spelled?
//!
//! The stand-in is a tool whose name is a mark and the definitions, so that it becomes a JSON string like any other; on the
//! way out the string is read back and put where the stand-in was. A message without a stand-in is not touched.

use std::sync::Arc;

use rmcp::model::Tool;

/// Begins the name of a stand-in; a control character, so that no tool of a catalog bears such a name by chance.
const MARK: &str = "\u{1}deferbench:";

/// How a stand-in begins and ends on the wire.
const HEAD: &[u8] = b"{\"name\":\"\\u0001deferbench:";
const TAIL: &[u8] = b",\"inputSchema\":{}}";

/// A tool in whose place `definitions` will stand.
pub(super) fn stand_in(definitions: &str) -> Tool {
    Tool::new_with_raw(format!("{MARK}{definitions}"), None, Arc::default())
}

/// A message with its definitions in place; none: there was no stand-in.
pub(super) fn restore(message: &[u8]) -> Option<Vec<u8>> {
    let start = message.windows(HEAD.len()).position(|window| window == HEAD)?;
    let name = start + b"{\"name\":".len();
    let mut names = serde_json::Deserializer::from_slice(&message[name..]).into_iter::<String>();
    let text = names.next()?.ok()?;
    let after = message.get(name + names.byte_offset()..)?.strip_prefix(TAIL)?;
    Some([&message[..start], text.strip_prefix(MARK)?.as_bytes(), after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_becomes_what_it_stands_for() {
        let definitions = r#"{"name":"a\"\u00e9","inputSchema":{"x":1e3,"y":12345678901234567890123}},{"name":"b"}"#;
        let wire = format!("data: [{}]\n\n", serde_json::to_string(&stand_in(definitions)).unwrap());
        let restored = String::from_utf8(restore(wire.as_bytes()).unwrap()).unwrap();
        assert_eq!(restored, format!("data: [{definitions}]\n\n"));
        assert_eq!(restore(restored.as_bytes()), None);
        assert_eq!(restore(&wire.as_bytes()[..wire.len() - 5]), None);
    }
}
