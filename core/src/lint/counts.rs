//! How many tools have each finding?

use std::collections::BTreeSet;

use super::{Counted, Definition, Lint, Profile, RULES};

/// The counts of a listing: finding and number, in the order of the rows that an independent program prints.
///
/// Names are bare, lengths and characters are those of [`Profile::plain`] whatever profiles a run asks; a finding counts
/// once for each tool, two of them once for each name.
///
/// ```
/// use deferbench_core::Limits;
/// use deferbench_core::lint::{Definition, counts};
/// let tool = |server: &str| Definition::from_json(r#"{"name":"a.b","inputSchema":{}}"#, server, &Limits::default()).unwrap();
/// let counts = counts(&[tool("one"), tool("two")]);
/// assert_eq!(counts[..2], [("tools_total", 2), ("names_on_two_or_more_servers", 1)]);
/// assert!(counts.contains(&("name_outside_A-Za-z0-9_-", 2)) && counts.contains(&("cjk_text", 0)));
/// ```
pub fn counts(definitions: &[Definition]) -> Vec<(&'static str, usize)> {
    let findings = Lint { definitions, profiles: &[Profile::plain()], against: None }.findings();
    let mut out = vec![("tools_total", definitions.len())];
    for rule in RULES {
        let of_rule = findings.iter().filter(|f| f.rule == rule.name);
        match rule.counted {
            Counted::Tools(row) => out.push((row, of_rule.filter_map(|f| f.position).collect::<BTreeSet<_>>().len())),
            Counted::Names(row) => out.push((row, of_rule.count())),
            Counted::No => {}
        }
    }
    out
}
