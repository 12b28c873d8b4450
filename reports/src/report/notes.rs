//! What else does a reader have to know about these figures?

use super::figure::whole;
use super::page::Block;
use crate::Run;
use crate::manifest::Status;
use crate::record::{Basis, CorpusInfo};

/// A warning when the run did not come to its end.
pub(super) fn unfinished(run: &Run) -> Option<Block> {
    (run.manifest().status == Status::Started)
        .then(|| Block::Text("This run did not come to its end: cells may be missing.".to_owned()))
}

/// The notes of corpora and sessions, each once.
pub(super) fn blocks(run: &Run) -> Vec<Block> {
    let scores = run.scores();
    let mut notes: Vec<String> = Vec::new();
    for corpus in &scores.corpora {
        notes.extend(corpus.notes.iter().map(|note| format!("{}: {note}", corpus.name)));
        notes.extend(resolved(corpus));
    }
    let counted = |kind: Basis| scores.sessions.iter().filter(|cell| cell.basis == kind).count() as u64;
    for (kind, word) in [(Basis::Simulated, "simulated"), (Basis::Estimated, "estimated")] {
        if counted(kind) > 0 {
            let all = whole(scores.sessions.len() as u64);
            notes.push(format!("{} of {all} sessions are {word}, not measured.", whole(counted(kind))));
        }
    }
    notes.extend(session_notes(run));
    if notes.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading("Notes".to_owned()), Block::Bullets(notes)]
}

fn resolved(corpus: &CorpusInfo) -> Option<String> {
    let first = corpus.resolved_names.first()?;
    let count = corpus.resolved_names.len() as u64;
    Some(format!(
        "{}: {} renamed because several servers use the same name; for example `{}` of {} is called `{}`.",
        corpus.name,
        if count == 1 { "1 tool was".to_owned() } else { format!("{} tools were", whole(count)) },
        first.bare,
        first.server,
        first.name
    ))
}

fn session_notes(run: &Run) -> Vec<String> {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for cell in &run.scores().sessions {
        for note in cell.notes.iter().map(|note| format!("{}, {}: {note}", cell.corpus, cell.policy)) {
            match counts.iter_mut().find(|(known, _)| *known == note) {
                Some((_, count)) => *count += 1,
                None => counts.push((note, 1)),
            }
        }
    }
    let printed = |(note, count)| match count {
        1 => note,
        count => format!("{note} ({} sessions)", whole(count)),
    };
    counts.into_iter().map(printed).collect()
}
