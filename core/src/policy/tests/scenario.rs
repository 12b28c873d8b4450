//! Which transcripts do the property tests read?
//!
//! A session is driven by random actions, so that every receipt is one the library wrote; then the transcript is damaged.

use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::TestCaseError;

use super::model::Model;
use super::*;
use crate::receipt::MacKey;
use crate::surface::{Request, StepError};

/// Name, description, and bytes of padding in the schema.
const TOOLS: [(&str, &str, usize); 9] = [
    ("mail_send", "Sends a letter.", 0),
    ("mail_list", "Lists letters.", 30),
    ("mail_move", "Moves a letter to a \"folder\"; \u{e9}t\u{e9}.", 0),
    ("file_read", "Reads a file.", 60),
    ("file_write", "Writes a file.", 0),
    ("file_list", "Lists files.", 10),
    ("clock", "Tells the time.", 0),
    ("calendar", "Lists days.", 0),
    ("big", "Huge definition.", 300),
];

/// Plain ones, one that finds nothing, a blank one, and one over the ceiling.
const QUERIES: [&str; 11] = [
    "mail",
    "file",
    "list",
    "clock",
    "big",
    "a",
    "file_read",
    "letter",
    "nothing alike",
    " - ",
    "too long a query ......",
];

const RUNS: [&str; 3] = ["r1", "r2", "r3"];
const KEYS: [&str; 2] = ["left", "right"];

/// What surfaces look like.
#[derive(Debug, Clone)]
pub struct Setup {
    results: usize,
    /// How many more a selection may hold.
    selected: usize,
    /// How many more a request may hold than the always-on tools.
    active: usize,
    /// Schema bytes beside those of the always-on tools.
    room: usize,
    result_bytes: usize,
    always_on: Vec<usize>,
    signed: bool,
}

impl Setup {
    /// The same under the key of another, so that what one wrote the other can read.
    pub fn signed_as(self, other: &Self) -> Self {
        Self { signed: other.signed, ..self }
    }
}

/// What a model calls.
#[derive(Debug, Clone)]
pub enum Wish {
    Search(usize),
    Tool(usize),
    Unknown,
}

#[derive(Debug, Clone)]
pub enum Action {
    Step { pins: Vec<usize>, wishes: Vec<Wish> },
    User,
    Run(usize),
    Surface(usize),
}

/// What is wrong with a forged receipt.
#[derive(Debug, Clone, Copy)]
pub enum Forgery {
    Name,
    NameAndFingerprint,
    Fingerprint,
    Run,
    Surface,
    Step,
    Status,
    Repaired,
}

/// What happens to a transcript; numbers are taken modulo what there is.
#[derive(Debug, Clone)]
pub enum Damage {
    /// User text before a result.
    Split(usize),
    /// Two neighbouring results change places.
    Swap(usize),
    /// A result comes again at a place behind it, every other time with another tool.
    Repeat(usize, usize),
    /// A result moves to the end.
    Late(usize),
    /// The JSON of a result ends early.
    Cut(usize, usize),
    Forge(usize, Forgery, usize),
    Remove(usize),
    /// Another run goes on from a place.
    Run(usize, usize),
}

pub fn setup() -> impl Strategy<Value = Setup> {
    let always_on = subsequence((0..TOOLS.len()).collect::<Vec<_>>(), 0..=2);
    let bytes = prop_oneof![3 => Just(8192_usize), 1 => 260..900_usize];
    let room = prop_oneof![0..800_usize, Just(8192)];
    (1..=3_usize, 0..=2_usize, 0..=5_usize, room, bytes, always_on, any::<bool>()).prop_map(
        |(results, selected, active, room, result_bytes, always_on, signed)| Setup {
            results,
            selected,
            active,
            room,
            result_bytes,
            always_on,
            signed,
        },
    )
}

