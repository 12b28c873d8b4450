//! Does `replace` agree with the plain reading of its definitions, whatever happens to a transcript?

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::scenario::{Action, Damage, Moment, Seen, World, actions, damages, pins, setup, transcript};
use super::*;
use crate::evidence::Source;
use crate::receipt::{MacKey, Place, Receipt};
use crate::surface::{Request, StepError};

type Check = Result<(), TestCaseError>;

/// A request without the one field that tells when the session was opened.
fn without_source(request: Result<Request, StepError>) -> Result<Request, StepError> {
    request.map(|mut r| {
        r.evidence.source = Source::Catalog;
        r
    })
}

/// What a request lets the model call, without the report on what did not count.
fn visible(request: Result<Request, StepError>) -> Result<impl PartialEq + std::fmt::Debug, StepError> {
    request.map(|r| (r.tools, r.callable, r.pins, r.refused_pins, r.activated))
}

/// Every name is in the catalog and stands once; no ceiling is exceeded.
fn within(world: &World, request: &Request, ceilings: bool) -> Check {
    let mut names = request.callable.clone();
    names.sort();
    names.dedup();
    prop_assert_eq!(names.len(), request.callable.len());
    prop_assert!(names.iter().all(|t| t.index() < world.catalog.len()));
    let search = usize::from(world.surfaces[0].search_tool().is_some());
    prop_assert_eq!(request.tools.len(), search + names.len());
    prop_assert_eq!(request.evidence.active_tools, search + names.len());
    if ceilings {
        let bytes: usize = names.iter().map(|t| world.catalog[*t].schema_bytes()).sum();
        let bytes = bytes + world.surfaces[0].search_tool().unwrap().schema_bytes();
        prop_assert!(request.evidence.selected_tools <= world.ceilings.selected);
        // The search tool is one more.
        prop_assert!(names.len() < world.ceilings.active && bytes <= world.ceilings.schema_bytes);
        prop_assert_eq!(request.evidence.active_schema_bytes, bytes);
    }
    Ok(())
}

/// A request against the model.
fn agrees(world: &World, surface: usize, events: &[Event], pins: &[ToolId], got: &Result<Request, StepError>) -> Check {
    let expected = world.model(surface).step(events, pins).map(|(selection, fitting)| {
        let pins = pins[..fitting].to_vec();
        let alone = selection.into_iter().filter(|t| !world.base.contains(t) && !pins.contains(t)).collect();
        (alone, pins)
    });
    let got = got.as_ref().ok().map(|r| (r.activated.clone(), r.pins.clone()));
    prop_assert_eq!(got, expected as Option<(Vec<ToolId>, Vec<ToolId>)>, "{}", story(events));
    Ok(())
}

/// The place of an answer's receipt in a transcript.
fn place<'a>(world: &'a World, moment: &Moment<'a>, call: &'a Call) -> Place<'a> {
    let step = moment.events.iter().rev().find_map(|e| match e {
        Event::Assistant { step, .. } => Some(step.as_str()),
        _ => None,
    });
    Place {
        catalog: &world.catalog,
        run: super::model::run(moment.events),
        surface: world.surfaces[moment.surface].key(),
        step: step.unwrap_or(""),
        call: &call.id,
        read_v1: false,
        key: world.key.as_ref(),
    }
}

/// An answer against the model: readable, within its bytes, and leading to the selection that it tells of.
fn answers(world: &World, moment: &Moment, call: &Call, answer: &Answer) -> Check {
    let model = world.model(moment.surface);
    let Output::Json(json) = &answer.output else {
        prop_assert!(matches!(answer.output, Output::Error(_)));
        return Ok(());
    };
    prop_assert!(json.len() <= world.ceilings.result_bytes);
    let read = Receipt::read(json, place(world, moment, call));
    prop_assert!(read.is_ok(), "{:?} {}", read, json);
    let mut after = moment.events.to_vec();
    after.extend(answer.clone().events(call));
    let selection = model.selection(&after);
    prop_assert_eq!(&answer.selection, &selection, "{}", story(&after));
    if let Some(original) = &call.repaired {
        let tool = world.catalog.find(&original.name).unwrap();
        let expected = model.repair(moment.events, moment.pins, tool, &call.id);
        let got = (!answer.activated.is_empty()).then(|| answer.selection.clone());
        // A receipt with little room may be refused although the tools fit.
        if got.is_some() || world.ceilings.result_bytes == 8192 {
            prop_assert_eq!(got, expected, "{}", story(&after));
        }
    }
    Ok(())
}

