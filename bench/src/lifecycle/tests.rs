use super::*;

/// G07, G08, G09, G10, G12, G13, G14, N08: every case of every built-in trace holds, ours and the published one.
#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    for outcome in built_in().unwrap().iter().flat_map(|t| t.play().unwrap()) {
        let name = format!("{}, {}", outcome.trace, outcome.case);
        failures.extend(outcome.failures.into_iter().map(|f| format!("{name}: {f}")));
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
