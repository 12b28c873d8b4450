//! `deferbench generate`: writes a generated catalog with its queries.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_corpora::bundle::{self, FILES};

use super::Subcommand;
use super::output::{make_folder, print};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "generate",
    summary: "write a generated catalog with its queries as a bundle",
    arguments: GenerateArgs::augment_args,
    run: |matches, _| {
        let args = GenerateArgs::from_arg_matches(matches)?;
        let spec = format!("gen(tools={},seed={})", args.tools, args.seed);
        let corpus = deferbench_corpora::open(&spec, &Default::default())?;
        let files = bundle::files(&corpus);
        let about = files.iter().find(|(name, _)| *name == FILES[1]).map_or("", |(_, text)| text);
        bundle::refuse_other(&args.out, about, &files.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
        make_folder(&args.out)?;
        for (name, text) in &files {
            deferbench_reports::files::write_atomically(&args.out.join(name), text.as_bytes())?;
        }
        let (tools, queries) = (corpus.catalog.len(), corpus.queries.len());
        let text = format!("{}: {tools} tools, {queries} queries, sha256 {}\n", args.out.display(), corpus.sha256);
        print(text.as_bytes())?;
        Ok(true)
    },
};

#[derive(Debug, Args)]
struct GenerateArgs {
    /// Number of tools, 1 to 100000; a smaller catalog is the beginning of a larger one
    #[arg(long, value_name = "N", default_value_t = 100)]
    tools: usize,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
    /// Folder for the bundle
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}
