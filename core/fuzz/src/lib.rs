//! What do the fuzz targets have in common?
//!
//! One small catalog under tight ceilings, so that few events are enough to meet each of them, and the promises that hold
//! for every transcript whatever it says.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use deferbench_core::catalog::ToolId;
use deferbench_core::entry::Item;
use deferbench_core::evidence::Source;
use deferbench_core::policy::{self, Ceilings, Compat, Policy, Replace};
use deferbench_core::receipt::MacKey;
use deferbench_core::session::Session;
use deferbench_core::surface::{Request, StepError, Surface, SurfaceConfig};
use deferbench_core::transcript::{Call, Event, Output, Transcript};
use deferbench_core::{Catalog, Tool};

pub mod script;

/// The key of the surfaces `keyed`.
pub const KEY: [u8; 32] = [7; 32];

/// The ceilings of every surface of the policy `replace`.
pub const CEILINGS: Ceilings =
    Ceilings { query_bytes: 64, results: 2, result_bytes: 700, selected: 3, active: 5, schema_bytes: 2000 };

/// Eight tools: one always on, one that is over the ceiling of schema bytes alone, one whose name is not ASCII.
pub static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let schema = |note: usize| {
        let note = "n".repeat(note);
        format!(r#"{{"type":"object","properties":{{"a":{{"type":"string","description":"{note}"}}}}}}"#)
    };
    let tool = |name, text, note| Tool::new(name, Some(text), &schema(note)).unwrap();
    let tools = vec![
        tool("clock", "Tells the time.", 0),
        tool("mail_send", "Sends a letter.", 40),
        tool("mail_list", "Lists letters.", 600),
        tool("file_read", "Reads a file.", 40),
        tool("file_write", "Writes a file.", 500),
        tool("größe", "Measures a file \"exactly\".", 0),
        tool("archive", "Packs files.", 3000),
        tool("ping", "", 0),
    ];
    Arc::new(Catalog::new(tools).unwrap())
});

/// A surface and what may be asked of it.
pub struct Case {
    /// The policy's spec, or `keyed`.
    pub name: &'static str,
    /// The surface.
    pub surface: Arc<Surface>,
    /// True where every ceiling holds for whatever the transcript says.
    pub ceilings: bool,
    /// True where the answer of a search names only what the next request carries.
    pub keeps_promises: bool,
}

/// Every surface that a transcript is read with.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let replace = |compat| Arc::new(Replace::new(CEILINGS, compat).unwrap());
    let keyed = Arc::new(Replace::new(CEILINGS, Compat::No).unwrap().with_key(MacKey::new(KEY)));
    let case = |name, policy: Arc<dyn Policy>, ceilings, keeps_promises| {
        let config = SurfaceConfig::new(CATALOG.clone(), policy).unwrap();
        let config = SurfaceConfig { always_on: vec!["clock".to_string()], ..config };
        Case { name, surface: Arc::new(Surface::new(config).unwrap()), ceilings, keeps_promises }
    };
    vec![
        case("replace", replace(Compat::No), true, true),
        case("replace(compat=v1)", replace(Compat::V1), true, true),
        case("replace(compat=upstream)", replace(Compat::Upstream), true, false),
        case("keyed", keyed, true, true),
        case("cumulative", policy::build("cumulative").unwrap().1, false, true),
    ]
});

/// A request, without where its selection comes from: that depends on where the session was opened.
fn placeless(request: Result<Request, StepError>) -> Result<Request, StepError> {
    request.map(|mut request| {
        request.evidence.source = Source::Catalog;
        request
    })
}

fn unique(tools: &[ToolId]) -> bool {
    let mut seen = HashSet::new();
    tools.iter().all(|tool| tool.index() < CATALOG.len() && seen.insert(*tool))
}

/// A request carries tools of the catalog only, none twice, within the ceilings.
pub fn check_request(case: &Case, request: &Request) {
    let name = case.name;
    assert!(unique(&request.callable), "{name}: {:?}", request.callable);
    assert!(unique(&request.activated), "{name}: {:?}", request.activated);
    let sent: Vec<ToolId> =
        request.tools.iter().filter_map(|s| if let Item::Tool(t) = s { Some(*t) } else { None }).collect();
    assert!(unique(&sent), "{name}: {:?}", request.tools);
    assert_eq!(sent.len(), request.callable.len(), "{name}");
    assert!(sent.iter().all(|tool| request.callable.contains(tool)), "{name}");
    assert_eq!(request.tools.len(), sent.len() + 1, "{name}: the search tool stands once");
    let definitions = case.surface.definitions(request);
    let bytes: usize = definitions.iter().map(|tool| tool.schema_bytes()).sum();
    assert_eq!(request.evidence.active_tools, definitions.len(), "{name}");
    assert_eq!(request.evidence.active_schema_bytes, bytes, "{name}");
    if case.ceilings {
        assert!(definitions.len() <= CEILINGS.active, "{name}: {} tools", definitions.len());
        assert!(bytes <= CEILINGS.schema_bytes, "{name}: {bytes} schema bytes");
        assert!(request.activated.len() <= CEILINGS.selected, "{name}: {:?}", request.activated);
    }
}

