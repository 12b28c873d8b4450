//! Which small run do the tests of this crate share? Every figure is made by hand and easy to check by eye.

use std::collections::BTreeMap;

use crate::Run;
use crate::manifest::{Environment, Identity, Manifest, Status};
use crate::record::{
    Basis, Better, CacheRow, CorpusInfo, CounterInfo, CrossingRow, Divergence, Level, MetricInfo, NameRow, QueryRow,
    RequestRow, ResolvedName, RetrievalCell, SCHEMA_VERSION, Scores, SectionRow, SessionCell,
};

pub(crate) const BYTES: &str = "bytes@1";
pub(crate) const O200K: &str = "o200k_base@tiktoken";

pub(crate) fn metric(name: &str, better: Better) -> MetricInfo {
    MetricInfo {
        name: name.to_owned(),
        version: 1,
        level: if name.contains("_name@") { Level::Name } else { Level::Query },
        summary: format!("What {name} measures."),
        unit: "share".to_owned(),
        better,
        undefined: "this test leaves it open".to_owned(),
        source: "this test".to_owned(),
    }
}

pub(crate) fn corpus(name: &str, tools: u64, queries: u64) -> CorpusInfo {
    CorpusInfo {
        name: name.to_owned(),
        sha256: format!("{:064x}", tools),
        tools,
        generated_tools: if name.starts_with("gen") { tools } else { 0 },
        servers: None,
        parts: BTreeMap::new(),
        queries,
        schema_bytes: 400 * tools,
        resolved_names: Vec::new(),
        notes: Vec::new(),
    }
}

/// A query with one need, found at `rank`.
pub(crate) fn query(id: &str, class: &str, rank: Option<u64>) -> QueryRow {
    let within = |k: u64| rank.is_some_and(|rank| rank <= k);
    let share = |hit: bool| Some(if hit { 1.0 } else { 0.0 });
    let values = [
        ("hit@1", share(within(1))),
        ("hit@5", share(within(5))),
        ("complete@5", share(within(5))),
        ("recall@5", share(within(5))),
        ("mrr@10", Some(rank.map_or(0.0, |rank| 1.0 / rank as f64))),
    ];
    QueryRow {
        id: id.to_owned(),
        class: Some(class.to_owned()),
        cluster: None,
        overlap: Some(if class == "keyword" { 1.0 } else { 0.25 }),
        needed: 1,
        ranks: vec![rank],
        returned: 10,
        values: values.map(|(name, value)| (name.to_owned(), value)).into(),
    }
}

pub(crate) fn name(tool: &str, found: Option<f64>) -> NameRow {
    NameRow { tool: tool.to_owned(), values: [("exact_name@1".to_owned(), found)].into() }
}

pub(crate) fn retrieval(corpus: &str, ranker: &str, queries: Vec<QueryRow>, names: u64) -> RetrievalCell {
    let names = (0..names).map(|place| name(&format!("tool_{place}"), Some(1.0))).collect();
    RetrievalCell { corpus: corpus.to_owned(), ranker: ranker.to_owned(), queries, names }
}

/// A part of `tokens` tokens of four units each, of which `kept` units of `before` survived.
fn section(tokens: u64, before: Option<u64>, kept: u64) -> SectionRow {
    SectionRow {
        units: 4 * tokens,
        tokens: [(BYTES.to_owned(), 4 * tokens), (O200K.to_owned(), tokens)].into(),
        kept: before.map(|_| kept),
        survival: before.filter(|before| *before > 0).map(|before| kept as f64 / (4 * before) as f64),
        coverage: before.map(|_| kept as f64 / (4 * tokens) as f64),
    }
}

