//! SARIF 2.1.0, which code hosts show beside the lines of a change.

use deferbench_core::lint::{Finding, RULES, Severity};
use serde_json::{Value, json};

use super::who;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings as one run of a SARIF log, with every rule's declaration.
pub fn sarif(findings: &[Finding]) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|r| {
            json!({
                "id": r.name,
                "shortDescription": {"text": r.summary},
                "fullDescription": {"text": format!("{}: {}.", r.summary, r.why)},
                "help": {"text": format!("{}. Source: {}.", r.remedy, r.source)},
                "defaultConfiguration": {"level": level(r.severity)},
            })
        })
        .collect();
    let driver = json!({"name": "deferbench", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let results: Vec<Value> = findings.iter().map(result).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(finding: &Finding) -> Value {
    let who = who(finding);
    let name = finding.tool.as_deref().unwrap_or("tools");
    let mut location = json!({"logicalLocations": [{"name": name, "fullyQualifiedName": format!("{who}{}", finding.pointer), "kind": "object"}]});
    if let Some(file) = &finding.file {
        location["physicalLocation"] = json!({"artifactLocation": {"uri": uri(file)}});
    }
    json!({
        "ruleId": finding.rule,
        "ruleIndex": RULES.iter().position(|r| r.name == finding.rule),
        "level": level(finding.severity),
        "message": {"text": format!("{who}: {}", finding.message())},
        "locations": [location],
    })
}

/// A path as a reference: what is not allowed there is written in hexadecimal.
fn uri(path: &str) -> String {
    let mut out = if path.starts_with('/') { "file://".to_string() } else { String::new() };
    for b in path.replace('\\', "/").bytes() {
        if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("my files/ä.json"), "my%20files/%C3%A4.json");
        assert_eq!((uri("/a/b"), uri("a\\b")), ("file:///a/b".to_string(), "a/b".to_string()));
    }
}
