//! `deferbench lifecycle`: what survives resume, replacement, refusal and forgery, and what it costs where it does not.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_corpora::input::read_text;
use deferbench_reports::page;

use super::Subcommand;
use super::output::{Format, print};
use crate::lifecycle::{Story, blocks, built_in, json};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "lifecycle",
    summary: "conformance traces on the built-in engine: what must hold over the life of a session, and what it costs where it does not",
    arguments: LifecycleArgs::augment_args,
    run: |matches, _| lifecycle(&LifecycleArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct LifecycleArgs {
    /// Names of built-in traces, or trace files of your own (TOML); without any, all built-in traces
    #[arg(value_name = "TRACE")]
    traces: Vec<String>,
    /// What to print: table, json or markdown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

fn lifecycle(args: &LifecycleArgs) -> anyhow::Result<bool> {
    anyhow::ensure!(args.format != Format::Csv, "lifecycle prints table, json or markdown");
    let known = built_in()?;
    let chosen = match args.traces.is_empty() {
        true => known,
        false => args.traces.iter().map(|name| find(&known, name)).collect::<anyhow::Result<Vec<_>>>()?,
    };
    let outcomes = chosen.iter().map(Story::play).collect::<Result<Vec<_>, _>>()?.concat();
    match args.format {
        Format::Json => print(format!("{:#}\n", json(&outcomes)).as_bytes())?,
        Format::Markdown => print(page::markdown(&blocks(&chosen, &outcomes)).as_bytes())?,
        _ => print(page::plain(&blocks(&chosen, &outcomes)).as_bytes())?,
    }
    Ok(outcomes.iter().all(|o| o.failures.is_empty()))
}

fn find(known: &[Story], name: &str) -> anyhow::Result<Story> {
    if let Some(trace) = known.iter().find(|t| t.name() == name) {
        return Ok(trace.clone());
    }
    let path = PathBuf::from(name);
    let names: Vec<&str> = known.iter().map(Story::name).collect();
    anyhow::ensure!(path.is_file(), "unknown trace \"{name}\": built in are {}; or give a TOML file", names.join(", "));
    Ok(Story::parse(name, &read_text(&path)?)?)
}
