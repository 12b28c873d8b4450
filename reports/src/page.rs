//! How does another result than a run become text or Markdown in the same form?

pub use crate::plain::plain;
pub use crate::render::csv::{bytes as csv, maybe};
pub use crate::render::markdown::page as markdown;
pub use crate::report::{Block, Column, Table, dash, decimal, printable, share, whole};
