//! The cache of blocks against a second, naive one that keeps every block under its whole prefix.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// A cached block by the tokens up to its end: when it was written, and when it was last used.
type Held = BTreeMap<Vec<u8>, (usize, usize)>;

fn tokens(request: &Request) -> Vec<u8> {
    request.prompt.token_texts().unwrap().concat()
}

fn readable(profile: &Profile, writer: &Request, reader: &Request) -> bool {
    let delay = if profile.readable == Some(Readable::End) { writer.done_s } else { writer.first_token_s };
    writer.at_s + delay <= reader.at_s
}

fn fresh(profile: &Profile, writer: &Request, reader: &Request) -> bool {
    let Some(Setting::At(ttl)) = profile.ttl_s else { return true };
    let from = writer.at_s + if profile.ttl_since == Some(Since::End) { writer.done_s } else { 0 };
    reader.at_s < from + ttl
}

/// Every request looks for each of its blocks from the first on, in a list of all of them.
fn naive(profile: &Profile, matcher: &LongestPrefix, requests: &[Request]) -> Vec<u64> {
    let (block, min) = (matcher.block.unwrap() as usize, profile.min_tokens.unwrap());
    let mut held = Held::new();
    let mut hits = Vec::new();
    for (now, request) in requests.iter().enumerate() {
        let x = tokens(request);
        let ends: Vec<usize> = (1..=x.len() / block).map(|k| k * block).collect();
        let there = |end: &&usize| {
            held.get(&x[..**end]).is_some_and(|(written, used)| {
                let by = if profile.refresh_on_read == Some(true) { *used } else { *written };
                readable(profile, &requests[*written], request) && fresh(profile, &requests[by], request)
            })
        };
        let reach = ends.iter().take_while(there).count() * block;
        let last =
            if matcher.recompute_last == Some(true) { x.len().saturating_sub(1) / block * block } else { x.len() };
        let mut hit = reach.min(last) as u64;
        if hit < min {
            hit = 0;
        }
        hits.push(hit);
        if (x.len() as u64) < min {
            continue;
        }
        for end in ends {
            let read = hit > 0 && end <= reach;
            let old = held.get(&x[..end]).copied();
            let kept = old.filter(|(written, _)| read || !readable(profile, &requests[*written], request));
            held.insert(x[..end].to_vec(), (kept.map_or(now, |(written, _)| written), now));
        }
        if let Some(Setting::At(capacity)) = matcher.capacity_tokens {
            while held.len() * block > capacity as usize / block * block {
                let oldest = held.iter().min_by_key(|(x, (_, used))| (*used, std::cmp::Reverse(x.len())));
                let oldest = oldest.unwrap().0.clone();
                held.remove(&oldest);
            }
        }
    }
    hits
}

/// Prompts over two letters that often share a beginning, at times that never go back.
fn sessions() -> impl Strategy<Value = Vec<Request>> {
    let one = ("[ab]{0,6}", "[ab]{0,7}", 0..9u64, 0..4u64, 0..6u64);
    prop::collection::vec(one, 1..14).prop_map(|all| {
        let mut at = 0;
        let mut before = String::new();
        let mut out = Vec::new();
        for (i, (start, tail, pause, first, more)) in all.into_iter().enumerate() {
            at += pause;
            // Every third request continues the one before.
            before = if i % 3 == 2 { before + &tail } else { start + &tail };
            out.push(Request::new(letters(&before)).at(at, first, first + more));
        }
        out
    })
}

fn caches() -> impl Strategy<Value = Profile> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (1..5u64, 0..7u64, prop::option::of(1..20u64), prop::option::of(1..30u64), flags).prop_map(
        |(block, min, ttl, capacity, (refresh, end, late, last))| {
            let off = |n: Option<u64>| Some(n.map_or(Setting::Off, Setting::At));
            let profile = Profile {
                min_tokens: Some(min),
                ttl_s: off(ttl),
                refresh_on_read: Some(refresh),
                ttl_since: Some(if end { Since::End } else { Since::Start }),
                readable: Some(if late { Readable::End } else { Readable::FirstToken }),
                ..Profile::example()
            };
            with_matcher(profile, |m| {
                (m.block, m.recompute_last, m.capacity_tokens) = (Some(block), Some(last), off(capacity));
            })
        },
    )
}

/// The common prefix of every pair, compared token by token.
fn longest(requests: &[Request], now: usize) -> u64 {
    let of = |s: usize| {
        let (a, b) = (tokens(&requests[s]), tokens(&requests[now]));
        a.iter().zip(&b).take_while(|(x, y)| x == y).count() as u64
    };
    (0..now).map(of).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(seeded(2000))]

    /// G03: every hit is the one of the naive cache: blocks, minimum, life, reading while others write, eviction.
    #[test]
    fn blocks_agree_with_the_naive_cache(profile in caches(), requests in sessions()) {
        let Matcher::LongestPrefix(matcher) = &profile.matcher else { unreachable!() };
        prop_assert_eq!(hits(&profile, &requests), naive(&profile, matcher, &requests));
    }

    /// G03: without expiry and eviction the hit is the longest common prefix with any earlier request, in whole blocks.
    #[test]
    fn blocks_agree_with_the_definition(block in 1..5u64, min in 0..7u64, requests in sessions()) {
        let profile = with_matcher(Profile { min_tokens: Some(min), readable: Some(Readable::FirstToken), ..Profile::example() }, |m| {
            m.block = Some(block);
        });
        let still: Vec<Request> = requests.into_iter().map(|r| r.at(0, 0, 0)).collect();
        for (now, usage) in simulate(&profile, &still).unwrap().iter().enumerate() {
            let common = longest(&still, now);
            prop_assert_eq!(usage.ceiling, common);
            let hit = (common / block * block).min(usage.prompt.saturating_sub(1) / block * block);
            prop_assert_eq!(usage.hit, Ok(if hit < min { 0 } else { hit }), "request {}", now);
        }
    }

    /// The owners of a prompt's tokens are the earliest requests with the same beginning.
    #[test]
    fn owners_are_the_earliest(requests in sessions()) {
        let all = descents(requests.iter().map(|r| &r.prompt), Grain::Token);
        for (now, descent) in all.iter().enumerate() {
            let x = tokens(&requests[now]);
            for end in 1..=x.len() {
                let first = (0..=now).find(|s| tokens(&requests[*s]).starts_with(&x[..end]));
                prop_assert_eq!(descent.owner_before(end as u64), first, "token {} of request {}", end, now);
            }
            let whole = |s: &usize| x.starts_with(&tokens(&requests[*s]));
            let length = (0..now).filter(whole).map(|s| tokens(&requests[s]).len()).max();
            prop_assert_eq!(descent.extends.map(|s| tokens(&requests[s]).len()), length);
        }
    }
}
