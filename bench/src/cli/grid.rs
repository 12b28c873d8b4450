//! Which flags do the measuring subcommands share?

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use deferbench_core::spec::Spec;
use deferbench_corpora::SeedTexts;
use deferbench_reports::Run;
use deferbench_reports::manifest::{Environment, Manifest, Status, Timings};
use deferbench_reports::record::SCHEMA_VERSION;

use super::limits::LimitArgs;
use super::output::{Format, make_folder};
use crate::clock::Clock;
use crate::run::{Measured, prepare};
use crate::scenario::Scenario;

/// Flags that change a scenario.
#[derive(Debug, Clone, Args)]
pub struct GridArgs {
    /// Ranker spec, for example 'bm25(text=stem)'; repeat for several (in run the first one is behind the search tool)
    #[arg(long, value_name = "SPEC")]
    pub ranker: Vec<String>,
    /// Counter of model tokens; repeat for several
    #[arg(long, value_name = "NAME")]
    pub counter: Vec<String>,
    /// Seed of everything that is drawn, generated corpora without a seed of their own included
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Worker threads; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
    /// Folder for the results [default of run: deferbench-out/SCENARIO, with the corpus where one is given; eval writes nothing without it]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Say nothing about progress
    #[arg(long)]
    pub quiet: bool,
}

impl GridArgs {
    /// Applies the flags.
    pub fn apply(&self, scenario: &mut Scenario) {
        if !self.ranker.is_empty() {
            scenario.rankers.clone_from(&self.ranker);
        }
        if !self.counter.is_empty() {
            scenario.counters.clone_from(&self.counter);
        }
        if let Some(seed) = self.seed {
            scenario.seed = seed;
            let blocks = scenario.sessions.iter_mut().flat_map(|b| &mut b.corpora);
            scenario.corpora.iter_mut().chain(blocks).for_each(|c| seed_corpus(c, seed));
        }
    }

    /// Says something about progress on standard error.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            // Nobody may be listening; that is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Checks and measures a scenario; with a folder, a manifest stands there from the start, so that a run that dies
    /// stays visible.
    pub fn measure(
        &self,
        scenario: Scenario,
        seed_texts: Option<&SeedTexts>,
        clock: &dyn Clock,
        folder: Option<&Path>,
    ) -> anyhow::Result<Run> {
        let scenario = scenario.check()?;
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = self.threads.map_or(processors, |t| t as usize);
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start worker threads")?;
        let mut environment = Environment {
            command: std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect(),
            started: clock.wall(),
            finished: None,
            platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
            processors: processors as u64,
            threads: threads as u64,
        };
        let start = clock.milliseconds();
        let limits = self.limits.limits()?;
        let prepared = pool.install(|| prepare(&scenario, seed_texts, &limits))?;
        let cells = if prepared.len() == 1 { "1 cell".to_string() } else { format!("{} cells", prepared.len()) };
        self.say(&format!("measuring scenario {}: {cells} ...", scenario.name));
        if let Some(folder) = folder {
            make_folder(folder)?;
            announce(&scenario, &environment, folder)?;
        }
        let Measured { scores, identity, cells } = pool.install(|| prepared.measure(clock))?;
        environment.finished = Some(clock.wall());
        let timings = Timings {
            schema_version: SCHEMA_VERSION,
            environment: environment.clone(),
            total_ms: clock.milliseconds() - start,
            peak_memory_bytes: peak_memory(),
            cells,
        };
        let manifest = Manifest { schema_version: SCHEMA_VERSION, status: Status::Finished, identity, environment };
        Ok(Run::new(manifest, scores, Some(timings)))
    }
}

/// Adds the seed to a generated corpus that has none of its own.
fn seed_corpus(argument: &mut String, seed: u64) {
    let Ok(mut spec) = argument.parse::<Spec>() else { return };
    if spec.name == "gen" && spec.args.iter().all(|(key, _)| key != "seed") {
        spec.args.push(("seed".to_string(), seed.to_string()));
        *argument = spec.to_string();
    }
}

/// Writes a manifest with the status "started".
fn announce(scenario: &Scenario, environment: &Environment, folder: &Path) -> anyhow::Result<()> {
    let identity = deferbench_reports::manifest::Identity {
        suite_version: env!("CARGO_PKG_VERSION").to_string(),
        scenario: scenario.name.clone(),
        given: scenario.toml(),
        resolved: Default::default(),
        seed: scenario.seed,
        replicates: scenario.replicates,
        corpora: Default::default(),
        metrics: Default::default(),
        counters: scenario.counters.clone(),
    };
    let environment = environment.clone();
    let manifest = Manifest { schema_version: SCHEMA_VERSION, status: Status::Started, identity, environment };
    let bytes = deferbench_reports::files::manifest_json(&manifest)?;
    Ok(deferbench_reports::files::write_atomically(&folder.join(deferbench_reports::files::MANIFEST), &bytes)?)
}

/// Peak resident memory in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}