fn all(world: &World, moment: Moment) -> Check {
    match moment.seen {
        Seen::Step(got) => {
            if let Ok(request) = got {
                within(world, request, true)?;
            }
            agrees(world, moment.surface, moment.events, moment.pins, got)
        }
        Seen::Search(call, answer) => answers(world, &moment, call, answer),
    }
}

/// A driven and then damaged transcript.
fn damaged(world: &World, actions: &[Action], damages: &[Damage]) -> Vec<Event> {
    let mut events = world.drive(&[], actions, |_| Ok(())).unwrap();
    damages.iter().for_each(|damage| world.damage(&mut events, damage));
    events
}

/// Reading in two parts, with requests in between, against reading at once.
fn folds(world: &World, events: &[Event], cut: usize, stops: &[usize], pins: &[usize]) -> Check {
    let pins = world.names(pins);
    for surface in &world.surfaces {
        let whole = without_source(surface.request(&transcript(events), &pins));
        if let Ok(request) = &whole {
            within(world, request, false)?;
        }
        let (head, tail) = events.split_at(cut % (events.len() + 1));
        let mut session = Session::resume(surface.clone(), transcript(head));
        for (i, event) in tail.iter().enumerate() {
            if stops.contains(&i) {
                let here = without_source(surface.request(session.transcript(), &[]));
                prop_assert_eq!(without_source(session.step(&[])), here);
            }
            session.push(event.clone());
        }
        prop_assert_eq!(&without_source(session.step(&pins)), &whole, "{}", story(events));
        prop_assert_eq!(without_source(session.step(&pins)), whole);
    }
    Ok(())
}

