use deferbench_core::cache::{Breakpoints, Kind, Matcher, Piece, Prompt, Request, Setting, Unknown, simulate};

use super::*;

fn refused(text: &str) -> String {
    parse("mine.toml", text).unwrap_err().to_string()
}

fn text(name: &str) -> &'static str {
    BUILT_IN.iter().find(|(known, _)| *known == name).unwrap().1
}

/// G03: every built-in profile can be read, is called like its file, and says of every value where it comes from.
#[test]
fn every_profile_is_complete() {
    let all = built_in().unwrap();
    assert_eq!(all.len(), 26);
    for (cache, (name, _)) in all.iter().zip(BUILT_IN) {
        assert_eq!(cache.profile.name, *name);
        assert!(!cache.summary.is_empty() && cache.assumed.is_empty());
        let wanted = fields::of(&cache.profile).map(|f| f.key).collect::<Vec<_>>();
        assert_eq!(cache.facts.iter().map(|f| f.key).collect::<Vec<_>>(), wanted, "{name}");
        assert_eq!(cache.basis(), Basis::Simulated);
        // A value is a value, a gap is a gap.
        assert_eq!(cache.profile.min_tokens.is_none(), cache.fact("min_tokens").unwrap().value == "unknown", "{name}");
        // The reference profiles leave nothing open.
        assert!(!name.starts_with("ref_") || cache.facts.iter().all(|f| f.value != "unknown"), "{name}");
    }
}

/// G03: what a few vendors publish, by hand.
#[test]
fn published_values() {
    let ratios = |spec: &str| {
        let r = open(spec).unwrap().profile.ratios;
        (r.write, r.read)
    };
    assert_eq!(ratios("anthropic"), (Some(1.25), Some(0.1)));
    assert_eq!(ratios("anthropic(write=2.0,ttl_s=3600)"), (Some(2.0), Some(0.1)));
    assert_eq!(ratios("openai_to_5_5(read=0.5)"), (Some(1.0), Some(0.5)));
    assert_eq!(ratios("openai_5_6"), (Some(1.25), Some(0.1)));
    assert_eq!(ratios("deepseek_v4"), (Some(1.0), Some(0.02)));
    assert_eq!(ratios("kimi_k3"), (None, Some(0.1)));
    assert_eq!(ratios("minimax"), (Some(1.0), None));
    let block = |spec: &str| match open(spec).unwrap().profile.matcher {
        Matcher::LongestPrefix(m) => m.block,
        Matcher::Entry(_) => panic!("{spec} has no blocks"),
    };
    assert_eq!((block("vllm"), block("openai_to_5_5"), block("gemini_implicit")), (Some(16), Some(128), None));
    assert_eq!(open("anthropic(ttl_s=3600)").unwrap().profile.ttl_s, Some(Setting::At(3600)));
}

/// N01: another value is an assumption, unless it is a published variant.
#[test]
fn assumptions_are_marked() {
    let assumed = |spec: &str| open(spec).unwrap().assumed;
    assert_eq!(assumed("gemini_implicit(block=64)"), ["block=64"]);
    assert_eq!(assumed("anthropic(min_tokens=1000)"), ["min_tokens=1000"]);
    assert_eq!(assumed("anthropic(min_tokens=512,write=2,ttl_s=3600)"), Vec::<String>::new());
    assert_eq!(assumed("vllm(block=528)"), Vec::<String>::new());
    assert_eq!(assumed("vllm(capacity_tokens=65536)"), ["capacity_tokens=65536"]);
    assert_eq!(open("gemini_implicit(block=64)").unwrap().basis(), Basis::Estimated);
}

/// P09: under Anthropic's own profile twenty new blocks hide the entry, and a fifth breakpoint is refused.
#[test]
fn a_published_cache_at_work() {
    let anthropic = open("anthropic").unwrap().profile;
    let chat = |n: usize| {
        let piece =
            |i: usize| Piece::new(if i.is_multiple_of(2) { Kind::User } else { Kind::Assistant }, &format!("{i}"), 10);
        let system = Piece::new(Kind::System, "s", 2000);
        Request::new(Prompt::of_sizes(std::iter::once(system).chain((0..n).map(piece))))
    };
    let second = |n| simulate(&anthropic, &[chat(1), chat(n)]).unwrap()[1].hit;
    assert_eq!((second(20), second(21)), (Ok(2010), Ok(0)));
    let five = Request { breakpoints: Breakpoints::Both(vec![0, 1, 2, 3]), ..chat(9) };
    assert!(simulate(&anthropic, &[five]).is_err());
}

