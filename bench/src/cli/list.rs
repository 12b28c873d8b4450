//! `deferbench list`: everything selectable.

use clap::{Args, FromArgMatches};
use deferbench_core::error::SpecError;
use serde_json::json;

use super::Subcommand;
use super::catalog_of_parts::{KINDS, Part};
use super::output::{Format, print};

pub(super) static ENTRY: Subcommand = Subcommand {
    name: "list",
    summary: "everything selectable, with source and defaults",
    arguments: ListArgs::augment_args,
    run: |matches, _| list(&ListArgs::from_arg_matches(matches)?),
};

#[derive(Debug, Args)]
struct ListArgs {
    /// One kind of part, for example rankers; without it all kinds
    kind: Option<String>,
    /// What to print: table, json or markdown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

fn list(args: &ListArgs) -> anyhow::Result<bool> {
    let chosen: Vec<_> = KINDS.iter().filter(|k| args.kind.as_ref().is_none_or(|n| n == k.name)).collect();
    if let (Some(name), true) = (&args.kind, chosen.is_empty()) {
        return Err(SpecError::unknown("kind", name, KINDS.iter().map(|k| k.name)).into());
    }
    let text = match args.format {
        Format::Json => {
            let part = |p: &Part| {
                let params: Vec<_> = p
                    .params
                    .iter()
                    .map(|q| json!({"key": q.key, "default": q.default, "accepts": q.range.to_string(), "summary": q.summary}))
                    .collect();
                json!({"name": p.name, "summary": p.summary, "source": p.source, "parameters": params})
            };
            let kind = |k: &&super::catalog_of_parts::Kind| {
                (k.name.to_string(), (k.parts)().iter().map(part).collect::<serde_json::Value>())
            };
            let mut all = serde_json::Map::from_iter([("schema_version".to_string(), json!(1))]);
            all.extend(chosen.iter().map(kind));
            format!("{:#}\n", serde_json::Value::Object(all))
        }
        Format::Markdown => chosen.iter().map(|k| format!("### {}\n\n{}\n", k.name, k.markdown())).collect(),
        Format::Table => chosen.iter().map(|k| k.text()).collect::<Vec<_>>().join("\n"),
        Format::Csv => anyhow::bail!("list prints --format table, json or markdown"),
    };
    print(text.as_bytes())?;
    Ok(true)
}