pub fn pins() -> impl Strategy<Value = Vec<usize>> {
    let some = subsequence((0..TOOLS.len()).collect::<Vec<_>>(), 1..=3).prop_shuffle();
    prop_oneof![3 => Just(Vec::new()), 1 => some]
}

pub fn actions() -> impl Strategy<Value = Vec<Action>> {
    let wish = prop_oneof![
        4 => (0..QUERIES.len()).prop_map(Wish::Search),
        4 => (0..TOOLS.len()).prop_map(Wish::Tool),
        1 => Just(Wish::Unknown),
    ];
    let step = (pins(), prop::collection::vec(wish, 1..=3)).prop_map(|(pins, wishes)| Action::Step { pins, wishes });
    let action = prop_oneof![
        12 => step,
        1 => Just(Action::User),
        1 => (0..RUNS.len()).prop_map(Action::Run),
        1 => (0..KEYS.len()).prop_map(Action::Surface),
    ];
    prop::collection::vec(action, 1..12)
}

pub fn damages() -> impl Strategy<Value = Vec<Damage>> {
    use Forgery::*;
    let n = || 0..1000_usize;
    let forgery =
        prop::sample::select(vec![Name, NameAndFingerprint, Fingerprint, Run, Surface, Step, Status, Repaired]);
    let damage = prop_oneof![
        1 => n().prop_map(Damage::Split),
        2 => n().prop_map(Damage::Swap),
        4 => (n(), n()).prop_map(|(i, j)| Damage::Repeat(i, j)),
        1 => n().prop_map(Damage::Late),
        1 => (n(), n()).prop_map(|(i, j)| Damage::Cut(i, j)),
        4 => (n(), forgery, n()).prop_map(|(i, f, j)| Damage::Forge(i, f, j)),
        1 => n().prop_map(Damage::Remove),
        1 => (n(), n()).prop_map(|(i, j)| Damage::Run(i, j)),
    ];
    prop::collection::vec(damage, 0..5)
}

/// Two surfaces over one catalog, which differ in their key.
pub struct World {
    pub catalog: Arc<Catalog>,
    pub surfaces: Vec<Arc<Surface>>,
    pub ceilings: Ceilings,
    pub key: Option<MacKey>,
    pub base: Vec<ToolId>,
}

/// What a check looks at while a session is driven.
pub struct Moment<'a> {
    /// Which surface.
    pub surface: usize,
    /// The events before the request or the answer.
    pub events: &'a [Event],
    pub pins: &'a [ToolId],
    pub seen: Seen<'a>,
}

pub enum Seen<'a> {
    Step(&'a Result<Request, StepError>),
    Search(&'a Call, &'a Answer),
}

impl World {
    /// Surfaces as the setup says; none where the ceilings do not even hold the shortest receipt.
    pub fn new(setup: &Setup, policy: impl Fn(Ceilings, Option<MacKey>) -> Arc<dyn Policy>) -> Option<Self> {
        let tool = |&(name, text, padding): &(&str, &str, usize)| {
            let schema = format!(r#"{{"type":"object","title":"{}"}}"#, "x".repeat(padding));
            Tool::new(name, Some(text), &schema).unwrap()
        };
        let catalog = Arc::new(Catalog::new(TOOLS.iter().map(tool).collect()).unwrap());
        let base: Vec<ToolId> = setup.always_on.iter().map(|&i| ToolId(i as u32)).collect();
        let search = build("replace").unwrap().1.search_tool().unwrap().schema_bytes();
        let ceilings = Ceilings {
            query_bytes: 20,
            results: setup.results,
            result_bytes: setup.result_bytes,
            selected: setup.results + setup.selected,
            active: 1 + base.len() + setup.active,
            schema_bytes: search + base.iter().map(|&t| catalog[t].schema_bytes()).sum::<usize>() + setup.room,
        };
        let key = setup.signed.then(|| MacKey::new([7; 32]));
        let policy = policy(ceilings.clone(), key);
        let ranker = rank::build("phrase", &catalog).unwrap().ranker;
        let always_on: Vec<String> = base.iter().map(|&t| catalog[t].name().to_string()).collect();
        let surface = |key: &&str| {
            let config = SurfaceConfig::new(catalog.clone(), policy.clone()).unwrap();
            let (ranker, always_on, key) = (ranker.clone(), always_on.clone(), key.to_string());
            Surface::new(SurfaceConfig { ranker, always_on, key, ..config }).ok().map(Arc::new)
        };
        let surfaces = KEYS.iter().map(surface).collect::<Option<_>>()?;
        Some(Self { catalog, surfaces, ceilings, key, base })
    }

    /// The surfaces of the policy `replace`, as it is by default.
    pub fn ours(setup: &Setup) -> Option<Self> {
        Self::new(setup, |ceilings, key| {
            let policy = Replace::new(ceilings, Compat::No).unwrap().with_id_bytes(2, 3);
            Arc::new(if let Some(key) = key { policy.with_key(key) } else { policy })
        })
    }

    pub fn model(&self, surface: usize) -> Model<'_> {
        Model {
            catalog: &self.catalog,
            search: self.surfaces[surface].search_tool().unwrap(),
            base: &self.base,
            surface: self.surfaces[surface].key(),
            ceilings: &self.ceilings,
            key: self.key.as_ref(),
        }
    }