fn stops() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..40_usize, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    /// S15, S17, S18, S20, G07, G14: while a session goes on, every request and every answer is what the plain reading
    /// makes of its transcript, within all ceilings; a receipt reads at its place and fits into its bytes.
    #[test]
    fn a_session_agrees_with_the_model(setup in setup(), actions in actions()) {
        let Some(world) = World::ours(&setup) else { return Ok(()) };
        world.drive(&[], &actions, |moment| all(&world, moment))?;
    }

    /// S15, S16, S18, S19, S20, G09: the same holds for damaged transcripts, read under any ceilings, and for a session
    /// that goes on from one.
    #[test]
    fn damaged_transcripts_agree_with_the_model(
        setup in setup(), before in actions(), damages in damages(), pins in pins(), after in actions(),
        other in prop::option::of(setup()),
    ) {
        let Some(world) = World::ours(&setup) else { return Ok(()) };
        let events = damaged(&world, &before, &damages);
        let other = other.map_or(setup.clone(), |other| other.signed_as(&setup));
        let Some(world) = World::ours(&other) else { return Ok(()) };
        let ids: Vec<ToolId> = pins.iter().map(|&i| ToolId(i as u32)).collect();
        for (i, surface) in world.surfaces.iter().enumerate() {
            let got = surface.request(&transcript(&events), &world.names(&pins));
            if let Ok(request) = &got {
                within(&world, request, true)?;
            }
            agrees(&world, i, &events, &ids, &got)?;
        }
        world.drive(&events, &after, |moment| all(&world, moment))?;
    }

    /// S20: resuming at any event, with or without requests in between, makes no difference.
    #[test]
    fn reading_in_parts_makes_no_difference(
        setup in setup(), actions in actions(), damages in damages(), pins in pins(), cut in 0..200_usize, stops in stops(),
    ) {
        let Some(world) = World::ours(&setup) else { return Ok(()) };
        folds(&world, &damaged(&world, &actions, &damages), cut, &stops, &pins)?;
    }

    /// S19: a receipt that does not read at its place is worth as much as any other text there.
    #[test]
    fn a_foreign_or_forged_receipt_changes_nothing(setup in setup(), actions in actions(), damages in damages()) {
        let Some(world) = World::ours(&setup) else { return Ok(()) };
        let events = damaged(&world, &actions, &damages);
        for (i, surface) in world.surfaces.iter().enumerate() {
            let as_it_is = visible(surface.request(&transcript(&events), &[]));
            for at in 0..events.len() {
                let mut plain = events.clone();
                match &mut plain[at] {
                    Event::Result { output, .. } if !world.model(i).reads(&events, at) => *output = Output::Text("x".into()),
                    _ => continue,
                }
                prop_assert_eq!(&visible(surface.request(&transcript(&plain), &[])), &as_it_is, "{} {}", at, story(&events));
            }
        }
    }

    /// N08: with a key, one other byte anywhere in a text of a receipt and it counts for nothing.
    #[test]
    fn a_signed_receipt_counts_only_byte_for_byte(
        setup in setup(), actions in actions(), picks in prop::collection::vec((0..4000_usize, "[ -~]"), 1..8),
    ) {
        let Some(mut world) = World::new(&setup, |ceilings, _| {
            Arc::new(Replace::new(ceilings, Compat::No).unwrap().with_id_bytes(2, 3).with_key(MacKey::new([7; 32])))
        }) else { return Ok(()) };
        world.key = Some(MacKey::new([7; 32]));
        world.drive(&[], &actions, |moment| {
            let Seen::Search(call, Answer { output: Output::Json(json), .. }) = moment.seen else { return Ok(()) };
            let texts = text_bytes(json);
            for (pick, with) in &picks {
                let mut changed = json.clone();
                let at = texts[pick % texts.len()];
                changed.replace_range(at..=at, with);
                // The same text in another spelling is the same receipt.
                let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
                if value(&changed) != value(json) {
                    prop_assert!(Receipt::read(&changed, place(&world, &moment, call)).is_err(), "{}\n{}", json, changed);
                }
            }
            Ok(())
        })?;
    }

    /// The same promises where they are the policy's: `cumulative` and `eager` name a tool once, and resume anywhere.
    #[test]
    fn the_other_policies_fold_too(
        setup in setup(), actions in actions(), damages in damages(), pins in pins(), cut in 0..200_usize, stops in stops(),
        spec in prop::sample::select(vec!["cumulative", "eager"]),
    ) {
        let world = World::new(&setup, |_, _| build(spec).unwrap().1).unwrap();
        let check = |moment: Moment| match moment.seen {
            Seen::Step(Ok(request)) => within(&world, request, false),
            _ => Ok(()),
        };
        let mut events = world.drive(&[], &actions, check)?;
        damages.iter().for_each(|damage| world.damage(&mut events, damage));
        folds(&world, &events, cut, &stops, &pins)?;
    }

    /// The published behaviour holds its ceilings step by step, and resumes anywhere.
    #[test]
    fn the_published_behaviour_folds_too(
        setup in setup(), actions in actions(), damages in damages(), pins in pins(), cut in 0..200_usize, stops in stops(),
    ) {
        let policy = |ceilings, _| Arc::new(Replace::new(ceilings, Compat::Upstream).unwrap()) as Arc<dyn Policy>;
        let Some(world) = World::new(&setup, policy) else { return Ok(()) };
        let check = |moment: Moment| match moment.seen {
            Seen::Step(Ok(request)) => within(&world, request, true),
            _ => Ok(()),
        };
        let mut events = world.drive(&[], &actions, check)?;
        damages.iter().for_each(|damage| world.damage(&mut events, damage));
        folds(&world, &events, cut, &stops, &pins)?;
    }
}

/// Positions of the plain bytes inside the texts of a JSON value; names of fields are none.
fn text_bytes(json: &str) -> Vec<usize> {
    let bytes = json.as_bytes();
    let (mut found, mut start, mut at) = (Vec::new(), None, 0);
    while at < bytes.len() {
        match (bytes[at], start) {
            (b'"', None) => start = Some(found.len()),
            (b'"', Some(first)) => {
                if bytes.get(at + 1) == Some(&b':') {
                    found.truncate(first);
                }
                start = None;
            }
            (b'\\', Some(_)) => at += 1,
            (byte, Some(_)) if byte.is_ascii() => found.push(at),
            _ => {}
        }
        at += 1;
    }
    found
}

/// A transcript in few lines, for the report of a failure.
fn story(events: &[Event]) -> String {
    let line = |(at, event): (usize, &Event)| match event {
        Event::Run { id } => format!("{at} run {id}"),
        Event::Assistant { step, calls, .. } => {
            let call =
                |c: &Call| format!("{} {} {}", c.id, c.repaired.as_ref().map_or(&c.name, |o| &o.name), c.arguments);
            format!("{at} step {step}: {}", calls.iter().map(call).collect::<Vec<_>>().join(" | "))
        }
        Event::Result { call, output, .. } => format!("{at}   {call} -> {}", output.text()),
        other => format!("{at} {other:?}"),
    };
    events.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
