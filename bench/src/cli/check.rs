//! `deferbench check`: one screen for the author of one MCP server.

use clap::{Args, FromArgMatches};
use deferbench_core::rank;

use super::Subcommand;
use super::limits::LimitArgs;
use super::output::{Plain, print};
use crate::check::{check, json, text};
use crate::counter::CounterEntry;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "check",
    summary: "one screen for the author of one MCP server: found, taken for another, cost, lint, what to try first",
    arguments: CheckArgs::augment_args,
    run: |matches, _| run(&CheckArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct CheckArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=N,seed=S)
    corpus: String,
    /// Ranker spec
    #[arg(long, value_name = "SPEC", default_value = rank::DEFAULT_RANKER)]
    ranker: String,
    /// Counter of the tokens
    #[arg(long, value_name = "SPEC", default_value = "o200k_base")]
    counter: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t = Plain::Table)]
    format: Plain,
}

fn run(args: &CheckArgs) -> anyhow::Result<bool> {
    let counter = CounterEntry::find(&args.counter)?;
    let corpus = deferbench_corpora::open(&args.corpus, &args.limits.limits()?)?;
    let found = check(&corpus, counter, &args.ranker)?;
    match args.format {
        Plain::Table => print(text(&found).as_bytes())?,
        Plain::Json => print(format!("{:#}\n", json(&found)).as_bytes())?,
    }
    Ok(true)
}
