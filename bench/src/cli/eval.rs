//! `deferbench eval`: does the search find the tool?

use clap::{Args, FromArgMatches};

use super::Subcommand;
use super::grid::GridArgs;
use super::output::{print_run, save};
use crate::scenario::Scenario;

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "eval",
    summary: "retrieval only: one or more corpora and rankers",
    arguments: EvalArgs::augment_args,
    run: |matches, clock| {
        let args = EvalArgs::from_arg_matches(matches)?;
        let mut scenario = Scenario::parse("eval", "name = \"eval\"\ncorpora = []")?;
        scenario.corpora.clone_from(&args.corpus);
        scenario.caveats = vec![
            "Retrieval only: no session, no cost, no model that words its own queries.".to_string(),
            "A labelled set knows the tools its authors thought of; another tool may serve as well and counts as a miss.".to_string(),
        ];
        args.grid.apply(&mut scenario);
        let run = args.grid.measure(scenario, None, clock, args.grid.out.as_deref())?;
        if let Some(folder) = &args.grid.out {
            save(&run, folder)?;
        }
        print_run(&run, args.grid.format)?;
        Ok(true)
    },
};

#[derive(Debug, Args)]
struct EvalArgs {
    /// Bundle folder, tools/list JSON file, folder of such files, or gen(tools=N,seed=S)
    #[arg(required = true, value_name = "CORPUS")]
    corpus: Vec<String>,
    #[command(flatten)]
    grid: GridArgs,
}
