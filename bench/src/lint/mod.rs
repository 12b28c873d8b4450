//! How is what a linter found shown?

mod sarif;

use std::collections::{BTreeMap, BTreeSet};

use deferbench_core::lint::{Definition, Finding, Profile, RULES, Severity};
use deferbench_reports::page::{Block, Table, whole};
use serde_json::{Value, json};

pub use sarif::sarif;

/// What a linter found, with what it was asked.
pub struct Report<'a> {
    /// The CORPUS argument.
    pub corpus: &'a str,
    /// The tools.
    pub definitions: &'a [Definition],
    /// Who was to accept them.
    pub profiles: &'a [Profile],
    /// The findings.
    pub findings: &'a [Finding],
}

/// The findings of one rule.
pub struct OfRule<'a> {
    /// The rule's name.
    pub rule: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// Tools with a finding; a finding about the listing is about no tool.
    pub tools: usize,
    /// Its findings.
    pub findings: Vec<&'a Finding>,
}

/// The findings by rule: errors first, then what most tools have.
pub fn by_rule(findings: &[Finding]) -> Vec<OfRule<'_>> {
    let mut rules: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        let place = RULES.iter().position(|r| r.name == finding.rule).unwrap_or(RULES.len());
        rules.entry(place).or_default().push(finding);
    }
    let mut out: Vec<OfRule> = Vec::new();
    for findings in rules.into_values() {
        let tools = findings.iter().filter_map(|f| f.position).collect::<BTreeSet<_>>().len();
        out.push(OfRule { rule: findings[0].rule, severity: findings[0].severity, tools, findings });
    }
    out.sort_by_key(|r| (std::cmp::Reverse(r.severity), std::cmp::Reverse(r.tools)));
    out
}

/// `server/tool`, or the tool alone.
pub fn who(finding: &Finding) -> String {
    match (finding.server.as_deref().filter(|s| !s.is_empty()), &finding.tool) {
        (Some(server), Some(tool)) => format!("{server}/{tool}"),
        (None, Some(tool)) => tool.clone(),
        _ => "the listing".to_string(),
    }
}

impl Report<'_> {
    /// The blocks of the report: what it does not show, the rules, and one example of each.
    pub fn blocks(&self) -> Vec<Block> {
        let rules = by_rule(self.findings);
        let profiles: Vec<String> =
            self.profiles.iter().map(|p| format!("{} (checked {})", p.name, p.checked_on)).collect();
        let mut blocks = vec![
            Block::Title(format!("Lint of {}", self.corpus)),
            Block::Heading("What this does not show".to_string()),
            Block::Bullets(vec![
                "Rules read definitions and call nothing: what a tool does with its arguments is not looked at.".to_string(),
                "A value that a provider does not publish refuses nothing; deferbench list providers names every source.".to_string(),
            ]),
            Block::Heading("Findings".to_string()),
        ];
        let caption = format!("{} tools; profiles: {}.", self.definitions.len(), profiles.join(", "));
        let mut table =
            Table::new(caption).words("severity").words("rule").figures(["tools", "findings"]).words("what");
        for r in &rules {
            let summary = RULES.iter().find(|rule| rule.name == r.rule).map_or("", |rule| rule.summary);
            table.row(vec![
                r.severity.to_string(),
                r.rule.to_string(),
                whole(r.tools as u64),
                whole(r.findings.len() as u64),
                summary.to_string(),
            ]);
        }
        if rules.is_empty() {
            blocks.push(Block::Text(format!("{} tools, nothing found.", self.definitions.len())));
        } else {
            blocks.extend(table.block());
            blocks.push(Block::Heading("One example of each".to_string()));
            let example = |r: &OfRule| format!("{} in {}: {}", r.rule, who(r.findings[0]), r.findings[0].message());
            blocks.push(Block::Bullets(rules.iter().map(example).collect()));
            blocks.push(Block::Text("--format json or sarif prints every finding.".to_string()));
        }
        blocks
    }

    /// Everything, for machines.
    pub fn json(&self) -> Value {
        let counts: serde_json::Map<String, Value> = by_rule(self.findings)
            .iter()
            .map(|r| {
                (r.rule.to_string(), json!({"severity": r.severity, "tools": r.tools, "findings": r.findings.len()}))
            })
            .collect();
        let profiles: Vec<Value> =
            self.profiles.iter().map(|p| json!({"name": p.name, "checked_on": p.checked_on})).collect();
        json!({
            "schema_version": 1,
            "corpus": self.corpus,
            "tools": self.definitions.len(),
            "profiles": profiles,
            "rules": counts,
            "findings": self.findings,
        })
    }
}
