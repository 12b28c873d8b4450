//! What holds for every session.

use proptest::prelude::*;

use super::*;

/// What happens after each request: nothing, or one more tool.
#[derive(Debug, Clone, Copy)]
enum Step {
    Turn(u64),
    Load(u64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Seam {
    Message,
    Append,
    NewestFirst,
}

/// The same events under a seam: always-on tools, search tool, system text, and what is loaded in the seam's place.
fn session(seam: Seam, steps: &[Step]) -> Vec<Request> {
    let mut tools = vec![piece("Talways", 40), piece("Tsearch", 12)];
    let system = [piece("S", 100)];
    let mut history = vec![piece("Uask", 20)];
    let mut out = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let all = tools.iter().chain(&system).chain(&history).cloned();
        out.push(Request::new(Prompt::of_sizes(all)).answered(7));
        match *step {
            Step::Turn(tokens) => history.push(piece(&format!("U{i}"), tokens)),
            Step::Load(tokens) => {
                history.push(piece(&format!("R{i}"), 9));
                let tool = piece(&format!("T{i}"), tokens);
                match seam {
                    Seam::Message => history.push(Piece { kind: Kind::Definition, ..tool }),
                    Seam::Append => tools.push(tool),
                    Seam::NewestFirst => tools.insert(0, tool),
                }
            }
        }
    }
    out
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![(1..60u64).prop_map(Step::Turn), (1..60u64).prop_map(Step::Load)];
    prop::collection::vec(step, 1..14)
}

fn caches() -> impl Strategy<Value = Profile> {
    let block = (prop::sample::select(vec![1u64, 4, 16]), 0..150u64);
    (any::<bool>(), block, 0..20u64, 0..20u64).prop_map(|(entry, (block, min), read, more)| {
        let read = read as f64 / 20.0;
        let ratios = Ratios { write: Some(read + more as f64 / 10.0), read: Some(read), ..Profile::example().ratios };
        let profile = if entry { entries(min) } else { blocks(block) };
        Profile { min_tokens: Some(min), ratios, ..profile }
    })
}

proptest! {
    /// N01, N02: a hit never exceeds what the prompts have in common, and read, written and fresh add up to the prompt.
    #[test]
    fn hits_are_bounded(profile in caches(), steps in steps()) {
        for seam in [Seam::Message, Seam::Append, Seam::NewestFirst] {
            for usage in simulate(&profile, &session(seam, &steps)).unwrap() {
                prop_assert!(usage.hit.unwrap() <= usage.ceiling);
                prop_assert!(usage.ceiling <= usage.prompt);
                prop_assert_eq!(usage.hit.unwrap() + usage.written.unwrap() + usage.fresh().unwrap(), usage.prompt);
                prop_assert!(usage.efficiency().is_none_or(|e| (0.0..=1.0).contains(&e)));
            }
        }
    }

    /// G01, N01: where writing costs at least as much as reading, definitions in the history cost no more than appended
    /// ones, and those no more than the newest first.
    #[test]
    fn seams_in_their_order(profile in caches(), steps in steps()) {
        let of = |seam| cost(&profile, &session(seam, &steps));
        let (message, append, newest) = (of(Seam::Message), of(Seam::Append), of(Seam::NewestFirst));
        // Entries are found at ends of requests only; the order holds as long as writing is no cheaper than fresh tokens.
        let paid = profile.ratios.write >= Some(1.0) || matches!(profile.matcher, Matcher::LongestPrefix(_));
        prop_assume!(paid);
        prop_assert!(message <= append + 1e-6 && append <= newest + 1e-6, "{} {} {}", message, append, newest);
    }

    /// N01: the cost is linear in the price of a read: half way between two prices it is half way between two costs.
    #[test]
    fn cost_is_linear_in_the_read_price(profile in caches(), steps in steps(), low in 0..50u32, high in 0..50u32) {
        let requests = session(Seam::Append, &steps);
        let at = |read: f64| {
            cost(&Profile { ratios: Ratios { read: Some(read), ..profile.ratios }, ..profile.clone() }, &requests)
        };
        let (low, high) = (f64::from(low) / 50.0, f64::from(high) / 50.0);
        prop_assert!(close(at((low + high) / 2.0), (at(low) + at(high)) / 2.0));
        // The slope is the number of tokens that were read.
        let read: u64 = hits(&profile, &requests).iter().sum();
        prop_assert!(close(at(high) - at(low), (high - low) * read as f64) || (high - low).abs() < 1e-12);
    }

    /// B07: the same requests give the same figures, and requests that come later change nothing about earlier ones.
    #[test]
    fn later_requests_change_nothing(profile in caches(), steps in steps(), cut in 0..14usize) {
        let requests = session(Seam::NewestFirst, &steps);
        let cut = cut.min(requests.len());
        let all = simulate(&profile, &requests).unwrap();
        prop_assert_eq!(&simulate(&profile, &requests[..cut]).unwrap()[..], &all[..cut]);
    }

    /// N02: bytes of the common tokens are never more than the common bytes.
    #[test]
    fn common_tokens_lie_inside_common_bytes(a in "[abé]{0,12}", b in "[abé]{0,12}") {
        let (x, y) = (letters(&a), letters(&b));
        let common = x.common(&y);
        let bytes: usize = a.chars().take(common.tokens as usize).map(char::len_utf8).sum();
        prop_assert!(bytes as u64 <= common.bytes.unwrap());
        prop_assert_eq!(common, y.common(&x));
    }
}
