//! Single cases of a cache of blocks, each with its known answer.

use super::*;

/// G03: a second request that is the same: everything is common, the last token is computed again, whole blocks count.
#[test]
fn the_same_request_twice() {
    let twice = [request(&[("T", 3000), ("S", 700)]), request(&[("T", 3000), ("S", 700)])];
    // floor(3,699 / 128) x 128 = 28 x 128 = 3,584.
    assert_eq!(hits(&Profile::example(), &twice), [0, 3584]);
    let all = with_matcher(Profile::example(), |m| m.recompute_last = Some(false));
    // 3,700 / 128 = 28.9: the same blocks. 3,712 = 29 x 128 exactly is capped only where the last token is computed.
    assert_eq!(hits(&all, &twice), [0, 3584]);
    let exact = [request(&[("T", 3712)]), request(&[("T", 3712)])];
    assert_eq!((hits(&Profile::example(), &exact), hits(&all, &exact)), (vec![0, 3584], vec![0, 3712]));
}

/// G03: a prompt of one block can never be read where the last token is computed.
#[test]
fn fully_cached_is_capped_at_the_last_token() {
    let cap = with_matcher(blocks(4), |m| m.recompute_last = Some(true));
    // n = 8: floor((8 - 1) / 4) x 4 = 4; n = 9: floor(8 / 4) x 4 = 8; n = 4: 0.
    for (n, hit) in [(8, 4), (9, 8), (4, 0), (5, 4), (1, 0), (0, 0)] {
        assert_eq!(hits(&cap, &[request(&[("U", n)]), request(&[("U", n)])]), [0, hit], "{n} tokens");
    }
}

/// G03: common prefixes just under, at and just over a block border.
#[test]
fn a_prefix_that_straddles_a_block() {
    let first = "a".repeat(3 * 128);
    for (common, hit) in [(255, 128), (256, 256), (257, 256), (127, 0), (128, 128)] {
        let second = format!("{}{}", "a".repeat(common), "b".repeat(200));
        let pair = [Request::new(letters(&first)), Request::new(letters(&second))];
        assert_eq!(hits(&blocks(128), &pair), [0, hit], "{common} tokens in common");
    }
}

/// G03: prefixes around the minimum of a provider: shorter ones are silently not cached.
#[test]
fn around_the_minimum() {
    for min in [512, 1024, 4096] {
        let profile = with_matcher(Profile { min_tokens: Some(min), ..Profile::example() }, |m| {
            (m.block, m.recompute_last) = (Some(1), Some(false));
        });
        for (prefix, hit) in [(min - 1, 0), (min, min), (min + 1, min + 1)] {
            let pair = [request(&[("S", prefix)]), request(&[("S", prefix), ("U", 9)])];
            assert_eq!(hits(&profile, &pair), [0, hit], "{prefix} of {min}");
            // The same at a breakpoint after the system text.
            let marked = [request(&[("S", prefix)]).marked(&[0]), request(&[("S", prefix), ("U", 9)]).marked(&[0])];
            assert_eq!(hits(&entries(min), &marked), [0, hit], "{prefix} of {min} at a breakpoint");
            assert_eq!(written(&entries(min), &marked), [hit, 0], "{prefix} of {min} written");
        }
    }
}

/// G03: both prompts are over the minimum, and what they share is under it: nothing.
#[test]
fn the_shared_part_is_under_the_minimum() {
    let pair = [request(&[("T", 535), ("U1", 1500)]), request(&[("T", 535), ("U2", 1500)])];
    assert_eq!(hits(&Profile::example(), &pair), [0, 0]);
    assert_eq!(simulate(&Profile::example(), &pair).unwrap()[1].ceiling, 535);
}

/// P14: the tools of an earlier step come back: the older request is the one that is read, not the one before.
#[test]
fn an_old_set_that_comes_back() {
    let with = |tool: &'static str| request(&[("T", 1200), (tool, 600), ("S", 3000)]);
    let session = [with("T1"), with("T2"), with("T1")];
    // 4,800 tokens again: floor(4,799 / 128) x 128 = 37 x 128 = 4,736. Between T1 and T2 floor(1,200 / 128) x 128 = 1,152.
    assert_eq!(hits(&Profile::example(), &session), [0, 1152, 4736]);
    let previous = with_matcher(Profile::example(), |m| m.against = Against::Previous);
    assert_eq!(hits(&previous, &session), [0, 1152, 1152]);
    // At breakpoints: the entry at the end of the first request is found by the third.
    assert_eq!(hits(&entries(1024), &session), [0, 0, 4800]);
}

