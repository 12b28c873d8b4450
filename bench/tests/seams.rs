//! How much of a prompt survives under each order and entry? Every number here is worked out by hand from the texts.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::sync::Arc;

use deferbench::layout::{Kind, Layout, Parts, Rendered, Unit};
use deferbench::run::prepare;
use deferbench::scenario::Scenario;
use deferbench::script::{Script, Task, Turn, When};
use deferbench::session::{Played, Player, parts};
use deferbench_core::entry::{ENTRIES, Entry};
use deferbench_core::order::{self, ORDERS};
use deferbench_core::session::Session;
use deferbench_core::surface::{Surface, SurfaceConfig};
use deferbench_core::transcript::{Call, Output};
use deferbench_core::{Catalog, Limits, Tool, ToolId, policy, rank};

/// What stands before a tool's name in an item of L1.
const BEFORE_NAME: &str = r#"{"type":"function","function":{"name":""#;

const TEXTS: [(&str, &str); 3] =
    [("mail_send", "Sends a letter."), ("clock", "Tells the time."), ("file_read", "Reads a file.")];

fn tool(name: &str, text: &str) -> Tool {
    Tool::new(name, Some(text), r#"{"type":"object"}"#).unwrap()
}

fn tools() -> Vec<Tool> {
    tools_of(&TEXTS)
}

fn tools_of(texts: &[(&str, &str)]) -> Vec<Tool> {
    texts.iter().map(|(name, text)| tool(name, text)).collect()
}

/// An item of L1, spelled out.
fn item(name: &str, text: &str, schema: &str) -> String {
    format!(r#"{BEFORE_NAME}{name}","description":"{text}","parameters":{schema}}}}}"#)
}

fn l1() -> &'static Layout {
    Layout::find("L1").unwrap()
}

fn surface(tools: Vec<Tool>, policy: &str, order: &str, entry: &str) -> Arc<Surface> {
    let catalog = Arc::new(Catalog::new(tools).unwrap());
    let ranker = rank::build("exact", &catalog).unwrap().ranker;
    let config = SurfaceConfig::new(catalog, policy::build(policy).unwrap().1).unwrap();
    let (order, entry) = (order::build(order).unwrap(), Entry::find(entry).unwrap());
    Arc::new(Surface::new(SurfaceConfig { ranker, order, entry, ..config }).unwrap())
}

/// The array `[search]` of a surface, spelled out.
fn search_alone(surface: &Surface) -> String {
    let search = surface.search_tool().unwrap();
    format!("[{}]", item(search.name(), search.description().unwrap(), search.schema_json()))
}

fn need(tool: u32) -> Turn {
    let needs = vec![vec![ToolId(tool)]];
    Turn::new("Do it.", vec![Task { queries: vec![TEXTS[tool as usize].0.into()], needs }])
}

fn play_on(surface: &Arc<Surface>, turns: Vec<Turn>) -> Played {
    let script = Script { name: "test".into(), search: When::Hidden, turns };
    Player::new(surface.catalog(), surface, l1(), &[], &[], None).play(&script).unwrap()
}

/// One need: the requests after the user's words, after the search, and after the call.
fn one_need(order: &str, entry: &str) -> (Arc<Surface>, Played) {
    let surface = surface(tools(), "cumulative", order, entry);
    let played = play_on(&surface, vec![need(0)]);
    assert_eq!((played.requests.len(), played.met), (3, 1));
    (surface, played)
}

/// B06, N02: the first activation, by hand. In the registry's order the new tool stands before the search tool, and
/// nothing but the beginning of its item survives; `append` keeps everything up to the closing bracket; entries that write
/// into the history keep the whole prompt; a filled slot breaks behind its name.
#[test]
fn survival_of_the_first_activation_by_hand() {
    let name = |played: &Played| played.requests[1].divergence.clone().map(|d| (d.kind, d.name, d.offset));
    let place = |kind: &str, name: &str, offset: usize| Some((kind.to_string(), name.to_string(), offset as u64));

    let (surface, played) = one_need("registry", "list");
    let old = search_alone(&surface).len() as u64;
    let broken = "[".len() + BEFORE_NAME.len();
    assert_eq!((played.requests[0].tools.units, played.requests[1].tools.kept), (old, Some(broken as u64)));
    assert_eq!(played.requests[1].tools.survival, Some(broken as f64 / old as f64));
    assert_eq!(played.requests[1].prompt.kept, Some(broken as u64));
    assert_eq!(name(&played), place("tool", "mail_send", BEFORE_NAME.len()));

    let (_, played) = one_need("append", "list");
    assert_eq!((played.requests[1].tools.kept, played.requests[1].prompt.kept), (Some(old - 1), Some(old - 1)));
    assert_eq!(played.requests[1].prompt.survival, Some((old - 1) as f64 / played.requests[0].prompt.units as f64));
    assert_eq!(name(&played), place("tool", "mail_send", 0));

    for entry in ["message", "reference", "bridge"] {
        for order in ORDERS.iter().map(|o| o.name).filter(|o| *o != "shuffled") {
            let (_, played) = one_need(order, entry);
            assert_eq!(played.requests[0].prompt.survival, None);
            for request in &played.requests[1..] {
                assert_eq!(
                    (request.prompt.survival, request.tools.survival),
                    (Some(1.0), Some(1.0)),
                    "{order} {entry}"
                );
                assert_eq!(request.divergence, None, "{order} {entry}");
            }
        }
    }

    // clock and file_read are stubs, then mail_send is filled: {"name":"mail_send","d against {"name":"mail_send","p
    let (_, played) = one_need("sorted", "slots");
    let stub = |name: &str| format!(r#"{BEFORE_NAME}{name}","parameters":{{"type":"object"}}}}}}"#);
    let filled = format!(r#"{BEFORE_NAME}mail_send",""#);
    let kept = format!("[{},{},{filled}", stub("clock"), stub("file_read")).len() as u64;
    assert_eq!(played.requests[1].tools.kept, Some(kept));
    assert_eq!(name(&played), place("tool", "mail_send", filled.len()));
    assert_eq!(played.requests[2].prompt.survival, Some(1.0), "the array stands still until the next activation");
}

/// Requests of a session in which a tool is searched for at each step, rendered under L1.
fn prompts(surface: &Arc<Surface>, queries: &[&str]) -> Vec<(String, String)> {
    let mut session = Session::new(surface.clone(), "run-1");
    let mut out = vec![prompt(&mut session)];
    for (i, query) in queries.iter().enumerate() {
        let request = session.step(&[]).unwrap();
        let call = Call::new(format!("c{i}"), "tool_search", format!(r#"{{"query":"{query}"}}"#));
        let calls = session.receive(&request, &format!("s{i}"), "", vec![call]);
        session.search(&calls[0]);
        out.push(prompt(&mut session));
    }
    out
}

/// The tools section and the whole prompt of the next request.
fn prompt(session: &mut Session) -> (String, String) {
    let request = session.step(&[]).unwrap();
    let surface = session.surface().clone();
    let rendered = (l1().render)(&parts(&surface, &request, session.transcript().events()));
    (rendered.text[rendered.tools.clone()].to_string(), rendered.text)
}

/// P09, P10, P11, P12: where the definition stands under each entry that writes into the history, as text and as a segment; the
/// bridge's call goes on standing there as the executor's, though it was carried out as the tool's.
#[test]
fn definitions_in_the_history() {
    let definition = item("mail_send", "Sends a letter.", r#"{"type":"object"}"#);
    for (entry, line) in [
        ("message", format!(r#"{{"role":"system","tools":[{definition}]}}"#)),
        ("reference", format!(r#"{{"type":"tool_reference","tool_name":"mail_send","tool":{definition}}}"#)),
        ("bridge", serde_json::json!({"role": "tool", "tool_call_id": "c1", "content": definition}).to_string()),
    ] {
        let surface = surface(tools(), "cumulative", "append", entry);
        let mut session = Session::new(surface.clone(), "run-1");
        let request = session.step(&[]).unwrap();
        let search = Call::new("c1", "tool_search", r#"{"query":"mail_send"}"#);
        let calls = session.receive(&request, "s1", "", vec![search]);
        let answer = session.search(&calls[0]);
        let request = session.step(&[]).unwrap();
        let call = surface.written(&request, Call::new("c2", "mail_send", r#"{"input":1}"#));
        let calls = session.receive(&request, "s2", "", vec![call]);
        assert_eq!((calls[0].name.as_str(), calls[0].arguments.as_str()), ("mail_send", r#"{"input":1}"#));
        session.result(&calls[0], Output::Text("Sent.".into()));

        let request = session.step(&[]).unwrap();
        let made = parts(&surface, &request, session.transcript().events());
        let rendered: Rendered = (l1().render)(&made);
        let found = rendered.segments.iter().position(|s| s.kind == Kind::Definition).unwrap();
        assert_eq!(
            (rendered.segments[found].tool, &rendered.text[rendered.segments[found].range.clone()]),
            ("mail_send", &*line)
        );
        let before = &rendered.text[rendered.segments[found - 1].range.clone()];
        let result = serde_json::json!({"role": "tool", "tool_call_id": "c1", "content": answer.output.text()});
        assert_eq!(before, result.to_string(), "{entry}: right behind the search result");
        let bridged =
            serde_json::json!({"name": "tool_call", "arguments": r#"{"name":"mail_send","arguments":{"input":1}}"#});
        assert_eq!(rendered.text.contains(&bridged.to_string()), entry == "bridge");
        // Deferred definitions are sent, and are no part of the prompt.
        let deferred: Vec<&str> = made.deferred.iter().map(|t| t.name()).collect();
        let expected: &[&str] = if entry == "reference" { &["clock", "file_read", "mail_send"] } else { &[] };
        assert_eq!(deferred, expected);
        assert!(!rendered.text.contains("file_read"));
    }
}

/// E.5 case 1: the same tools in another order. Only the bracket and the beginning of an item survive, though nothing was
/// activated.
#[test]
fn e5_1_the_same_set_in_another_order() {
    let (a, b) = (tool("a", "One."), tool("b", "Two."));
    let render = |tools| (l1().render)(&Parts { tools, ..Parts::default() });
    let (first, second) = (render(vec![&a, &b]), render(vec![&b, &a]));
    let kept = Unit::Utf8.common_prefix(&first.text[first.tools.clone()], &second.text[second.tools.clone()]);
    assert_eq!(kept, ("[".len() + BEFORE_NAME.len()) as u64);
    assert_eq!(first.tools, second.tools, "of one length");
    // In a session: the model says something, the set stays, and `shuffled` moves it all the same.
    let texts = [("a", ""), ("b", ""), ("c", ""), ("d", ""), ("e", ""), ("f", "")];
    let surface = surface(tools_of(&texts), "cumulative", "shuffled", "list");
    let mut session = Session::new(surface, "run-1");
    let (mut sections, names) = (Vec::new(), ["a", "b", "c", "d", "e", "f"]);
    let request = session.step(&[]).unwrap();
    let search = |n: &str| Call::new(n, "tool_search", format!(r#"{{"query":"{n}"}}"#));
    for call in session.receive(&request, "s0", "", names.map(search).to_vec()) {
        session.search(&call);
    }
    for step in 1..8 {
        sections.push(prompt(&mut session).0);
        let request = session.step(&[]).unwrap();
        session.receive(&request, &format!("s{step}"), "Well.", vec![]);
    }
    assert!(sections.iter().all(|s| s.len() == sections[0].len()));
    assert!(sections.windows(2).all(|pair| pair[0] != pair[1]), "seven tools, seven steps, no two alike");
}

/// E.5 case 5: the activated name sorts first, last, or begins like the one that stands there.
#[test]
fn e5_5_where_the_new_name_sorts() {
    let kept = |old: &str, new: &str| {
        let surface = surface(tools_of(&[(old, "Old."), (new, "New.")]), "cumulative", "sorted", "list");
        let all = prompts(&surface, &[old, new]);
        (Unit::Utf8.common_prefix(&all[1].0, &all[2].0) as usize, all[1].0.len())
    };
    let start = "[".len() + BEFORE_NAME.len();
    assert_eq!(kept("mcp__x__ab", "a").0, start);
    // The names share `mcp__x__a`; then a quote faces the letter b.
    assert_eq!(kept("mcp__x__ab", "mcp__x__a").0, start + "mcp__x__a".len());
    let (whole, old) = kept("mcp__x__ab", "zz");
    assert_eq!(whole, old - 1, "all but the closing bracket");
}

/// E.5 case 19: a replaced selection breaks the prefix at the tool that left; when the old set is active again, its tools
/// section is the older request's, byte for byte, in every order that is a function of the set.
#[test]
fn e5_19_an_old_set_comes_back() {
    for (order, entry) in [("sorted", "list"), ("append", "list"), ("partitioned", "list"), ("sorted", "slots")] {
        let surface = surface(tools(), "replace", order, entry);
        let all = prompts(&surface, &["mail_send", "clock", "mail_send"]);
        assert_ne!(all[1].0, all[2].0, "{order} {entry}");
        assert_eq!(all[1].0, all[3].0, "{order} {entry}");
        let previous = Unit::Utf8.common_prefix(&all[2].0, &all[3].0);
        assert!(previous < all[3].0.len() as u64, "the previous request alone would not show it");
    }
    // [clock, tool_search] against [mail_send, tool_search]: only the beginning of an item.
    let surface = surface(tools(), "replace", "sorted", "list");
    let all = prompts(&surface, &["mail_send", "clock"]);
    assert_eq!(Unit::Utf8.common_prefix(&all[1].0, &all[2].0), ("[".len() + BEFORE_NAME.len()) as u64);
}

/// E.5 case 20: a fork renders what its parent renders, and `append` has the activation order back after resume: the names
/// alone, by code point, would give another.
#[test]
fn e5_20_a_fork_hits_its_parent() {
    for entry in ["list", "message", "reference", "bridge"] {
        for policy in ["cumulative", "replace(results=1,selected=2)"] {
            let surface = surface(tools(), policy, "append", entry);
            let mut parent = Session::new(surface.clone(), "run-1");
            let request = parent.step(&[]).unwrap();
            let search = |n: &str| Call::new(n, "tool_search", format!(r#"{{"query":"{n}"}}"#));
            for call in parent.receive(&request, "s1", "", ["mail_send", "clock"].map(search).to_vec()) {
                parent.search(&call);
            }
            let mut child = Session::resume(surface, parent.transcript().clone());
            let (section, text) = prompt(&mut child);
            assert_eq!(text, prompt(&mut parent).1, "{entry} {policy}");
            let place = |name: &str| section.find(&format!("\"{name}\""));
            assert_eq!(entry == "list", place("mail_send") < place("clock"), "{entry} {policy}");
        }
    }
}

/// E.5 case 21: the catalog changes in the middle of a session: a late server, one that goes, an edited description, and a
/// reconnect in another order.
#[test]
fn e5_21_the_catalog_changes() {
    let sections = |order: &str, entry: &str, changed: Vec<Tool>| {
        let before = surface(tools(), "cumulative", order, entry);
        let mut session = Session::new(before, "run-1");
        for name in ["mail_send", "clock"] {
            let request = session.step(&[]).unwrap();
            let call = Call::new(name, "tool_search", format!(r#"{{"query":"{name}"}}"#));
            let calls = session.receive(&request, name, "", vec![call]);
            session.search(&calls[0]);
        }
        let after = surface(changed, "cumulative", order, entry);
        let mut resumed = Session::resume(after, session.transcript().clone());
        (prompt(&mut session), prompt(&mut resumed))
    };
    let kept = |a: &str, b: &str| Unit::Utf8.common_prefix(a, b) as usize;

    // A late tool that nobody has found yet is no part of the prompt, except where every name has a slot.
    let late = [&tools()[..], &[tool("late", "Comes late.")]].concat();
    for entry in ["list", "message", "reference", "bridge"] {
        let (before, after) = sections("append", entry, late.clone());
        assert_eq!(before, after, "{entry}");
    }
    let (before, after) = sections("sorted", "slots", late);
    // clock and file_read stand before it, mail_send behind.
    let ahead = after.0.find("late").unwrap();
    assert_eq!(kept(&before.0, &after.0), ahead);

    // A tool that is gone leaves the array: [search, mail_send, clock] becomes [search, clock].
    let (before, after) = sections("append", "list", tools_of(&TEXTS[1..]));
    assert_eq!(kept(&before.0, &after.0), before.0.find("mail_send").unwrap());

    // An edited description breaks where the words part, in the array or in the history.
    let edited = tools_of(&[("mail_send", "Sends a parcel."), TEXTS[1], TEXTS[2]]);
    for entry in ["list", "message", "bridge"] {
        let (before, after) = sections("append", entry, edited.clone());
        assert_eq!(kept(&before.1, &after.1), before.1.find("letter.").unwrap(), "{entry}");
    }

    // A reconnect that turns the listing round: whoever hides the registration order does not notice.
    let mut turned = tools();
    turned.reverse();
    for order in ORDERS {
        let (before, after) = sections(order.name, "list", turned.clone());
        assert!(!order.invariant_to_registration || before == after, "{}", order.name);
    }
    let (before, after) = sections("registry", "list", turned);
    assert_eq!(kept(&before.0, &after.0), "[".len() + BEFORE_NAME.len());
}

/// E.5 case 22: a directory of unloaded names in the system text shrinks. The tools section stays, and everything from the
/// vanished name on is lost.
#[test]
fn e5_22_a_directory_shrinks() {
    let (search, user) = (tool("tool_search", "Finds tools."), "Go.");
    let events = [deferbench_core::transcript::Event::User { text: user.into() }];
    let render = |system| (l1().render)(&Parts { tools: vec![&search], system, events: &events, ..Parts::default() });
    let (before, after) = (render("Not loaded: clock, mail_send."), render("Not loaded: mail_send."));
    assert_eq!(before.text[before.tools.clone()], after.text[after.tools.clone()]);
    let array = format!("[{}]\n", item("tool_search", "Finds tools.", r#"{"type":"object"}"#));
    let kept = array.len() + r#"{"role":"system","content":"Not loaded: "#.len();
    assert_eq!(Unit::Utf8.common_prefix(&before.text, &after.text), kept as u64);
}

/// E.5 case 28: a session without a search keeps everything, a session of one request has no survival at all, and with
/// every tool activated a request is the eager one plus the search tool.
#[test]
fn e5_28_nothing_or_everything_is_activated() {
    let talk = || Turn::new("Hello.", vec![]);
    for entry in ENTRIES {
        let order = if entry.fixed_places { "sorted" } else { "append" };
        let surface = surface(tools(), "cumulative", order, entry.name);
        let played = play_on(&surface, vec![talk()]);
        let only = &played.requests[0];
        assert_eq!((played.requests.len(), only.prompt.survival, only.prompt.coverage), (1, None, None));
        assert_eq!((only.tools.kept, only.divergence.clone()), (None, None));
        let played = play_on(&surface, vec![talk(), talk(), talk()]);
        assert!(played.requests[1..].iter().all(|r| r.prompt.survival == Some(1.0)), "{}", entry.name);
    }
    let eager = surface(tools(), "eager", "sorted", "list");
    let eager = prompt(&mut Session::new(eager, "run-1")).0;
    for entry in ["list", "slots"] {
        let surface = surface(tools(), "cumulative", "sorted", entry);
        let all = prompts(&surface, &["mail_send", "clock", "file_read"]).pop().unwrap().0;
        let search = search_alone(&surface);
        // clock, file_read, mail_send, then tool_search: the eager array, a comma, and the search tool.
        assert_eq!(all, format!("{},{}", eager.strip_suffix(']').unwrap(), &search[1..]), "{entry}");
    }
}

/// N02: `entries` is a dimension of the grid. Each entry gives a cell, the baseline is played once, and only the entries
/// that touch the array lose a part of the prompt.
#[test]
fn entries_are_a_dimension_of_a_run() {
    let text = |sessions: &str| {
        format!(
            "name = \"seams\"\ncorpora = [\"gen(tools=10)\"]\ncounters = [\"bytes\"]\nreplicates = 10\n[[sessions]]\nscript = \"ten-needs\"\n{sessions}"
        )
    };
    let all = r#"policies = ["cumulative"]
        orders = ["sorted"]
        entries = ["list", "message", "reference", "bridge", "slots"]"#;
    let scenario = Scenario::parse("test", &text(all)).unwrap().check().unwrap();
    let prepared = prepare(&scenario, None, &Limits::default()).unwrap();
    let scores = prepared.measure(&deferbench::clock::FakeClock).unwrap().scores;
    let cells: Vec<(&str, &str)> = scores.sessions.iter().map(|s| (&*s.policy, &*s.entry)).collect();
    let expected = ["list", "message", "reference", "bridge", "slots"].map(|e| ("cumulative", e));
    assert_eq!(cells, [&[("eager", "list")][..], &expected].concat());
    for cell in &scores.sessions[1..] {
        let whole = cell.requests[1..].iter().all(|r| r.prompt.survival == Some(1.0));
        assert_eq!(whole, matches!(&*cell.entry, "message" | "reference" | "bridge"), "{}", cell.entry);
        assert_eq!((cell.met, cell.extra_turns), (scores.sessions[1].met, scores.sessions[1].extra_turns));
    }

    let refused = |sessions: &str, layout: &str| {
        let scenario = Scenario::parse("test", &text(sessions)).unwrap();
        Scenario { layout: layout.into(), ..scenario }.check().err().unwrap().to_string()
    };
    let error = refused("policies = [\"cumulative\"]\norders = [\"append\"]\nentries = [\"list\", \"slots\"]", "L1");
    assert!(
        error.starts_with("scenario \"seams\", policy cumulative, order append: entry \"slots\" fills places"),
        "{error}"
    );
    let error = refused("policies = [\"eager\"]\nentry = \"bridge\"", "L1");
    assert!(error.contains("needs a policy that defers tools") && error.contains("use the entry list"), "{error}");
    let error = refused("policies = [\"replace\"]\nentry = \"bridge\"\nentries = [\"list\"]", "L1");
    assert!(error.contains("both entry and entries: keep one"), "{error}");
    let error = refused("policies = [\"replace\"]\nentries = [\"message\"]", "seed-json");
    assert!(error.contains("prints no history") && error.contains("use the layout L1"), "{error}");
    let error = refused("policies = [\"replace\"]\nentries = [\"messages\"]", "L1");
    assert!(error.contains("known: list, message, reference, bridge, slots"), "{error}");
    let error = refused("policies = [\"replace\"]\norders = [\"shuffled(sead=1)\"]", "L1");
    assert!(error.contains("no parameter \"sead\"; it has: seed"), "{error}");
}