    fn name(&self, i: usize) -> &str {
        self.catalog[ToolId((i % TOOLS.len()) as u32)].name()
    }

    pub fn names(&self, tools: &[usize]) -> Vec<&str> {
        tools.iter().map(|&i| self.name(i)).collect()
    }

    /// Goes on from a transcript with a list of actions; `check` sees every request and every answer.
    pub fn drive(
        &self,
        start: &[Event],
        actions: &[Action],
        mut check: impl FnMut(Moment) -> Result<(), TestCaseError>,
    ) -> Result<Vec<Event>, TestCaseError> {
        let mut surface = 0;
        let mut session = Session::resume(self.surfaces[0].clone(), transcript(start));
        if start.is_empty() {
            session.run(RUNS[0]);
        }
        for (n, action) in actions.iter().enumerate() {
            let (pins, wishes) = match action {
                Action::Step { pins, wishes } => (pins, wishes),
                Action::User => {
                    session.user("Go on.");
                    continue;
                }
                Action::Run(i) => {
                    session.run(RUNS[*i]);
                    continue;
                }
                Action::Surface(i) => {
                    surface = *i;
                    session = Session::resume(self.surfaces[*i].clone(), session.transcript().clone());
                    continue;
                }
            };
            let ids: Vec<ToolId> = pins.iter().map(|&i| ToolId(i as u32)).collect();
            let got = session.step(&self.names(pins));
            let events = session.transcript().events();
            check(Moment { surface, events, pins: &ids, seen: Seen::Step(&got) })?;
            // A search counts the pins that its request carries.
            let ids = got.as_ref().map_or(ids, |request| request.pins.clone());
            let Ok(request) = got else { continue };
            let id = format!("{:x}", start.len() + n);
            let calls = wishes.iter().enumerate().map(|(i, wish)| self.call(format!("c{id}-{i}"), wish)).collect();
            for call in session.receive(&request, &format!("s{id}"), "", calls) {
                let before = session.transcript().events().len();
                match self.surfaces[surface].target(&request, &call.name) {
                    crate::surface::Target::Search => {
                        let answer = session.search(&call);
                        let events = &session.transcript().events()[..before];
                        check(Moment { surface, events, pins: &ids, seen: Seen::Search(&call, &answer) })?;
                    }
                    _ => session.result(&call, Output::Text("Done.".into())),
                }
            }
        }
        Ok(session.transcript().events().to_vec())
    }

    fn call(&self, id: String, wish: &Wish) -> Call {
        match wish {
            Wish::Search(i) => Call::new(id, "tool_search", serde_json::json!({ "query": QUERIES[*i] }).to_string()),
            Wish::Tool(i) => Call::new(id, self.name(*i), "{\"at\":1}"),
            Wish::Unknown => Call::new(id, "mail", "{}"),
        }
    }

