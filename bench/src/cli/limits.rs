//! How large may a definition be?

use clap::Args;
use deferbench_core::Limits;
use deferbench_core::spec::{Param, Range, Spec};

/// The flag that moves the limits on outside definitions.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Larger or smaller limits on definitions: name_bytes, description_bytes, schema_bytes, nesting, tools; for example nesting=200,schema_bytes=9000000
    #[arg(long = "definition-limits", value_name = "KEY=N,...")]
    text: Option<String>,
}

const BYTES: Range = Range::Integer(1, 1 << 32);

static PARAMS: &[Param] = &[
    Param { key: "name_bytes", default: "256", range: BYTES, summary: "longest name" },
    Param { key: "description_bytes", default: "1048576", range: BYTES, summary: "longest description" },
    Param { key: "schema_bytes", default: "4194304", range: BYTES, summary: "longest input schema" },
    Param { key: "nesting", default: "128", range: Range::Integer(1, 512), summary: "deepest input schema" },
    Param { key: "tools", default: "1000000", range: Range::Integer(1, 1 << 24), summary: "most tools of one catalog" },
];

impl LimitArgs {
    /// The limits after the flag.
    pub fn limits(&self) -> anyhow::Result<Limits> {
        let text = self.text.as_deref().unwrap_or_default();
        let values = format!("definition-limits({text})").parse::<Spec>()?.resolve("flag", PARAMS)?;
        Ok(Limits {
            name_bytes: values.integer("name_bytes"),
            description_bytes: values.integer("description_bytes"),
            schema_bytes: values.integer("schema_bytes"),
            nesting: values.integer("nesting"),
            tools: values.integer("tools"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the flag the limits are those of the library; a wrong key or value is named.
    #[test]
    fn the_flag_starts_from_the_library_s_limits() {
        let read = |text: Option<&str>| LimitArgs { text: text.map(str::to_string) }.limits();
        assert_eq!(read(None).unwrap(), Limits::default());
        assert_eq!(read(Some("nesting=200")).unwrap(), Limits { nesting: 200, ..Limits::default() });
        assert!(read(Some("depth=2")).unwrap_err().to_string().contains("no parameter \"depth\"; it has: name_bytes"));
        assert!(read(Some("nesting=9999")).unwrap_err().to_string().contains("from 1 to 512"));
    }
}
