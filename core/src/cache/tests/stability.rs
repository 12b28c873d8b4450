//! Survival, coverage, divergence and churn by hand.

use super::*;

fn compare(before: &Prompt, now: &Prompt, section: Section) -> Stability {
    Stability::of(Some(before), now, section).unwrap()
}

/// A prompt with text: one token a byte, tools in one array, then one line each for the rest.
fn array(tools: &[&str], rest: &[&str]) -> Prompt {
    let mut text = String::new();
    let mut labels = Vec::new();
    for (i, tool) in tools.iter().enumerate() {
        text.push(if i == 0 { '[' } else { ',' });
        let start = text.len();
        text.push_str(tool);
        labels.push(label(Kind::Tool, tool, start..text.len()));
    }
    if !tools.is_empty() {
        text.push(']');
    }
    let section = 0..text.len();
    for (i, line) in rest.iter().enumerate() {
        text.push('\n');
        let start = text.len();
        text.push_str(line);
        labels.push(label(if i == 0 { Kind::System } else { Kind::User }, "", start..text.len()));
    }
    let tokens = (1..=text.len() as u64).collect();
    Prompt::of_text(text, tokens, section, labels)
}

/// B06, N02: the first request has nothing before it: no ratio, no divergence, no churn.
#[test]
fn the_first_request_has_no_ratio() {
    let first = array(&["aa"], &["sys"]);
    assert_eq!(Stability::of(None, &first, Section::Prompt), None);
    assert_eq!(Churn::of(None, &first), Churn::default());
    assert_eq!((breaks([&first]), Churn::of_session([&first])), (0, Churn::default()));
}

/// B07, N02: the same request again keeps all of it, in every unit and section.
#[test]
fn the_same_set_twice() {
    let first = array(&["aa", "bb"], &["sys", "hi"]);
    for section in [Section::Tools, Section::Prompt] {
        let stability = compare(&first, &first, section);
        let all = Shares { bytes: Some(1.0), tokens: Some(1.0), segments: Some(1.0) };
        assert_eq!((stability.survival(), stability.coverage()), (all, all));
    }
    assert_eq!(divergence(&first, &first), None);
}

/// N02: a search that finds nothing adds to the history and breaks nothing.
#[test]
fn a_search_that_finds_nothing() {
    let (before, now) = (array(&["aa"], &["sys", "hi"]), array(&["aa"], &["sys", "hi", "call", "none"]));
    let stability = compare(&before, &now, Section::Prompt);
    // Before: [aa] and two lines, 4 + 4 + 3 = 11; now 11 + 5 + 5 = 21.
    assert_eq!(stability.survival(), Shares { bytes: Some(1.0), tokens: Some(1.0), segments: Some(1.0) });
    assert_eq!(stability.coverage().bytes, Some(11.0 / 21.0));
    assert_eq!(stability.coverage().segments, Some(3.0 / 5.0));
    assert_eq!((divergence(&before, &now), breaks([&before, &now])), (None, 0));
}

/// B06, G01, N02: one tool appended: the array's end moves, the old tools stay, the history behind them is lost.
#[test]
fn one_tool_appended() {
    let (before, now) = (array(&["aa", "bb"], &["sys", "hi"]), array(&["aa", "bb", "cc"], &["sys", "hi"]));
    let tools = compare(&before, &now, Section::Tools);
    // [aa,bb] is 7 bytes, of which all but the bracket stay; [aa,bb,cc] is 10.
    assert_eq!(tools.survival(), Shares { bytes: Some(6.0 / 7.0), tokens: Some(6.0 / 7.0), segments: Some(1.0) });
    assert_eq!(tools.coverage(), Shares { bytes: Some(0.6), tokens: Some(0.6), segments: Some(2.0 / 3.0) });
    let prompt = compare(&before, &now, Section::Prompt);
    // 7 + 4 + 3 = 14 before.
    assert_eq!(prompt.survival(), Shares { bytes: Some(6.0 / 14.0), tokens: Some(6.0 / 14.0), segments: Some(0.5) });
    let found = divergence(&before, &now).unwrap();
    // Segment 2 was the system text and is a tool now: nothing in it is compared.
    assert_eq!((found.kind, found.index, found.name.as_str(), found.offset), (Some(Kind::Tool), 2, "cc", Some(0)));
    assert_eq!(breaks([&before, &now]), 1);
    // After byte 6: cc only, a new definition.
    assert_eq!(Churn::of(Some(&before), &now), Churn { sent: 2, again: 0 });
}