/// Requests from (tokens of the tools section, units of it that survived, what broke it); 100 further tokens each.
pub(crate) fn requests(steps: &[(u64, u64, &str)]) -> Vec<RequestRow> {
    let mut before = None;
    let mut rows = Vec::new();
    for (place, (tokens, kept, broken)) in steps.iter().enumerate() {
        let divergence = before.filter(|_| !broken.is_empty()).map(|_| Divergence {
            kind: if *broken == "scaffolding" { "scaffolding" } else { "tool" }.to_owned(),
            name: if *broken == "scaffolding" { String::new() } else { (*broken).to_owned() },
            offset: 2,
        });
        rows.push(RequestRow {
            request: place as u64,
            session: 0,
            idle_seconds: 0,
            turn: 0,
            cause: if place == 0 { "user" } else { "search" }.to_owned(),
            active_tools: place as u64,
            tools_sent: place as u64 + 1,
            schema_bytes: 4 * tokens,
            tools: section(*tokens, before, *kept),
            prompt: section(tokens + 100, before.map(|before| before + 100), *kept),
            divergence,
        });
        before = Some(*tokens);
    }
    rows
}

pub(crate) fn session(corpus: &str, policy: &str, order: &str, requests: Vec<RequestRow>) -> SessionCell {
    let deferred = policy != "eager";
    SessionCell {
        corpus: corpus.to_owned(),
        script: "ten-needs".to_owned(),
        policy: policy.to_owned(),
        order: order.to_owned(),
        entry: "list".to_owned(),
        layout: "L1".to_owned(),
        unit: "utf8".to_owned(),
        ranker: deferred.then(|| "fielded(gate=0)".to_owned()),
        limit: deferred.then_some(5),
        basis: Basis::Measured,
        needs: 10,
        met: if deferred { 9 } else { 10 },
        searches: if deferred { 12 } else { 0 },
        retried: 0,
        repaired: 0,
        evicted: 0,
        empty_searches: 0,
        activated: if deferred { 20 } else { 0 },
        activated_unneeded: Some(if deferred { 11 } else { 0 }),
        extra_turns: Some(if deferred { 12 } else { 0 }),
        requests,
        caches: Vec::new(),
        notes: Vec::new(),
    }
}

/// What a cache makes of some session: 1,000 tokens of prompts, 400 of them read.
pub(crate) fn cache(profile: &str, start: &str, cost: Option<f64>) -> CacheRow {
    let crossing = |turn, cheaper: &str| CrossingRow { turn, cheaper: cheaper.to_owned() };
    CacheRow {
        profile: profile.to_owned(),
        basis: Basis::Simulated,
        assumed: Vec::new(),
        counter: O200K.to_owned(),
        start: start.to_owned(),
        prefill: 1_000,
        peak: 600,
        output: 50,
        hit: Some(400),
        written: Some(600),
        hit_ratio: Some(0.4),
        input_cost: Some(600.0),
        cost,
        turns: vec![200.0, 400.0, 600.0],
        break_tax: None,
        breaks: 1,
        churn: 120,
        crossings: Some(vec![crossing(1, "deferred"), crossing(3, "eager")]),
        unknown: if cost.is_none() { vec!["output".to_owned()] } else { Vec::new() },
    }
}

pub(crate) fn manifest() -> Manifest {
    let environment = Environment {
        command: vec!["deferbench".to_owned(), "run".to_owned()],
        started: "2025-01-01T00:00:00Z".to_owned(),
        finished: Some("2025-01-01T00:00:02Z".to_owned()),
        platform: "linux-x86_64".to_owned(),
        processors: 2,
        threads: 2,
    };
    let identity = Identity {
        suite_version: "0.1.0".to_owned(),
        scenario: "default".to_owned(),
        given: "name = \"default\"\nlimits = [5]\n".to_owned(),
        resolved: [("orders".to_owned(), vec!["append".to_owned(), "registry".to_owned()])].into(),
        seed: 7,
        replicates: 1_000,
        corpora: [(GEN_10.to_owned(), format!("{:064x}", 10)), (GEN_100.to_owned(), format!("{:064x}", 100))].into(),
        metrics: [("hit@1".to_owned(), 1)].into(),
        counters: vec![BYTES.to_owned(), O200K.to_owned()],
    };
    Manifest { schema_version: SCHEMA_VERSION, status: Status::Finished, identity, environment }
}

