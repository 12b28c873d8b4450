//! `deferbench search`: what would the model get back?

use clap::{Args, FromArgMatches};
use deferbench_core::rank;
use deferbench_reports::page::printable;
use serde_json::json;

use super::Subcommand;
use super::limits::LimitArgs;
use super::output::{Plain, print};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "search",
    summary: "what the model would get back for a query; --explain shows why",
    arguments: SearchArgs::augment_args,
    run: |matches, _| search(&SearchArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct SearchArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=N,seed=S)
    corpus: String,
    /// What to search for
    query: String,
    /// Ranker spec
    #[arg(long, value_name = "SPEC", default_value = rank::DEFAULT_RANKER)]
    ranker: String,
    /// Most tools to show
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Show what each score is made of
    #[arg(long)]
    explain: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Plain::Table)]
    format: Plain,
}

fn search(args: &SearchArgs) -> anyhow::Result<bool> {
    let corpus = deferbench_corpora::open(&args.corpus, &args.limits.limits()?)?;
    let built = rank::build(&args.ranker, &corpus.catalog)?;
    let found = built.ranker.search(&args.query, args.limit as usize);
    let truncated = found.matching > found.hits.len();
    let explain = |tool| args.explain.then(|| built.ranker.explain(&corpus.catalog, &args.query, tool));
    match args.format {
        Plain::Json => {
            let hit = |(i, h): (usize, &rank::Hit)| {
                let mut hit = json!({"rank": i + 1, "name": corpus.catalog[h.tool].name(), "score": h.score});
                if let Some(tree) = explain(h.tool) {
                    hit["explain"] = serde_json::to_value(tree).unwrap_or_default();
                }
                hit
            };
            let answer = json!({
                "schema_version": 1,
                "ranker": built.spec,
                "hits": found.hits.iter().enumerate().map(hit).collect::<Vec<_>>(),
                "indexed": corpus.catalog.len(),
                "matching": found.matching,
                "limit": args.limit,
                "truncated": truncated,
            });
            print(format!("{answer:#}\n").as_bytes())?;
        }
        Plain::Table => {
            let mut text = String::new();
            for (i, hit) in found.hits.iter().enumerate() {
                let tool = &corpus.catalog[hit.tool];
                let mut chars = tool.description().unwrap_or("–").chars();
                let mut description: String = chars.by_ref().take(100).collect();
                if chars.next().is_some() {
                    description.push('…');
                }
                let server = tool.server().map(|s| format!(" of {}", printable(s))).unwrap_or_default();
                let (name, description) = (printable(tool.name()), printable(&description));
                text.push_str(&format!("{:>3}. {name}{server}  ({:.6})\n     {description}\n", i + 1, hit.score));
                if let Some(tree) = explain(hit.tool) {
                    let tree = tree.to_string();
                    tree.lines().for_each(|line| text.push_str(&format!("       {}\n", printable(line))));
                }
            }
            if found.hits.is_empty() {
                text.push_str("nothing found\n");
            }
            let (shown, indexed) = (found.hits.len(), corpus.catalog.len());
            text.push_str(&format!(
                "{shown} of {} matching, {indexed} indexed, ranker {}\n",
                found.matching, built.spec
            ));
            print(text.as_bytes())?;
        }
    }
    Ok(true)
}