/// Reads a transcript with every surface and holds each to its promises; `seed` decides where the session is cut.
pub fn check_transcript(transcript: &Transcript, seed: usize) {
    let events = transcript.events();
    let cut = seed % (events.len() + 1);
    for case in CASES.iter() {
        let whole = case.surface.request(transcript, &[]);
        if let Ok(request) = &whole {
            check_request(case, request);
        }
        for pins in [&["ping", "mail_list"][..], &["clock"], &["archive"]] {
            if let Ok(request) = case.surface.request(transcript, pins) {
                check_request(case, &request);
                assert_eq!(request.pins.len() + request.refused_pins.len(), pins.len(), "{}", case.name);
            }
        }
        let whole = placeless(whole);

        // Opened in the middle, with or without a request there: the end is the same.
        let mut sessions = [false, true].map(|asked| {
            let mut session = Session::resume(case.surface.clone(), prefix(events, cut));
            if asked {
                drop(session.step(&[]));
            }
            events[cut..].iter().cloned().for_each(|event| session.push(event));
            assert_eq!(session.transcript(), transcript, "{}", case.name);
            assert_eq!(placeless(session.step(&[])), whole, "{}, cut at {cut}, asked there: {asked}", case.name);
            session
        });
        let Ok(request) = whole else { continue };
        let queries = ["mail", "file", "no such thing", "größe"];
        let answers = sessions.each_mut().map(|session| {
            let calls = vec![
                Call::new("last-1", "tool_search", format!(r#"{{"query":"{}"}}"#, queries[seed % queries.len()])),
                Call::new("last-2", ["file_read", "mail_send", "archive", "ping"][seed / 4 % 4], "{}"),
            ];
            // In one step, or one alone.
            let calls = match seed / 16 % 3 {
                0 => calls,
                one => vec![calls[one - 1].clone()],
            };
            go_on(case, session, &request, calls)
        });
        assert_eq!(answers[0], answers[1], "{}, cut at {cut}", case.name);
    }
}

fn prefix(events: &[Event], cut: usize) -> Transcript {
    let mut transcript = Transcript::new();
    events[..cut].iter().cloned().for_each(|event| transcript.push(event));
    transcript
}

/// One more step: what its searches promise, the next request has to keep.
fn go_on(case: &Case, session: &mut Session, request: &Request, calls: Vec<Call>) -> (Vec<Output>, Option<Request>) {
    // A call id that the transcript holds already is not a new call.
    let known = |id: &str| {
        session.transcript().events().iter().any(|event| match event {
            Event::Assistant { calls, .. } => calls.iter().any(|call| call.id == id),
            Event::Result { call, .. } => call == id,
            _ => false,
        })
    };
    let mut calls = calls;
    for call in &mut calls {
        while known(&call.id) {
            call.id.push('+');
        }
    }
    let (mut outputs, mut promised, mut last) = (Vec::new(), Vec::new(), None);
    for call in session.receive(request, "last", "", calls) {
        if call.name != "tool_search" {
            continue;
        }
        let answer = session.search(&call);
        if let (true, Output::Json(json)) = (case.ceilings, &answer.output) {
            assert!(json.len() <= CEILINGS.result_bytes, "{}: {json}", case.name);
        }
        promised.extend(answer.found.iter().copied());
        if !matches!(answer.output, Output::Error(_)) {
            last = Some(answer.clone());
        }
        outputs.push(answer.output);
    }
    let next = match session.step(&[]) {
        Ok(next) => next,
        // As published: what parallel searches promise together may not fit.
        Err(_) if !case.keeps_promises => return (outputs, None),
        Err(error) => panic!("{}: {error}", case.name),
    };
    check_request(case, &next);
    if case.keeps_promises {
        for tool in promised {
            assert!(next.callable.contains(&tool), "{}: {} was promised", case.name, CATALOG[tool].name());
        }
        if let Some(answer) = last {
            let selected: Vec<ToolId> = answer.selection.into_iter().filter(|t| !request.pins.contains(t)).collect();
            let base = CATALOG.find("clock").unwrap();
            let told: HashSet<ToolId> = selected.into_iter().filter(|t| *t != base).collect();
            assert_eq!(told, next.activated.iter().copied().collect(), "{}", case.name);
        }
    }
    (outputs, placeless(Ok(next)).ok())
}
