//! `deferbench import`: turns an outside format into files that a run can use.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::{Args, FromArgMatches, value_parser};
use deferbench_core::error::SpecError;
use deferbench_corpora::bundle::{self, FILES};
use deferbench_corpora::import::{IMPORTERS, Importer, Input};
use deferbench_corpora::input::read_text;
use deferbench_corpora::mcp::{self, Target};
use deferbench_reports::files::write_atomically;

use super::output::{make_folder, print};
use super::{Subcommand, live};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "import",
    summary: "turn an outside format into files that a run can use: a live MCP server, or a file",
    arguments: |command| {
        let kinds: Vec<_> = IMPORTERS.iter().map(|i| format!("  {:<12} {}\n", i.name, i.summary)).collect();
        let usage = "deferbench import [OPTIONS] KIND FILE\n       deferbench import [OPTIONS] mcp URL\n       \
                     deferbench import [OPTIONS] mcp -- CMD [ARGS]...";
        ImportArgs::augment_args(command).override_usage(usage).after_help(format!("Kinds:\n{}", kinds.concat()))
    },
    run: |matches, _| import(&ImportArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct ImportArgs {
    /// What is imported
    kind: String,
    /// The file, or the URL of a server
    source: Option<PathBuf>,
    /// The program that is the server, and its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
    /// Folder for the result; without it a folder below deferbench-out, named after the label or the file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Server label of tools that name no server; without it the server's own name, and none for a file. "" is none
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// Seconds that a server may take from its start to its last page
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u64).range(1..=86_400))]
    timeout: u64,
}

fn import(args: &ImportArgs) -> anyhow::Result<bool> {
    let importer = IMPORTERS
        .iter()
        .find(|i| i.name == args.kind)
        .ok_or_else(|| SpecError::unknown("importer", &args.kind, IMPORTERS.iter().map(|i| i.name)))?;
    match (importer.input, &args.source, args.command.is_empty()) {
        (Input::Server, None, false) => server(args, &Target::Command(args.command.clone())),
        (Input::Server, Some(url), true) if url.to_string_lossy().contains("://") => {
            server(args, &Target::Url(url.to_string_lossy().into_owned()))
        }
        // The importer says what a file is read with.
        (Input::Server, Some(path), true) => Ok((importer.read)(path, "", &Default::default()).map(|_| true)?),
        (Input::File, Some(path), true) => file(args, importer, path),
        (Input::Server, ..) => bail!("import mcp needs a server: `import mcp -- CMD ARGS` or `import mcp URL`"),
        (Input::File, ..) => bail!("import {0} needs a file: `import {0} FILE`", importer.name),
    }
}

fn file(args: &ImportArgs, importer: &Importer, path: &Path) -> anyhow::Result<bool> {
    let text = read_text(path)?;
    let mut tools = (importer.read)(path, &text, &Default::default())?;
    if let Some(label) = &args.label {
        tools = tools.into_iter().map(|t| if t.server().is_some() { t } else { t.with_server(label) }).collect();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = args.label.clone().filter(|l| !l.is_empty()).unwrap_or(stem);
    let out = folder(args, &name);
    let target = out.join(importer.file);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let about = about(&name, "", &format!("{file} ({})", importer.name));
    let bundled = importer.file == FILES[0];
    if bundled {
        bundle::refuse_other(&out, &about, &FILES[..2])?;
    }
    make_folder(&out)?;
    write_atomically(&target, bundle::catalog_json(&tools).as_bytes())?;
    if bundled {
        write_atomically(&out.join(FILES[1]), about.as_bytes())?;
    }
    print(format!("{}: {} tools\n", target.display(), tools.len()).as_bytes())?;
    Ok(true)
}

fn server(args: &ImportArgs, target: &Target) -> anyhow::Result<bool> {
    let options = mcp::Options { timeout: Duration::from_secs(args.timeout), ..Default::default() };
    let first = live::listed(target, &options)?;
    let name = args.label.clone().filter(|l| !l.is_empty()).unwrap_or_else(|| first.server.name.clone());
    let out = folder(args, &name);
    let about =
        about(&name, &first.server.version, &format!("tools/list of {target}, protocol {}", first.server.protocol));
    bundle::refuse_other(&out, &about, &[FILES[0], FILES[1], bundle::RAW])?;
    let raw = |n: usize| out.join(bundle::RAW).join(format!("list-{n}.json"));
    make_folder(&out.join(bundle::RAW))?;
    write_atomically(&raw(1), first.raw().as_bytes())?;
    let second = live::listed(target, &options)?;
    write_atomically(&raw(2), second.raw().as_bytes())?;
    if let Some((name, one, two)) = first.duplicate() {
        bail!(
            "{target}: tools {one} and {two} (from 0) are both named {name:?}; a catalog needs names that differ. What \
             was listed is in {}",
            raw(1).display()
        );
    }
    if first.tools.is_empty() {
        bail!("{target}: the server lists no tools");
    }
    let catalog = out.join(FILES[0]);
    write_atomically(&catalog, first.catalog_json(args.label.as_deref()).as_bytes())?;
    write_atomically(&out.join(FILES[1]), about.as_bytes())?;
    let (tools, pages) = (first.tools.len(), first.pages.len());
    let pages = if pages > 1 { format!(" on {pages} pages") } else { String::new() };
    print(format!("{}: {tools} tools{pages}\n{}", catalog.display(), live::verdict(&first, &second)).as_bytes())?;
    Ok(true)
}

/// The text of a `corpus.toml`.
fn about(name: &str, version: &str, source: &str) -> String {
    let lines = [("name", name), ("version", version), ("source", source)];
    let line = |(key, value): (&str, &str)| format!("{key} = {}\n", toml::Value::from(value));
    lines.into_iter().filter(|(_, value)| !value.trim().is_empty()).map(line).collect()
}

fn folder(args: &ImportArgs, name: &str) -> PathBuf {
    let own = || {
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = name.chars().take(100).map(safe).collect();
        let name = if name.chars().all(|c| c == '.') { "import".to_string() } else { name };
        PathBuf::from("deferbench-out").join(name)
    };
    args.out.clone().unwrap_or_else(own)
}
