use deferbench_core::cache::{Cheaper, Profile, Section, Stability, break_even, breaks, simulate};

use super::*;
use crate::profiles;

fn reference() -> Synthetic {
    Synthetic::parse(BUILT_IN[0].0, BUILT_IN[0].1).unwrap()
}

fn of(script: &Synthetic, seam: &str) -> Expanded {
    Expander::new(script).unwrap().expand(Seam::find(seam).unwrap()).unwrap()
}

fn sizes(expanded: &Expanded) -> Vec<u64> {
    expanded.requests.iter().map(|r| r.prompt.tokens()).collect()
}

/// G18: a session that never searches is its turns, and costs the constant array of always-on and search tool.
#[test]
fn a_session_without_searches() {
    let script = Synthetic { turns: 3, search: None, ..reference() };
    for seam in &SEAMS[1..] {
        // 1,200 + 300 + 3,000 = 4,500, then 600 for each turn; a bridge has its executor of 200 too.
        let own = if seam.name == "bridge" { 200 } else { 0 };
        assert_eq!(sizes(&of(&script, seam.name)), [4500 + own, 5100 + own, 5700 + own], "{}", seam.name);
        let eager = totals(&script, &SEAMS[0], &Profile::example(), Start::Cold).unwrap();
        let deferred = totals(&script, seam, &Profile::example(), Start::Cold).unwrap();
        assert!(deferred.cost < eager.cost);
        assert_eq!(deferred.requests, eager.requests);
    }
}

/// G02: with a search before every turn there are twice as many requests, each with its output.
#[test]
fn a_search_before_every_turn() {
    let search = reference().search.map(|s| Search { before_turns: vec![1, 2, 3], ..s });
    let script = Synthetic { turns: 3, search, ..reference() };
    let append = of(&script, "append");
    // 4,500; the search adds 60 + 120 and two tools of 300: 5,280; the turn 600: 5,880; and so on.
    assert_eq!(sizes(&append), [4500, 5280, 5880, 6660, 7260, 8040]);
    assert_eq!(append.after_turn, [2, 4, 6]);
    let totals = totals(&script, Seam::find("append").unwrap(), &Profile::example(), Start::Cold).unwrap();
    assert_eq!((totals.requests, totals.output, totals.peak), (6, 180, 8040));
}

/// G18: all tools activated: the last request is eager's, and the search tool and the searches.
#[test]
fn everything_is_activated() {
    let search = reference().search.map(|s| Search { before_turns: vec![1], activates: 50, ..s });
    let script = Synthetic { turns: 1, search, ..reference() };
    let eager = sizes(&of(&script, "eager"));
    let append = sizes(&of(&script, "append"));
    // Search tool 300, call 60, result 120.
    assert_eq!(append.last().copied().unwrap(), eager[0] + 300 + 180);
    // A search that asks for more than there are finds what is left.
    let search = script.search.clone().map(|s| Search { activates: 70, ..s });
    assert_eq!(sizes(&of(&Synthetic { search, ..script }, "append")), append);
}

/// G18: nothing to defer, nothing always on, no system text: no piece of size 0, and deferral can only cost.
#[test]
fn empty_parts() {
    let nothing = Synthetic { turns: 4, deferred: 0, ..reference() };
    for seam in &SEAMS[1..] {
        let found = of(&nothing, seam.name);
        assert!(found.requests.iter().all(|r| breaks([&found.shared.prompt, &r.prompt]) == 0));
        let series = crossings(&nothing, seam, &Profile::example(), Start::Cold, Axis::Turns(4)).unwrap().unwrap();
        assert_eq!(break_even(&series), None, "{}", seam.name);
    }
    let bare = Synthetic { always_on_tokens: 0, system_tokens: 0, turns: 1, search: None, ..reference() };
    let append = of(&bare, "append");
    assert_eq!(sizes(&append), [300]);
    assert_eq!(append.requests[0].prompt.segments().len(), 1);
    // One request: nothing before it, so no ratio.
    assert_eq!(Stability::of(None, &append.requests[0].prompt, Section::Prompt), None);
    let empty = Synthetic { turns: 0, search: None, ..reference() };
    let none = totals(&empty, &SEAMS[0], &Profile::example(), Start::Cold).unwrap();
    assert_eq!((none.requests, none.hit_ratio(), none.cost), (0, None, Some(0.0)));
}

/// G17, P11, P10: bridge and message keep the array and the history; the others break at each search.
#[test]
fn which_seams_break() {
    let broken = |seam: &str| breaks(of(&reference(), seam).requests.iter().map(|r| &r.prompt));
    assert_eq!(["eager", "newest_first", "registry", "append", "bridge", "message"].map(broken), [0, 3, 3, 3, 0, 0]);
}

