use super::*;

/// S17: a later search of the run replaces the selection; G07: one that finds nothing leaves it.
#[test]
fn the_newest_selection_replaces() {
    let mut agent = Agent::new("replace", &TOOLS);
    let output = agent.search("mail");
    let receipt = Agent::receipt(&output);
    assert_eq!(receipt["status"], "SELECTED");
    assert_eq!(receipt["selected"], serde_json::json!(["mail_send", "mail_list"]));
    assert_eq!(receipt["matches"][0], serde_json::json!({"name": "mail_send", "description": "Sends a letter."}));
    assert!(receipt["matches"][0].get("inputSchema").is_none());
    assert_eq!(agent.active(), ["mail_send", "mail_list"]);
    assert_eq!(Agent::receipt(&agent.search("nothing alike"))["status"], "NO_MATCH");
    assert_eq!(agent.active(), ["mail_send", "mail_list"]);
    agent.search("clock");
    assert_eq!(agent.active(), ["clock"]);
}

/// S18, G09: the receipts of one step are merged in call order, also when the results arrive in another order.
#[test]
fn parallel_searches_merge_in_call_order() {
    let mut agent = Agent::new("replace", &TOOLS);
    agent.search("clock");
    agent.step(&[r#"{"query":"file_write"}"#, r#"{"query":"mail"}"#]);
    let merged = ["file_write", "mail_send", "mail_list"];
    assert_eq!(agent.active(), merged);
    let mut events = agent.transcript.events().to_vec();
    let last = events.len() - 1;
    events.swap(last, last - 1);
    events.insert(last, Event::User { text: "in between".into() });
    agent.transcript = Transcript::default();
    events.into_iter().for_each(|e| agent.transcript.push(e));
    assert_eq!(agent.active(), merged);
}

/// S18: past the cap the earliest names stay, and the receipt that the model reads names the rest.
#[test]
fn past_the_cap_the_rest_is_refused_by_name() {
    let mut agent = Agent::new("replace(results=2,selected=3)", &TOOLS);
    let outputs = agent.step(&[r#"{"query":"mail"}"#, r#"{"query":"file"}"#]);
    assert_eq!(agent.active(), ["mail_send", "mail_list", "file_read"]);
    let second = Agent::receipt(&outputs[1]);
    assert_eq!(second["selected"], serde_json::json!(["file_read"]));
    assert_eq!(second["refused"][0]["name"], "file_write");
    assert_eq!(second["refused"][0]["ceiling"], "selected");
}

/// S19, S20: a receipt counts for its own run only; the same run restores it, a successor starts empty.
#[test]
fn selections_belong_to_their_run() {
    let mut agent = Agent::new("replace", &TOOLS);
    agent.search("mail");
    let mut successor = agent.transcript.clone();
    successor.push(Event::Run { id: "run-2".into() });
    let own = std::mem::replace(&mut agent.transcript, successor);
    assert_eq!(agent.active(), Vec::<String>::new());
    let json = serde_json::to_string(&own).unwrap();
    agent.transcript = serde_json::from_str(&json).unwrap();
    assert_eq!(agent.active(), ["mail_send", "mail_list"]);
}

/// S16, S19: only JSON results of the search tool count, and a damaged one is dropped with its reason.
#[test]
fn damaged_receipts_are_dropped_with_a_reason() {
    let mut agent = Agent::new("replace", &TOOLS);
    let output = agent.search("mail");
    let Output::Json(receipt) = output else { panic!("no receipt") };
    let mut redo = |tool: &str, output: Output| {
        let mut events: Vec<Event> = agent.transcript.events().to_vec();
        events.pop();
        let call = "c1-0".to_string();
        events.push(Event::Result { call, tool: tool.into(), output });
        let mut transcript = Transcript::new();
        events.into_iter().for_each(|e| transcript.push(e));
        let kept = std::mem::replace(&mut agent.transcript, transcript);
        let request = agent.with(&[], |s| s.request(&agent.transcript, &[]).unwrap());
        agent.transcript = kept;
        (request.activated.len(), request.dropped.len())
    };
    assert_eq!(redo("tool_search", Output::Json(receipt.clone())), (2, 0));
    assert_eq!(redo("mail_send", Output::Json(receipt.clone())), (0, 0));
    assert_eq!(redo("tool_search", Output::Text(receipt.clone())), (0, 0));
    assert_eq!(redo("tool_search", Output::Json(receipt.replace("mail_list", "mail_gone"))), (0, 1));
    assert_eq!(redo("tool_search", Output::Json(receipt.replace("run-1", "run-9"))), (0, 1));
}

/// S13: an oversized query is refused without a search; G10: a blank one is an error and changes nothing.
#[test]
fn oversized_and_blank_queries() {
    let mut agent = Agent::new("replace(query_bytes=8)", &TOOLS);
    agent.search("mail");
    let refused = Agent::receipt(&agent.search("mail mail mail"));
    assert_eq!((refused["status"].as_str(), &refused["selected"]), (Some("SELECTION_REFUSED"), &serde_json::json!([])));
    for blank in [" ", "---", "\u{3000}!"] {
        assert!(matches!(agent.search(blank), Output::Error(_)), "{blank:?}");
    }
    assert!(matches!(agent.step(&["{}"])[0], Output::Error(_)));
    assert!(matches!(agent.step(&["not json"])[0], Output::Error(_)));
    assert_eq!(agent.active(), ["mail_send", "mail_list"]);
}

/// S14: the receipt stays within its ceiling; names are never shortened, descriptions are.
#[test]
fn descriptions_give_way_to_the_byte_ceiling() {
    let mut wide = Agent::new("replace", &TOOLS);
    let full = match wide.search("mail") {
        Output::Json(json) => json.len(),
        other => panic!("{other:?}"),
    };
    for ceiling in [full - 1, full - 60, 360] {
        let mut agent = Agent::new(&format!("replace(result_bytes={ceiling})"), &TOOLS);
        let Output::Json(json) = agent.search("mail") else { panic!("no receipt") };
        assert!(json.len() <= ceiling, "{} > {ceiling}", json.len());
        assert!(json.contains("\"truncated\":true"));
    }
    let mut whole = Agent::new(&format!("replace(result_bytes={full})"), &TOOLS);
    assert!(
        matches!(whole.search("mail"), Output::Json(json) if json.len() == full && json.contains("\"truncated\":false"))
    );
}

/// S15: under every ceiling the best hits stay and the rest is refused by name and size; a tool that never fits does not
/// poison the rest.
#[test]
fn ceilings_refuse_by_name_and_size() {
    let mut agent = Agent::new("replace(active=1)", &TOOLS);
    let receipt = Agent::receipt(&agent.search("mail"));
    assert_eq!(receipt["status"], "SELECTION_REFUSED");
    assert_eq!(receipt["refused"][1]["ceiling"], "active");
    assert_eq!(agent.active(), Vec::<String>::new());
    let mut agent = Agent::new("replace(active=2)", &TOOLS);
    let receipt = Agent::receipt(&agent.search("mail"));
    assert_eq!(
        (receipt["selected"].clone(), receipt["refused"][0]["name"].as_str()),
        (serde_json::json!(["mail_send"]), Some("mail_list"))
    );
    assert_eq!(agent.active(), ["mail_send"]);

    let mut tools = TOOLS;
    let huge = "mail ".repeat(2_000);
    tools[5].1 = &huge;
    let mut agent = Agent::new("replace(schema_bytes=4000)", &tools);
    let receipt = Agent::receipt(&agent.search("mail"));
    assert_eq!(receipt["selected"], serde_json::json!(["mail_send", "mail_list"]));
    let size = agent.catalog[ToolId(5)].schema_bytes();
    assert_eq!(
        receipt["refused"][0],
        serde_json::json!({"name": "big", "ceiling": "schema_bytes", "schemaBytes": size})
    );
}

/// S05, S09: always-on tools are checked before the first step and counted once.
#[test]
fn always_on_tools_are_checked_and_counted_once() {
    let agent = Agent::new("replace(results=1,selected=1,active=3)", &TOOLS);
    let names = |on: &[&str]| agent.with(on, |s| s.request(&agent.transcript, &[]).unwrap().callable.len());
    assert_eq!(names(&["clock", "big"]), 2);
    let error = |always_on: &[&str]| agent.surface(always_on).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error(&["clock", "big", "mail_send"]).contains("smallest value that works is 4"));
    assert!(error(&["clock", "clock"]).contains("named twice"));
    assert!(error(&["clack"]).contains("\"clack\" is not in the catalog"));
}

/// S20: recovery repeats the run's id and restores the selection; interleaved runs do not see each other.
#[test]
fn recovery_repeats_the_run() {
    let mut agent = Agent::new("replace", &TOOLS);
    agent.search("mail");
    for id in ["run-2", "run-1"] {
        agent.transcript.push(Event::Run { id: id.into() });
    }
    let request = agent.with(&[], |s| s.request(&agent.transcript, &[]).unwrap());
    assert_eq!((agent.active().len(), request.dropped.len()), (2, 0));
}

/// S19: a second result of one call counts for nothing, so that a replayed receipt cannot widen the selection.
#[test]
fn a_second_result_is_dropped() {
    let mut agent = Agent::new("replace", &TOOLS);
    let Output::Json(receipt) = agent.search("clock") else { panic!("no receipt") };
    let print = |name: &str| agent.catalog[agent.catalog.find(name).unwrap()].fingerprint().to_string();
    let forged = receipt.replace("\"clock\"", "\"big\"").replace(&print("clock"), &print("big"));
    let output = Output::Json(forged);
    agent.transcript.push(Event::Result { call: "c1-0".into(), tool: "tool_search".into(), output });
    let request = agent.with(&[], |s| s.request(&agent.transcript, &[]).unwrap());
    assert_eq!(agent.active(), ["clock"]);
    assert_eq!(request.dropped, [("c1-0".to_string(), DropReason::SecondResult)]);
}

/// S29: a transcript from under wider ceilings is refused loudly before a request goes out.
#[test]
fn a_restored_selection_over_a_ceiling_is_refused() {
    let mut agent = Agent::new("replace", &TOOLS);
    agent.search("mail");
    agent.policy = build("replace(active=2)").unwrap().1;
    let error = agent.with(&[], |s| s.request(&agent.transcript, &[]).unwrap_err());
    assert_eq!(error, crate::surface::StepError::Policy(PolicyError::Overflow { ceiling: "active", tools: 2 }));
    assert_eq!(error.terminal_reason(), "context_overflow");
}

/// S14: names that were refused give way to the byte ceiling before what was selected.
#[test]
fn refused_names_give_way_first() {
    let long = "mail ".repeat(900);
    let names: Vec<String> = (0..7).map(|i| format!("mail_{}_{i}", "x".repeat(40))).collect();
    let mut tools: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), long.as_str())).collect();
    tools.push(("mail_small", "Small."));
    let mut agent = Agent::new("replace(schema_bytes=4000,result_bytes=700)", &tools);
    let receipt = Agent::receipt(&agent.search("mail"));
    assert_eq!(receipt["selected"], serde_json::json!(["mail_small"]));
    assert!(receipt["refused"].as_array().unwrap().len() < 7 && receipt["truncated"] == true);
    assert_eq!(agent.active(), ["mail_small"]);
}

