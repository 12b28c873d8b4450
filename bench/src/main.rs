//! The `deferbench` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    deferbench::cli::main(std::env::args_os(), &deferbench::clock::RealClock::start())
}
