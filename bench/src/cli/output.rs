//! How does a result reach the user?

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use deferbench_reports::Run;
use deferbench_reports::manifest::Status;
use deferbench_reports::render::{OutputFile, RENDERERS, json, markdown, table};

/// The form of what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// One JSON object with `schema_version`.
    Json,
    /// Aggregates, one row each.
    Csv,
    /// For issues and pages.
    Markdown,
}

/// The form of what is printed where only these two make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plain {
    /// For people.
    Table,
    /// One JSON object with `schema_version`.
    Json,
}

/// Makes the folder of a result, and those above it.
pub fn make_folder(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make this folder; give another one with --out", folder.display()))
}

/// Prints to standard output.
pub fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text)?;
    Ok(out.flush()?)
}

/// Prints a run in a form.
pub fn print_run(run: &Run, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Table => print(table::report_text(run)?.as_bytes()),
        Format::Markdown => print(markdown::report_markdown(run)?.as_bytes()),
        Format::Json => print(&json::eval_json(run)?),
        Format::Csv => {
            let csv = RENDERERS.iter().find(|r| r.name == "csv");
            let files: Vec<OutputFile> = csv.map(|r| (r.files)(run)).transpose()?.unwrap_or_default();
            files.iter().filter(|f| f.name == "summary.csv").try_for_each(|f| print(&f.bytes))
        }
    }
}

/// Saves a run with its reports; reports of an earlier run in the same folder go, so that nothing there contradicts it.
/// The manifest that says "finished" comes last.
pub fn save(run: &Run, folder: &Path) -> anyhow::Result<()> {
    let rendered = RENDERERS.iter().map(|r| (r.files)(run)).collect::<Result<Vec<_>, _>>()?;
    // Without scores of an earlier run, a file of such a name is the user's.
    let earlier = folder.join(deferbench_reports::files::SCORES).exists();
    for (renderer, files) in RENDERERS.iter().zip(&rendered) {
        for name in renderer.names.iter().filter(|name| earlier && files.iter().all(|f| f.name != **name)) {
            match std::fs::remove_file(folder.join(name)) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
                _ => {}
            }
        }
        write(files, folder)?;
    }
    Ok(run.save(folder)?)
}

/// A finished run of a folder.
pub fn load(folder: &Path) -> anyhow::Result<Run> {
    let run = Run::load(folder)?;
    if run.manifest().status == Status::Started {
        let folder = folder.display();
        anyhow::bail!(
            "{folder}: manifest.json says that the run did not come to its end; run it again into this folder"
        );
    }
    Ok(run)
}

/// Writes what every renderer makes of a run.
pub fn write_reports(run: &Run, folder: &Path) -> anyhow::Result<()> {
    RENDERERS.iter().try_for_each(|renderer| write(&(renderer.files)(run)?, folder))
}

fn write(files: &[OutputFile], folder: &Path) -> anyhow::Result<()> {
    for file in files {
        deferbench_reports::files::write_atomically(&folder.join(&file.name), &file.bytes)?;
    }
    Ok(())
}
