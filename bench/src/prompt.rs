//! How does a rendered request become what a cache sees?

use std::collections::BTreeSet;

use deferbench_core::cache::{Kind, Label, Prompt};
use deferbench_core::transcript::Event;
use thiserror::Error;

use crate::counter::{CountError, Counter};
use crate::layout::{self, Rendered};

/// What a message of the history is to a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// Its kind.
    pub kind: Kind,
    /// Its content blocks.
    pub blocks: u64,
}

/// Why a rendered request has no prompt.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PromptError {
    /// The text cannot be counted.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The layout prints more or fewer messages than there are roles.
    #[error("the layout prints {messages} messages, and {roles} roles are given; give one for each message")]
    Roles {
        /// Messages of the rendered request.
        messages: usize,
        /// Roles given.
        roles: usize,
    },
}

/// The roles of a history, for a layout that prints one message for each event that a model sees.
pub fn roles(events: &[Event]) -> Vec<Role> {
    let role = |event: &Event| match event {
        Event::User { .. } => Some(Role { kind: Kind::User, blocks: 1 }),
        Event::Assistant { calls, .. } if calls.is_empty() => Some(Role { kind: Kind::Assistant, blocks: 1 }),
        Event::Assistant { text, calls, .. } => {
            Some(Role { kind: Kind::Call, blocks: calls.len() as u64 + u64::from(!text.is_empty()) })
        }
        Event::Result { .. } => Some(Role { kind: Kind::Result, blocks: 1 }),
        Event::Run { .. } | Event::Deferral { .. } | Event::Selection { .. } => None,
    };
    events.iter().filter_map(role).collect()
}

/// The prompt of a rendered request, in the tokens of a counter; none from a counter that cannot tell where tokens begin.
///
/// The tools section, the system text and each message are counted by themselves: chat formats put special tokens between
/// them, so that no token reaches over. Counted whole, the end of the last message would merge with what the next request
/// adds, and a cache could never find it again.
///
/// # Errors
/// [`PromptError`].
pub fn of_rendered(
    rendered: Rendered<'_>,
    roles: &[Role],
    counter: &dyn Counter,
) -> Result<Option<Prompt>, PromptError> {
    let messages = rendered.segments.iter().filter(|s| s.kind == layout::Kind::Message).count();
    if messages != roles.len() {
        return Err(PromptError::Roles { messages, roles: roles.len() });
    }
    let mut ends = Vec::new();
    let borders = borders(&rendered);
    for (from, to) in borders.iter().zip(borders.iter().skip(1)) {
        let Some(starts) = counter.starts(&rendered.text[*from..*to])? else { return Ok(None) };
        ends.extend(starts.iter().skip(1).map(|start| (from + start) as u64));
        ends.push(*to as u64);
    }
    let mut roles = roles.iter();
    let mut label = |segment: layout::Segment| {
        let role = match segment.kind {
            layout::Kind::Tool => Role { kind: Kind::Tool, blocks: 1 },
            layout::Kind::System => Role { kind: Kind::System, blocks: 1 },
            layout::Kind::Definition => Role { kind: Kind::Definition, blocks: 1 },
            layout::Kind::Message => *roles.next()?,
        };
        Some(Label { kind: role.kind, name: segment.tool.to_string(), bytes: segment.range, blocks: role.blocks })
    };
    let labels: Vec<Label> = rendered.segments.into_iter().filter_map(&mut label).collect();
    Ok(Some(Prompt::of_text(rendered.text, ends, rendered.tools, labels)))
}

/// The places that no token reaches over, in bytes.
fn borders(rendered: &Rendered<'_>) -> BTreeSet<usize> {
    let outside = rendered.segments.iter().filter(|s| s.kind != layout::Kind::Tool);
    let ranges = outside.map(|s| &s.range).chain([&rendered.tools]);
    ranges.flat_map(|range| [range.start, range.end]).chain([0, rendered.text.len()]).collect()
}

#[cfg(test)]
mod tests {
    use deferbench_core::Tool;
    use deferbench_core::cache::{Request, Section, simulate};
    use deferbench_core::transcript::{Call, Output};
    use proptest::prelude::*;

    use super::*;
    use crate::counter::{COUNTERS, CounterEntry};
    use crate::layout::{Layout, Parts, Unit};
    use crate::profiles;

    fn tools() -> Vec<Tool> {
        let schema = r#"{"type":"object","properties":{"to":{"type":"string","description":"Whom to write to"}}}"#;
        let one = |name: &&str| Tool::new(name, Some("Sends a letter — and more."), schema).unwrap();
        ["send_mail", "send_note", "ask", "über"].iter().map(one).collect()
    }

    fn history() -> Vec<Event> {
        let call = |id: &str| Call::new(id, "ask", "{}");
        vec![
            Event::Run { id: "r".into() },
            Event::User { text: "Write to Ada.".into() },
            Event::Assistant { step: "1".into(), text: "Yes.".into(), calls: vec![call("a"), call("b")] },
            Event::Result { call: "a".into(), tool: "ask".into(), output: Output::Text("ünïcode".into()) },
            Event::Result { call: "b".into(), tool: "ask".into(), output: Output::Text("done".into()) },
            Event::Assistant { step: "2".into(), text: "Done.".into(), calls: Vec::new() },
        ]
    }

