//! What is told, and what is not, when a profile does not tell everything.

use super::*;

fn hit(profile: &Profile, requests: &[Request]) -> Result<u64, Unknown> {
    simulate(profile, requests).unwrap().last().unwrap().hit
}

/// N01: an unpublished number makes exactly those figures unknown that need it.
#[test]
fn only_what_needs_it_is_unknown() {
    let grown = [request(&[("S", 2000)]), request(&[("S", 2000), ("U", 50)])];
    let apart = [request(&[("S1", 2000)]), request(&[("S2", 2000)])];
    let cases = [
        (with_matcher(Profile::example(), |m| m.block = None), "block"),
        (Profile { min_tokens: None, ..Profile::example() }, "min_tokens"),
        (with_matcher(Profile::example(), |m| m.capacity_tokens = None), "capacity_tokens"),
        (with_matcher(Profile::example(), |m| m.shift_reuse = None), "shift_reuse"),
        (Profile { min_tokens: None, ..entries(0) }, "min_tokens"),
        (with_entry(entries(0), |m| m.lookback_positions = None), "lookback_positions"),
        (with_entry(entries(0), |m| m.lookback_breakpoints = None), "lookback_breakpoints"),
    ];
    for (profile, field) in cases {
        assert_eq!(hit(&profile, &grown), Err(Unknown(field)));
        let totals = Totals::of(&profile, &simulate(&profile, &grown).unwrap());
        assert_eq!((totals.hit, totals.cost, totals.hit_ratio()), (None, None, None), "{field}");
        assert!(totals.unknown.contains(field), "{field}: {:?}", totals.unknown);
        assert_eq!(totals.prefill, 4050);
    }
    // Nothing in common is no hit under any block and any minimum.
    assert_eq!(hit(&with_matcher(Profile::example(), |m| m.block = None), &apart), Ok(0));
    assert_eq!(hit(&Profile { min_tokens: None, ..Profile::example() }, &apart), Ok(0));
    // 2,000 in common and a minimum of 4,096: no block can change that.
    let high = Profile { min_tokens: Some(4096), ..with_matcher(Profile::example(), |m| m.block = None) };
    assert_eq!(hit(&high, &grown), Ok(0));
}

/// N01: whether the last token is computed matters only where the hit reaches it.
#[test]
fn the_last_token_matters_at_the_end_only() {
    let unsaid = with_matcher(blocks(128), |m| m.recompute_last = None);
    assert_eq!(hit(&unsaid, &[request(&[("S", 1280)]), request(&[("S", 1280), ("U", 5)])]), Ok(1280));
    assert_eq!(hit(&unsaid, &[request(&[("S", 1280)]), request(&[("S", 1280)])]), Err(Unknown("recompute_last")));
}

/// N01: a life that nobody publishes matters only after a pause, and what it counts from only where that decides.
#[test]
fn time_matters_only_where_it_decides() {
    let pair = |at, done| [request(&[("S", 2000)]).at(0, 0, done), request(&[("S", 2000)]).at(at, 0, 0)];
    for profile in [entries(1024), blocks(1)] {
        let no_ttl = Profile { ttl_s: None, ..profile.clone() };
        assert_eq!(hit(&no_ttl, &pair(0, 0)), Ok(2000));
        assert_eq!(hit(&no_ttl, &pair(1, 0)), Err(Unknown("ttl_s")));
        let since = Profile { ttl_s: Some(Setting::At(300)), ttl_since: None, ..profile.clone() };
        assert_eq!(hit(&since, &pair(299, 100)), Ok(2000));
        assert_eq!(hit(&since, &pair(400, 100)), Ok(0));
        assert_eq!(hit(&since, &pair(330, 100)), Err(Unknown("ttl_since")));
        let readable = Profile { readable: None, ..profile.clone() };
        assert_eq!(hit(&readable, &pair(100, 100)), Ok(2000));
        assert_eq!(hit(&readable, &pair(99, 100)), Err(Unknown("readable")));
        let refresh = Profile { ttl_s: Some(Setting::At(300)), refresh_on_read: None, ..profile };
        let third = |at| [0, 200, at].map(|at| request(&[("S", 2000)]).at(at, 0, 0));
        assert_eq!(hit(&refresh, &third(299)), Ok(2000));
        assert_eq!(hit(&refresh, &third(500)), Ok(0));
        assert_eq!(hit(&refresh, &third(400)), Err(Unknown("refresh_on_read")));
    }
}

/// N01: units at an unpublished interval: certain where a known unit reaches as far as anything can.
#[test]
fn units_at_an_unpublished_interval() {
    let unsaid = with_entry(super::entries::units(Setting::Off), |m| {
        m.units = m.units.map(|u| Units { interval: None, ..u });
    });
    let session = [("U1", 70), ("U2", 80), ("U3", 90)].map(|tail| request(&[("S", 500), tail]));
    let hits: Vec<_> = simulate(&unsaid, &session).unwrap().iter().map(|u| u.hit).collect();
    assert_eq!(hits, [Ok(0), Err(Unknown("unit_interval")), Ok(500)]);
    // No unit can bring a prefix of 500 over a minimum of 501.
    let high = Profile { min_tokens: Some(501), ..unsaid };
    assert_eq!(hit(&high, &session), Ok(0));
}

/// N01: more than one breakpoint needs to know how many there may be, and what happens to more.
#[test]
fn unpublished_limits_of_breakpoints() {
    let marked = [request(&[("S", 2000), ("U", 50)]).marked(&[0, 1])];
    let most = with_entry(entries(0), |m| m.max_breakpoints = None);
    assert_eq!(hit(&most, &marked), Err(Unknown("max_breakpoints")));
    assert_eq!(hit(&most, &[request(&[("S", 2000)]).marked(&[0])]), Ok(0));
    let beyond = with_entry(entries(0), |m| (m.max_breakpoints, m.beyond) = (Some(Setting::At(1)), None));
    assert_eq!(hit(&beyond, &marked), Err(Unknown("beyond")));
}

/// N01: a price is needed only for tokens that there are.
#[test]
fn prices_that_are_not_needed() {
    let none = Ratios { write: None, read: None, uncached: None, output: None, storage: None };
    let mut profile = Profile { ratios: none, ..Profile::example() };
    let one = |output| simulate(&Profile::example(), &[request(&[("S", 2000)]).answered(output)]).unwrap();
    let unknown = |profile: &Profile, output| Totals::of(profile, &one(output)).unknown.into_iter().collect::<Vec<_>>();
    assert_eq!(unknown(&profile, 9), ["output", "storage", "write"]);
    profile.ratios = Ratios { write: Some(1.0), storage: Some(0.0), ..none };
    assert_eq!(Totals::of(&profile, &one(0)).cost, Some(2000.0));
    assert_eq!(unknown(&profile, 9), ["output"]);
    // Storage: 2,000 tokens for half an hour at 0.2 an hour are 200.
    profile.ratios.storage = Some(0.2);
    profile.ttl_s = Some(Setting::At(1800));
    assert_eq!(Totals::of(&profile, &one(0)).cost, Some(2200.0));
}
