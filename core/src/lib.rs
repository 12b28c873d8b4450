#![doc = include_str!("../README.md")]

pub mod canonical;
pub mod catalog;
mod entries;
pub mod error;
pub mod exact_names;
pub mod explain;
mod postings;
pub mod rank;
pub mod schema_text;
pub mod spec;
#[cfg(test)]
mod testing;
pub mod text;
pub mod tool;

pub use catalog::{Catalog, ResolvedName, ToolId, resolve_names};
pub use tool::{Limits, Tool};
