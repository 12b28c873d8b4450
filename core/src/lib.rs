#![doc = include_str!("../README.md")]

pub mod cache;
pub mod canonical;
pub mod catalog;
pub mod compact;
pub mod cost;
pub mod disclosure;
pub mod dispatch;
mod entries;
pub mod entry;
pub mod error;
pub mod evidence;
pub mod exact_names;
pub mod explain;
pub mod json_tree;
pub mod lint;
pub mod messages;
pub mod order;
pub mod pointer;
pub mod policy;
mod postings;
pub mod rank;
pub mod receipt;
pub mod registry;
pub mod schema_text;
pub mod selector;
pub mod session;
pub mod spec;
pub mod surface;
pub mod surfaces;
#[cfg(test)]
mod testing;
pub mod text;
pub mod threshold;
pub mod tool;
pub mod transcript;

pub use catalog::{Catalog, ResolvedName, ToolId, resolve_names};
pub use tool::{Limits, Tool};