/// B06, N02: a tool in front of the others keeps the scaffolding and what two names begin with, and no segment.
#[test]
fn one_tool_in_front() {
    let (before, now) = (array(&["aax", "bb"], &["sys"]), array(&["aay", "aax", "bb"], &["sys"]));
    let tools = compare(&before, &now, Section::Tools);
    // [aa of [aax,bb]: 3 of 8.
    assert_eq!(tools.survival(), Shares { bytes: Some(0.375), tokens: Some(0.375), segments: Some(0.0) });
    let found = divergence(&before, &now).unwrap();
    assert_eq!((found.kind, found.index, found.name.as_str(), found.offset), (Some(Kind::Tool), 0, "aay", Some(2)));
    // y of aay is new; aax and bb are sent again: 1 + 3 + 2.
    assert_eq!(Churn::of(Some(&before), &now), Churn { sent: 6, again: 5 });
}

/// B06: the same set in another order is a break.
#[test]
fn the_same_set_in_another_order() {
    let (before, now) = (array(&["aa", "bb"], &["sys"]), array(&["bb", "aa"], &["sys"]));
    let tools = compare(&before, &now, Section::Tools).survival();
    assert_eq!((tools.bytes, tools.segments), (Some(1.0 / 7.0), Some(0.0)));
    assert_eq!(Churn::of(Some(&before), &now), Churn { sent: 4, again: 4 });
}

/// N02: prompts that part inside a character have the bytes in common and not the token.
#[test]
fn parting_inside_a_character() {
    let (before, now) = (letters("aé"), letters("aè"));
    // é is C3 A9, è is C3 A8.
    let common = now.common(&before);
    assert_eq!((common.bytes, common.tokens, common.segments), (Some(2), 1, 0));
    assert_eq!(divergence(&before, &now).unwrap().offset, Some(2));
}

/// N02: prompts that part inside a token have the bytes in common and not the token; the segment takes whole tokens.
#[test]
fn parting_inside_a_token() {
    let text = |text: &str, ends: &[u64]| {
        Prompt::of_text(text.to_string(), ends.to_vec(), 0..0, [label(Kind::User, "", 0..5)])
    };
    let (before, now) = (text("abcdefg", &[3, 7]), text("abcdeXg", &[3, 7]));
    let common = now.common(&before);
    assert_eq!((common.bytes, common.tokens, common.segments), (Some(5), 1, 1));
    // Five bytes, in which one token ends.
    assert_eq!(now.segments()[0].tokens, 0..1);
    // All segments agree; the text behind them does not.
    let found = divergence(&before, &now).unwrap();
    assert_eq!((found.kind, found.index, found.offset), (None, 1, Some(5)));
    // The same bytes cut elsewhere: a token more on one side shifts nothing back.
    let cut = text("abcdefg", &[2, 3, 7]);
    assert_eq!((cut.common(&before).bytes, cut.common(&before).tokens), (Some(7), 0));
    let longer = text("abcdefgh", &[3, 8]);
    assert_eq!((longer.common(&before).bytes, longer.common(&before).tokens), (Some(7), 1));
}

