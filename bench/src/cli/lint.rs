//! `deferbench lint`: what providers, caches and rankers will stumble over.

use clap::{Args, FromArgMatches, ValueEnum};
use deferbench_core::lint::{Lint, ProviderNames, Severity, counts};
use deferbench_corpora::listing;
use deferbench_reports::page::{self, Block, Table, whole};
use serde_json::json;

use super::Subcommand;
use super::limits::LimitArgs;
use super::output::print;
use crate::lint::{Report, sarif};
use crate::providers;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "lint",
    summary: "what providers, caches and rankers will stumble over",
    arguments: LintArgs::augment_args,
    run: |matches, _| lint(&LintArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct LintArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=N,seed=S)
    corpus: String,
    /// Who shall accept the tools: built-in profiles or TOML files; without any, every built-in one
    #[arg(long, value_name = "NAME", num_args = 1..)]
    profile: Vec<String>,
    /// A second listing of the same servers: sequence and content are compared
    #[arg(long, value_name = "OTHER")]
    against: Option<String>,
    /// Print the legal name of each tool under a profile, and nothing else
    #[arg(long, value_name = "PROFILE", conflicts_with_all = ["profile", "against"])]
    names: Option<String>,
    /// From which severity on the exit code is 1
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    fail_on: FailOn,
    #[command(flatten)]
    limits: LimitArgs,
    /// What to print; csv: the counts of tools under the names and lengths that every provider accepts
    #[arg(long, value_enum, default_value_t = LintFormat::Table)]
    format: LintFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A provider refuses something.
    Error,
    /// Something costs recall, tokens or the cache.
    Warning,
    /// Never.
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LintFormat {
    /// For people.
    Table,
    /// One JSON object with every finding.
    Json,
    /// Finding and number of tools, one row each.
    Csv,
    /// SARIF 2.1.0.
    Sarif,
    /// For issues and pages.
    Markdown,
}

fn lint(args: &LintArgs) -> anyhow::Result<bool> {
    let limits = args.limits.limits()?;
    if let Some(profile) = &args.names {
        return names(args, profile);
    }
    let profiles = providers::chosen(&args.profile)?;
    let definitions = listing::open(&args.corpus, &limits)?;
    let other = args.against.as_ref().map(|other| listing::open(other, &limits)).transpose()?;
    let findings = Lint { definitions: &definitions, profiles: &profiles, against: other.as_deref() }.findings();
    let report = Report { corpus: &args.corpus, definitions: &definitions, profiles: &profiles, findings: &findings };
    match args.format {
        LintFormat::Table => print(page::plain(&report.blocks()).as_bytes())?,
        LintFormat::Markdown => print(page::markdown(&report.blocks()).as_bytes())?,
        LintFormat::Json => print(format!("{:#}\n", report.json()).as_bytes())?,
        LintFormat::Sarif => print(format!("{:#}\n", sarif(&findings)).as_bytes())?,
        LintFormat::Csv => {
            let rows: String = counts(&definitions).iter().map(|(row, n)| format!("{row},{n}\n")).collect();
            print(format!("finding,tools\n{rows}").as_bytes())?;
        }
    }
    let worst = findings.iter().map(|f| f.severity).max();
    Ok(match args.fail_on {
        FailOn::Error => worst < Some(Severity::Error),
        FailOn::Warning => worst < Some(Severity::Warning),
        FailOn::Never => true,
    })
}

/// P22: the legal names of a catalog's tools. Clashes between servers are resolved first, as for every other command.
fn names(args: &LintArgs, profile: &str) -> anyhow::Result<bool> {
    let profile = providers::chosen(&[profile.to_string()])?.remove(0);
    let corpus = deferbench_corpora::open(&args.corpus, &args.limits.limits()?)?;
    let names = ProviderNames::new(corpus.catalog.tools().iter().map(|t| t.name()), &profile)?;
    let pairs = names.pairs();
    let changed: Vec<_> = pairs.iter().filter(|(tool, name)| tool != name).collect();
    let caption = format!(
        "{} of {} names are changed for profile {}; every other stays. The hash is of the whole name.",
        whole(changed.len() as u64),
        whole(pairs.len() as u64),
        profile.name
    );
    let mut table = Table::new(caption.clone()).words("tool").words("name to send");
    changed.iter().for_each(|(tool, name)| table.row(vec![tool.to_string(), name.to_string()]));
    let blocks = vec![table.block().unwrap_or(Block::Text(caption))];
    match args.format {
        LintFormat::Table => print(page::plain(&blocks).as_bytes())?,
        LintFormat::Markdown => print(page::markdown(&blocks).as_bytes())?,
        LintFormat::Json => {
            let of = |(tool, name): &(&str, &str)| json!({"tool": tool, "name": name});
            let pairs: Vec<_> = pairs.iter().map(of).collect();
            print(format!("{:#}\n", json!({"schema_version": 1, "profile": profile.name, "names": pairs})).as_bytes())?;
        }
        LintFormat::Csv | LintFormat::Sarif => anyhow::bail!("--names prints --format table, json or markdown"),
    }
    Ok(true)
}
