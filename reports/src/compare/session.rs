//! Do the sessions send more, survive less or take more turns than before? Exact quantities, compared without tolerance.

use super::Rest;
use crate::Run;
use crate::aggregate::SessionSummary;
use crate::record::Better;

/// One exact quantity of a session in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Name, with the counter in braces where one counted.
    pub name: String,
    /// Which direction is better.
    pub better: Better,
    /// Value in `a`; `None` where undefined.
    pub a: Option<f64>,
    /// Value in `b`; `None` where undefined.
    pub b: Option<f64>,
}

impl Quantity {
    /// `b` minus `a`; `None` when one of them is undefined.
    pub fn difference(&self) -> Option<f64> {
        Some(self.b? - self.a?)
    }

    /// Whether the quantity got worse at all.
    pub fn regressed(&self) -> bool {
        self.difference().is_some_and(|difference| match self.better {
            Better::Higher => difference < 0.0,
            Better::Lower => difference > 0.0,
        })
    }
}

/// One session that both runs have.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionChange {
    /// Name of the corpus.
    pub corpus: String,
    /// Name of the script.
    pub script: String,
    /// Canonical spec of the policy.
    pub policy: String,
    /// Name of the order.
    pub order: String,
    /// Name of the entry.
    pub entry: String,
    /// Name of the layout.
    pub layout: String,
    /// Largest number of tools one search may activate; `None` under `eager`.
    pub limit: Option<u64>,
    /// Spec of the ranker of `a`; `None` under `eager`.
    pub ranker_a: Option<String>,
    /// Spec of the ranker of `b`; `None` under `eager`.
    pub ranker_b: Option<String>,
    /// The compared quantities.
    pub quantities: Vec<Quantity>,
}

pub(super) fn changes(a: &Run, b: &Run) -> (Vec<SessionChange>, Rest) {
    let (ours, theirs) = (&a.aggregates().sessions, &b.aggregates().sessions);
    let mut used = vec![false; theirs.len()];
    let mut changes = Vec::new();
    let mut rest = Rest { a: counters_missing(a, b), b: counters_missing(b, a) };
    for session in ours {
        match partner(session, theirs, &used) {
            Some(place) => {
                used[place] = true;
                changes.push(change(session, &theirs[place]));
            }
            None => rest.a.push(named(session)),
        }
    }
    rest.b.extend(theirs.iter().zip(used).filter(|(_, used)| !used).map(|(session, _)| named(session)));
    (changes, rest)
}

/// Counters of `run` that `other` lacks: their sums are not compared.
fn counters_missing(run: &Run, other: &Run) -> Vec<String> {
    let known = |name: &str| other.scores().counters.iter().any(|counter| counter.name == name);
    let missing = run.scores().counters.iter().filter(|counter| !known(&counter.name));
    missing.map(|counter| format!("counter: {}", counter.name)).collect()
}

fn key(session: &SessionSummary) -> ([&str; 6], Option<u64>) {
    let words = [&session.corpus, &session.script, &session.policy, &session.order, &session.entry, &session.layout];
    (words.map(String::as_str), session.limit)
}

/// The place of the session of the same key, one of the same ranker first.
fn partner(session: &SessionSummary, theirs: &[SessionSummary], used: &[bool]) -> Option<usize> {
    let mut fitting = (0..theirs.len()).filter(|place| !used[*place] && key(&theirs[*place]) == key(session));
    let first = fitting.next()?;
    let same = |place: &usize| theirs[*place].ranker == session.ranker;
    Some(std::iter::once(first).chain(fitting).find(same).unwrap_or(first))
}

fn named(session: &SessionSummary) -> String {
    let limit = session.limit.map_or_else(String::new, |limit| format!(", limit {limit}"));
    format!(
        "session: corpus {}, script {}, policy {}, order {}, entry {}, layout {}{limit}",
        session.corpus, session.script, session.policy, session.order, session.entry, session.layout
    )
}

fn change(a: &SessionSummary, b: &SessionSummary) -> SessionChange {
    let mut quantities = Vec::new();
    let mut add = |name: String, better, a, b| quantities.push(Quantity { name, better, a, b });
    for totals in &a.counters {
        let Some(other) = b.counter(&totals.counter) else { continue };
        let (before, after) = (totals.prompt_sum as f64, other.prompt_sum as f64);
        add(format!("prompt tokens{{{}}}", totals.counter), Better::Lower, Some(before), Some(after));
        let (before, after) = (totals.tools_last as f64, other.tools_last as f64);
        add(format!("last tools tokens{{{}}}", totals.counter), Better::Lower, Some(before), Some(after));
    }
    add("least tools survival".to_owned(), Better::Higher, a.tools.min, b.tools.min);
    add("least prompt survival".to_owned(), Better::Higher, a.prompt.min, b.prompt.min);
    let turns = |session: &SessionSummary| session.extra_turns.map(|turns| turns as f64);
    add("extra turns".to_owned(), Better::Lower, turns(a), turns(b));
    add("needs met".to_owned(), Better::Higher, Some(a.met as f64), Some(b.met as f64));
    add("needs found at once".to_owned(), Better::Higher, Some(a.at_once as f64), Some(b.at_once as f64));
    SessionChange {
        corpus: a.corpus.clone(),
        script: a.script.clone(),
        policy: a.policy.clone(),
        order: a.order.clone(),
        entry: a.entry.clone(),
        layout: a.layout.clone(),
        limit: a.limit,
        ranker_a: a.ranker.clone(),
        ranker_b: b.ranker.clone(),
        quantities,
    }
}