/// N02: sections that stand at different places are compared from their own first byte.
#[test]
fn sections_at_different_places() {
    let at = |system: &str| {
        let text = format!("{system}[aa,bb]");
        let ends = (1..=text.len() as u64).collect();
        let start = system.len();
        let labels = [(Kind::System, 0..start), (Kind::Tool, start + 1..start + 3), (Kind::Tool, start + 4..start + 6)];
        let labels = labels.map(|(kind, range)| label(kind, "", range));
        Prompt::of_text(text.clone(), ends, start..text.len(), labels)
    };
    let tools = compare(&at("s"), &at("system"), Section::Tools);
    let all = Length { bytes: Some(7), tokens: 7, segments: 2 };
    assert_eq!((tools.common, tools.before, tools.now), (all, all, all));
    assert_eq!(at("s").common(&at("system")), Length { bytes: Some(1), tokens: 1, segments: 0 });
}

/// N02: a prompt that ends earlier parts at the old segment that is gone.
#[test]
fn a_shorter_prompt() {
    let (before, now) = (array(&["aa"], &["sys", "hi"]), array(&["aa"], &["sys"]));
    let found = divergence(&before, &now).unwrap();
    assert_eq!((found.kind, found.index, found.offset), (Some(Kind::User), 2, Some(0)));
    assert_eq!(compare(&before, &now, Section::Prompt).coverage().bytes, Some(1.0));
}

/// N02: without tools the tools section has no ratio, and the prompt has.
#[test]
fn no_tools_at_all() {
    let (before, now) = (array(&[], &["sys"]), array(&["aa"], &["sys"]));
    let tools = compare(&before, &now, Section::Tools);
    assert_eq!(tools.survival(), Shares { bytes: None, tokens: None, segments: None });
    assert_eq!(tools.coverage().bytes, Some(0.0));
    assert_eq!(compare(&before, &now, Section::Prompt).survival().bytes, Some(0.0));
}

/// N02: only the last segment changed: that is a volatile tail, and no break.
#[test]
fn a_volatile_tail_is_no_break() {
    let session = [array(&["aa"], &["sys", "one"]), array(&["aa"], &["sys", "two"]), array(&["bb"], &["sys", "two"])];
    assert_eq!(breaks(&session[..2]), 0);
    assert_eq!(breaks(&session), 1);
}

/// N02: with sizes only, bytes are not known, and every piece is whole or lost.
#[test]
fn sizes_without_text() {
    let (before, now) = (prompt(&[("T", 10), ("S", 30)]), prompt(&[("T", 10), ("T2", 5), ("S", 30)]));
    let shares = compare(&before, &now, Section::Prompt).survival();
    assert_eq!(shares, Shares { bytes: None, tokens: Some(0.25), segments: Some(0.5) });
    assert_eq!(compare(&before, &now, Section::Tools).coverage().tokens, Some(10.0 / 15.0));
    assert_eq!(divergence(&before, &now).unwrap().offset, None);
}

/// P14: a tool that leaves its place takes what stood behind it out of the prefix.
#[test]
fn a_demoted_tool() {
    let with = |tools: &[&'static str]| {
        let tools = tools.iter().map(|t| (*t, 300));
        prompt(&tools.chain([("S", 3000), ("U", 50)]).collect::<Vec<_>>())
    };
    let session = [with(&["T1", "T2", "T3"]), with(&["T1", "T3", "T4"]), with(&["T1", "T3", "T4"])];
    // T1 stays; T3 is sent again and T4 is new. The third request changes nothing.
    assert_eq!(Churn::of_session(&session), Churn { sent: 600, again: 300 });
    assert_eq!(breaks(&session), 1);
    let found = divergence(&session[0], &session[1]).unwrap();
    assert_eq!((found.index, found.name.as_str()), (1, "T3"));
}

/// P10: definitions inside the history count as definitions, and are no part of the tools section.
#[test]
fn definitions_in_the_history() {
    let before = prompt(&[("T", 10), ("S", 30), ("U", 5)]);
    let now = prompt(&[("T", 10), ("S", 30), ("U", 5), ("D", 300)]);
    assert_eq!(compare(&before, &now, Section::Tools).survival().tokens, Some(1.0));
    assert_eq!(Churn::of_session([&before, &now, &now]), Churn { sent: 300, again: 0 });
}
