//! Single cases of a cache of written positions, each with its known answer.

use super::*;

/// So many messages of ten tokens, alternating user and assistant, after a system text of 2,000.
fn chat(messages: usize) -> Vec<(String, u64)> {
    let message = |i: usize| (format!("{}{i}", if i.is_multiple_of(2) { "U" } else { "A" }), 10);
    std::iter::once(("S".to_string(), 2000)).chain((0..messages).map(message)).collect()
}

fn request_of(pieces: &[(String, u64)]) -> Request {
    request(&pieces.iter().map(|(label, n)| (label.as_str(), *n)).collect::<Vec<_>>())
}

/// G03, P09: a request that adds more blocks than a breakpoint looks back at reads nothing, though every byte is the same.
#[test]
fn more_blocks_than_the_look_back() {
    for (added, hit) in [(1, 2010), (19, 2010), (20, 0), (21, 0), (40, 0)] {
        let session = [request_of(&chat(1)), request_of(&chat(1 + added))];
        // The breakpoint itself is the first of 20 positions: the 20th is 19 blocks before it.
        assert_eq!(hits(&entries(1024), &session), [0, hit], "{added} blocks");
        let stability = Stability::of(Some(&session[0].prompt), &session[1].prompt, Section::Prompt).unwrap();
        assert_eq!(stability.survival().tokens, Some(1.0));
    }
}

/// P09: a second breakpoint in the middle brings the entry back into sight.
#[test]
fn a_breakpoint_in_the_middle() {
    let session = [request_of(&chat(1)), request_of(&chat(26)).marked(&[16, 26])];
    // Segment 16 is the 16th message: 15 blocks after the first one, whose entry ends at 2,010.
    assert_eq!(hits(&entries(1024), &session), [0, 2010]);
    assert_eq!(written(&entries(1024), &session), [2010, 250]);
}

/// P09: several blocks of one message count one by one; a run of results is one position where runs are joined.
#[test]
fn parallel_calls_and_the_look_back() {
    let many = |kind: &str, n: usize| (0..n).map(|i| (format!("{kind}{i}"), 10)).collect::<Vec<_>>();
    let before = chat(1);
    let after = [before.clone(), many("C", 15), many("R", 15)].concat();
    let session = [request_of(&before), request_of(&after)];
    assert_eq!(hits(&entries(1024), &session), [0, 0]);
    let joined = with_entry(entries(1024), |m| m.lookback_joins_runs = Some(true));
    assert_eq!(hits(&joined, &session), [0, 2010]);

    let in_one = |blocks| {
        let results = Piece { blocks, ..piece("A9", 10) };
        let pieces = [piece("S", 2000), piece("U0", 10)];
        let second = Prompt::of_sizes(pieces.clone().into_iter().chain([results]));
        [Request::new(Prompt::of_sizes(pieces)), Request::new(second)]
    };
    assert_eq!(hits(&entries(1024), &in_one(19)), [0, 2010]);
    assert_eq!(hits(&entries(1024), &in_one(20)), [0, 0]);
}

/// P09: a fifth breakpoint is an error where the provider refuses it, and pushes the first out where the latest count.
#[test]
fn more_breakpoints_than_the_most() {
    let marked = request_of(&chat(6)).marked(&[0, 1, 2, 3, 4]);
    let error = simulate(&entries(1024), &[request_of(&chat(1)), marked.clone()]).unwrap_err();
    assert_eq!(error, CacheError::TooManyBreakpoints { request: 1, found: 5, most: 4 });
    assert!(error.to_string().contains("mark fewer blocks"));
    assert!(simulate(&entries(1024), &[request_of(&chat(6)).marked(&[0, 1, 2, 3])]).is_ok());
    // The automatic breakpoint takes one of the four.
    let both = Request { breakpoints: Breakpoints::Both(vec![0, 1, 2, 3]), ..request_of(&chat(6)) };
    assert!(simulate(&entries(1024), &[both]).is_err());
    let latest = with_entry(entries(1024), |m| m.beyond = Some(Beyond::Latest));
    // The entry after segment 0 is not written: who shares only the system text reads nothing.
    let other = request(&[("S", 2000), ("U", 10)]).marked(&[0]);
    assert_eq!(hits(&latest, &[marked, other.clone()]), [0, 0]);
    assert_eq!(hits(&latest, &[request_of(&chat(6)).marked(&[0, 1, 2, 3]), other]), [0, 2000]);
}

