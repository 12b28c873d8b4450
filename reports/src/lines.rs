//! How is JSON written so that a person can read a difference? One row a line, the same bytes for the same content.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

/// Writes `value` as JSON: a line for every item down to `depth` levels of nesting, compact below; ends in a newline.
///
/// # Errors
/// Those of `serde_json`, for example a map whose keys are no strings.
pub(crate) fn to_lines<T: Serialize>(value: &T, depth: usize) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::new();
    let layout = Lines { depth, open: 0, filled: false };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, layout))?;
    bytes.push(b'\n');
    Ok(bytes)
}

struct Lines {
    depth: usize,
    /// Containers that are open.
    open: usize,
    /// Whether the container that closed or grew last holds anything.
    filled: bool,
}

impl Lines {
    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.open += 1;
        self.filled = false;
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.open -= 1;
        if self.filled && self.open < self.depth {
            self.indent(writer)?;
        }
        self.filled = true;
        writer.write_all(bracket)
    }

    fn item<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        if self.open <= self.depth {
            self.indent(writer)?;
        }
        Ok(())
    }

    fn indent<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.open).try_for_each(|_| writer.write_all(b" "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        CompactFormatter.begin_object_value(writer)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_on_one_line_each() {
        let value = serde_json::json!({"a": 1, "rows": [{"x": [1, 2]}, {"y": {}}], "none": [], "map": {}});
        let expected =
            "{\n \"a\":1,\n \"rows\":[\n  {\"x\":[1,2]},\n  {\"y\":{}}\n ],\n \"none\":[],\n \"map\":{}\n}\n";
        assert_eq!(String::from_utf8(to_lines(&value, 2).unwrap()).unwrap(), expected);
    }

    #[test]
    fn depth_nothing_is_compact() {
        let value = serde_json::json!({"a": [1, {"b": []}]});
        assert_eq!(to_lines(&value, 0).unwrap(), b"{\"a\":[1,{\"b\":[]}]}\n");
    }

    #[test]
    fn layout_changes_no_value() {
        let value = serde_json::json!([[[], [1.5, null, "a\n"]], {"k": {"deep": [[[0.1]]]}}]);
        for depth in 0..5 {
            let bytes = to_lines(&value, depth).unwrap();
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&bytes).unwrap(), value);
        }
    }
}
