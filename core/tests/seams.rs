//! What does a seam, an order with an entry, change? What the model reads, and nothing else.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use deferbench_core::dispatch::{Mount, at_once};
use deferbench_core::entry::{ENTRIES, Entry, Form, Item};
use deferbench_core::order::{self, ORDERS};
use deferbench_core::registry::{Allow, GLOBAL, Registry};
use deferbench_core::session::Session;
use deferbench_core::surface::{Request, Surface, SurfaceConfig, SurfaceError};
use deferbench_core::transcript::{Call, Event, Output, Transcript};
use deferbench_core::{Catalog, Tool, ToolId, policy, rank};
use proptest::prelude::*;

const SCHEMA: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// Names that sort first, last, by case and with a common beginning.
const NAMES: [&str; 9] = ["m", "b", "z", "B", "a", "ab", "tool_zz", "tool_s", "clock"];

/// A tool of the registry that a restriction hides.
const DENIED: &str = "secret";

const POLICIES: [&str; 4] =
    ["cumulative", "cumulative(results=2,max_tools=3)", "replace", "replace(results=2,selected=3)"];

fn tool(name: &str) -> Tool {
    Tool::new(name, Some("Works."), SCHEMA).unwrap()
}

/// What one agent may see: all names but the denied one.
fn catalog() -> Arc<Catalog> {
    let mut registry = Registry::new();
    let host = registry.owner();
    let agent = registry.open(GLOBAL).unwrap();
    for (i, name) in NAMES.iter().chain([&DENIED]).enumerate() {
        let server = ["", "alpha", "beta"][i % 3];
        registry.register(&host, GLOBAL, tool(name).with_server(server)).unwrap();
    }
    let names = NAMES.map(String::from).into();
    registry.restrict(&host, agent, Allow { names, ..Allow::default() }).unwrap();
    Arc::new(Catalog::new(registry.schemas(agent).unwrap().into_iter().cloned().collect()).unwrap())
}

/// A surface on which a word finds every tool that has it in its name.
fn surface(policy: &str, order: &str, entry: &'static Entry) -> Result<Arc<Surface>, SurfaceError> {
    surface_by("phrase", policy, order, entry)
}

fn surface_by(ranker: &str, policy: &str, order: &str, entry: &'static Entry) -> Result<Arc<Surface>, SurfaceError> {
    let catalog = catalog();
    let config = SurfaceConfig::new(catalog.clone(), policy::build(policy).unwrap().1).unwrap();
    let ranker = rank::build(ranker, &catalog).unwrap().ranker;
    let (order, always_on) = (order::build(order).unwrap(), vec!["clock".to_string()]);
    Surface::new(SurfaceConfig { ranker, order, entry, always_on, ..config }).map(Arc::new)
}

fn entry(name: &str) -> &'static Entry {
    Entry::find(name).unwrap()
}

/// Every pair that makes sense.
fn seams() -> Vec<(&'static str, &'static Entry)> {
    let fits = |(o, e): &(&'static str, &'static Entry)| e.fits(true, order::build(o).unwrap().order).is_ok();
    ORDERS.iter().flat_map(|o| ENTRIES.iter().map(|e| (o.name, *e))).filter(fits).collect()
}

/// One thing that happens in a session.
#[derive(Debug, Clone)]
enum Act {
    /// A batch of searches by exact names.
    Search(Vec<usize>),
    /// A call of a tool, which may be visible or not.
    Call(usize),
    /// A call with arguments that do not fit.
    Misfit(usize),
    /// A call of a tool that a restriction hides, or that is not there.
    Denied(bool),
    /// The next requests pin these.
    Pin(Vec<usize>),
    Resume,
    Run(u8),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let name = || 0..NAMES.len();
    let act = prop_oneof![
        4 => prop::collection::vec(name(), 1..3).prop_map(Act::Search),
        4 => name().prop_map(Act::Call),
        1 => name().prop_map(Act::Misfit),
        1 => any::<bool>().prop_map(Act::Denied),
        1 => prop::collection::btree_set(name(), 0..3).prop_map(|s| Act::Pin(s.into_iter().collect())),
        1 => Just(Act::Resume),
        1 => (0..3u8).prop_map(Act::Run),
    ];
    prop::collection::vec(act, 1..14)
}