/// A breakpoint that is not there is an error.
#[test]
fn a_breakpoint_after_nothing() {
    let error = simulate(&entries(0), &[request(&[("S", 10)]).marked(&[1])]).unwrap_err();
    assert_eq!(error, CacheError::NoSuchSegment { request: 0, segment: 1, segments: 1 });
}

/// P10: an automatic breakpoint after a tail that always changes: a write at every step, and never a read.
#[test]
fn a_breakpoint_after_a_volatile_tail() {
    let openai = with_entry(entries(1024), |m| {
        m.placement = Placement::NewestUserOrTool;
        m.beyond = Some(Beyond::Latest);
        m.lookback_positions = Some(Setting::Off);
        m.lookback_breakpoints = Some(Setting::At(80));
    });
    let step = |tail: &'static str| request(&[("S", 9000), (tail, 100)]);
    let session = [step("U1"), step("U2"), step("U3")];
    assert_eq!((hits(&openai, &session), written(&openai, &session)), (vec![0, 0, 0], vec![9100, 9100, 9100]));
    // 3 x 1.25 x 9,100: more than without a cache, which is 3 x 9,100.
    assert!(close(cost(&openai, &session), 34125.0));
    // With a breakpoint of its own after the stable part: one write, then reads; the tail stays fresh.
    let marked: Vec<Request> = session.iter().cloned().map(|r| r.marked(&[0])).collect();
    assert_eq!((hits(&openai, &marked), written(&openai, &marked)), (vec![0, 9000, 9000], vec![9000, 0, 0]));
    // 1.25 x 9,000 + 100 + 2 x (0.1 x 9,000 + 100).
    assert!(close(cost(&openai, &marked), 13350.0));
}

/// P10: a conversation that grows is read at the message where the breakpoint stood before, however many blocks ago.
#[test]
fn earlier_messages_are_looked_at() {
    let openai = |breakpoints| {
        with_entry(entries(1024), |m| {
            m.placement = Placement::NewestUserOrTool;
            m.lookback_positions = Some(Setting::Off);
            m.lookback_breakpoints = Some(Setting::At(breakpoints));
        })
    };
    // Messages 0, 2, 4 .. are the user's: the first request writes after message 0, the second after message 60.
    let session = [request_of(&chat(1)), request_of(&chat(62))];
    assert_eq!((hits(&openai(80), &session), written(&openai(80), &session)), (vec![0, 2010], vec![2010, 600]));
    // 31 messages of the user: with 31 the first one is still looked at, with 30 it is not.
    assert_eq!((hits(&openai(31), &session), hits(&openai(30), &session)), (vec![0, 2010], vec![0, 0]));
}

/// P10: in a loop of tools the automatic breakpoint follows the newest result; calls and answers carry none.
#[test]
fn the_breakpoint_follows_the_results() {
    let openai = with_entry(entries(1024), |m| {
        m.placement = Placement::NewestUserOrTool;
        m.lookback_positions = Some(Setting::Off);
    });
    let all = [("S", 2000), ("U1", 10), ("C1", 20), ("R1", 30), ("A1", 40), ("C2", 50), ("R2", 60)];
    let session = [request(&all[..2]), request(&all[..4]), request(&all[..5]), request(&all)];
    // Written after U1, R1, R1 and R2.
    assert_eq!(written(&openai, &session), [2010, 50, 0, 150]);
    assert_eq!(hits(&openai, &session), [0, 2010, 2060, 2060]);
}

/// P09: a breakpoint at an entry that lives uses it, even where a longer one is read.
#[test]
fn a_marked_entry_is_used() {
    let at = |pieces: &[(&str, u64)], marks: &[usize], at| request(pieces).marked(marks).at(at, 0, 0);
    let first = [("S", 2000), ("U1", 10)];
    let second = [("S", 2000), ("U1", 10), ("U2", 10)];
    let other = [("S", 2000), ("U9", 10)];
    let marked = [at(&first, &[0, 1], 0), at(&second, &[0, 2], 200), at(&other, &[0], 400)];
    assert_eq!(hits(&entries(1024), &marked), [0, 2010, 2000]);
    // Without the mark at the second request the entry after the system text is 400 seconds old.
    let unmarked = [at(&first, &[0, 1], 0), at(&second, &[2], 200), at(&other, &[0], 400)];
    assert_eq!(hits(&entries(1024), &unmarked), [0, 2010, 0]);
}

