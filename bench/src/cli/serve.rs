//! `deferbench serve`: is a real MCP server with a given catalog.

use std::io::Write;
use std::net::SocketAddr;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use deferbench_corpora::fixture_server::{MISBEHAVIOURS, Misbehaviour, Options, Takes, serve_http, serve_stdio};

use super::Subcommand;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "serve",
    summary: "be a real MCP server with that catalog, which misbehaves on request",
    arguments: |command| MISBEHAVIOURS.iter().fold(ServeArgs::augment_args(command), with_flag),
    run: |matches, _| serve(&ServeArgs::from_arg_matches(matches)?, matches),
};

#[derive(Debug, Args)]
struct ServeArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=100,seed=7)
    corpus: String,
    /// Serve streamable HTTP at this address instead of standard input and output; port 0 takes a free one. The URL is
    /// printed on standard error
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
}

/// Help and parsing of a misbehaviour come from its row.
fn with_flag(command: Command, row: &'static Misbehaviour) -> Command {
    let arg = Arg::new(row.name).long(row.name).help(row.summary).help_heading("Misbehaviour");
    let number = |arg: Arg, name: &'static str| {
        arg.value_name(name).value_parser(value_parser!(u64).range(row.least..=row.most))
    };
    command.arg(match row.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::Number(name) => number(arg, name),
        Takes::Optional(name, _) => number(arg, name).num_args(0..=1).require_equals(true),
    })
}

fn serve(args: &ServeArgs, matches: &ArgMatches) -> anyhow::Result<bool> {
    let mut options = Options::default();
    for row in MISBEHAVIOURS.iter().filter(|row| matches.value_source(row.name).is_some()) {
        match row.takes {
            Takes::Nothing if matches.get_flag(row.name) => (row.set)(&mut options, 1),
            Takes::Nothing => {}
            Takes::Number(_) | Takes::Optional(..) => {
                let other = if let Takes::Optional(_, other) = row.takes { other } else { 0 };
                (row.set)(&mut options, matches.get_one(row.name).copied().unwrap_or(other));
            }
        }
    }
    let corpus = deferbench_corpora::open(&args.corpus, &Default::default())?;
    match args.http {
        None => serve_stdio(&corpus, options)?,
        Some(_) if matches.get_flag("banner") => {
            anyhow::bail!("--banner writes to standard output, which --http does not use")
        }
        Some(address) => serve_http(&corpus, options, address, |url| {
            let _ = writeln!(std::io::stderr(), "{url}");
        })?,
    }
    Ok(true)
}
