//! Which task chains does a `sessions.jsonl` hold?

use std::collections::HashSet;
use std::path::Path;

use deferbench_core::Catalog;
use serde::{Deserialize, Serialize};

use crate::bundle::nonempty;
use crate::error::{CorpusError, without_bom};

/// A chain of tasks, as a line of `sessions.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TaskChain {
    /// Unique in its corpus.
    pub id: String,
    /// The user's turns.
    pub turns: Vec<ChainTurn>,
}

/// One turn of the user, and what the model has to call about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ChainTurn {
    /// What the user says.
    pub user: String,
    /// Names of the tools to call, in order; a name may come again.
    pub calls: Vec<String>,
    /// What the model searches for, all in one batch; empty: the words of the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<String>,
    /// Seconds without a request before this turn: what a prompt cache may not outlive.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle_seconds: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Reads `sessions.jsonl`: one chain a line, blank lines skipped.
///
/// # Errors
/// [`CorpusError::Json`] or [`CorpusError::Session`] with the line: an id used twice, a chain without turns, a blank text,
/// a tool that is not in the catalog; an empty file.
pub fn parse(path: &Path, text: &str, catalog: &Catalog) -> Result<Vec<TaskChain>, CorpusError> {
    const SHAPE: &str = "one object a line: id, turns; each turn: user, calls, and optionally searches, idle_seconds";
    nonempty(path, text, SHAPE)?;
    let (mut chains, mut ids) = (Vec::new(), HashSet::new());
    for (i, line) in without_bom(text).lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let chain: TaskChain = serde_json::from_str(line).map_err(|e| CorpusError::json(path, i + 1, &e, SHAPE))?;
        let fail = |problem: String| {
            Err(CorpusError::Session { path: path.to_path_buf(), line: i + 1, id: chain.id.clone(), problem })
        };
        if !ids.insert(chain.id.clone()) {
            return fail("this id is used twice; ids must be unique".to_string());
        }
        if chain.id.trim().is_empty() || chain.turns.is_empty() {
            return fail(
                "id must not be blank, and turns must not be empty; delete the line, or fill it in".to_string(),
            );
        }
        let blank = |turn: &ChainTurn| turn.user.trim().is_empty() || turn.searches.iter().any(|s| s.trim().is_empty());
        if chain.turns.iter().any(blank) {
            return fail("user and searches must not be blank; write what is said and searched for".to_string());
        }
        let unknown = chain.turns.iter().flat_map(|turn| &turn.calls).find(|name| catalog.find(name).is_none());
        if let Some(name) = unknown {
            return fail(format!("called tool \"{name}\" is not in catalog.json; add it, or correct the name"));
        }
        chains.push(chain);
    }
    Ok(chains)
}

#[cfg(test)]
mod tests {
    use deferbench_core::Tool;

    use super::*;

    fn read(text: &str) -> Result<Vec<TaskChain>, String> {
        let catalog = Catalog::new(vec![Tool::new("ping", None, "{}").unwrap()]).unwrap();
        parse(Path::new("s.jsonl"), text, &catalog).map_err(|e| e.to_string())
    }

    #[test]
    fn a_chain_repeats_calls_and_rests() {
        let text =
            r#"{"id":"a","turns":[{"user":"u","calls":["ping","ping"],"searches":["x","y"],"idle_seconds":400}]}"#;
        let chains = read(&format!("\n{text}\n")).unwrap();
        assert_eq!((chains[0].turns[0].calls.len(), chains[0].turns[0].idle_seconds), (2, 400));
        assert_eq!(serde_json::to_string(&chains[0]).unwrap(), text);
    }

    #[test]
    fn a_wrong_chain_is_refused_with_the_line() {
        let turn = r#"{"user":"u","calls":["ping"]}"#;
        let line = |id: &str, turns: &str| format!("{{\"id\":\"{id}\",\"turns\":[{turns}]}}\n");
        let cases = [
            (line("a", ""), "s.jsonl: line 1: session \"a\": id must not be blank, and turns must not be empty"),
            (line("a", turn) + &line("a", turn), "line 2: session \"a\": this id is used twice"),
            (line("a", r#"{"user":" ","calls":[]}"#), "user and searches must not be blank"),
            (line("a", r#"{"user":"u","calls":["pong"]}"#), "called tool \"pong\" is not in catalog.json"),
            ("\n".to_string(), "line 1: the file holds no line; write one, or delete the file"),
            ("[]".to_string(), "line 1: invalid length 0, expected an object; expected one object"),
            (line("a", "1"), "invalid type: integer `1`, expected an object"),
            (line("a", r#"{"user":"u","calls":[],"idle_seconds":1e999}"#), "a number is out of range"),
            (line("a", r#"{"user":"u"}"#), "missing field `calls`; expected one object a line"),
            (line("a", r#"{"user":"u","calls":[],"when":1}"#), "unknown field `when`"),
        ];
        for (text, expected) in cases {
            let found = read(&text).unwrap_err();
            assert!(found.contains(expected), "{found}");
        }
    }
}