/// DeepSeek's own example: what two requests share becomes a unit when the second comes, so the third reads it.
#[test]
fn units_at_a_common_prefix() {
    let deepseek = units(Setting::Off);
    let session = [("U1", 70), ("U2", 80), ("U3", 90)].map(|tail| request(&[("S", 500), tail]));
    assert_eq!(hits(&deepseek, &session), [0, 0, 500]);
    // A request that continues a whole one reads all of it: its end is a unit.
    let grown = [request(&[("S", 500), ("U1", 70)]), request(&[("S", 500), ("U1", 70), ("A1", 30), ("U2", 10)])];
    // The answer ends in a unit too: 500 + 70 + 30.
    assert_eq!(hits(&deepseek, &grown), [0, 600]);
    // Who continues with other words than the answer reads up to the question only.
    let other = request(&[("S", 500), ("U1", 70), ("A2", 30), ("U2", 10)]);
    assert_eq!(hits(&deepseek, &[grown[0].clone(), grown[1].clone(), other]), [0, 600, 570]);
    // A unit at every 64 tokens: 7 x 64 = 448 of 500 from the second on.
    assert_eq!(hits(&units(Setting::At(64)), &session), [0, 448, 500]);
}

/// Each kind of unit is written only where the cache has it.
#[test]
fn units_of_one_kind() {
    let only = |change: fn(&mut Units)| {
        let mut none =
            Units { end_of_input: false, end_of_output: false, common_prefix: false, interval: Some(Setting::Off) };
        change(&mut none);
        with_entry(units(Setting::Off), |m| m.units = Some(none))
    };
    let session = [
        request(&[("S", 500), ("U1", 70)]),
        request(&[("S", 500), ("U1", 70), ("A1", 30), ("U2", 10)]),
        request(&[("S", 500), ("U3", 70)]),
        request(&[("S", 500), ("U4", 70)]),
    ];
    assert_eq!(hits(&only(|_| {}), &session), [0, 0, 0, 0]);
    assert_eq!(hits(&only(|u| u.end_of_input = true), &session), [0, 570, 0, 0]);
    assert_eq!(hits(&only(|u| u.end_of_output = true), &session), [0, 600, 0, 0]);
    // The second request shares 570 with the first, the third 500 with both.
    assert_eq!(hits(&only(|u| u.common_prefix = true), &session), [0, 0, 0, 500]);
    assert_eq!(hits(&only(|u| u.interval = Some(Setting::At(200))), &session), [0, 400, 400, 400]);
}

/// P09: tools and system text as a named resource: what follows them is always fresh, and a new tool is a new resource.
#[test]
fn a_named_resource() {
    let gemini = with_entry(entries(1024), |m| {
        m.placement = Placement::ToolsAndSystem;
        m.lookback_positions = Some(Setting::Off);
    });
    let step = |tools: u64, user: &'static str| {
        request(&[("S", 3000), (if tools == 1 { "T1" } else { "T2" }, 300), (user, 50)])
    };
    let session = [step(1, "U1"), step(1, "U2"), step(2, "U3"), step(1, "U4")];
    assert_eq!(hits(&gemini, &session), [0, 3300, 0, 3300]);
    assert_eq!(written(&gemini, &session), [3300, 0, 3300, 0]);
    let fresh: Vec<u64> = simulate(&gemini, &session).unwrap().iter().map(|u| u.fresh().unwrap()).collect();
    assert_eq!(fresh, [50, 50, 50, 50]);
}

pub(super) fn units(interval: Setting) -> Profile {
    with_entry(entries(0), |m| {
        m.placement = Placement::None;
        m.units =
            Some(Units { end_of_input: true, end_of_output: true, common_prefix: true, interval: Some(interval) });
    })
}
