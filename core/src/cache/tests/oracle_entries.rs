//! The cache of written positions against a second, naive one that keeps every entry under its whole prefix.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

type Prefix = Vec<(u128, u64)>;

/// The pieces before each position at which a segment ends.
fn prefixes(prompt: &Prompt) -> Vec<(u64, Prefix)> {
    let pieces: Prefix = prompt.segments().iter().map(|s| (s.id, s.len())).collect();
    prompt.segments().iter().enumerate().map(|(i, s)| (s.tokens.end, pieces[..=i].to_vec())).collect()
}

/// Which entries a request with breakpoints finds: looks at every block behind every breakpoint.
fn naive(min: u64, ttl: u64, positions: usize, requests: &[Request]) -> Vec<(u64, u64)> {
    let mut held: BTreeMap<Prefix, u64> = BTreeMap::new();
    let mut out = Vec::new();
    for request in requests {
        let all = prefixes(&request.prompt);
        let marks: Vec<usize> = match &request.breakpoints {
            Breakpoints::Automatic => vec![all.len() - 1],
            Breakpoints::Explicit(marks) | Breakpoints::Both(marks) => marks.clone(),
        };
        let alive = |prefix: &Prefix| held.get(prefix).is_some_and(|used| request.at_s - used < ttl);
        let seen = marks.iter().flat_map(|m| all[..=*m].iter().rev().take(positions));
        let hit = seen.filter(|(_, prefix)| alive(prefix)).max_by_key(|(end, _)| *end).cloned();
        let last = marks.iter().map(|m| all[*m].0).max().unwrap_or(0);
        let read = hit.as_ref().map_or(0, |(end, _)| *end);
        out.push((read, if last < min { 0 } else { last.saturating_sub(read) }));
        if let Some((_, prefix)) = hit {
            held.insert(prefix, request.at_s);
        }
        for (end, prefix) in marks.iter().map(|m| &all[*m]).filter(|(end, _)| *end >= min) {
            assert!(*end >= min);
            held.insert(prefix.clone(), request.at_s);
        }
    }
    out
}

/// Prompts of a few pieces that often begin alike, some with breakpoints of their own.
fn sessions() -> impl Strategy<Value = Vec<Request>> {
    let one =
        (prop::collection::vec(0..3u8, 1..9), prop::option::of(prop::collection::btree_set(0..8usize, 0..4)), 0..9u64);
    prop::collection::vec(one, 1..12).prop_map(|all| {
        let mut at = 0;
        let one = |(pieces, marks, pause): (Vec<u8>, Option<std::collections::BTreeSet<usize>>, u64)| {
            at += pause;
            let label = |kind: u8| (["Ua", "Ab", "Uc"][usize::from(kind)], [3, 5, 7][usize::from(kind)]);
            let request = request(&pieces.iter().map(|k| label(*k)).collect::<Vec<_>>()).at(at, 0, 0);
            let within = |marks: std::collections::BTreeSet<usize>| {
                marks.into_iter().filter(|m| *m < pieces.len()).collect::<Vec<_>>()
            };
            match marks {
                Some(marks) => request.marked(&within(marks)),
                None => request,
            }
        };
        all.into_iter().map(one).collect()
    })
}

/// Units by the definition: every prefix that a rule wrote, each under its tokens.
fn naive_units(interval: usize, requests: &[Request]) -> Vec<u64> {
    let mut held: Vec<Vec<u8>> = Vec::new();
    let mut out = Vec::new();
    for (now, request) in requests.iter().enumerate() {
        let x = request.prompt.token_texts().unwrap().concat();
        out.push(held.iter().filter(|unit| x.starts_with(unit)).map(Vec::len).max().unwrap_or(0) as u64);
        held.push(x.to_vec());
        held.extend((1..=x.len() / interval).map(|k| x[..k * interval].to_vec()));
        for other in &requests[..now] {
            let other = other.prompt.token_texts().unwrap().concat();
            let common = x.iter().zip(&other).take_while(|(a, b)| a == b).count();
            held.push(x[..common].to_vec());
        }
    }
    out
}

proptest! {
    #![proptest_config(seeded(1500))]

    /// G03, P09: reads and writes at breakpoints are those of the naive cache.
    #[test]
    fn entries_agree_with_the_naive_cache(min in 0..20u64, ttl in 1..20u64, positions in 1..6u64, requests in sessions()) {
        let profile = Profile { ttl_s: Some(Setting::At(ttl)), ..entries(min) };
        let profile = with_entry(profile, |m| m.lookback_positions = Some(Setting::At(positions)));
        let found: Vec<_> = hits(&profile, &requests).into_iter().zip(written(&profile, &requests)).collect();
        prop_assert_eq!(found, naive(min, ttl, positions as usize, &requests));
    }

    /// G03: units agree with their definition over all pairs.
    #[test]
    fn units_agree_with_the_definition(interval in 1..6u64, texts in prop::collection::vec("[ab]{0,9}", 1..12)) {
        let requests: Vec<Request> = texts.iter().map(|t| Request::new(letters(t))).collect();
        let profile = super::entries::units(Setting::At(interval));
        prop_assert_eq!(hits(&profile, &requests), naive_units(interval as usize, &requests));
    }
}