/// N07: a tool that is loaded in the middle of a run, as langchain-ai/open-swe#2209 reports it from Anthropic's usage:
/// read 105,673 of 105,974; then read 0 and written 106,331 of 106,334; then read 106,331.
#[test]
fn a_load_as_it_was_measured() {
    let anthropic = open("anthropic").unwrap().profile;
    let pieces = |new_tool: u64, turns: &[u64]| {
        let tool = (new_tool > 0).then(|| Piece::new(Kind::Tool, "new", new_tool));
        let turn = |(i, n): (usize, &u64)| Piece::new(Kind::User, &format!("{i}"), *n);
        let fixed = [Piece::new(Kind::Tool, "tools", 15_000)].into_iter().chain(tool);
        fixed.chain([Piece::new(Kind::System, "system", 9_000)]).chain(turns.iter().enumerate().map(turn)).collect()
    };
    // Three tokens stand behind the last breakpoint.
    let request = |pieces: Vec<Piece>| {
        let last = pieces.len() - 1;
        Request::new(Prompt::of_sizes(pieces.into_iter().chain([Piece::new(Kind::User, "tail", 3)]))).marked(&[last])
    };
    // 15,000 + 9,000 + 81,673 = 105,673; 298 more and the tail are 105,974; a tool of 160 and 200 more: 106,334.
    let session = [
        request(pieces(0, &[81_673])),
        request(pieces(0, &[81_673, 298])),
        request(pieces(160, &[81_673, 298, 200])),
        request(pieces(160, &[81_673, 298, 200, 50])),
    ];
    let usages = simulate(&anthropic, &session).unwrap();
    let found: Vec<_> = usages.iter().map(|u| (u.prompt, u.hit.unwrap(), u.written.unwrap())).collect();
    assert_eq!(found[1..3], [(105_974, 105_673, 298), (106_334, 0, 106_331)]);
    assert_eq!(found[3].1, 106_331);
}

/// G01: thirty tools in another order lose everything, and sorted again find what was there, as QwenLM/qwen-code#4518
/// reports it from DeepSeek (99.5 % to 0 %, and back).
#[test]
fn a_reorder_as_it_was_measured() {
    let deepseek = open("deepseek_legacy").unwrap().profile;
    let request = |order: &[usize], tail: u64| {
        let tool = |i: &usize| Piece::new(Kind::Tool, &format!("tool {i}"), 500);
        let rest = [Piece::new(Kind::System, "system", 2000), Piece::new(Kind::User, "ask", tail)];
        Request::new(Prompt::of_sizes(order.iter().map(tool).chain(rest)))
    };
    let sorted: Vec<usize> = (0..30).collect();
    let reversed: Vec<usize> = sorted.iter().rev().copied().collect();
    let session = [request(&sorted, 80), request(&sorted, 80), request(&reversed, 80), request(&sorted, 80)];
    let ratios: Vec<f64> = simulate(&deepseek, &session).unwrap().iter().map(|u| u.hit_ratio().unwrap()).collect();
    // 17,080 tokens: floor(17,079 / 64) x 64 = 17,024.
    assert_eq!(ratios, [0.0, 17_024.0 / 17_080.0, 0.0, 17_024.0 / 17_080.0]);
}

