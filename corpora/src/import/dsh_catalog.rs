//! The public tool catalog of DeepSeek Harness, a Markdown page.

use std::collections::HashSet;
use std::path::Path;

use deferbench_core::{Limits, Tool};
use serde_json::Value;

use super::{Importer, Input};
use crate::error::CorpusError;
use crate::own_seed::TARGETS;

pub(super) static ENTRY: Importer = Importer {
    name: "dsh-catalog",
    summary: "the Markdown tool catalog of DeepSeek Harness: a level-3 heading with the name in backticks, a line of description, a JSON code block",
    source: "deepseek-ai/deepseek-harness docs/tool-catalog.md; the published benchmark used commit 20651af6a6",
    input: Input::File,
    file: "first_party.json",
    read,
};

/// One entry of the page while it is read.
struct Entry {
    line: usize,
    name: String,
    description: Option<String>,
    code: Option<String>,
}

/// Reads the page: `tool_search` is left out, the first entry of a name wins, the five targets come first.
fn read(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    let fail = |line: usize, problem: String| CorpusError::Markdown { path: path.to_path_buf(), line, problem };
    let mut seen = HashSet::new();
    let mut tools = Vec::new();
    for entry in entries(text) {
        if entry.name == "tool_search" || !seen.insert(entry.name.clone()) {
            continue;
        }
        let (Some(description), Some(code)) = (&entry.description, &entry.code) else {
            let problem = format!("entry \"{}\" needs a line of description and a JSON code block", entry.name);
            return Err(fail(entry.line, problem));
        };
        let schema = schema(code).map_err(|e| fail(entry.line, format!("entry \"{}\": {e}", entry.name)))?;
        let quote = |s: &str| Value::from(s).to_string();
        let json = format!(
            "{{\"name\":{},\"description\":{},\"inputSchema\":{schema}}}",
            quote(&entry.name),
            quote(description)
        );
        let tool =
            Tool::from_json(&json, limits).map_err(|e| fail(entry.line, format!("entry \"{}\": {e}", entry.name)))?;
        tools.push(tool);
    }
    if let Some(missing) = TARGETS.iter().find(|t| !seen.contains(**t)) {
        let problem = format!("no entry \"{missing}\": this is not the catalog that the benchmark needs");
        return Err(fail(1, problem));
    }
    // A stable sort: the targets in their order, then the page's order.
    tools.sort_by_key(|t| TARGETS.iter().position(|n| *n == t.name()).unwrap_or(TARGETS.len()));
    Ok(tools)
}

fn entries(text: &str) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let mut code: Option<String> = None;
    for (i, line) in text.lines().enumerate() {
        if let Some(block) = &mut code {
            if line.trim_start().starts_with("```") {
                let done = code.take();
                if let Some(entry) = out.last_mut().filter(|e| e.code.is_none()) {
                    entry.code = done;
                }
            } else {
                block.push_str(line);
                block.push('\n');
            }
        } else if let Some(heading) = line.strip_prefix("### ") {
            if let Some(name) = heading.trim().strip_prefix('`').and_then(|h| h.split_once('`')).map(|(n, _)| n) {
                out.push(Entry { line: i + 1, name: name.to_string(), description: None, code: None });
            }
        } else if line.trim_start().starts_with("```") {
            code = Some(String::new());
        } else if let Some(entry) = out.last_mut().filter(|e| e.description.is_none() && !line.trim().is_empty()) {
            entry.description = Some(line.trim().to_string());
        }
    }
    out
}

/// The schema as spelled: the code block itself, or its member `parameters` or `inputSchema`.
fn schema(code: &str) -> Result<String, serde_json::Error> {
    #[derive(serde::Deserialize)]
    #[serde(expecting = "an object")]
    struct Wrapped<'a> {
        #[serde(borrow, alias = "inputSchema")]
        parameters: Option<&'a serde_json::value::RawValue>,
    }
    let whole: Wrapped = serde_json::from_str(code)?;
    Ok(whole.parameters.map_or(code, |p| p.get()).trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(extra: &str) -> String {
        let entry = |n: &&str| format!("### `{n}`\n\nDoes {n}.\n\n```json\n{{\"type\": \"object\"}}\n```\n\n");
        let targets: String = ["zeta", "web_search", "bash", "read", "lsp", "subagent"].iter().map(entry).collect();
        format!("# Tools\n\n## Section\n\nIntroduction.\n\n{targets}{extra}")
    }

    fn names(text: &str) -> Result<Vec<String>, String> {
        let tools = read(Path::new("c.md"), text, &Limits::default()).map_err(|e| e.to_string())?;
        Ok(tools.iter().map(|t| t.name().to_string()).collect())
    }

    /// B01: targets first, then the order of the page; the search tool and repeated names are left out.
    #[test]
    fn targets_come_first() {
        let extra = "### `tool_search`\n\nx\n\n### `bash`\n\nAgain.\n\n### `alpha` (new)\n\nText.\n\n```json\n{\"parameters\": {\"z\":1, \"a\":2}}\n```\n";
        let found = names(&page(extra)).unwrap();
        assert_eq!(found, ["bash", "read", "lsp", "subagent", "web_search", "zeta", "alpha"]);
        let tools = read(Path::new("c.md"), &page(extra), &Limits::default()).unwrap();
        assert_eq!((tools[0].description(), tools[6].schema_json()), (Some("Does bash."), r#"{"z":1,"a":2}"#));
    }

    #[test]
    fn a_wrong_page_is_refused_with_the_line() {
        assert!(names("# Nothing").unwrap_err().contains("c.md: line 1: no entry \"bash\""));
        assert!(names(&page("### `x`\n\nText.\n")).unwrap_err().contains("line 55: entry \"x\" needs"));
        assert!(names(&page("### `x`\n\nText.\n```\n[1\n```\n")).unwrap_err().contains("entry \"x\": "));
    }
}
