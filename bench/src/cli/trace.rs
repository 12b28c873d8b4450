//! `deferbench trace`: how much of each recorded request lives on in the next.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_corpora::input::read_text;
use deferbench_reports::page;

use super::Subcommand;
use super::output::{Format, print};
use crate::counter::CounterEntry;
use crate::log::{SHAPES, Shape, blocks, csv, json, measure, read};
use crate::profiles::open;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "trace",
    summary: "what lives on between recorded requests, where they part, and whether the cache read what it should",
    arguments: |command| {
        let shapes: Vec<_> = SHAPES.iter().map(|s| format!("  {:<17} {}\n", s.name, s.summary)).collect();
        TraceArgs::augment_args(command).after_help(format!("Shapes:\n{}", shapes.concat()))
    },
    run: |matches, _| run(&TraceArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct TraceArgs {
    /// Recorded requests, one JSON object a line: a body as it was sent, or {"request": body} with "usage" or "response",
    /// and "at" in seconds
    log: PathBuf,
    /// Cache profile, again for each further one: a name, a name with other values, or a TOML file; without it the one
    /// that belongs to the shape of each request
    #[arg(long, value_name = "SPEC")]
    profile: Vec<String>,
    /// Form of the bodies; without it each line is told by its members
    #[arg(long, value_name = "NAME")]
    shape: Option<String>,
    /// Counter of the tokens; `deferbench list counters` names them
    #[arg(long, value_name = "SPEC", default_value = "o200k_base")]
    counter: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

fn run(args: &TraceArgs) -> anyhow::Result<bool> {
    let counter = CounterEntry::find(&args.counter)?;
    let shape = args.shape.as_deref().map(Shape::find).transpose()?;
    let given = args.profile.iter().map(|spec| open(spec)).collect::<Result<Vec<_>, _>>()?;
    for (i, profile) in given.iter().enumerate() {
        if given[..i].iter().any(|other| other.profile.name == profile.profile.name) {
            anyhow::bail!("--profile {} is given twice; give each profile once", profile.profile.name);
        }
    }
    let entries = read(&args.log, &read_text(&args.log)?, shape)?;
    let own = given.is_empty();
    let profiles = if own {
        let mut names: Vec<&str> = entries.iter().map(|entry| entry.shape.profile).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(open).collect::<Result<Vec<_>, _>>()?
    } else {
        given
    };
    let found = measure(&args.log, &entries, &profiles, own, counter)?;
    let (log, info) = (args.log.display().to_string(), counter.info());
    match args.format {
        Format::Table => print(page::plain(&blocks(&log, &found, &info)).as_bytes())?,
        Format::Markdown => print(page::markdown(&blocks(&log, &found, &info)).as_bytes())?,
        Format::Json => print(format!("{:#}\n", json(&log, &found, &info)).as_bytes())?,
        Format::Csv => print(&page::csv(&csv(&found, &info))?)?,
    }
    Ok(true)
}