/// A session with everything mounted, and what came out of it that no seam may change.
struct Stage {
    surface: Arc<Surface>,
    mount: Mount<()>,
    session: Session,
    pins: Vec<&'static str>,
    calls: usize,
    /// Callable tools of every request, and every result.
    seen: Vec<String>,
}

impl Stage {
    fn new(surface: Arc<Surface>) -> Self {
        let handler = |t: &Tool| {
            let name = t.name().to_string();
            Some(at_once(move |i| Output::Text(format!("{name} ran as {} with {}", i.tool.name(), i.call.arguments))))
        };
        let mount = Mount::new(surface.catalog().clone(), handler, ()).unwrap();
        let session = Session::new(surface.clone(), "run-0");
        Self { surface, mount, session, pins: Vec::new(), calls: 0, seen: Vec::new() }
    }

    fn step(&mut self) -> Request {
        let request = self.session.step(&self.pins).unwrap();
        let names = |ids: &[ToolId]| ids.iter().map(|t| self.surface.catalog()[*t].name()).collect::<Vec<_>>();
        let (callable, active) = (names(&request.callable), names(&request.activated));
        self.seen.push(format!("{callable:?} {active:?} {:?} {:?}", request.refused_pins, request.evidence));
        request
    }

    fn batch(&mut self, calls: &[(&str, String)]) {
        let request = self.step();
        let mut written = Vec::new();
        for (name, arguments) in calls {
            self.calls += 1;
            let call = Call::new(format!("c{}", self.calls), *name, arguments.clone());
            written.push(self.surface.written(&request, call));
        }
        let step = format!("s{}", self.calls);
        for call in self.session.receive(&request, &step, "", written) {
            let done = self.mount.carry_out(&mut self.session, &request, &step, &call, &());
            let done = pollster::block_on(done);
            self.seen.push(format!("{} {} {:?}", call.id, call.name, done.output));
        }
    }