    fn rendered<'a>(tools: &[&'a Tool], events: &[Event]) -> Rendered<'a> {
        let parts = Parts { tools: tools.to_vec(), system: "Be brief.", events, ..Parts::default() };
        (Layout::find("L1").unwrap().render)(&parts)
    }

    fn prompt(tools: &[&Tool], events: &[Event], counter: &CounterEntry) -> Prompt {
        of_rendered(rendered(tools, events), &roles(events), (counter.counter)()).unwrap().unwrap()
    }

    /// N02: kinds, names and content blocks of every segment.
    #[test]
    fn segments_are_labelled() {
        let (tools, events) = (tools(), history());
        let found = prompt(&[&tools[0], &tools[2]], &events, COUNTERS[0]);
        let labels: Vec<_> = found.segments().iter().map(|s| (s.kind, s.name.as_str(), s.blocks)).collect();
        let expected = [
            (Kind::Tool, "send_mail", 1),
            (Kind::Tool, "ask", 1),
            (Kind::System, "", 1),
            (Kind::User, "", 1),
            // A text and two calls.
            (Kind::Call, "", 3),
            (Kind::Result, "", 1),
            (Kind::Result, "", 1),
            (Kind::Assistant, "", 1),
        ];
        assert_eq!(labels, expected);
        let error = of_rendered(rendered(&[], &events), &[], (COUNTERS[0].counter)()).unwrap_err();
        assert_eq!(error, PromptError::Roles { messages: 5, roles: 0 });
    }

    /// G03: a published cache on rendered text: an appended tool leaves whole blocks of what stands before it.
    #[test]
    fn a_cache_reads_rendered_requests() {
        let (tools, events) = (tools(), history());
        let counter = CounterEntry::find("o200k_base").unwrap();
        let profile = profiles::open("vllm").unwrap().profile;
        let (before, now) = ([&tools[0]], [&tools[0], &tools[1]]);
        let requests = [&before[..], &now[..], &now[..]].map(|t| Request::new(prompt(t, &events, counter)));
        let usages = simulate(&profile, &requests).unwrap();
        let common = requests[1].prompt.common(&requests[0].prompt).tokens;
        assert!(common > 16 && common < requests[0].prompt.tokens());
        assert_eq!(usages[1].hit, Ok(common / 16 * 16));
        assert_eq!(usages[2].hit, Ok((requests[2].prompt.tokens() - 1) / 16 * 16));
    }

    /// An entry at the end of one request is found again in the next, which goes on behind it.
    #[test]
    fn the_end_of_a_request_is_found_again() {
        let (tools, events) = (tools(), history());
        let profile = profiles::open("anthropic(min_tokens=0)").unwrap().profile;
        let counter = CounterEntry::find("o200k_base").unwrap();
        let requests = [&events[..2], &events[..5]].map(|h| Request::new(prompt(&[&tools[0]], h, counter)));
        let usages = simulate(&profile, &requests).unwrap();
        assert_eq!(usages[1].hit, Ok(requests[0].prompt.tokens()));
    }

    proptest! {
        /// N02: lengths and common prefixes are those of the layout's own unit and of the counter, token by token.
        #[test]
        fn common_prefixes_agree_with_the_text(
            a in prop::sample::subsequence(vec![0usize, 1, 2, 3], 0..4).prop_shuffle(),
            b in prop::sample::subsequence(vec![0usize, 1, 2, 3], 0..4).prop_shuffle(),
            cut in 0..6usize,
        ) {
            let (tools, events) = (tools(), history());
            let pick = |ids: &[usize]| ids.iter().map(|i| &tools[*i]).collect::<Vec<_>>();
            let (a, b, shorter) = (pick(&a), pick(&b), &events[..cut]);
            for counter in COUNTERS {
                let (x, y) = (rendered(&a, &events), rendered(&b, shorter));
                let (p, q) = (prompt(&a, &events, counter), prompt(&b, shorter, counter));
                // L1 breaks lines between sections and messages, and nowhere else.
                let tokens = |text: &str| {
                    let pieces = text.split_inclusive('\n').flat_map(|line| match line.strip_suffix('\n') {
                        Some(bare) => vec![bare, "\n"],
                        None => vec![line],
                    });
                    let cut = |piece: &str| {
                        let mut cuts = (counter.counter)().starts(piece).unwrap().unwrap();
                        cuts.push(piece.len());
                        cuts.windows(2).map(|w| piece.as_bytes()[w[0]..w[1]].to_vec()).collect::<Vec<_>>()
                    };
                    pieces.filter(|piece| !piece.is_empty()).flat_map(cut).collect::<Vec<_>>()
                };
                prop_assert_eq!(p.tokens(), tokens(&x.text).len() as u64, "{}", counter.name);
                let common = q.common(&p);
                prop_assert_eq!(common.bytes, Some(Unit::Utf8.common_prefix(&x.text, &y.text)));
                let section = q.common_section(&p, Section::Tools).bytes;
                prop_assert_eq!(section, Some(Unit::Utf8.common_prefix(&x.text[x.tools.clone()], &y.text[y.tools.clone()])));
                let same = tokens(&x.text).into_iter().zip(tokens(&y.text)).take_while(|(a, b)| a == b).count();
                prop_assert_eq!(common.tokens, same as u64, "{}", counter.name);
            }
        }
    }
}
