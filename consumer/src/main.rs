//! S30: an application outside the workspace, built against the package, with 32 deferred tools and one that is always on.
//!
//! One line for each proof; the first that fails ends the program.

use std::sync::{Arc, Mutex};

use deferbench_core::dispatch::{Dispatched, Invocation, Lifecycle, Mount, at_once};
use deferbench_core::policy::{Ceilings, Compat, Replace};
use deferbench_core::receipt::{Receipt, Status};
use deferbench_core::session::Session;
use deferbench_core::surface::{Request, Surface, SurfaceConfig};
use deferbench_core::transcript::{Block, Call, Output, Transcript};
use deferbench_core::{Catalog, Tool};

const DEFERRED: usize = 32;

/// What happened, in order: hooks and handlers write it.
type Log = Arc<Mutex<Vec<String>>>;

/// What handlers know of the run.
struct Account {
    user: &'static str,
}

struct Hooks(Log);

impl Lifecycle<Account> for Hooks {
    fn before(&self, i: &Invocation<'_, Account>) -> Result<(), String> {
        self.note("before", i);
        Ok(())
    }

    fn fence(&self, i: &Invocation<'_, Account>) -> Result<(), String> {
        self.note("fence", i);
        Ok(())
    }

    fn after(&self, i: &Invocation<'_, Account>, _: &Output) {
        self.note("after", i);
    }

    fn error(&self, i: &Invocation<'_, Account>, _: &str) {
        self.note("error", i);
    }
}

impl Hooks {
    fn note(&self, hook: &str, i: &Invocation<'_, Account>) {
        self.0.lock().unwrap().push(format!("{hook} {} {} {}", i.tool.name(), i.step, i.call.id));
    }
}

/// The application: what it keeps between steps is the session and nothing else.
struct App {
    surface: Arc<Surface>,
    mount: Mount<Account>,
    log: Log,
}

impl App {
    fn new() -> Self {
        let schema = r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}"#;
        let mut tools = vec![Tool::new("remember", Some("Keeps a note."), "{}").unwrap()];
        let subjects = ["invoice", "customer", "shipment", "calendar", "ticket", "contract", "photo", "warehouse"];
        for subject in subjects {
            for (verb, does) in [("get", "Reads"), ("put", "Writes"), ("drop", "Deletes"), ("draw", "Draws")] {
                let description = format!("{does} one {subject} by its number.");
                tools.push(Tool::new(&format!("{verb}_{subject}"), Some(&description), schema).unwrap());
            }
        }
        let catalog = Arc::new(Catalog::new(tools).unwrap());
        assert_eq!(catalog.len(), DEFERRED + 1);

        let ceilings =
            Ceilings { query_bytes: 256, results: 4, result_bytes: 4_096, selected: 4, active: 6, schema_bytes: 4_096 };
        let policy = Arc::new(Replace::new(ceilings, Compat::No).unwrap());
        let config = SurfaceConfig::new(catalog.clone(), policy).unwrap();
        let config = SurfaceConfig { always_on: vec!["remember".into()], key: "staff".into(), ..config };
        let surface = Arc::new(Surface::new(config).unwrap());

        let log = Log::default();
        let handler = |tool: &Tool| {
            let (name, log) = (tool.name().to_string(), log.clone());
            Some(at_once(move |i: &Invocation<'_, Account>| {
                log.lock().unwrap().push(format!("handler {name} for {}", i.context.user));
                match name.starts_with("draw_") {
                    true => drawing(),
                    false => Output::Text(format!("{name} {}", i.arguments["id"])),
                }
            }))
        };
        let mount = Mount::new(catalog, handler, Hooks(log.clone())).unwrap();
        assert!(mount.unchecked().is_empty());
        Self { surface, mount, log }
    }

    fn names(&self, request: &Request) -> Vec<&str> {
        self.surface.definitions(request).iter().map(|tool| tool.name()).collect()
    }

    /// The names of the next request.
    fn visible(&self, session: &mut Session) -> Vec<&str> {
        let request = session.step(&[]).unwrap();
        self.names(&request)
    }

    /// One step with one call: what it gave, and what happened meanwhile.
    fn call(&self, session: &mut Session, step: &str, name: &str, arguments: &str) -> (Dispatched, Vec<String>) {
        self.log.lock().unwrap().clear();
        let request = session.step(&[]).unwrap();
        let calls = session.receive(&request, step, "", vec![Call::new(format!("call-{step}"), name, arguments)]);
        let carried_out = self.mount.carry_out(session, &request, step, &calls[0], &Account { user: "ann" });
        let dispatched = pollster::block_on(carried_out);
        (dispatched, self.log.lock().unwrap().clone())
    }
}

