use deferbench_core::Catalog;

use super::*;

fn corpus(tools: &[(&str, &str)]) -> Corpus {
    let mut corpus = deferbench_corpora::open("gen(tools=1)", &Limits::default()).unwrap();
    let schema = r#"{"$schema":"x","type":"object","properties":{"a":{"type":"string","title":"A"}}}"#;
    let tool = |&(name, text): &(&str, &str)| {
        let quote = |s: &str| serde_json::Value::from(s).to_string();
        let json = format!(
            r#"{{"name":{},"description":{},"inputSchema":{schema},"server":"acme-mcp"}}"#,
            quote(name),
            quote(text)
        );
        Tool::from_json(&json, &Limits::default()).unwrap()
    };
    corpus.catalog = Catalog::new(tools.iter().map(tool).collect()).unwrap().into();
    corpus.name = "acme".to_string();
    corpus
}

fn run(tools: &[(&str, &str)]) -> Check {
    check(&corpus(tools), CounterEntry::find("bytes").unwrap(), "fielded").unwrap()
}

#[test]
fn words_and_sentences() {
    for name in ["getUserList", "get-user_list", "get.user/list"] {
        assert_eq!(words(name), "get user list");
    }
    assert_eq!(first_sentence("\n Reads v1.2 files. Then more.\nAnd more."), "Reads v1.2 files");
    assert_eq!(first_sentence("  "), "");
    let corpus = corpus(&[("a", "A.")]);
    assert_eq!(server_word(&corpus, &corpus.catalog.tools()[0]), "acme");
}

/// Every tool comes first for its own name, alone and in the crowd, even where a generated tool has that name.
#[test]
fn own_names_come_first() {
    let crowd = deferbench_corpora::open(CROWD, &Limits::default()).unwrap();
    let taken = crowd.catalog.tools()[3].name().to_string();
    let found = run(&[(&taken, "Weighs zebras."), ("paint_fence", "Paints a fence.")]);
    for tool in &found.tools {
        assert_eq!((tool.alone[0], tool.crowd[0]), (Some(1), Some(1)), "{}", tool.tool);
    }
    assert_eq!(merged(corpus(&[(&taken, "")]).catalog.tools(), crowd.catalog.tools()).unwrap().len(), 1_001);
}

/// The nearest own tool is named; the sizes are those of the definition.
#[test]
fn confusable_tools_and_sizes() {
    let found = run(&[("paint_fence", "Paints a fence."), ("paint_fences", "Paints many fences."), ("zzqx", "Qqq.")]);
    assert_eq!(found.tools[0].confused_own.as_deref(), Some("paint_fences"));
    assert_eq!(found.tools[2].confused_own, None);
    let all = corpus(&[("paint_fence", "Paints a fence.")]);
    // A counter of bytes counts the wire text, which has a description here.
    assert_eq!(
        (found.tools[0].bytes, found.tools[0].tokens),
        (all.catalog.schema_bytes() as u64, found.tools[0].bytes)
    );
}

/// Suggestions are measured: each saves tokens or gains rank, the largest gain first, and what it saves is what the
/// rewriting takes out.
#[test]
fn suggestions_are_measured() {
    let found = run(&[("paint", "Paints. Of acme."), ("weigh", "Weighs. Of acme.")]);
    assert!(!found.edits.is_empty() && found.edits.len() <= 3);
    assert!(found.edits.windows(2).all(|w| w[0].gain() >= w[1].gain()));
    let uri = found.edits.iter().find(|e| e.edit == "schema-uri").unwrap();
    assert_eq!((uri.tools, uri.tokens.0 - uri.tokens.1), (2, 2 * r#""$schema":"x","#.len() as u64));
    assert_eq!(uri.mrr.0, uri.mrr.1);
}

/// The screen has at most 50 lines of 80 columns, whatever the names hold.
#[test]
fn it_fits_on_a_screen() {
    let long = "n".repeat(200);
    let names: Vec<String> = (0..40).map(|i| format!("{long}\n.é{i}")).collect();
    let tools: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "")).collect();
    for found in [run(&tools), run(&[("a", "搜索 on 2026-01-01")])] {
        let screen = text(&found);
        assert!(screen.lines().count() <= 50, "{} lines", screen.lines().count());
        assert!(screen.lines().all(|l| l.chars().count() <= 80), "{screen}");
        assert_eq!(json(&found)["schema_version"], 1);
    }
}