pub(crate) const GEN_10: &str = "gen(tools=10,seed=7)";
pub(crate) const GEN_100: &str = "gen(tools=100,seed=7)";
pub(crate) const CUMULATIVE: &str = "cumulative(evict=none)";
pub(crate) const REPLACE: &str = "replace(max_selected=8,max_schema_bytes=20000)";

pub(crate) fn scores() -> Scores {
    let ranks = [Some(1), Some(1), Some(2), None, Some(1), Some(4), Some(1), Some(8)];
    let queries = |shift: usize| {
        let class = |place: usize| if place < 4 { "keyword" } else { "paraphrase" };
        let row = |place: usize| query(&format!("q{place}"), class(place), ranks[(place + shift) % 8]);
        (0..8).map(row).collect::<Vec<_>>()
    };
    let mut many = queries(1);
    many[7].needed = 6;
    many[7].values.insert("complete@5".to_owned(), None);
    let mut own = corpus("my-servers", 40, 0);
    own.servers = Some(2);
    own.notes.push("The descriptions are in French.".to_owned());
    own.resolved_names.push(ResolvedName {
        name: "files__read".to_owned(),
        server: "files".to_owned(),
        bare: "read".to_owned(),
    });
    let names = ["exact_name@1", "hit@1", "hit@5", "complete@5", "recall@5", "mrr@10"];
    let mut sessions = Vec::new();
    for (corpus, all) in [(GEN_10, 1_000), (GEN_100, 10_000)] {
        sessions.push(session(corpus, "eager", "registry", requests(&[(all, 0, ""), (all, 4 * all, "")])));
        for policy in [CUMULATIVE, REPLACE] {
            let append = requests(&[(120, 0, ""), (400, 479, "scaffolding"), (600, 1_599, "scaffolding")]);
            sessions.push(session(corpus, policy, "append", append));
            let registry = requests(&[(120, 0, ""), (400, 2, "search_tools"), (600, 800, "read_file")]);
            sessions.push(session(corpus, policy, "registry", registry));
        }
    }
    Scores {
        schema_version: SCHEMA_VERSION,
        suite_version: "0.1.0".to_owned(),
        scenario: "default".to_owned(),
        limits: vec![
            "No language model takes part: a tool that is found is counted as used well.".to_owned(),
            "The generated tools follow the sizes of real servers, but nobody uses them.".to_owned(),
        ],
        metrics: names.map(|name| metric(name, Better::Higher)).to_vec(),
        counters: vec![
            CounterInfo {
                name: BYTES.to_owned(),
                basis: Basis::Measured,
                summary: "UTF-8 bytes.".to_owned(),
                vocabulary_sha256: None,
            },
            CounterInfo {
                name: O200K.to_owned(),
                basis: Basis::Measured,
                summary: "Tokens of GPT-4o.".to_owned(),
                vocabulary_sha256: Some("446a9538".to_owned()),
            },
        ],
        corpora: vec![corpus(GEN_10, 10, 8), corpus(GEN_100, 100, 8), own],
        retrieval: vec![
            retrieval(GEN_10, "fielded(gate=0)", queries(0), 10),
            retrieval(GEN_100, "fielded(gate=0)", many, 100),
            retrieval("my-servers", "fielded(gate=0)", Vec::new(), 40),
        ],
        sessions,
    }
}

pub(crate) fn run() -> Run {
    Run::new(manifest(), scores(), None)
}

/// The same run with other scores.
pub(crate) fn changed(change: impl FnOnce(&mut Scores)) -> Run {
    let mut scores = scores();
    change(&mut scores);
    Run::new(manifest(), scores, None)
}
