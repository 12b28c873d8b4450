//! What time does to a cache.

use super::*;

fn session(starts: &[(u64, u64, u64)]) -> Vec<Request> {
    let base = request(&[("S", 2000)]);
    starts.iter().map(|(at, first, done)| base.clone().at(*at, *first, *done)).collect()
}

/// Both matchers with a life of 300 seconds.
fn both(change: impl Fn(&mut Profile)) -> [Profile; 2] {
    let mut all = [entries(1024), blocks(1)];
    for profile in &mut all {
        profile.ttl_s = Some(Setting::At(300));
        change(profile);
    }
    all
}

/// N01: an entry lives 300 seconds: at 299 it is read, at 300 it is gone, and is written again.
#[test]
fn entries_expire() {
    for profile in both(|_| {}) {
        assert_eq!(hits(&profile, &session(&[(0, 0, 0), (299, 0, 0)])), [0, 2000]);
        assert_eq!(hits(&profile, &session(&[(0, 0, 0), (300, 0, 0), (301, 0, 0)])), [0, 0, 2000]);
    }
}

/// N01: a read starts the life again where the provider says so; elsewhere it does not.
#[test]
fn a_read_refreshes() {
    let steps = session(&[(0, 0, 0), (200, 0, 0), (400, 0, 0), (600, 0, 0)]);
    for profile in both(|p| p.refresh_on_read = Some(true)) {
        assert_eq!(hits(&profile, &steps), [0, 2000, 2000, 2000]);
    }
    // Written at 0: gone at 400, written again there, read at 600.
    for profile in both(|p| p.refresh_on_read = Some(false)) {
        assert_eq!(hits(&profile, &steps), [0, 2000, 0, 2000]);
    }
}

/// N01: a life that is counted from the start of a request includes the time in which the answer is written.
#[test]
fn generation_time_counts() {
    // The answer takes 240 seconds; the next request starts 90 seconds after it, 330 after the start.
    let steps = session(&[(0, 1, 240), (330, 1, 10)]);
    for profile in both(|p| p.ttl_since = Some(Since::Start)) {
        assert_eq!(hits(&profile, &steps), [0, 0]);
    }
    for profile in both(|p| p.ttl_since = Some(Since::End)) {
        assert_eq!(hits(&profile, &steps), [0, 2000]);
    }
}

/// N01: requests that start before the first answer streams all miss.
#[test]
fn parallel_requests_miss() {
    // Three at once; the fourth starts when the first has begun to stream.
    let steps = session(&[(0, 3, 20), (0, 3, 20), (2, 3, 20), (3, 3, 20)]);
    for profile in both(|p| p.readable = Some(Readable::FirstToken)) {
        assert_eq!(hits(&profile, &steps), [0, 0, 0, 2000]);
        assert_eq!(written(&profile, &steps), [2000, 2000, 2000, 0]);
    }
    for profile in both(|p| p.readable = Some(Readable::End)) {
        assert_eq!(hits(&profile, &steps), [0, 0, 0, 0]);
    }
}

/// A shorter prompt that was written again later keeps its part alive, while the rest is read from the older one.
#[test]
fn each_block_has_its_own_life() {
    let [mut profile] = [blocks(1)];
    (profile.ttl_s, profile.refresh_on_read) = (Some(Setting::At(20)), Some(false));
    let at = |text: &str, at| Request::new(letters(text)).at(at, 0, 0);
    // aa: written at 0, gone at 25, written again. bb behind it: written at 10, alive until 30.
    let steps = [at("aa", 0), at("aabb", 10), at("aa", 25), at("aabb", 26), at("aabb", 31)];
    assert_eq!(hits(&profile, &steps), [0, 2, 0, 4, 2]);
}
