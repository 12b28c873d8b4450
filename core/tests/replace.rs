//! The contract of the policy `replace`, as a harness meets it: catalog, surface, session, mount.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::sync::{Arc, Mutex};

use deferbench_core::dispatch::{Handler, Handling, Invocation, Lifecycle, Mount, at_once};
use deferbench_core::order;
use deferbench_core::policy::{Ceilings, Compat, PolicyError, Replace};
use deferbench_core::rank;
use deferbench_core::receipt::{DropReason, MacKey};
use deferbench_core::selector::{Question, Stop, Stopped};
use deferbench_core::session::Session;
use deferbench_core::surface::{Request, StepError, Surface, SurfaceConfig, SurfaceError};
use deferbench_core::surfaces::{Surfaces, SurfacesError};
use deferbench_core::transcript::{Block, Call, Event, Output, Transcript};
use deferbench_core::{Catalog, Tool};
use serde_json::{Value, json};

/// The ceilings of the published tests.
const CEILINGS: Ceilings =
    Ceilings { query_bytes: 128, results: 4, result_bytes: 2_048, selected: 4, active: 8, schema_bytes: 8_192 };

const SCHEMA: &str =
    r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}"#;

/// Forty operations and one tool that is always on, registered last.
fn catalog() -> Arc<Catalog> {
    let operation = |i| Tool::new(&format!("operation_{i}"), Some(&format!("Runs job number {i}.")), SCHEMA).unwrap();
    let mut tools: Vec<Tool> = (1..=40).map(operation).collect();
    tools.push(Tool::new("ask_user", Some("Asks a question."), r#"{"type":"object"}"#).unwrap());
    Arc::new(Catalog::new(tools).unwrap())
}

fn config(ceilings: Ceilings) -> SurfaceConfig {
    let policy = Arc::new(Replace::new(ceilings, Compat::No).unwrap());
    let config = SurfaceConfig::new(catalog(), policy).unwrap();
    let ranker = rank::build("phrase", &config.catalog).unwrap().ranker;
    SurfaceConfig { ranker, always_on: vec!["ask_user".to_string()], ..config }
}

fn surface(ceilings: Ceilings) -> Arc<Surface> {
    Arc::new(Surface::new(config(ceilings)).unwrap())
}

/// A session, its mount, and what its hooks saw.
struct Harness {
    session: Session,
    mount: Mount<String>,
    seen: Arc<Mutex<Vec<String>>>,
    steps: usize,
    request: Option<Request>,
}

struct Hooks {
    seen: Arc<Mutex<Vec<String>>>,
    fenced: &'static str,
}

impl Hooks {
    fn note(&self, what: &str, invocation: &Invocation<'_, String>) {
        self.seen.lock().unwrap().push(format!("{what} {}", invocation.tool.name()));
    }
}

impl Lifecycle<String> for Hooks {
    fn before(&self, invocation: &Invocation<'_, String>) -> Result<(), String> {
        self.note("before", invocation);
        Ok(())
    }
    fn fence(&self, invocation: &Invocation<'_, String>) -> Result<(), String> {
        self.note("fence", invocation);
        if invocation.tool.name() == self.fenced { Err("another worker owns the run".to_string()) } else { Ok(()) }
    }
    fn after(&self, invocation: &Invocation<'_, String>, _: &Output) {
        self.note("after", invocation);
    }
    fn error(&self, invocation: &Invocation<'_, String>, _: &str) {
        self.note("error", invocation);
    }
}

impl Harness {
    fn new(surface: Arc<Surface>) -> Self {
        Self::resume(Session::new(surface, "run-1"))
    }

    fn resume(session: Session) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let hooks = Hooks { seen: seen.clone(), fenced: "operation_13" };
        let log = seen.clone();
        let handler = move |_: &Tool| -> Option<Arc<dyn Handler<String>>> {
            let log = log.clone();
            Some(at_once(move |i: &Invocation<'_, String>| {
                log.lock().unwrap().push(format!("run {} for {}", i.tool.name(), i.context));
                match i.tool.name() {
                    "operation_7" => Output::Content(vec![
                        Block::Text("A chart.".into()),
                        Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() },
                        Block::Structured(r#"{"points":[1, 2.50]}"#.into()),
                    ]),
                    "operation_8" => Output::Error("the job failed".into()),
                    name => Output::Text(format!("{name} did {}", i.arguments["id"])),
                }
            }))
        };
        let mount = Mount::new(session.surface().catalog().clone(), handler, hooks).unwrap();
        Self { session, mount, seen, steps: 0, request: None }
    }

    fn request(&mut self, pins: &[&str]) -> Vec<String> {
        let request = self.session.step(pins).unwrap();
        let names = self.session.surface().definitions(&request).iter().map(|t| t.name().to_string()).collect();
        self.request = Some(request);
        names
    }

    /// One step: the request, the model's calls, and what they give back.
    fn step(&mut self, calls: &[(&str, &str)]) -> Vec<Output> {
        if self.request.is_none() {
            self.request(&[]);
        }
        let request = self.request.take().unwrap();
        self.steps += 1;
        let step = format!("s{}", self.steps);
        let call = |(i, (name, arguments)): (usize, &(&str, &str))| Call::new(format!("{step}-{i}"), *name, *arguments);
        let calls = self.session.receive(&request, &step, "", calls.iter().enumerate().map(call).collect());
        let context = "a member".to_string();
        let mut outputs = Vec::new();
        for call in &calls {
            let carried = self.mount.carry_out(&mut self.session, &request, &step, call, &context);
            outputs.push(pollster::block_on(carried).output);
        }
        outputs
    }

    fn search(&mut self, query: &str) -> Value {
        receipt(&self.step(&[("tool_search", &json!({ "query": query }).to_string())])[0])
    }

    fn seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

fn receipt(output: &Output) -> Value {
    match output {
        Output::Json(json) => serde_json::from_str(json).unwrap(),
        other => panic!("no receipt: {other:?}"),
    }
}

/// S01, S12, S24, D23: the whole catalog is mounted, a request carries the base tools, a search runs nothing and shows no
/// schema, and the tool that was found is called as itself, once. The exact lists are those of the published test, in its
/// order (mount order) and in ours.
#[test]
fn search_then_call() {
    for (order, second) in [
        ("registry", ["operation_37", "ask_user", "tool_search"]),
        ("append", ["ask_user", "tool_search", "operation_37"]),
    ] {
        let config = SurfaceConfig { order: order::build(order).unwrap(), ..config(CEILINGS) };
        let mut harness = Harness::new(Arc::new(Surface::new(config).unwrap()));
        assert_eq!(harness.request(&[]), ["ask_user", "tool_search"]);
        let found = harness.search("operation_37");
        assert_eq!(found["matches"], json!([{"name": "operation_37", "description": "Runs job number 37."}]));
        assert!(!found.to_string().contains("properties"));
        assert_eq!(harness.seen(), ["before tool_search", "fence tool_search", "after tool_search"]);
        assert_eq!(harness.request(&[]), second);
        let output = harness.step(&[("operation_37", r#"{"id":5}"#)]).remove(0);
        assert_eq!(output, Output::Text("operation_37 did 5".into()));
        let seen = harness.seen();
        assert_eq!(
            seen,
            ["before operation_37", "fence operation_37", "run operation_37 for a member", "after operation_37"]
        );
        let last = harness.session.transcript().events().last().unwrap().clone();
        assert_eq!(last, Event::Result { call: "s2-0".into(), tool: "operation_37".into(), output });
    }
}

/// S02: six ceilings, all required by the type, all positive.
#[test]
fn six_positive_ceilings() {
    type Change = fn(&mut Ceilings);
    let zero: [(&str, Change); 6] = [
        ("query_bytes", |c| c.query_bytes = 0),
        ("results", |c| c.results = 0),
        ("result_bytes", |c| c.result_bytes = 0),
        ("selected", |c| c.selected = 0),
        ("active", |c| c.active = 0),
        ("schema_bytes", |c| c.schema_bytes = 0),
    ];
    for (option, change) in zero {
        let mut ceilings = CEILINGS;
        change(&mut ceilings);
        assert_eq!(Replace::new(ceilings, Compat::No), Err(PolicyError::NotPositive { option }));
    }
}

/// S03, S04: one surface has the key `default`; a set of them is checked as a whole, and a run picks one by its key.
#[test]
fn surfaces_by_identity() {
    assert_eq!(surface(CEILINGS).key(), "default");
    let keyed = |key: &str, ceilings| SurfaceConfig { key: key.to_string(), ..config(ceilings) };
    let both = Surfaces::new([keyed("member", CEILINGS), keyed("admin", CEILINGS)]).unwrap();
    let error = |r: Result<Surfaces, SurfacesError>| r.err().unwrap().to_string();
    assert!(both.select("guest").err().unwrap().to_string().contains("known: admin, member"));
    assert!(error(Surfaces::new([])).contains("empty"));
    assert!(error(Surfaces::new([keyed("a", CEILINGS), keyed("a", CEILINGS)])).contains("two surfaces"));
    // The second surface cannot work, so no run of the first one starts either.
    let small = Ceilings { active: 1, ..CEILINGS };
    let text = error(Surfaces::new([keyed("member", CEILINGS), keyed("admin", small)]));
    assert!(text.starts_with("surface \"admin\": ceiling active is 1; the smallest value that works is 2"), "{text}");

    // S19, S20: what was selected on one surface counts on no other.
    let mut harness = Harness::new(both.select("member").unwrap().clone());
    harness.search("operation_3");
    let admin = both.select("admin").unwrap();
    let request = admin.request(harness.session.transcript(), &[]).unwrap();
    assert_eq!(request.activated, []);
    assert_eq!(request.dropped[0].1, DropReason::ForeignSurface { found: "member".into() });
}

/// S06, G08: pins stand beside the selection at their step only, count when a receipt is built, and never enter it; the
/// newest give way when the selection leaves no room; pins that alone do not fit refuse the step.
#[test]
fn pins_are_counted_and_give_way() {
    let ceilings = Ceilings { active: 5, results: 3, selected: 3, ..CEILINGS };
    let mut harness = Harness::new(surface(ceilings.clone()));
    // Search tool, always-on tool, one pin: two places are left for three tools.
    harness.request(&["operation_1"]);
    let found = harness.search("operation_2");
    assert_eq!(found["selected"], json!(["operation_2", "operation_20"]));
    assert_eq!(
        (found["refused"][0]["name"].as_str(), found["refused"][0]["ceiling"].as_str()),
        (Some("operation_21"), Some("active"))
    );
    assert_eq!(harness.search("operation_3")["selected"].as_array().unwrap().len(), 3);
    let names = harness.request(&[]);
    assert_eq!(names, ["ask_user", "tool_search", "operation_3", "operation_30", "operation_31"]);
    // The request is full: both pins are refused by name, and the selection stays.
    harness.request(&["operation_1", "operation_9"]);
    let request = harness.request.take().unwrap();
    assert_eq!((request.pins.len(), request.refused_pins), (0, vec!["operation_1".to_string(), "operation_9".into()]));
    assert_eq!((request.activated.len(), request.evidence.rejected_names), (3, 2));
    // A pin that is selected too takes no place of its own.
    assert_eq!(harness.request(&["operation_30"]).len(), 5);
    assert_eq!(harness.request.take().unwrap().refused_pins, Vec::<String>::new());

    let mut step = |pins: &[&str]| harness.session.step(pins).unwrap_err();
    let four = ["operation_1", "operation_2", "operation_4", "operation_5"];
    for (error, text) in [
        (
            step(&["operation_99"]),
            "pin \"operation_99\" is not in the catalog; pin names of its tools, exactly as they are spelled",
        ),
        (step(&["operation_1", "operation_1"]), "pin \"operation_1\" is named twice"),
        (
            step(&four),
            "the search tool, 1 always-on tools and 4 pins are over the ceiling active (6 > 5); pin fewer tools, or raise the ceiling",
        ),
    ] {
        assert_eq!((error.to_string().as_str(), error.terminal_reason()), (text, "context_overflow"));
    }
    // S29: nothing of this was recorded, so the run goes on once the pins fit.
    assert_eq!(harness.request(&[]).len(), 5);
}

/// S07, S08: the catalog is what is searched and counted: name, description, input schema, in registration order; the
/// schema bytes of a request are the sum over its tools.
#[test]
fn evidence_counts_schema_bytes() {
    let mut harness = Harness::new(surface(CEILINGS));
    harness.search("operation_12");
    let request = harness.session.step(&[]).unwrap();
    let surface = harness.session.surface().clone();
    let by_hand: usize = surface
        .definitions(&request)
        .iter()
        .map(|t| {
            let (name, description) = (json!(t.name()), json!(t.description()));
            format!(r#"{{"name":{name},"description":{description},"inputSchema":{}}}"#, t.schema_json()).len()
        })
        .sum();
    assert_eq!(request.evidence.active_schema_bytes, by_hand);
    assert!(Tool::new("bare", None, "{}").is_ok(), "a schema that says nothing is the empty object");
}

/// S09, S14: budgets of the base tools and the shortest receipt are checked at construction, with the real key and the
/// declared lengths of run and step ids; a longer run id is refused before anything is sent.
#[test]
fn budgets_are_checked_at_construction() {
    let build = |config: SurfaceConfig| Surface::new(config).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(build(config(Ceilings { schema_bytes: 100, ..CEILINGS })).contains("ceiling schema_bytes is 100"));
    // {"schemaVersion":2,"kind":"stitchkit.deferred-tool-selection","status":"SELECTION_REFUSED","runId":"","surfaceKey":"default",
    // "selected":[],"matches":[],"truncated":true,"stepId":"","fingerprints":[],"refused":[]} has 212 bytes; two ids of 36 more.
    let shortest = 212 + 2 * 36;
    let with = |result_bytes| config(Ceilings { result_bytes, ..CEILINGS });
    assert_eq!(build(with(shortest)), "");
    let text = build(with(shortest - 1));
    assert!(text.contains(&format!("the smallest value that works is {shortest}")), "{text}");
    let longer = SurfaceConfig { key: "a-longer-key".to_string(), ..with(shortest) };
    assert!(build(longer).contains(&format!("the smallest value that works is {}", shortest + 5)));
    let ids = |run, step| {
        let ceilings = Ceilings { result_bytes: shortest, ..CEILINGS };
        let policy = Replace::new(ceilings, Compat::No).unwrap().with_id_bytes(run, step);
        SurfaceConfig { policy: Arc::new(policy), ..config(CEILINGS) }
    };
    assert!(build(ids(37, 36)).contains(&format!("the smallest value that works is {}", shortest + 1)));
    let mut session = Session::new(Arc::new(Surface::new(ids(36, 36)).unwrap()), &"x".repeat(37));
    let error = session.step(&[]).unwrap_err();
    assert!(
        matches!(&error, StepError::Policy(PolicyError::RunId { needed, .. }) if *needed == shortest + 1),
        "{error}"
    );
    session.run("short");
    assert!(session.step(&[]).is_ok());

    let taken = SurfaceConfig { search_tool: Tool::new("ask_user", None, "{}").ok(), ..config(CEILINGS) };
    assert!(matches!(Surface::new(taken), Err(SurfaceError::SearchNameTaken { .. })));
}

/// S02: more results than a selection may hold would refuse every broad search, so it is refused at construction.
#[test]
fn results_over_selected_is_a_construction_error() {
    let error = Replace::new(Ceilings { results: 5, ..CEILINGS }, Compat::No).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ceiling selected is 4; the smallest value that works is 5, because one search may return that many tools"
    );
}

/// S20: the same run restores after a crash; an interrupted search left nothing; a queued successor starts empty; going
/// back to the first run restores it.
#[test]
fn recovery_interruption_successor() {
    let mut harness = Harness::new(surface(CEILINGS));
    harness.search("operation_37");
    // The process stops between the next search and its result.
    let request = harness.session.step(&[]).unwrap();
    let call = Call::new("lost", "tool_search", r#"{"query":"operation_12"}"#);
    harness.session.receive(&request, "s-lost", "", vec![call]);
    let stored = serde_json::to_string(harness.session.transcript()).unwrap();
    let transcript: Transcript = serde_json::from_str(&stored).unwrap();
    let mut recovered = Session::resume(harness.session.surface().clone(), transcript);
    let active = |session: &mut Session| {
        let request = session.step(&[]).unwrap();
        request.activated.iter().map(|t| session.surface().catalog()[*t].name().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(active(&mut recovered), ["operation_37"]);
    recovered.run("run-2");
    assert_eq!(active(&mut recovered), Vec::<String>::new());
    recovered.run("run-1");
    assert_eq!(active(&mut recovered), ["operation_37"]);
}

/// S21: every field of the application's own step hook stays, its list of active tools does not.
#[test]
fn the_applications_hook_is_kept() {
    struct Settings {
        temperature: f64,
        active: Vec<String>,
    }
    impl deferbench_core::surface::StepSettings for Settings {
        fn set_active_tools(&mut self, names: Vec<String>) {
            self.active = names;
        }
    }
    let surface = surface(CEILINGS);
    let request = surface.request(&Transcript::new(), &[]).unwrap();
    let own = Settings { temperature: 0.2, active: vec!["operation_1".into()] };
    let settings = surface.settings(&request, own);
    assert_eq!((settings.temperature, settings.active.join(" ")), (0.2, "ask_user tool_search".to_string()));
}

/// S22, G14: a call of a hidden tool keeps its id, runs no handler, and joins the selection; the arguments are kept for a
/// client that calls again. S23: a name that no tool has fails under that name, and a near name is never taken for it.
#[test]
fn inactive_calls_are_repaired_and_unknown_ones_fail() {
    let mut harness = Harness::new(surface(CEILINGS));
    harness.search("operation_37");
    harness.seen();
    let outputs = harness.step(&[("operation_12", r#"{ "id": 3 }"#), ("operation_99", "{}"), ("Operation_12", "{}")]);
    let repaired = receipt(&outputs[0]);
    assert_eq!(repaired["status"], "SEARCH_REQUIRED");
    assert_eq!(repaired["selected"], json!(["operation_37", "operation_12"]));
    assert_eq!(repaired["repaired"], json!({"name": "operation_12", "arguments": r#"{ "id": 3 }"#}));
    assert_eq!(repaired["matches"], json!([{"name": "operation_12", "description": "Runs job number 12."}]));
    assert_eq!(outputs[1], Output::Error("there is no tool \"operation_99\"".into()));
    assert_eq!(outputs[2], Output::Error("there is no tool \"Operation_12\"".into()));
    assert_eq!(harness.seen(), ["before tool_search", "fence tool_search", "after tool_search"]);
    let results: Vec<(String, String)> = harness
        .session
        .transcript()
        .events()
        .iter()
        .rev()
        .take(3)
        .rev()
        .map(|e| match e {
            Event::Result { call, tool, .. } => (call.clone(), tool.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(results[0], ("s2-0".into(), "tool_search".into()));
    assert_eq!(results[1], ("s2-1".into(), "operation_99".into()));
    assert_eq!(harness.request(&[]), ["ask_user", "tool_search", "operation_37", "operation_12"]);
    assert_eq!(harness.step(&[("operation_12", r#"{"id":3}"#)]), [Output::Text("operation_12 did 3".into())]);
}

/// G14: at a ceiling the tool with the oldest last call or activation leaves; among equals the one activated first.
#[test]
fn a_repair_at_the_ceiling_evicts_the_least_recently_used() {
    let mut harness = Harness::new(surface(CEILINGS));
    // 3, 30, 31, 32 fill the selection, all activated in step 1; 3 and 31 are called later.
    let found = harness.search("operation_3");
    assert_eq!(found["selected"], json!(["operation_3", "operation_30", "operation_31", "operation_32"]));
    harness.step(&[("operation_31", r#"{"id":1}"#)]);
    harness.step(&[("operation_3", r#"{"id":1}"#)]);
    // 30 and 32 are equal (step 1): 30 stands first.
    let selected = |o: &Output| receipt(o)["selected"].clone();
    let first = harness.step(&[("operation_12", "{}")]);
    assert_eq!(selected(&first[0]), json!(["operation_3", "operation_31", "operation_32", "operation_12"]));
    // Two repairs of one batch: 32 (step 1) leaves, then 31 (step 2); 3 was called in step 3, 12 activated in step 4.
    let both = harness.step(&[("operation_13", "{}"), ("operation_14", "{}")]);
    assert_eq!(selected(&both[0]), json!(["operation_3", "operation_31", "operation_12", "operation_13"]));
    assert_eq!(selected(&both[1]), json!(["operation_3", "operation_12", "operation_13", "operation_14"]));
    assert_eq!(harness.request(&[])[2..], ["operation_3", "operation_12", "operation_13", "operation_14"]);
}

/// A search and a repair in one step: the search replaces what was selected before, the repaired tool joins it, and at
/// the cap what the search has promised stays.
#[test]
fn a_search_and_a_repair_in_one_step() {
    let mut harness = Harness::new(surface(CEILINGS));
    harness.search("operation_2");
    let outputs = harness.step(&[("operation_12", "{}"), ("tool_search", r#"{"query":"operation_37"}"#)]);
    assert_eq!(receipt(&outputs[1])["selected"], json!(["operation_37"]));
    assert_eq!(harness.request(&[])[2..], ["operation_12", "operation_37"]);
    let outputs = harness.step(&[("tool_search", r#"{"query":"operation_3"}"#), ("operation_20", "{}")]);
    let refused = receipt(&outputs[1]);
    assert_eq!(
        (refused["status"].as_str(), refused["refused"][0]["ceiling"].as_str()),
        (Some("SELECTION_REFUSED"), Some("selected"))
    );
    assert_eq!(harness.request(&[])[2..], ["operation_3", "operation_30", "operation_31", "operation_32"]);
}

/// S22: arguments that do not fit the result ceiling are left out, and the receipt says so.
#[test]
fn long_arguments_are_omitted() {
    let arguments = json!({ "id": 1, "note": "x".repeat(2_048) }).to_string();
    let mut harness = Harness::new(surface(CEILINGS));
    let repaired = receipt(&harness.step(&[("operation_12", &arguments)])[0]);
    assert_eq!(repaired["repaired"], json!({"name": "operation_12", "argumentsOmitted": true}));
    assert_eq!(repaired["selected"], json!(["operation_12"]));
}

/// S24: arguments are checked against the tool's own schema, and a mistake in them is an ordinary error of that tool, no
/// repair; the fence is the last word before the handler; a failing handler ends in `error`.
#[test]
fn direct_calls_keep_their_identity() {
    let mut harness = Harness::new(surface(CEILINGS));
    for bad in ["{}", r#"{"id":"five"}"#, r#"{"id":5,"more":1}"#, "[]", "{"] {
        harness.search("operation_37");
        harness.seen();
        let output = harness.step(&[("operation_37", bad)]).remove(0);
        assert!(matches!(&output, Output::Error(text) if text.contains("operation_37")), "{bad}: {output:?}");
        assert_eq!(harness.seen(), ["before operation_37", "error operation_37"]);
        assert!(harness.request(&[]).contains(&"operation_37".to_string()));
    }
    let output = harness.step(&[("operation_37", r#"{"id":"five"}"#)]).remove(0);
    let expected = r#"the arguments of "operation_37" do not fit its schema: /id: "five" is not of type "integer""#;
    assert_eq!(output, Output::Error(expected.into()));

    let mut call = |tool: &str| {
        harness.search(tool);
        harness.seen();
        let output = harness.step(&[(tool, r#"{"id":1}"#)]).remove(0);
        (output, harness.seen().join(", "))
    };
    let (output, seen) = call("operation_13");
    assert_eq!(output, Output::Error("another worker owns the run".into()));
    assert_eq!(seen, "before operation_13, fence operation_13, error operation_13");
    let (output, seen) = call("operation_8");
    assert_eq!(output, Output::Error("the job failed".into()));
    assert!(seen.ends_with("run operation_8 for a member, error operation_8"));
    // Text, image and structured content come through as they are, to the byte.
    let (output, _) = call("operation_7");
    let Output::Content(blocks) = output else { panic!("{output:?}") };
    assert_eq!(blocks[1], Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() });
    assert_eq!(blocks[2], Block::Structured(r#"{"points":[1, 2.50]}"#.into()));
}

/// A handler may wait; a tool without a handler cannot be mounted.
#[test]
fn handlers_may_wait() {
    fn waits<'a>(invocation: Invocation<'a, ()>) -> Handling<'a> {
        Box::pin(async move {
            let mut polled = false;
            std::future::poll_fn(|waiting| {
                waiting.waker().wake_by_ref();
                if std::mem::replace(&mut polled, true) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
            })
            .await;
            Output::Text(invocation.step.to_string())
        })
    }
    let catalog = catalog();
    let mount: Mount<()> = Mount::new(catalog.clone(), |_| Some(Arc::new(waits)), ()).unwrap();
    let id = catalog.find("operation_1").unwrap();
    let call = Call::new("c1", "operation_1", r#"{"id":1}"#);
    assert_eq!(pollster::block_on(mount.run("r", "s9", &call, id, &())), Output::Text("s9".into()));
    let error = Mount::<()>::new(
        catalog,
        |t| (t.name() != "operation_9").then(|| -> Arc<dyn Handler<()>> { Arc::new(waits) }),
        (),
    )
    .err();
    assert!(error.unwrap().to_string().contains("\"operation_9\" has no handler"));
}

/// S25, S13: only known names of a selector count, each once, cut to the limit and under all ceilings; it is not asked
/// where the query is oversized or blank, or the call was repaired; failing or late, it changes nothing.
#[test]
fn a_selector_gives_names_only() {
    let asked = Mutex::new(0);
    let selector = |question: Question<'_>| {
        *asked.lock().unwrap() += 1;
        assert_eq!((question.query, question.limit, question.catalog.len()), ("jobs", 4, 41));
        assert_eq!((question.run, question.surface), ("run-1", "default"));
        let names = "operation_9 operation_9 made_up OPERATION_1 operation_8 operation_7 operation_6 operation_5";
        Ok(names.split(' ').map(String::from).collect())
    };
    let mut harness = Harness::new(surface(CEILINGS));
    let mut by = |name: &str, arguments: Value, stop: &Stop| {
        let request = harness.session.step(&[]).unwrap();
        harness.steps += 1;
        let step = format!("s{}", harness.steps);
        let call = Call::new(step.clone(), name, arguments.to_string());
        let call = harness.session.receive(&request, &step, "", vec![call]).remove(0);
        let (context, by) = ("a member".to_string(), (&selector, stop));
        let carried = harness.mount.carry_out_by(&mut harness.session, &request, &step, &call, &context, by);
        pollster::block_on(carried).search.unwrap()
    };
    let go = Stop::new();
    let answer = by("tool_search", json!({"query": "jobs"}), &go);
    let evidence = answer.evidence.unwrap();
    assert_eq!((evidence.selected_tools, evidence.rejected_names, evidence.matches), (4, 3, 5));
    let selected = json!(["operation_9", "operation_8", "operation_7", "operation_6"]);
    assert_eq!(receipt(&answer.output)["selected"], selected);
    assert_eq!(receipt(&answer.output)["truncated"], true);
    assert_eq!(
        receipt(&by("tool_search", json!({"query": "x".repeat(129)}), &go).output)["status"],
        "SELECTION_REFUSED"
    );
    assert!(matches!(by("tool_search", json!({"query": " !"}), &go).output, Output::Error(_)));
    assert_eq!(receipt(&by("operation_30", json!({}), &go).output)["status"], "SEARCH_REQUIRED");
    assert_eq!(*asked.lock().unwrap(), 1);
    let late = Stop::new();
    late.set(Stopped::Cancelled);
    let answer = by("tool_search", json!({"query": "jobs"}), &late);
    assert_eq!(answer.output, Output::Error("the search was cancelled; nothing changed".into()));
    assert!(harness.seen().contains(&"error tool_search".to_string()));
}

/// S25: a selector that never answers is given up when the switch is set by another thread, and dropped.
#[test]
fn a_selector_that_hangs_is_given_up() {
    struct Hangs(Arc<Mutex<bool>>);
    struct Dropped(Arc<Mutex<bool>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = true;
        }
    }
    impl deferbench_core::selector::Selector for Hangs {
        fn select(&self, question: Question<'_>) -> impl Future<Output = Result<Vec<String>, String>> + Send {
            let (dropped, timer) = (Dropped(self.0.clone()), question.stop.clone());
            async move {
                let _dropped = dropped;
                std::thread::spawn(move || timer.set(Stopped::Deadline));
                std::future::pending().await
            }
        }
    }
    let mut session = Session::new(surface(CEILINGS), "run-1");
    let request = session.step(&[]).unwrap();
    let calls = session.receive(&request, "s1", "", vec![Call::new("c1", "tool_search", r#"{"query":"job"}"#)]);
    let (stop, dropped) = (Stop::new(), Arc::new(Mutex::new(false)));
    let answer = pollster::block_on(session.search_by(&calls[0], &Hangs(dropped.clone()), &stop));
    assert!(matches!(answer.output, Output::Error(text) if text.contains("in time")));
    assert!(*dropped.lock().unwrap());
    let failing = |_: Question<'_>| Err("the index is down".to_string());
    let request = session.step(&[]).unwrap();
    let calls = session.receive(&request, "s2", "", vec![Call::new("c2", "tool_search", r#"{"query":"job"}"#)]);
    let answer = pollster::block_on(session.search_by(&calls[0], &failing, &Stop::new()));
    assert_eq!(answer.output, Output::Error("the search failed: the index is down".into()));
    assert_eq!(session.step(&[]).unwrap().activated, []);
}

/// S27: the model is told how the query is read. The bytes of the search tool say nothing about the catalog.
#[test]
fn the_search_tool_states_its_rule() {
    let surface = surface(CEILINGS);
    let description = surface.search_tool().unwrap().description().unwrap().to_string();
    assert!(description.contains("one phrase") && description.contains("individual words"));
    let small = Arc::new(Catalog::new(vec![]).unwrap());
    let other = SurfaceConfig { catalog: small, always_on: vec![], ..config(CEILINGS) };
    assert_eq!(Surface::new(other).unwrap().search_tool(), surface.search_tool());
}

/// S28: thirteen fields and four of ours, without any content; by hand for one search and the step after it.
#[test]
fn evidence_is_free_of_content() {
    let mut harness = Harness::new(surface(CEILINGS));
    harness.request(&["operation_1"]);
    let request = harness.request.take().unwrap();
    let calls =
        harness.session.receive(&request, "s1", "", vec![Call::new("c1", "tool_search", r#"{"query":"operation_2"}"#)]);
    let answer = harness.session.search(&calls[0]);
    let bytes = |names: &[&str]| {
        let surface = harness.session.surface();
        let tool = |n: &&str| {
            surface
                .catalog()
                .find(n)
                .map_or(surface.search_tool().unwrap().schema_bytes(), |t| surface.catalog()[t].schema_bytes())
        };
        names.iter().map(tool).sum::<usize>()
    };
    let selected = ["operation_2", "operation_20", "operation_21", "operation_22"];
    let ceilings =
        json!({"queryBytes": 128, "results": 4, "resultBytes": 2048, "selected": 4, "active": 8, "schemaBytes": 8192});
    let active = ["tool_search", "ask_user", selected[0], selected[1], selected[2], selected[3]];
    assert_eq!(
        serde_json::to_value(answer.evidence.unwrap()).unwrap(),
        json!({
            "schemaVersion": 1, "type": "search", "runId": "run-1", "surfaceKey": "default", "catalogTools": 41,
            "baseTools": 2, "pinnedTools": 0, "selectedTools": 4, "activeTools": 6, "activeSchemaBytes": bytes(&active),
            "rejectedNames": 0, "replacementTools": 4, "source": "current",
            // operation_2 and operation_20 to operation_29 match.
            "matches": 11, "ceilings": ceilings, "refused": {}, "dropped": {},
        })
    );
    let pinned: Vec<&str> = active.iter().copied().chain(["operation_1"]).collect();
    let bytes = bytes(&pinned);
    let request = harness.session.step(&["operation_1"]).unwrap();
    assert_eq!(
        serde_json::to_value(&request.evidence).unwrap(),
        json!({
            "schemaVersion": 1, "type": "step", "runId": "run-1", "surfaceKey": "default", "catalogTools": 41,
            "baseTools": 2, "pinnedTools": 1, "selectedTools": 4, "activeTools": 7, "activeSchemaBytes": bytes,
            "rejectedNames": 0, "replacementTools": 4, "source": "current",
            "matches": 0, "ceilings": ceilings, "refused": {}, "dropped": {},
        })
    );
    // After recovery the same selection is durable; before any search there is the catalog only.
    let recovered =
        Session::resume(harness.session.surface().clone(), harness.session.transcript().clone()).step(&[]).unwrap();
    let source = |r: &Request| serde_json::to_value(&r.evidence).unwrap()["source"].clone();
    assert_eq!((source(&recovered), recovered.activated.len()), (json!("durable"), 4));
    harness.session.run("run-2");
    assert_eq!(source(&harness.session.step(&[]).unwrap()), json!("catalog"));
    // A forged receipt shows as a reason, without what it says.
    let forged = Event::Result {
        call: "nobody".into(),
        tool: "tool_search".into(),
        output: Output::Json("{\"secret\":1}".into()),
    };
    harness.session.push(forged);
    let evidence = serde_json::to_string(&harness.session.step(&[]).unwrap().evidence).unwrap();
    assert!(evidence.contains(r#""dropped":{"no_call":1}"#) && !evidence.contains("secret"), "{evidence}");
}

/// S26: the published ranking behind the search tool, phrase first, then words, ties in catalog order.
#[test]
fn the_published_ranking_behind_the_search() {
    let mut harness = Harness::new(surface(CEILINGS));
    assert_eq!(harness.search("operation_4")["selected"], json!(["operation_4", "operation_40"]));
    assert_eq!(harness.search("number job 17")["selected"][0], "operation_17");
    assert_eq!(harness.search("nothing of the kind here")["status"], "NO_MATCH");
}

/// G12, N08: with a key, only receipts that the host wrote for this very call and step count; a changed definition drops
/// the receipt that selected it and leaves others.
#[test]
fn signed_receipts_and_changed_definitions() {
    let policy = Replace::new(CEILINGS, Compat::No).unwrap().with_key(MacKey::new([3; 32]));
    let config = SurfaceConfig { policy: Arc::new(policy), ..config(CEILINGS) };
    let mut harness = Harness::new(Arc::new(Surface::new(config.clone()).unwrap()));
    harness.search("operation_37");
    assert_eq!(harness.request(&[]).len(), 3);
    let mut tools = catalog().tools().to_vec();
    tools[0] = Tool::new("operation_1", Some("Another job."), SCHEMA).unwrap();
    let changed = |tools: Vec<Tool>| {
        let catalog = Arc::new(Catalog::new(tools).unwrap());
        let config = SurfaceConfig { catalog, ..config.clone() };
        Surface::new(config).unwrap().request(harness.session.transcript(), &[]).unwrap()
    };
    assert_eq!(changed(tools.clone()).activated.len(), 1);
    tools[36] = Tool::new("operation_37", Some("Runs job number 37."), "{}").unwrap();
    let request = changed(tools);
    assert_eq!(
        (request.activated.len(), &request.dropped[0].1),
        (0, &DropReason::Changed { name: "operation_37".into() })
    );
}
