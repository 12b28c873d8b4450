//! What does a run say? Records, statistics, comparison and renderers of Deferbench.
#![doc = include_str!("../README.md")]

pub mod aggregate;
pub mod compare;
pub mod files;
mod finite;
mod lines;
pub mod manifest;
pub mod page;
mod plain;
pub mod record;
pub mod render;
mod report;
mod run;
mod seed_tables;
pub mod stats;
#[cfg(test)]
mod testing;

pub use run::Run;