    /// Damages a transcript in place.
    pub fn damage(&self, events: &mut Vec<Event>, damage: &Damage) {
        let results: Vec<usize> = (0..events.len()).filter(|&i| matches!(events[i], Event::Result { .. })).collect();
        let pick = |i: usize| results.get(i % results.len().max(1)).copied();
        match *damage {
            Damage::Remove(i) if events.len() > 1 => {
                events.remove(i % events.len());
            }
            Damage::Remove(_) => {}
            Damage::Run(at, run) => {
                events.insert(1 + at % events.len(), Event::Run { id: RUNS[run % RUNS.len()].into() });
            }
            Damage::Split(i) => {
                if let Some(at) = pick(i) {
                    events.insert(at, Event::User { text: "In between.".into() });
                }
            }
            Damage::Swap(i) => {
                let pairs: Vec<usize> = results.iter().copied().filter(|at| results.contains(&(at + 1))).collect();
                if let Some(at) = pairs.get(i % pairs.len().max(1)) {
                    events.swap(*at, at + 1);
                }
            }
            Damage::Repeat(i, behind) => {
                if let Some(at) = pick(i) {
                    let to = at + 1 + behind % (events.len() - at);
                    let mut again = events[at].clone();
                    if let (1, Event::Result { output: Output::Json(json), .. }) = (behind % 2, &mut again) {
                        self.forge(json, Forgery::NameAndFingerprint, behind);
                    }
                    events.insert(to, again);
                }
            }
            Damage::Late(i) => {
                if let Some(at) = pick(i) {
                    let event = events.remove(at);
                    events.push(event);
                }
            }
            Damage::Cut(i, n) => {
                if let Some(Event::Result { output: Output::Json(json), .. }) = pick(i).map(|at| &mut events[at]) {
                    let end = (0..=n % json.len().max(1)).rev().find(|&n| json.is_char_boundary(n));
                    json.truncate(end.unwrap_or(0));
                }
            }
            Damage::Forge(i, forgery, other) => {
                if let Some(Event::Result { output: Output::Json(json), .. }) = pick(i).map(|at| &mut events[at]) {
                    self.forge(json, forgery, other);
                }
            }
        }
    }

    fn forge(&self, json: &mut String, forgery: Forgery, other: usize) {
        let Ok(mut receipt) = serde_json::from_str::<serde_json::Value>(json) else { return };
        let tool = &self.catalog[ToolId((other % TOOLS.len()) as u32)];
        let print = serde_json::Value::from(tool.fingerprint().to_string());
        let mut set = |pointer: &str, value: serde_json::Value| {
            if let Some(field) = receipt.pointer_mut(pointer) {
                *field = value;
            }
        };
        match forgery {
            Forgery::Name => set("/selected/0", tool.name().into()),
            Forgery::NameAndFingerprint => {
                set("/selected/0", tool.name().into());
                set("/fingerprints/0", print);
            }
            Forgery::Fingerprint => set("/fingerprints/0", print),
            Forgery::Run => set("/runId", RUNS[other % RUNS.len()].into()),
            Forgery::Surface => set("/surfaceKey", KEYS[other % KEYS.len()].into()),
            Forgery::Step => set("/stepId", format!("s{}", other % 8).into()),
            Forgery::Status => {
                let status = ["SELECTED", "SEARCH_REQUIRED", "NO_MATCH", "SELECTION_REFUSED"][other % 4];
                set("/status", status.into());
            }
            Forgery::Repaired => set("/repaired/name", tool.name().into()),
        }
        *json = receipt.to_string();
    }
}

pub fn transcript(events: &[Event]) -> Transcript {
    let mut transcript = Transcript::new();
    events.iter().cloned().for_each(|event| transcript.push(event));
    transcript
}