/// N01: a figure that needs an unpublished value is unknown until somebody gives it.
#[test]
fn unpublished_values_reach_the_figures() {
    let hit = |spec: &str| {
        let prompt = |tail: &str| {
            let pieces = [Piece::new(Kind::System, "s", 5000), Piece::new(Kind::User, tail, 100)];
            Request::new(Prompt::of_sizes(pieces))
        };
        simulate(&open(spec).unwrap().profile, &[prompt("a"), prompt("b"), prompt("c")]).unwrap()[2].hit
    };
    assert_eq!(hit("gemini_implicit"), Err(Unknown("block")));
    // floor(5,000 / 64) x 64 = 78 x 64.
    assert_eq!(hit("gemini_implicit(block=64)"), Ok(4992));
    assert_eq!(hit("deepseek_v4"), Err(Unknown("min_tokens")));
    assert_eq!(hit("deepseek_v4(min_tokens=0)"), Ok(5000));
    assert_eq!(hit("xai_grok"), Err(Unknown("min_tokens")));
    assert_eq!(hit("openai_to_5_5"), Ok(4992));
    // An entry after the last block, and no other: nothing is read.
    assert_eq!(hit("anthropic"), Ok(0));
}

/// A wrong file is named with line, field, what is expected and what was found.
#[test]
fn wrong_files_are_refused_with_their_line() {
    let good = text("vllm");
    let line_of = |text: &str, what: &str| text[..text.find(what).unwrap()].matches('\n').count() + 1;
    let block = line_of(good, "[facts.block]");
    let wrong = |from: &str, to: &str| refused(&good.replacen(from, to, 1));
    assert!(wrong("value = 16", "value = 0").starts_with(&format!(
        "profile mine.toml: line {block}: block: expected a whole number from 1 on or \"unknown\", found 0"
    )));
    assert!(wrong("variants = [528]", "variants = [\"big\"]").contains("block: expected"));
    assert!(
        wrong("value = \"all\"", "value = \"unknown\"").contains("against: expected \"all\" or \"previous\", found")
    );
    assert!(wrong("[facts.block]", "[facts.blocks]").contains("has no field \"blocks\"; it has: write, read"));
    assert!(
        wrong("longest_prefix", "radix")
            .contains("line 4: matcher: expected \"longest_prefix\" or \"entry\", found \"radix\"")
    );
    assert!(wrong("confidence = \"high\"", "confidence = \"sure\"").contains("unknown variant `sure`"));
    assert!(wrong("checked_on = \"2026-12-01\"", "checked_on = \"2026-13-01\"").contains("expected a day such as"));
    assert!(wrong("checked_on = \"2026-12-01\"\n", "").contains("missing field `checked_on`"));
    assert!(wrong("name = \"vllm\"", "name = \"a b\"").contains("name: expected letters"));
    let without = &good[..good.find("[facts.shift_reuse]").unwrap()];
    assert!(refused(without).contains("shift_reuse: the field is missing; write value = \"unknown\""));
    let source = &good[good.find("source = ").unwrap()..];
    let source = &source[..source.find('\n').unwrap()];
    assert!(wrong(source, "source = \" \"").contains("no source"));
    assert!(refused("name = 3").starts_with("profile mine.toml: line 1:"));
    // NaN and negative prices are no prices.
    assert!(
        wrong("[facts.write]\nvalue = 1", "[facts.write]\nvalue = nan").contains("write: expected a number from 0 on")
    );
    assert!(
        wrong("[facts.write]\nvalue = 1", "[facts.write]\nvalue = -1").contains("write: expected a number from 0 on")
    );
}

/// A file of the user's own is read by its path, under a name of its own.
#[test]
fn a_profile_of_the_users_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let write = |text: &str| std::fs::write(&path, text).unwrap();
    write(&text("vllm").replace("name = \"vllm\"", "name = \"mine\"").replace("value = 16", "value = 32"));
    let cache = open(path.to_str().unwrap()).unwrap();
    assert_eq!((cache.profile.name.as_str(), cache.fact("block").unwrap().value.as_str()), ("mine", "32"));
    write(text("vllm"));
    assert!(open(path.to_str().unwrap()).unwrap_err().to_string().contains("name of a built-in profile"));
    let error = open("vlm").unwrap_err().to_string();
    assert!(error.contains("unknown profile \"vlm\"; known: anthropic, "), "{error}");
    assert!(open("vllm(block=8,block=9)").unwrap_err().to_string().contains("block: given twice"));
    assert!(open("vllm(block=many)").unwrap_err().to_string().contains("profile vllm: block: expected a whole number"));
}
