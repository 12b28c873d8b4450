//! `deferbench compare`: what moved between two runs?

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_reports::compare::compare;

use super::Subcommand;
use super::output::{Format, load, print};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "compare",
    summary: "what moved between two runs; exit code 1 when something got worse",
    arguments: CompareArgs::augment_args,
    run: |matches, _| {
        let args = CompareArgs::from_arg_matches(matches)?;
        let comparison = compare(&load(&args.a)?, &load(&args.b)?, args.force)?;
        match args.format {
            Format::Table => print(comparison.to_text().as_bytes())?,
            Format::Json => print(&comparison.to_json()?)?,
            Format::Csv | Format::Markdown => anyhow::bail!("compare prints --format table or json"),
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
    /// What to print: table or json
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}