/// N08, S14: a signed search activates, fits its byte ceiling, and an injected receipt of the same shape does not count.
#[test]
fn only_signed_receipts_count_under_a_key() {
    let mut agent = Agent::new("replace", &TOOLS);
    let Output::Json(plain) = agent.search("mail") else { panic!("no receipt") };
    let ceilings = Ceilings {
        query_bytes: 99,
        results: 4,
        result_bytes: plain.len() + r#","mac":"""#.len() + 64,
        selected: 4,
        active: 9,
        schema_bytes: 9_000,
    };
    let policy = Replace::new(ceilings.clone(), Compat::No).unwrap().with_key(crate::receipt::MacKey::new([1; 32]));
    let mut signed = Agent::new("replace", &TOOLS);
    signed.policy = Arc::new(policy);
    let Output::Json(json) = signed.search("mail") else { panic!("no receipt") };
    assert_eq!((json.len(), signed.active().len()), (ceilings.result_bytes, 2));
    let own = std::mem::replace(&mut signed.transcript, agent.transcript.clone());
    let request = signed.with(&[], |s| s.request(&signed.transcript, &[]).unwrap());
    assert_eq!((request.activated.len(), &request.dropped[0].1), (0, &DropReason::BadMac));
    signed.transcript = own;
    assert_eq!(signed.active().len(), 2);
}

/// S18: repairs that pushed each other out come back beside a search; a search that would be cut off then is refused
/// in its receipt, and the newest repair stays.
#[test]
fn a_search_after_repairs_that_evicted_is_refused() {
    let agent = Agent::new("replace(results=1,selected=1)", &TOOLS);
    let mut session = agent.session(&[]);
    let request = session.step(&[]).unwrap();
    let search = Call::new("c3", "tool_search", r#"{"query":"clock"}"#);
    let calls = vec![Call::new("c1", "big", "{}"), Call::new("c2", "clock", "{}"), search];
    let calls = session.receive(&request, "s1", "", calls);
    let answers: Vec<Answer> = calls.iter().map(|call| session.search(call)).collect();
    let status = |i: usize| Agent::receipt(&answers[i].output)["status"].clone();
    assert_eq!([0, 1, 2].map(status), ["SEARCH_REQUIRED", "SEARCH_REQUIRED", "SELECTION_REFUSED"]);
    let clock = agent.catalog.find("clock").unwrap();
    assert_eq!((session.step(&[]).unwrap().activated, answers[2].selection.clone()), (vec![clock], vec![clock]));
}