/// P12: a group that is loaded as a whole breaks once where its tools one after the other break three times, and sends
/// what nobody asked for.
#[test]
fn a_group_breaks_once() {
    let searches = |before_turns: Vec<u64>, activates| {
        let search = reference().search.map(|s| Search { before_turns, activates, ..s });
        of(&Synthetic { search, ..reference() }, "append")
    };
    let (single, group) = (searches(vec![4, 9, 14], 2), searches(vec![4], 6));
    let broken = |e: &Expanded| breaks(e.requests.iter().map(|r| &r.prompt));
    assert_eq!((broken(&single), broken(&group)), (3, 1));
    // Six tools of 300 from turn 4 on; two fewer searches of 180.
    let at_turn = |e: &Expanded, turn: usize| e.requests[e.after_turn[turn - 1] - 1].prompt.tokens();
    assert_eq!(at_turn(&group, 8) - at_turn(&single, 8), 4 * 300);
    assert_eq!(at_turn(&single, 30) - at_turn(&group, 30), 2 * 180);
}

/// G18: along the catalog size deferral begins to pay where what is not sent outweighs the search.
#[test]
fn crossings_over_the_catalog_size() {
    let search = reference().search.map(|s| Search { before_turns: vec![1], ..s });
    let script = Synthetic { turns: 1, search, ..reference() };
    let profile = profiles::open("ref_no_cache").unwrap().profile;
    // Without a cache, in one turn after one search of 2 tools: 4,500 and 4,500 + 180 + 600, and 5 x 60 of output: 10,080.
    // Eager: 4,200 + 300 n: 10,200 at 20 tools, 9,900 at 19.
    let points: &[u64] = &[0, 1, 2, 5, 10, 18, 19, 20, 21, 50];
    let found = crossings(&script, Seam::find("append").unwrap(), &profile, Start::Cold, Axis::Deferred(points));
    let found: Vec<_> = found.unwrap().unwrap().into_iter().map(|c| (c.at, c.cheaper)).collect();
    assert_eq!(found, [(0, Cheaper::Second), (20, Cheaper::First)]);
}

/// N01: a cost that cannot be told gives no crossing, and a warm start of an unknown cache neither.
#[test]
fn unknown_costs_do_not_cross() {
    let gemini = profiles::open("gemini_implicit").unwrap().profile;
    let series = crossings(&reference(), Seam::find("append").unwrap(), &gemini, Start::Warm, Axis::Turns(5)).unwrap();
    assert_eq!(series, None);
}

/// B07, B08: the requests are the same every time, and a search is one more request.
#[test]
fn expansion_is_a_function() {
    let script = reference();
    assert_eq!(of(&script, "registry"), of(&script, "registry"));
    let count = |seam: &str| of(&script, seam).requests.len();
    assert_eq!((count("eager"), count("append")), (30, 33));
}

/// P10, P09: definitions in the history are found again at the breakpoint behind them.
#[test]
fn message_definitions_under_a_published_cache() {
    let anthropic = profiles::open("anthropic").unwrap().profile;
    let usages = simulate(&anthropic, &of(&reference(), "message").requests).unwrap();
    // Every request reads all of the one before.
    for pair in usages.windows(2) {
        assert_eq!(pair[1].hit, Ok(pair[0].prompt));
    }
    // The array grows: at each of three searches everything is written again, 4,500 and more.
    let append = simulate(&anthropic, &of(&reference(), "append").requests).unwrap();
    let misses = append.iter().skip(1).filter(|u| u.hit == Ok(0)).count();
    assert_eq!(misses, 3);
}

#[test]
fn wrong_scripts_are_refused() {
    let text = BUILT_IN[0].1;
    let refused =
        |from: &str, to: &str| Synthetic::parse("mine.toml", &text.replace(from, to)).unwrap_err().to_string();
    assert!(refused("turns = 30", "turns = -1").starts_with("session mine.toml: line 3: "));
    assert!(refused("turns = 30", "turns = 100001").contains("turns is 100001, the most is 100000"));
    assert!(refused("[4, 9, 14]", "[9, 4]").contains("turn 4 is not one of 1 to 30"));
    assert!(refused("[4, 9, 14]", "[0]").contains("turn 0 is not one of 1 to 30"));
    assert!(refused("turns = 30\n", "turns = 30\nextra = 1\n").contains("unknown field `extra`"));
}
