//! What can be asked on the command line?
//!
//! Each subcommand is one file with its flags, its help and its work. Everything meant for machines goes to standard
//! output or into files, everything about progress to standard error. Exit code 0: done; 1: something got worse;
//! 2: the input was bad.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, Command};
use deferbench_reports::page::printable;

use crate::clock::Clock;

deferbench_core::entries! {
    /// Every subcommand, in the order of the help.
    pub static SUBCOMMANDS: [Subcommand] = {
        run, eval, search, compare, report, generate, serve, import, check, lint, cost, trace, lifecycle, list,
    }
}

pub mod catalog_of_parts;
mod grid;
mod limits;
mod live;
mod output;

/// The declaration of a subcommand.
pub struct Subcommand {
    /// The word on the command line.
    pub name: &'static str,
    /// One sentence for the list of commands.
    pub summary: &'static str,
    /// Adds its flags.
    pub arguments: fn(Command) -> Command,
    /// Does its work; true: done, false: something got worse.
    pub run: fn(&ArgMatches, &dyn Clock) -> anyhow::Result<bool>,
}

/// The whole command line, as clap knows it.
pub fn command() -> Command {
    let about = "Measures deferred tool loading: what it saves, whether search finds the tool, extra turns, and the \
                 prompt-cache prefix that survives.";
    let root = Command::new("deferbench").version(env!("CARGO_PKG_VERSION")).about(about).subcommand_required(true);
    let after = "Exit code: 0 done, 1 something got worse, 2 the input was bad.";
    SUBCOMMANDS.iter().fold(root.arg_required_else_help(true).after_help(after), |root, s| {
        // Flattened groups of flags bring their own description: ours is set last.
        root.subcommand((s.arguments)(Command::new(s.name)).about(s.summary).long_about(None::<&str>))
    })
}

/// Parses the arguments and runs the subcommand.
pub fn main(args: impl IntoIterator<Item = OsString>, clock: &dyn Clock) -> ExitCode {
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version go to standard output with code 0, everything else is bad input.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let Some((name, arguments)) = matches.subcommand() else { return ExitCode::from(2) };
    let Some(subcommand) = SUBCOMMANDS.iter().find(|s| s.name == name) else { return ExitCode::from(2) };
    match (subcommand.run)(arguments, clock) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {}", one_line(&error));
            ExitCode::from(2)
        }
    }
}

/// A reader that has seen enough, such as `head`, is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The chain of causes, each said once: typed errors already print their own cause.
fn one_line(error: &anyhow::Error) -> String {
    let mut out = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !out.contains(&cause) {
            out = if out.is_empty() { cause } else { format!("{out}: {cause}") };
        }
    }
    printable(&out)
}
