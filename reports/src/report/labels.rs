//! Can a long spec be printed by its first word, without two specs looking alike?

use crate::aggregate::SessionSummary;

/// Short names for specs, and the legend that gives the long ones.
#[derive(Debug)]
pub(crate) struct Labels {
    specs: Vec<String>,
}

impl Labels {
    /// Labels for some specs; repeated ones count once.
    pub fn new<'a>(specs: impl IntoIterator<Item = &'a str>) -> Self {
        let mut distinct: Vec<String> = Vec::new();
        for spec in specs {
            if !distinct.iter().any(|known| known == spec) {
                distinct.push(spec.to_owned());
            }
        }
        Self { specs: distinct }
    }

    /// The part before the bracket when another spec is there and none shares that part, else the whole spec.
    pub fn short<'a>(&self, spec: &'a str) -> &'a str {
        let head = head(spec);
        let shared = self.specs.iter().filter(|known| self::head(known) == head).count() > 1;
        if shared || self.specs.len() < 2 { spec } else { head }
    }

    /// A sentence that gives the long form of every shortened spec; nothing when none was shortened.
    pub fn legend(&self) -> Option<String> {
        let long: Vec<String> = self
            .specs
            .iter()
            .filter(|spec| self.short(spec) != spec.as_str())
            .map(|spec| format!("`{spec}`"))
            .collect();
        (!long.is_empty()).then(|| format!("In full: {}.", long.join(", ")))
    }
}

/// The name of a spec, without its parameters.
pub(crate) fn head(spec: &str) -> &str {
    spec.split('(').next().unwrap_or(spec)
}

/// Whether a session sent all tools from the start.
pub(super) fn is_eager(session: &SessionSummary) -> bool {
    head(&session.policy) == "eager"
}

/// The sessions that defer, the first order of each; the figures read from them do not depend on the order.
pub(super) fn first_orders(sessions: &[SessionSummary]) -> Vec<&SessionSummary> {
    let mut first: Vec<&SessionSummary> = Vec::new();
    for session in sessions.iter().filter(|session| !is_eager(session)) {
        if !first.iter().any(|known| key(known) == key(session)) {
            first.push(session);
        }
    }
    first
}

fn key(session: &SessionSummary) -> ([&str; 5], Option<&str>, Option<u64>) {
    let words = [&session.corpus, &session.script, &session.policy, &session.entry, &session.layout];
    (words.map(String::as_str), session.ranker.as_deref(), session.limit)
}

/// The eager session to compare with: of the same corpus, best of the same script, layout and entry.
pub(super) fn eager_of<'a>(sessions: &'a [SessionSummary], session: &SessionSummary) -> Option<&'a SessionSummary> {
    let likeness = |other: &SessionSummary| {
        (other.layout == session.layout, other.script == session.script, other.entry == session.entry)
    };
    sessions
        .iter()
        .filter(|other| is_eager(other) && other.corpus == session.corpus)
        .reduce(|best, other| if likeness(other) > likeness(best) { other } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_first_word_is_printed_in_full() {
        let labels = Labels::new(["bm25(b=0.5)", "fielded(k=1)", "bm25(b=0.75)", "dsh"]);
        assert_eq!(labels.short("bm25(b=0.5)"), "bm25(b=0.5)");
        assert_eq!(labels.short("fielded(k=1)"), "fielded");
        assert_eq!(labels.legend().as_deref(), Some("In full: `fielded(k=1)`."));
        assert_eq!(Labels::new(["dsh", "dsh"]).legend(), None);
    }

    #[test]
    fn an_only_spec_is_printed_in_full() {
        let labels = Labels::new(["fielded(k=1)", "fielded(k=1)"]);
        assert_eq!((labels.short("fielded(k=1)"), labels.legend()), ("fielded(k=1)", None));
    }
}
