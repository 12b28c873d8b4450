use deferbench_core::entry::{ENTRIES, Entry};
use deferbench_core::order::{self, ORDERS, Order};
use deferbench_core::surface::SurfaceConfig;
use deferbench_core::{Tool, policy, rank};

use super::*;
use crate::layout::LAYOUTS;
use crate::script::{Task, Turn};

fn catalog() -> Catalog {
    let tool = |(name, text): (&str, &str)| Tool::new(name, Some(text), r#"{"type":"object"}"#).unwrap();
    let tools = [("mail_send", "Sends a letter."), ("clock", "Tells the time."), ("file_read", "Reads a file.")];
    Catalog::new(tools.map(tool).to_vec()).unwrap()
}

fn need(query: &str, tool: u32) -> Turn {
    let task = Task { queries: vec![query.into()], needs: vec![vec![ToolId(tool)]] };
    Turn::new("Do it.", vec![task])
}

fn play(policy: &str, order: &Order, entry: &'static Entry, layout: &'static Layout, script: &Script) -> Played {
    play_on(&catalog(), policy, order, entry, layout, script)
}

fn play_on(
    catalog: &Catalog,
    policy: &str,
    order: &Order,
    entry: &'static Entry,
    layout: &'static Layout,
    script: &Script,
) -> Played {
    let built = rank::build("fielded", catalog).unwrap();
    let (_, policy) = policy::build(policy).unwrap();
    let config = SurfaceConfig {
        catalog: Arc::new(catalog.clone()),
        ranker: built.ranker,
        policy,
        order: order::build(order.name).unwrap(),
        entry,
        threshold: deferbench_core::threshold::Threshold::Always,
        search_tool: None,
        always_on: Vec::new(),
        key: "default".to_string(),
    };
    let surface = Arc::new(Surface::new(config).unwrap());
    let counters = [CounterEntry::find("chars4").unwrap()];
    Player::new(catalog, &surface, layout, &counters, &[], None).play(script).unwrap()
}

fn script(turns: Vec<Turn>) -> Script {
    Script { name: "test".into(), search: When::Hidden, turns }
}

fn simple(policy: &str, script: &Script) -> Played {
    play(policy, ORDERS[0], ENTRIES[0], LAYOUTS[0], script)
}

/// B08: one need by hand. Eager: user -> call -> end, two requests. Deferred: user -> search -> call -> end, three.
#[test]
fn one_need_costs_one_request_more() {
    let script = script(vec![need("letter", 0)]);
    let causes = |p: &Played| p.requests.iter().map(|r| r.cause.clone()).collect::<Vec<_>>();
    let eager = simple("eager", &script);
    assert_eq!((causes(&eager), eager.met, eager.searches), (vec!["user".into(), "call".into()], 1, 0));
    let deferred = simple("cumulative", &script);
    assert_eq!(causes(&deferred), ["user", "search", "call"]);
    assert_eq!((deferred.met, deferred.searches, deferred.empty_searches), (1, 1, 0));
}

/// A tool that the query does not bring is searched for again, by its exact name: user -> search -> search -> call -> end.
#[test]
fn a_missed_need_costs_a_second_search() {
    let played = simple("cumulative", &script(vec![need("weather", 0)]));
    assert_eq!((played.met, played.retried, played.searches, played.empty_searches), (1, 1, 2, 1));
    let causes: Vec<&str> = played.requests.iter().map(|r| r.cause.as_str()).collect();
    assert_eq!(causes, ["user", "search", "search", "call"]);
}

/// Two needs in one task: what the first search brought is called before the second search takes it away.
#[test]
fn found_tools_are_called_before_the_next_search() {
    let task = Task { queries: vec!["time".into()], needs: vec![vec![ToolId(0)], vec![ToolId(1)]] };
    let turn = Turn::new("Do both.", vec![task]);
    for policy in ["cumulative", "replace"] {
        let played = simple(policy, &script(vec![turn.clone()]));
        assert_eq!((played.met, played.retried, played.searches, played.requests.len()), (2, 1, 2, 5), "{policy}");
    }
}

/// One second search that brings two missing tools is one search: user -> search -> search -> call -> call -> end.
#[test]
fn a_second_search_may_serve_two_needs() {
    let tool = |name: &str| Tool::new(name, Some("Letters."), "{}").unwrap();
    let catalog = Catalog::new(["mail_send", "mail_list", "clock"].map(tool).to_vec()).unwrap();
    let task = Task { queries: vec!["weather".into()], needs: vec![vec![ToolId(0)], vec![ToolId(1)]] };
    let script = script(vec![Turn::new("Do both.", vec![task])]);
    let played = play_on(&catalog, "cumulative", ORDERS[0], ENTRIES[0], LAYOUTS[0], &script);
    assert_eq!((played.met, played.retried, played.searches, played.requests.len()), (2, 1, 2, 5));
}

/// A need that a ceiling keeps out stays unmet, and the note names it.
#[test]
fn a_ceiling_leaves_a_need_unmet() {
    let played = simple("replace(active=1)", &script(vec![need("letter", 0)]));
    assert_eq!((played.met, played.retried, played.searches), (0, 0, 2));
    assert!(played.notes[0].contains("\"mail_send\""), "{:?}", played.notes);
}

/// Under `cumulative` a tool found once needs no second search; under `replace` another search has taken it away.
#[test]
fn what_was_found_stays_or_goes() {
    let script = script(vec![need("letter", 0), need("time", 1), need("letter", 0)]);
    assert_eq!(simple("cumulative", &script).searches, 2);
    assert_eq!(simple("replace", &script).searches, 3);
}

/// G14: two tools by turns, each searched for once and then called by name. By hand, ten turns of call and closing: 20
/// requests; `cumulative` adds the two searches, `replace` one repaired call more, the published repair one in each of
/// the eight turns after them.
#[test]
fn two_tools_by_turns() {
    let turns: Vec<Turn> = (0..10).map(|i| need(["mail_send", "clock"][i % 2], (i % 2) as u32)).collect();
    let script = Script { search: When::Unknown, ..script(turns) };
    for (policy, requests, repaired) in
        [("cumulative", 22, 0), ("replace(results=1)", 23, 1), ("replace(results=1,compat=upstream)", 30, 8)]
    {
        let played = simple(policy, &script);
        let counts = (played.requests.len(), played.repaired, played.searches, played.retried, played.met);
        assert_eq!(counts, (requests, repaired, 2, 0, 10), "{policy}");
    }
}

/// G01: over all orders, entries and layouts the same tools are called after the same searches.
#[test]
fn seams_change_nothing_but_the_text() {
    let script = script(vec![need("letter", 0), need("time", 1), need("file", 2)]);
    for policy in ["cumulative", "replace"] {
        let reference = simple(policy, &script);
        for order in ORDERS {
            for (entry, layout) in ENTRIES.iter().flat_map(|e| LAYOUTS.iter().map(move |l| (e, l))) {
                if entry.fits(true, order).is_err() {
                    continue;
                }
                let played = play(policy, order, entry, layout, &script);
                let facts = |p: &Played| {
                    let rows = p.requests.iter().map(|r| (r.active_tools, r.cause.clone()));
                    (rows.collect::<Vec<_>>(), p.met, p.activated)
                };
                let seam = format!("{policy} {} {} {}", order.name, entry.name, layout.name);
                assert_eq!(facts(&played), facts(&reference), "{seam}");
                let sent = |p: &Played| p.requests.iter().map(|r| (r.tools_sent, r.schema_bytes)).collect::<Vec<_>>();
                assert!(entry.name != "list" || sent(&played) == sent(&reference), "{seam}");
            }
        }
    }
}

/// B06, G01: under `append` the tools section of a request survives up to its closing bracket, and the break is the new tool.
#[test]
fn append_keeps_the_tools_section() {
    let script = script(vec![need("letter", 0), need("time", 1)]);
    let append = order::build("append").unwrap().order;
    let played = play("cumulative", append, ENTRIES[0], LAYOUTS[0], &script);
    for pair in played.requests.windows(2) {
        let grown = pair[1].tools_sent > pair[0].tools_sent;
        let kept = pair[0].tools.units - u64::from(grown);
        assert_eq!(pair[1].tools.kept, Some(kept));
        assert_eq!(pair[1].tools.survival, Some(kept as f64 / pair[0].tools.units as f64));
        assert_eq!(pair[1].tools.coverage, Some(kept as f64 / pair[1].tools.units as f64));
    }
    assert_eq!(played.requests[0].tools.survival, None);
    let breaks: Vec<_> =
        played.requests.iter().filter_map(|r| r.divergence.clone()).map(|d| (d.kind, d.name, d.offset)).collect();
    assert_eq!(breaks, [("tool".into(), "mail_send".into(), 0), ("tool".into(), "clock".into(), 0)]);
    // A request that only adds messages keeps the whole previous prompt.
    assert_eq!(played.requests[2].prompt.survival, Some(1.0));
}

/// The first differing segment, by hand.
#[test]
fn divergence_by_hand() {
    let layout = LAYOUTS[0];
    let tool = |name: &str, text: &str| Tool::new(name, Some(text), "{}").unwrap();
    let (a, b, a2) = (tool("a", "one"), tool("b", "two"), tool("a", "onx"));
    let render = |tools: Vec<&Tool>, system: &str| {
        let r = (layout.render)(&Parts { tools, system, ..Parts::default() });
        (r.text, r.segments.iter().map(|s| (s.kind, s.range.clone())).collect::<Vec<_>>())
    };
    let diverge = |x: (Vec<&Tool>, &str), y: (Vec<&Tool>, &str)| {
        let x = (layout.render)(&Parts { tools: x.0.iter().map(|t| &**t).collect(), system: x.1, ..Parts::default() });
        let y = (layout.render)(&Parts { tools: y.0.iter().map(|t| &**t).collect(), system: y.1, ..Parts::default() });
        divergence(&x, &y, layout).map(|d| (d.kind, d.name, d.offset))
    };
    let place = |kind: &str, name: &str, offset| Some((kind.to_string(), name.to_string(), offset));
    assert_eq!(diverge((vec![&a], "s"), (vec![&a], "s")), None);
    assert_eq!(
        diverge((vec![&a], "s"), (vec![&b, &a], "s")),
        place("tool", "b", {
            // `{"type":"function","function":{"name":"` is the same in both items.
            r#"{"type":"function","function":{"name":""#.len() as u64
        })
    );
    assert_eq!(diverge((vec![&a, &b], "s"), (vec![&a], "s")).map(|d| (d.0, d.1)), Some(("system".into(), "0".into())));
    let inside = render(vec![&a], "s").0.find("one").unwrap() as u64 + 2 - 1;
    assert_eq!(diverge((vec![&a], "s"), (vec![&a2], "s")), place("tool", "a", inside));
    // `{"role":"system","content":"` is the same in both system segments.
    assert_eq!(
        diverge((vec![&a], "s"), (vec![&a], "t")),
        place("system", "0", r#"{"role":"system","content":""#.len() as u64)
    );
}
