//! `deferbench report`: renders a run again from its files.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};

use super::Subcommand;
use super::output::{Format, load, print_run, write_reports};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "report",
    summary: "render a run again from its files",
    arguments: ReportArgs::augment_args,
    run: |matches, _| {
        let args = ReportArgs::from_arg_matches(matches)?;
        let run = load(&args.run)?;
        write_reports(&run, &args.run)?;
        print_run(&run, args.format)?;
        Ok(true)
    },
};

#[derive(Debug, Args)]
struct ReportArgs {
    /// Folder of the run
    run: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}
