//! `deferbench check`: one screen for the author of one MCP server.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, FromArgMatches, value_parser};
use deferbench_core::{Limits, rank};
use deferbench_corpora::Corpus;
use deferbench_corpora::mcp::{self, Target};

use super::limits::LimitArgs;
use super::output::{Plain, print};
use super::{Subcommand, live};
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
    /// Bundle folder, tools/list JSON file, folder of such files, gen(tools=N,seed=S), or the URL of a live server
    corpus: Option<String>,
    /// The program that is the server, and its arguments; it is listed twice
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
    /// Seconds that a live server may take from its start to its last page
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u64).range(1..=86_400))]
    timeout: u64,
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
    let limits = args.limits.limits()?;
    let (corpus, listed) = match (&args.corpus, args.command.is_empty()) {
        (Some(url), true) if url.contains("://") => live(args, &Target::Url(url.clone()), &limits)?,
        (Some(corpus), true) => (deferbench_corpora::open(corpus, &limits)?, None),
        (None, false) => live(args, &Target::Command(args.command.clone()), &limits)?,
        _ => bail!("check needs one server: `check CORPUS`, `check URL` or `check -- CMD ARGS`"),
    };
    let found = check(&corpus, counter, &args.ranker)?;
    match args.format {
        Plain::Table => print(format!("{}{}", text(&found), listed.unwrap_or_default()).as_bytes())?,
        Plain::Json => print(format!("{:#}\n", json(&found)).as_bytes())?,
    }
    Ok(true)
}

/// The tools of a live server, and whether a second listing said the same.
fn live(args: &CheckArgs, target: &Target, limits: &Limits) -> anyhow::Result<(Corpus, Option<String>)> {
    let options = mcp::Options { timeout: Duration::from_secs(args.timeout), limits: limits.clone() };
    let (first, second) = (live::listed(target, &options)?, live::listed(target, &options)?);
    Ok((first.corpus(target)?, Some(live::verdict(&first, &second))))
}
