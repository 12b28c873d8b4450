#![doc = include_str!("../README.md")]

pub mod bundle;
mod corpus;
pub mod error;
pub mod fixture_server;
pub mod generate;
pub mod generated;
pub mod import;
pub mod input;
pub mod lexicon;
pub mod listing;
pub mod lock;
pub mod mcp;
mod open;
mod overlap;
pub mod own_seed;
pub mod seed;
pub mod servers;
pub mod sessions;
mod spelled;
pub mod tools_list;

pub use corpus::{Corpus, Query, sha256_of};
pub use open::open;
pub use overlap::overlap;
pub use seed::SeedTexts;
pub use sessions::{ChainTurn, TaskChain};
