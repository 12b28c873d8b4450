use super::*;

/// G07, G08, G09, G10, G12, G13, G14, N08: every case of every built-in trace holds, ours and the published one.
#[test]
fn every_case_holds() {
    let mut failures = Vec::new();
    for trace in built_in().unwrap() {
        for case in &trace.cases {
            let outcome = play(&trace, case).unwrap();
            failures.extend(outcome.failures.into_iter().map(|f| format!("{}, {}: {f}", trace.name, case.name)));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
