//! `deferbench run`: measures a grid.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};
use deferbench_corpora::SeedTexts;

use super::Subcommand;
use super::grid::GridArgs;
use super::output::{print_run, save};
use crate::scenario::{BUILT_IN, Scenario};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "run",
    summary: "measure a grid: a built-in scenario (default, quick, seed, thrash, sessions, prefix) or a TOML file",
    arguments: RunArgs::augment_args,
    run: |matches, clock| run(&RunArgs::from_arg_matches(matches)?, clock),
};

#[derive(Debug, Args)]
struct RunArgs {
    /// Built-in name or TOML file
    #[arg(default_value = "default")]
    scenario: String,
    /// Measure this corpus instead of the scenario's: a bundle folder, a tools/list JSON file, a folder of such files, or gen(tools=N,seed=S)
    #[arg(long, value_name = "CORPUS")]
    corpus: Vec<String>,
    /// Folder with the texts of the published benchmark, for the scenario seed
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Catalog sizes in place of the scenario's
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    sizes: Vec<usize>,
    /// Policy spec; repeat for several
    #[arg(long, value_name = "SPEC")]
    policy: Vec<String>,
    /// Order of the tools, for example 'shuffled(seed=3)'; repeat for several
    #[arg(long, value_name = "SPEC")]
    order: Vec<String>,
    /// How activated tools enter the request; repeat for several
    #[arg(long, value_name = "NAME")]
    entry: Vec<String>,
    /// How a request becomes prompt text
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// Prefix cache that is simulated: a built-in name, `anthropic(ttl_s=3600,write=2.0)`, or a TOML file; repeat for several
    #[arg(long, value_name = "SPEC")]
    profile: Vec<String>,
    /// Most tools that one search may load; repeat for several
    #[arg(long, value_name = "N")]
    limit: Vec<usize>,
    #[command(flatten)]
    grid: GridArgs,
}

fn run(args: &RunArgs, clock: &dyn crate::clock::Clock) -> anyhow::Result<bool> {
    let mut scenario = Scenario::open(&args.scenario)?;
    args.apply(&mut scenario)?;
    let uses_seed = scenario.corpora.iter().any(|c| c.starts_with("seed("));
    let texts = match &args.data {
        Some(folder) if uses_seed => Some(SeedTexts::load(folder, &args.grid.limits.limits()?)?),
        Some(_) => anyhow::bail!("--data goes with the scenario seed; for other corpora use --corpus"),
        None if uses_seed => Some(SeedTexts::own()?),
        None => None,
    };
    let own = || PathBuf::from("deferbench-out").join(args.folder_name(&scenario.name));
    let folder = args.grid.out.clone().unwrap_or_else(own);
    let run = args.grid.measure(scenario, texts.as_ref(), clock, Some(&folder))?;
    save(&run, &folder)?;
    print_run(&run, args.grid.format)?;
    args.grid.say(&format!("\nreport: {}\nit does not show:", folder.join("report.md").display()));
    run.scores().limits.iter().for_each(|limit| args.grid.say(&format!("- {limit}")));
    Ok(true)
}

/// A scenario's name as a folder: anything that is no letter, digit, `_` or `-` becomes `-`.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || matches!(c, '_' | '-') { c } else { '-' }).collect()
}

/// The seed's mix holds its ten targets from this size on.
const SMALLEST_SEED: usize = 10;

impl RunArgs {
    /// Folder of the results: the scenario, and the corpus where one is given, so that one measurement does not take the place of another.
    fn folder_name(&self, scenario: &str) -> String {
        let last = |c: &String| c.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_string();
        let parts: Vec<String> = std::iter::once(scenario.to_string()).chain(self.corpus.iter().map(last)).collect();
        file_name(&parts.join("-"))
    }

    /// True when a flag takes away what the published table is made of.
    fn changes_seed(&self) -> bool {
        let lists = [&self.corpus, &self.policy, &self.order, &self.grid.ranker, &self.grid.counter];
        lists.iter().any(|l| !l.is_empty()) || !self.limit.is_empty() || self.layout.is_some()
    }

    fn apply(&self, scenario: &mut Scenario) -> anyhow::Result<()> {
        if !self.sizes.is_empty() {
            if !self.corpus.is_empty() {
                anyhow::bail!("--sizes and --corpus exclude each other: a loaded corpus has one size");
            }
            let seed = scenario.corpora.iter().any(|c| c.starts_with("seed("));
            if let Some(small) = self.sizes.iter().find(|n| seed && **n < SMALLEST_SEED) {
                anyhow::bail!(
                    "--sizes {small}: the seed's mix starts at {SMALLEST_SEED} tools, five targets of each half"
                );
            }
            let largest = self.sizes.iter().max().copied().unwrap_or_default();
            let name = |n: &usize| if seed { format!("seed({n})") } else { format!("gen(tools={n})") };
            scenario.corpora = self.sizes.iter().map(name).collect();
            for block in scenario.sessions.iter_mut().filter(|b| !b.corpora.is_empty()) {
                block.corpora = vec![name(&largest)];
            }
        }
        if !self.corpus.is_empty() {
            scenario.corpora.clone_from(&self.corpus);
            let generated = self.corpus.iter().all(|c| c.trim_start().starts_with("gen("));
            // A scenario of the user's own says itself which limits it wants.
            let built_in = BUILT_IN.iter().any(|(name, _)| *name == scenario.name);
            for block in &mut scenario.sessions {
                block.corpora.clear();
                if !generated && built_in && self.limit.is_empty() {
                    block.limits = vec![1, 5];
                }
            }
        }
        self.grid.apply(scenario);
        if !self.profile.is_empty() {
            scenario.profiles.clone_from(&self.profile);
        }
        if scenario.name == "seed" && self.changes_seed() {
            scenario.name = "seed-changed".to_string();
            let limit = "The seed's scenario with other flags: its published table does not apply, so the report is the general one.";
            scenario.caveats.insert(0, limit.to_string());
        }
        let seed = scenario.name.starts_with("seed");
        for block in &mut scenario.sessions {
            // `eager` is a block of its own in the seed's scenario; the flags are about what is compared with it.
            if !seed || block.policies != ["eager"] {
                if !self.policy.is_empty() {
                    block.policies.clone_from(&self.policy);
                }
                if !self.order.is_empty() {
                    block.orders.clone_from(&self.order);
                }
                if !self.limit.is_empty() {
                    block.limits.clone_from(&self.limit);
                }
            }
            // Nothing is deferred under `eager`, so there is one way to send the tools.
            let eager = block.policies == ["eager"] && self.policy.is_empty();
            match &self.entry[..] {
                [] => {}
                _ if eager => {}
                [one] => (block.entry, block.entries) = (one.clone(), Vec::new()),
                several => (block.entry, block.entries) = ("list".to_string(), several.to_vec()),
            }
        }
        if let Some(layout) = &self.layout {
            scenario.layout.clone_from(layout);
        }
        Ok(())
    }
}
