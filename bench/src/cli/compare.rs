//! `deferbench compare`: what moved between two runs?

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_reports::compare::compare;

use super::Subcommand;
use super::output::{Plain, load, print};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "compare",
    summary: "what moved between two runs; exit code 1 when something got worse",
    arguments: CompareArgs::augment_args,
    run: |matches, _| {
        let args = CompareArgs::from_arg_matches(matches)?;
        let comparison = compare(&load(&args.a)?, &load(&args.b)?, args.force)?;
        match args.format {
            Plain::Table => print(comparison.to_text().as_bytes())?,
            Plain::Json => print(&comparison.to_json()?)?,
        }
        Ok(!comparison.regressed)
    },
};

#[derive(Debug, Args)]
struct CompareArgs {
    /// Folder of the earlier run
    a: PathBuf,
    /// Folder of the later run
    b: PathBuf,
    /// Compare although corpus, schema or metric versions differ; the result says so
    #[arg(long)]
    force: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Plain::Table)]
    format: Plain,
}
