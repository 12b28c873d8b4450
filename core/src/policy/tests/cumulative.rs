use super::*;

/// D10, D11, D12, D13: statuses, no schemas, and a selection that only grows.
#[test]
fn cumulative_selections_only_grow() {
    let mut agent = Agent::new("cumulative", &TOOLS);
    assert_eq!(
        agent.search("  mail_send "),
        Output::Text("Tools found:\n- mail_send: loaded\nStill deferred: 5".into())
    );
    assert_eq!(
        agent.search("mail"),
        Output::Text("Tools found:\n- mail_send: already_loaded\n- mail_list: loaded\nStill deferred: 4".into())
    );
    assert_eq!(agent.search("unheard"), Output::Text("No matching tools found.".into()));
    agent.search("clock");
    agent.search("mail");
    assert_eq!(agent.active(), ["mail_send", "mail_list", "clock"]);
    check_snapshots(agent.transcript.events()).unwrap();
    let snapshots: Vec<&Snapshot> = agent
        .transcript
        .events()
        .iter()
        .filter_map(|e| if let Event::Selection { snapshot, .. } = e { Some(snapshot) } else { None })
        .collect();
    assert_eq!(snapshots.len(), 3);
    assert_eq!(
        (snapshots[0].query.as_str(), &snapshots[2].selected[..]),
        ("mail_send", &["clock", "mail_list", "mail_send"].map(String::from)[..])
    );
    assert_eq!(serde_json::to_string(snapshots[0]).unwrap(), r#"{"query":"mail_send","selected":["mail_send"]}"#);
}

/// D02, D03, D24: wrong calls are ordinary errors and change nothing.
#[test]
fn wrong_cumulative_calls_change_nothing() {
    let mut agent = Agent::new("cumulative(results=3,query_chars=8)", &TOOLS);
    for arguments in [
        r#"{"query":" "}"#,
        r#"{"query":"123456789"}"#,
        r#"{"query":"mail","limit":0}"#,
        r#"{"query":"mail","limit":4}"#,
        r#"{"query":"mail","limit":1.5}"#,
        r#"{"query":"mail","limit":"2"}"#,
        r#"{"query":7}"#,
    ] {
        assert!(matches!(agent.step(&[arguments])[0], Output::Error(_)), "{arguments}");
    }
    assert_eq!(agent.active(), Vec::<String>::new());
    agent.step(&[r#"{"query":"mail","limit":1}"#]);
    assert_eq!(agent.active(), ["mail_send"]);
}

/// D15: a name that is gone stays in the set and its tool returns with it; a damaged newest snapshot fails loudly.
#[test]
fn recovery_restores_the_newest_snapshot() {
    let mut agent = Agent::new("cumulative", &TOOLS);
    agent.search("mail");
    agent.catalog = Arc::new(catalog(&TOOLS[1..]));
    assert_eq!(agent.active(), ["mail_list"]);
    agent.search("clock");
    agent.catalog = Arc::new(catalog(&TOOLS));
    assert_eq!(agent.active(), ["mail_send", "mail_list", "clock"]);
    let snapshot = Snapshot::new("q", vec!["b".into(), "a".into()]);
    agent.transcript.push(Event::Selection { snapshot, added: vec![] });
    let error = agent.with(&[], |s| s.request(&agent.transcript, &[]).unwrap_err());
    let damaged = PolicyError::Snapshot { problem: "its names are not strictly increasing" };
    assert_eq!(error, crate::surface::StepError::Policy(damaged));
}

/// D14: agents do not share anything: two transcripts over one catalog select apart.
#[test]
fn agents_are_isolated() {
    let (mut a, mut b) = (Agent::new("cumulative", &TOOLS), Agent::new("cumulative", &TOOLS));
    a.search("mail");
    b.search("clock");
    assert_eq!((a.active().len(), b.active()), (2, vec!["clock".to_string()]));
}

/// D13: a name with a space at its end is a name.
#[test]
fn padded_names_are_names() {
    let mut agent = Agent::new("cumulative", &[("mail ", "Sends letters."), ("clock", "Time.")]);
    agent.search("letters");
    assert_eq!(agent.active(), ["mail "]);
    check_snapshots(agent.transcript.events()).unwrap();
}
