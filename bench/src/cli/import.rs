//! `deferbench import`: turns an outside format into files that a run can use.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, FromArgMatches};
use deferbench_core::error::SpecError;
use deferbench_corpora::import::IMPORTERS;

use super::Subcommand;
use super::output::print;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "import",
    summary: "turn an outside format into files that a run can use (dsh-catalog)",
    arguments: ImportArgs::augment_args,
    run: |matches, _| import(&ImportArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct ImportArgs {
    /// What the file is; `deferbench list importers` names the kinds
    kind: String,
    /// The file
    file: PathBuf,
    /// Folder for the result
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn import(args: &ImportArgs) -> anyhow::Result<bool> {
    let importer = IMPORTERS
        .iter()
        .find(|i| i.name == args.kind)
        .ok_or_else(|| SpecError::unknown("importer", &args.kind, IMPORTERS.iter().map(|i| i.name)))?;
    let text = std::fs::read_to_string(&args.file).with_context(|| args.file.display().to_string())?;
    let tools = (importer.read)(&args.file, &text, &Default::default())?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let target = args.out.join(importer.file);
    deferbench_reports::files::write_atomically(&target, deferbench_corpora::bundle::catalog_json(&tools).as_bytes())?;
    print(format!("{}: {} tools\n", target.display(), tools.len()).as_bytes())?;
    Ok(true)
}
