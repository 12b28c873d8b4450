//! Whether a run defers is decided once.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::sync::Arc;

use deferbench_core::policy;
use deferbench_core::session::Session;
use deferbench_core::surface::{Surface, SurfaceConfig, Target};
use deferbench_core::threshold::Threshold;
use deferbench_core::transcript::{Call, Event};
use deferbench_core::{Catalog, Tool};

fn surface(policy: &str, tools: usize, threshold: Threshold) -> Arc<Surface> {
    let tool = |i| Tool::new(&format!("tool_{i}"), Some("Does something."), "{}").unwrap();
    let catalog = Arc::new(Catalog::new((0..tools).map(tool).collect()).unwrap());
    let config = SurfaceConfig::new(catalog, policy::build(policy).unwrap().1).unwrap();
    Arc::new(Surface::new(SurfaceConfig { threshold, ..config }).unwrap())
}

fn sent(session: &mut Session) -> Vec<String> {
    let request = session.step(&[]).unwrap();
    session.surface().definitions(&request).iter().map(|t| t.name().to_string()).collect()
}

/// P13: the decision stands in the transcript, so that a catalog that crosses the threshold, a resume, another run in
/// between and a compaction change nothing for the run; the next run decides anew.
#[test]
fn a_decision_is_pinned_to_its_run() {
    for policy in ["replace", "cumulative"] {
        let at = |tools| surface(policy, tools, Threshold::Tools(3));
        let mut session = Session::new(at(3), "small");
        assert_eq!(sent(&mut session), ["tool_0", "tool_1", "tool_2"]);
        assert_eq!(session.transcript().deferral(), Some(false));
        let mut session = Session::resume(at(4), session.transcript().clone());
        assert_eq!(sent(&mut session).len(), 4);
        session.run("large");
        assert_eq!(sent(&mut session), ["tool_search"]);
        let mut session = Session::resume(at(2), session.transcript().clone());
        assert_eq!(sent(&mut session), ["tool_search"]);
        session.run("small");
        assert_eq!(sent(&mut session).len(), 2);
        let short = session.compacted("Much was said.").unwrap();
        assert_eq!(short.deferral(), Some(false));
        assert_eq!(sent(&mut Session::resume(at(9), short)).len(), 9);
        let decisions = session.transcript().events().iter().filter(|e| matches!(e, Event::Deferral { .. })).count();
        assert_eq!(decisions, 2, "one for each run, however often it goes on");
    }
}

/// P13: where nothing is deferred there is no search tool, every tool is called directly, and a call of the search tool is
/// a call of an unknown tool; P16: while anything is deferred the search tool is there.
#[test]
fn without_deferral_there_is_no_search() {
    let few = surface("replace", 2, Threshold::SchemaBytes(10_000));
    let mut session = Session::new(few.clone(), "r");
    let request = session.step(&[]).unwrap();
    assert!(matches!(few.target(&request, "tool_1"), Target::Callable(_)));
    assert_eq!(few.target(&request, "tool_search"), Target::Unknown);
    let calls = session.receive(&request, "s1", "", vec![Call::new("c1", "tool_1", "{}")]);
    assert_eq!(calls[0].name, "tool_1");
    let share = |percent| Threshold::Share { catalog: 5_000, window: 100_000, percent };
    assert_eq!(sent(&mut Session::new(surface("replace", 2, share(5.0)), "r")).len(), 2);
    for deferred in [share(4.9), Threshold::Always, Threshold::Tools(1)] {
        assert_eq!(sent(&mut Session::new(surface("cumulative", 2, deferred), "r")), ["tool_search"]);
    }
}