fn drawing() -> Output {
    let image = Block::Image { media_type: "image/png".into(), data: "iVBORw0KGgoAAAANSUhEUg==".into() };
    Output::Content(vec![Block::Text("As asked.".into()), image, Block::Structured(r#"{"width":1e2}"#.into())])
}

fn receipt(output: &Output) -> Receipt {
    let Output::Json(json) = output else { panic!("no receipt: {output:?}") };
    serde_json::from_str(json).unwrap()
}

fn main() {
    let app = App::new();
    let mut session = Session::new(app.surface.clone(), "run-1");
    session.user("Which invoice is open?");
    assert_eq!(app.visible(&mut session), ["remember", "tool_search"]);
    println!("consumer: of {} tools, the first request carries the search and the always-on tool", DEFERRED + 1);

    let (found, log) = app.call(&mut session, "s1", "tool_search", r#"{"query":"read an invoice"}"#);
    let Output::Json(json) = &found.output else { panic!("no receipt: {:?}", found.output) };
    assert_eq!(log, ["before tool_search s1 call-s1", "fence tool_search s1 call-s1", "after tool_search s1 call-s1"]);
    assert!(!json.contains("inputSchema") && !json.contains("properties") && !json.contains("additionalProperties"));
    let selected = receipt(&found.output).selected;
    assert_eq!((selected.len(), selected[0].as_str()), (4, "get_invoice"));
    let mut expected = vec!["remember", "tool_search"];
    expected.extend(selected.iter().map(String::as_str));
    assert_eq!(app.visible(&mut session), expected);
    println!("consumer: a search runs no handler, returns no schema, and its tools are in the next request");

    let stored = serde_json::to_string(session.transcript()).unwrap();
    drop(session);
    // Another process: an app of its own, and the text.
    let app = App::new();
    let mut session = Session::resume(app.surface.clone(), serde_json::from_str::<Transcript>(&stored).unwrap());
    assert_eq!(app.visible(&mut session), expected);
    println!("consumer: the stored transcript restores the selection");

    let mut successor = Session::resume(app.surface.clone(), session.transcript().clone());
    successor.run("run-2");
    assert_eq!(app.visible(&mut successor), ["remember", "tool_search"]);
    println!("consumer: a successor run starts empty");

    let (direct, log) = app.call(&mut session, "s2", "get_invoice", r#"{"id":7}"#);
    assert_eq!(direct.output, Output::Text("get_invoice 7".into()));
    assert!(direct.search.is_none());
    let hooks = ["before get_invoice s2 call-s2", "fence get_invoice s2 call-s2"];
    assert_eq!(log, [hooks[0], hooks[1], "handler get_invoice for ann", "after get_invoice s2 call-s2"]);
    let (refused, log) = app.call(&mut session, "s3", "get_invoice", r#"{"id":"seven"}"#);
    assert!(matches!(refused.output, Output::Error(_)));
    assert_eq!(log, ["before get_invoice s3 call-s3", "error get_invoice s3 call-s3"]);
    println!("consumer: a direct call runs under its own identity, with its hooks in order");

    let (repaired, log) = app.call(&mut session, "s4", "draw_photo", r#"{"id":1}"#);
    let answer = receipt(&repaired.output);
    assert_eq!(answer.status, Status::SearchRequired);
    assert_eq!(answer.repaired.unwrap().arguments.as_deref(), Some(r#"{"id":1}"#));
    assert!(log.iter().all(|entry| !entry.starts_with("handler")), "{log:?}");
    assert_eq!(log, ["before tool_search s4 call-s4", "fence tool_search s4 call-s4", "after tool_search s4 call-s4"]);
    assert!(app.visible(&mut session).contains(&"draw_photo"));
    println!("consumer: a call of an inactive tool becomes SEARCH_REQUIRED, and no handler runs");

    let (drawn, _) = app.call(&mut session, "s5", "draw_photo", r#"{"id":1}"#);
    assert_eq!(drawn.output, drawing());
    let stored = serde_json::to_string(session.transcript()).unwrap();
    let kept: Transcript = serde_json::from_str(&stored).unwrap();
    assert!(matches!(kept.events().last(), Some(deferbench_core::transcript::Event::Result { output, .. })
        if *output == drawing()));
    println!("consumer: an image comes through unchanged, and is stored so");
    println!("consumer: ok");
}