/// G03: past the capacity the least recently used block leaves, the deepest of a request first.
#[test]
fn eviction_by_capacity() {
    let small = with_matcher(blocks(4), |m| m.capacity_tokens = Some(Setting::At(16)));
    let [a, b, c] = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map(|t| Request::new(letters(t)));
    // Four blocks fit: a a b b. c takes two: both of a leave, so a misses and takes those of b. Then c is still there.
    let session = [a.clone(), b.clone(), c.clone(), a.clone(), c.clone()];
    assert_eq!(hits(&small, &session), [0, 0, 0, 0, 8]);
    // A read makes a young again: then b leaves.
    let session = [a.clone(), b.clone(), a.clone(), c.clone(), a.clone(), b.clone()];
    assert_eq!(hits(&small, &session), [0, 0, 8, 0, 8, 0]);
    // Three blocks: of a only the first stays when b comes.
    let smaller = with_matcher(blocks(4), |m| m.capacity_tokens = Some(Setting::At(12)));
    assert_eq!(hits(&smaller, &[a.clone(), b.clone(), a.clone()]), [0, 0, 4]);
    // Without a bound nothing leaves.
    assert_eq!(hits(&blocks(4), &[a.clone(), b, c, a]), [0, 0, 0, 8]);
}

/// G03: with shifting, what stands behind a dropped tool is reused too: more than the common prefix.
#[test]
fn reuse_beyond_the_common_prefix() {
    let old = request(&[("T1", 100), ("T2", 300), ("S", 500), ("U", 40)]);
    let new = request(&[("T1", 100), ("S", 500), ("U", 40), ("U2", 10)]);
    let session = [old, new];
    assert_eq!(hits(&blocks(1), &session), [0, 100]);
    let shifting = |chunk| with_matcher(blocks(1), |m| m.shift_reuse = Some(Setting::At(chunk)));
    // S and U follow each other in both: one chunk of 540.
    assert_eq!(hits(&shifting(256), &session), [0, 640]);
    assert_eq!(hits(&shifting(540), &session), [0, 640]);
    assert_eq!(hits(&shifting(541), &session), [0, 100]);
    // In tokens: "ab" in common; from the old "cd efgh" the chunk "efgh" is kept, and the last token is computed.
    let tokens = [Request::new(letters("abcdefgh")), Request::new(letters("abefgh"))];
    assert_eq!(hits(&shifting(4), &tokens), [0, 5]);
    assert_eq!(hits(&shifting(5), &tokens), [0, 2]);
}

/// N01: nothing to send, nothing to divide by.
#[test]
fn empty_sessions_have_no_ratios() {
    let none = Totals::of(&Profile::example(), &[]);
    assert_eq!((none.requests, none.prefill, none.peak, none.hit_ratio(), none.cost), (0, 0, 0, None, Some(0.0)));
    let empty = simulate(&Profile::example(), &[request(&[]), request(&[])]).unwrap();
    assert_eq!(empty.iter().map(Usage::hit_ratio).collect::<Vec<_>>(), [None, None]);
    assert_eq!(empty.iter().map(Usage::efficiency).collect::<Vec<_>>(), [None, None]);
    assert_eq!(Totals::of(&Profile::example(), &empty).hit_ratio(), None);
    // One request: a ratio of 0, which is measured, and nothing to compare with.
    let one = simulate(&Profile::example(), &[request(&[("S", 2000)])]).unwrap();
    assert_eq!((one[0].hit_ratio(), one[0].efficiency()), (Some(0.0), None));
}

/// N01: money only for a price, and in proportion to it.
#[test]
fn money_needs_a_price() {
    let totals = Totals::of(
        &Profile::example(),
        &simulate(&Profile::example(), &[request(&[("S", 2000)]).answered(100)]).unwrap(),
    );
    // 2,000 + 5 x 100 = 2,500 base input tokens; at 3 a million: 0.0075.
    assert_eq!(totals.cost, Some(2500.0));
    assert!(close(totals.money(3.0).unwrap(), 0.0075));
}
