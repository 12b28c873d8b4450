//! How does a rendered request become what a cache sees?

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
    let Some(starts) = counter.starts(&rendered.text)? else { return Ok(None) };
    let last = (!starts.is_empty()).then_some(rendered.text.len());
    let ends = starts.iter().skip(1).copied().chain(last).map(|end| end as u64).collect();
    let mut roles = roles.iter();
    let mut label = |segment: layout::Segment| {
        let role = match segment.kind {
            layout::Kind::Tool => Role { kind: Kind::Tool, blocks: 1 },
            layout::Kind::System => Role { kind: Kind::System, blocks: 1 },
            layout::Kind::Message => *roles.next()?,
        };
        Some(Label { kind: role.kind, name: segment.tool.to_string(), bytes: segment.range, blocks: role.blocks })
    };
    let labels: Vec<Label> = rendered.segments.into_iter().filter_map(&mut label).collect();
    Ok(Some(Prompt::of_text(rendered.text, ends, rendered.tools, labels)))
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
        let parts = Parts { tools: tools.to_vec(), system: "Be brief.", events };
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
                let count = |text: &str| (counter.counter)().count(text).unwrap();
                prop_assert_eq!(p.tokens(), count(&x.text), "{}", counter.name);
                let common = q.common(&p);
                prop_assert_eq!(common.bytes, Some(Unit::Utf8.common_prefix(&x.text, &y.text)));
                let section = q.common_section(&p, Section::Tools).bytes;
                prop_assert_eq!(section, Some(Unit::Utf8.common_prefix(&x.text[x.tools.clone()], &y.text[y.tools.clone()])));
                // Tokens by their bytes, one after the other.
                let tokens = |text: &str| {
                    let mut cuts = (counter.counter)().starts(text).unwrap().unwrap();
                    cuts.push(text.len());
                    cuts.windows(2).map(|w| text.as_bytes()[w[0]..w[1]].to_vec()).collect::<Vec<_>>()
                };
                let same = tokens(&x.text).into_iter().zip(tokens(&y.text)).take_while(|(a, b)| a == b).count();
                prop_assert_eq!(common.tokens, same as u64, "{}", counter.name);
            }
        }
    }
}
