//! `deferbench cost`: where the bytes and tokens of the definitions go.

use clap::{Args, FromArgMatches, ValueEnum};
use deferbench_core::compact::Settings;
use deferbench_corpora::listing;
use deferbench_reports::page;

use super::Subcommand;
use super::limits::LimitArgs;
use super::output::{Format, print};
use crate::cost::{Rows, blocks, cost, csv, json};
use crate::counter::CounterEntry;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "cost",
    summary: "where the bytes and tokens of the definitions go, and what saying less would save",
    arguments: CostArgs::augment_args,
    run: |matches, _| run(&CostArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct CostArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=N,seed=S)
    corpus: String,
    /// Counter of the tokens; `deferbench list counters` names them
    #[arg(long, value_name = "SPEC", default_value = "o200k_base")]
    counter: String,
    /// One row for each tool or each server
    #[arg(long, value_enum, default_value_t = By::Tool)]
    by: By,
    /// Most rows of the table; json and csv print every one
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Characters that a shortened parameter description keeps
    #[arg(long, value_name = "N", default_value_t = Settings::default().parameter_text)]
    parameter_text: usize,
    #[command(flatten)]
    limits: LimitArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Each tool.
    Tool,
    /// Each server.
    Server,
}

fn run(args: &CostArgs) -> anyhow::Result<bool> {
    let counter = CounterEntry::find(&args.counter)?;
    let definitions = listing::open(&args.corpus, &args.limits.limits()?)?;
    let settings = Settings { parameter_text: args.parameter_text };
    let found = cost(&definitions, (counter.counter)(), &settings)?;
    let by = if args.by == By::Tool { Rows::Tool } else { Rows::Server };
    let info = counter.info();
    let report = || blocks(&args.corpus, &found, by, args.limit as usize, &info, &settings);
    match args.format {
        Format::Table => print(page::plain(&report()).as_bytes())?,
        Format::Markdown => print(page::markdown(&report()).as_bytes())?,
        Format::Json => print(format!("{:#}\n", json(&args.corpus, &found, by, &info, &settings)).as_bytes())?,
        Format::Csv => print(&page::csv(&csv(&found, by, &info))?)?,
    }
    Ok(true)
}
