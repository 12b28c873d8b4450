//! How does a result reach the user?

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use deferbench_reports::Run;
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

/// Writes what every renderer makes of a run.
pub fn write_reports(run: &Run, folder: &Path) -> anyhow::Result<()> {
    for renderer in RENDERERS {
        for file in (renderer.files)(run)? {
            deferbench_reports::files::write_atomically(&folder.join(&file.name), &file.bytes)?;
        }
    }
    Ok(())
}