    fn act(&mut self, act: &Act) {
        let query = |i: &usize| ("tool_search", format!(r#"{{"query":"{}"}}"#, NAMES[*i]));
        match act {
            Act::Search(names) => self.batch(&names.iter().map(query).collect::<Vec<_>>()),
            Act::Call(i) => self.batch(&[(NAMES[*i], r#"{"input":"1"}"#.into())]),
            Act::Misfit(i) => self.batch(&[(NAMES[*i], r#"{"input":1}"#.into())]),
            Act::Denied(known) => self.batch(&[(if *known { DENIED } else { "nothing" }, "{}".into())]),
            Act::Pin(names) => self.pins = names.iter().map(|i| NAMES[*i]).collect(),
            Act::Resume => {
                self.session = Session::resume(self.surface.clone(), self.session.transcript().clone());
            }
            Act::Run(n) => self.session.run(&format!("run-{n}")),
        }
    }

    fn play(surface: Arc<Surface>, acts: &[Act]) -> Self {
        let mut stage = Self::new(surface);
        acts.iter().for_each(|act| stage.act(act));
        stage.step();
        stage
    }
}

/// Every name that a request defines for the model, in the array or in the history, each as often as it stands there.
fn defined(surface: &Surface, request: &Request) -> Vec<ToolId> {
    let in_array = request.tools.iter().filter_map(|i| if let Item::Tool(t) = i { Some(*t) } else { None });
    let shown = surface.entry().history.map(|_| &request.history[..]).unwrap_or_default();
    in_array.chain(shown.iter().map(|d| d.tool)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// G01, G17: over all orders and entries the callable set, every dispatch result and every outcome of a restriction are
    /// the same for the same session, and so is what was activated when.
    #[test]
    fn seams_change_nothing_but_what_is_read(acts in acts(), policy in 0..POLICIES.len()) {
        let policy = POLICIES[policy];
        let expected = Stage::play(surface(policy, "registry", entry("list")).unwrap(), &acts).seen;
        for (order, entry) in seams() {
            let stage = Stage::play(surface(policy, order, entry).unwrap(), &acts);
            prop_assert_eq!(&stage.seen, &expected, "{} {} {}", policy, order, entry.name);
            prop_assert!(!stage.seen.iter().any(|s| s.contains("secret ran")));
        }
    }

    /// P09, P10, P11: every callable tool is defined for the model. Entries that write into the history only append there,
    /// and their array stands still while nothing is pinned.
    #[test]
    fn definitions_stand_where_the_entry_says(acts in acts(), policy in 0..POLICIES.len()) {
        for (order, entry) in seams() {
            let mut stage = Stage::new(surface(POLICIES[policy], order, entry).unwrap());
            let mut before: Option<Request> = None;
            for act in &acts {
                stage.act(act);
                let request = stage.step();
                let defined = defined(&stage.surface, &request);
                let missing: Vec<_> = request.callable.iter().filter(|t| !defined.contains(t)).collect();
                prop_assert!(missing.is_empty(), "{} {}: {:?}", order, entry.name, missing);
                let distinct: HashSet<_> = request.history.iter().map(|d| d.tool).collect();
                prop_assert_eq!(distinct.len(), request.history.len());
                prop_assert!(request.history.is_empty() || entry.history.is_some());
                prop_assert!(request.history.is_sorted_by_key(|d| d.after));
                if let Some(before) = before.filter(|b| b.pins == request.pins) {
                    prop_assert!(request.history.starts_with(&before.history), "{} {}", order, entry.name);
                    let name = |i: &Item| stage.surface.definition(*i).unwrap().name();
                    let same = match entry.history {
                        Some(_) => order == "shuffled" || before.tools == request.tools,
                        None if entry.fixed_places => before.tools.iter().map(name).eq(request.tools.iter().map(name)),
                        None => true,
                    };
                    prop_assert!(same, "{} {}: {:?} {:?}", order, entry.name, before.tools, request.tools);
                }
                before = Some(request);
            }
        }
    }

    /// E.5 case 20: a request after resume is the request before, and a fork is its parent, in every order and entry: the
    /// order of activation comes out of the transcript. What a fork does next does not reach its parent.
    #[test]
    fn resume_and_fork_keep_the_order_of_activation(acts in acts(), policy in 0..POLICIES.len()) {
        for (order, entry) in seams() {
            let surface = surface(POLICIES[policy], order, entry).unwrap();
            let stage = Stage::play(surface.clone(), &acts);
            let transcript = stage.session.transcript().clone();
            let seam = |s: &mut Session| s.step(&[]).map(|r| (r.tools, r.history, r.callable)).unwrap();
            let mut parent = stage.session;
            let before = seam(&mut parent);
            let folded = surface.request(&transcript, &[]).unwrap();
            prop_assert_eq!(&before, &(folded.tools, folded.history, folded.callable), "{} {}", order, entry.name);
            let mut child = Stage { session: Session::resume(surface.clone(), transcript), ..Stage::new(surface) };
            prop_assert_eq!(&seam(&mut child.session), &before, "{} {}", order, entry.name);
            child.act(&Act::Search(vec![2, 5]));
            prop_assert_eq!(&seam(&mut parent), &before, "{} {}", order, entry.name);
        }
    }
}

/// A small session: an order, an entry, searches by exact names one after the other.
fn after_searches(policy: &str, order: &str, entry: &'static Entry, steps: &[&[&str]]) -> Stage {
    let mut stage = Stage::new(surface_by("exact", policy, order, entry).unwrap());
    for names in steps {
        stage.act(&Act::Search(names.iter().map(|n| NAMES.iter().position(|m| m == n).unwrap()).collect()));
    }
    stage
}

fn array(stage: &mut Stage) -> Vec<String> {
    let request = stage.step();
    let text = |item: &Item| {
        let name = stage.surface.definition(*item).unwrap().name();
        match item {
            Item::Stub(_) => format!("{name}?"),
            Item::Deferred(_) => format!("({name})"),
            _ => name.to_string(),
        }
    };
    request.tools.iter().map(text).collect()
}

fn history(stage: &mut Stage) -> Vec<(usize, String)> {
    let request = stage.step();
    request.history.iter().map(|d| (d.after, stage.surface.catalog()[d.tool].name().to_string())).collect()
}

/// P09, P10, P11: the five entries on one session, written out by hand.
#[test]
fn every_entry_by_hand() {
    let played = |name: &str| after_searches("cumulative", "sorted", entry(name), &[&["z"], &["a"]]);
    assert_eq!(array(&mut played("list")).join(" "), "a clock tool_search z");
    assert_eq!(array(&mut played("message")).join(" "), "clock tool_search");
    assert_eq!(array(&mut played("bridge")).join(" "), "clock tool_search tool_call");
    let deferred = "(B) (a) (ab) (b) clock (m) (tool_s) tool_search (tool_zz) (z)";
    assert_eq!(array(&mut played("reference")).join(" "), deferred);
    assert_eq!(array(&mut played("slots")).join(" "), "B? a ab? b? clock m? tool_s? tool_search tool_zz? z");
    // Run, then for each search the model's answer, the snapshot and the result: the definition stands behind the result.
    for name in ["message", "reference", "bridge"] {
        assert_eq!(history(&mut played(name)), [(3, "z".to_string()), (6, "a".to_string())], "{name}");
    }
    let forms = ["list", "message", "reference", "bridge", "slots"].map(|name| entry(name).history);
    assert_eq!(forms, [None, Some(Form::Block), Some(Form::Reference), Some(Form::ResultText), None]);
    // A stub is a name and nothing else; a deferred definition is whole, and no part of what the model reads.
    let mut slots = played("slots");
    let request = slots.step();
    assert_eq!(
        slots.surface.definitions(&request)[0].schema_bytes(),
        r#"{"name":"B","description":"","inputSchema":{"type":"object"}}"#.len()
    );
    let mut reference = played("reference");
    let request = reference.step();
    let read: Vec<&str> = reference.surface.definitions(&request).iter().map(|t| t.name()).collect();
    assert_eq!(read, ["clock", "tool_search"]);
}

/// Under `replace` a tool that was replaced leaves the array and its slot, and stays in the history; found again, its
/// definition is not repeated.
#[test]
fn what_was_replaced_stays_in_the_history() {
    let steps: [&[&str]; 3] = [&["z"], &["a"], &["z"]];
    let played = |name: &str, n: usize| after_searches("replace", "sorted", entry(name), &steps[..n]);
    assert_eq!(array(&mut played("list", 2)).join(" "), "a clock tool_search");
    assert_eq!(array(&mut played("slots", 2)).join(" "), "B? a ab? b? clock m? tool_s? tool_search tool_zz? z?");
    for n in [2, 3] {
        assert_eq!(history(&mut played("message", n)), [(2, "z".to_string()), (4, "a".to_string())]);
    }
}

/// A compaction cuts the results, not the activation: the definitions are written again, behind the summary.
#[test]
fn compaction_writes_definitions_again() {
    for policy in ["cumulative", "replace"] {
        let mut stage = after_searches(policy, "append", entry("message"), &[&["z"], &["a", "m"]]);
        let before = array(&mut stage);
        let active = stage.step().activated;
        let short = stage.session.compacted("What happened so far.").unwrap();
        stage.session = Session::resume(stage.surface.clone(), short.clone());
        assert_eq!(array(&mut stage), before, "{policy}");
        let request = stage.step();
        assert_eq!(request.activated, active, "{policy}");
        let written: Vec<ToolId> = request.history.iter().map(|d| d.tool).collect();
        assert_eq!(written, active, "{policy}");
        assert!(request.history.iter().all(|d| d.after < short.events().len()), "{policy}");
    }
}

/// Policies, orders and entries that make no sense together are refused, with what goes together.
#[test]
fn senseless_seams_are_refused() {
    let refused =
        |policy: &str, order: &str, name: &str| surface(policy, order, entry(name)).err().map(|e| e.to_string());
    for name in ["message", "reference", "bridge", "slots"] {
        let error = refused("eager", "sorted", name).unwrap();
        assert!(error.contains(&format!("entry \"{name}\"")) && error.contains("use the entry list, or"), "{error}");
        assert_eq!(refused("replace", "sorted", name), None);
    }
    assert_eq!(refused("eager", "append", "list"), None);
    for order in ["append", "newest_first", "shuffled"] {
        let error = refused("cumulative", order, "slots").unwrap();
        assert!(error.contains(&format!("order \"{order}\"")), "{error}");
        assert!(error.ends_with("use the order registry, sorted, search_first or partitioned"), "{error}");
    }
    assert_eq!(seams().len(), ORDERS.len() * ENTRIES.len() - 3);
}

/// G17, P11: a call through the executor runs under the tool's own name, and the history keeps what the model wrote. What the
/// executor cannot carry out is an ordinary error, and a hidden tool becomes a search.
#[test]
fn calls_through_the_bridge() {
    let mut stage = after_searches("replace", "append", entry("bridge"), &[&["z"]]);
    let mut call = |name: &str, arguments: &str| {
        let request = stage.step();
        stage.calls += 1;
        let id = format!("b{}", stage.calls);
        let call = stage.session.receive(&request, &id, "", vec![Call::new(&*id, name, arguments)]).remove(0);
        let done = pollster::block_on(stage.mount.carry_out(&mut stage.session, &request, &id, &call, &()));
        (call, done.output.text().to_string())
    };
    let written = r#"{"name":"z", "arguments": {"input": "1"}}"#;
    let (run, output) = call("tool_call", written);
    assert_eq!(output, r#"z ran as z with {"input": "1"}"#);
    assert_eq!((run.name.as_str(), run.shown()), ("z", ("tool_call", written)));
    // A model that writes the tool's own name means the same, also for an always-on tool.
    assert_eq!(call("z", r#"{"input":"2"}"#).1, r#"z ran as z with {"input":"2"}"#);
    assert_eq!(
        call("tool_call", r#"{"name":"clock","arguments":{"input":"3"}}"#).1,
        r#"clock ran as clock with {"input":"3"}"#
    );
    assert!(call("tool_call", r#"{"name":"z"}"#).1.contains("\"input\" is a required property"));
    assert!(call("tool_call", r#"{"name":"z","arguments":"{}"}"#).1.contains("must be a JSON object"));
    assert_eq!(call("tool_call", r#"{"name":"nothing","arguments":{}}"#).1, "there is no tool \"nothing\"");
    for arguments in ["", "{}", "[]", r#"{"name":1}"#, r#"{"name":"tool_call","arguments":{"name":"z"}}"#] {
        let (_, error) = call("tool_call", arguments);
        assert!(error.contains("the tool's name"), "{arguments}: {error}");
    }
    let (search, receipt) = call("tool_call", r#"{"name":"a","arguments":{"input": "4"}}"#);
    assert_eq!(search.name, "tool_search");
    assert!(receipt.contains("SEARCH_REQUIRED") && receipt.contains(r#"{\"input\": \"4\"}"#), "{receipt}");
    assert_eq!(call("tool_call", r#"{"name":"a","arguments":{"input":"5"}}"#).1, r#"a ran as a with {"input":"5"}"#);
    let (search, _) = call("tool_call", r#"{"name":"tool_search","arguments":{"query":"m"}}"#);
    assert_eq!(search.name, "tool_search");
    // The executor's call survives the transcript's own format.
    let text = serde_json::to_string(stage.session.transcript()).unwrap();
    assert_eq!(&serde_json::from_str::<Transcript>(&text).unwrap(), stage.session.transcript());
}

/// Without the entry `bridge` nobody can pretend that a call came through an executor, and `tool_call` is no tool.
#[test]
fn only_the_host_says_that_a_call_was_bridged() {
    let mut stage = after_searches("cumulative", "append", entry("list"), &[&["z"]]);
    let request = stage.step();
    let original = deferbench_core::transcript::Original { name: "tool_call".into(), arguments: "{}".into() };
    let forged = Call { bridged: Some(original), ..Call::new("f", "z", "{}") };
    let calls = stage.session.receive(&request, "f", "", vec![forged, Call::new("g", "tool_call", r#"{"name":"z"}"#)]);
    assert_eq!(calls.iter().map(Call::shown).collect::<Vec<_>>(), [("z", "{}"), ("tool_call", r#"{"name":"z"}"#)]);
}

/// The executor takes a name that is free.
#[test]
fn the_executor_takes_a_free_name() {
    let tools = ["tool_call", "tool_call_2"].map(tool).to_vec();
    let config =
        SurfaceConfig::new(Arc::new(Catalog::new(tools).unwrap()), policy::build("replace").unwrap().1).unwrap();
    let surface = Surface::new(SurfaceConfig { entry: entry("bridge"), ..config }).unwrap();
    assert_eq!(surface.definition(Item::Executor).unwrap().name(), "tool_call_3");
}

/// Where a threshold decides that nothing is deferred, every entry sends everything in the array.
#[test]
fn without_deferral_every_entry_is_a_list() {
    for entry in ENTRIES {
        let config = SurfaceConfig::new(catalog(), policy::build("cumulative").unwrap().1).unwrap();
        let order = order::build("sorted").unwrap();
        let threshold = deferbench_core::threshold::Threshold::Tools(100);
        let surface = Surface::new(SurfaceConfig { entry, order, threshold, ..config }).unwrap();
        let request = Session::new(Arc::new(surface), "run-1").step(&[]).unwrap();
        assert!(request.tools.iter().all(|i| matches!(i, Item::Tool(_))), "{}", entry.name);
        assert_eq!(request.tools.len(), NAMES.len(), "{}", entry.name);
    }
}

/// E.5 case 4: parallel searches of one step merge in call order; `sorted` hides which came first, `append` does not.
#[test]
fn parallel_searches_merge_in_call_order() {
    let tail = |policy: &str, order: &str, names: &[&str]| {
        let all = array(&mut after_searches(policy, order, entry("list"), &[names]));
        all.into_iter().filter(|n| n != "clock" && n != "tool_search").collect::<Vec<_>>().join(" ")
    };
    for policy in POLICIES {
        assert_eq!(tail(policy, "append", &["z", "a"]), "z a", "{policy}");
        assert_eq!(tail(policy, "append", &["a", "z"]), "a z", "{policy}");
        assert_eq!(tail(policy, "newest_first", &["z", "a"]), "a z", "{policy}");
        for names in [["z", "a"], ["a", "z"]] {
            assert_eq!(tail(policy, "sorted", &names), "a z", "{policy}");
        }
        // A tool without a server stands before one of a server.
        for names in [["a", "tool_zz"], ["tool_zz", "a"]] {
            assert_eq!(tail(policy, "partitioned", &names), "tool_zz a", "{policy}");
        }
        let mut stage = after_searches(policy, "append", entry("message"), &[&["z", "a"]]);
        let (z, a) = (history(&mut stage)[0].clone(), history(&mut stage)[1].clone());
        assert_eq!((z.1.as_str(), a.1.as_str()), ("z", "a"), "each behind its own result");
        assert!(z.0 < a.0);
    }
}

/// E.5 case 6: two tools of one name are refused; names that differ in case or by an accent are different tools, in
/// code-point order, whatever a locale says.
#[test]
fn names_by_code_point() {
    let error = Catalog::new(vec![tool("a"), tool("a")]).err().unwrap().to_string();
    assert!(error.contains("tool \"a\" is defined twice"), "{error}");
    // A composed and a decomposed accent look alike and are two names.
    let names = ["é", "z", "Z", "e\u{301}", "a", "A"];
    let catalog = Arc::new(Catalog::new(names.map(tool).to_vec()).unwrap());
    let config = SurfaceConfig::new(catalog, policy::build("eager").unwrap().1).unwrap();
    let surface = Surface::new(SurfaceConfig { order: order::build("sorted").unwrap(), ..config }).unwrap();
    let request = surface.request(&Transcript::new(), &[]).unwrap();
    let sorted: Vec<&str> = surface.definitions(&request).iter().map(|t| t.name()).collect();
    assert_eq!(sorted, ["A", "Z", "a", "e\u{301}", "z", "é"]);
}

/// E.5 case 28: no tools at all, nothing always on, an empty history: each entry still makes its request.
#[test]
fn empty_catalogs_and_histories() {
    for (order, entry) in seams() {
        let config =
            SurfaceConfig::new(Arc::new(Catalog::new(vec![]).unwrap()), policy::build("cumulative").unwrap().1);
        let surface = SurfaceConfig { order: order::build(order).unwrap(), entry, ..config.unwrap() };
        let surface = Surface::new(surface).unwrap();
        let request = surface.request(&Transcript::new(), &[]).unwrap();
        let sent: BTreeSet<&str> = surface.definitions(&request).iter().map(|t| t.name()).collect();
        let expected: &[&str] = if entry.executor { &["tool_call", "tool_search"] } else { &["tool_search"] };
        assert_eq!(sent, expected.iter().copied().collect(), "{order} {}", entry.name);
        assert!(request.callable.is_empty() && request.history.is_empty());
    }
}

/// A damaged snapshot writes no definition, and the request says what is wrong.
#[test]
fn a_damaged_snapshot_defines_nothing() {
    let surface = surface("cumulative", "append", entry("message")).unwrap();
    let snapshot = deferbench_core::transcript::Snapshot::new("q", vec!["z".into(), "a".into()]);
    let mut session = Session::new(surface, "run-1");
    session.push(Event::Selection { snapshot, added: vec!["z".into()] });
    assert!(session.step(&[]).err().unwrap().to_string().contains("damaged"));
}
