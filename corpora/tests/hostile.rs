//! Does any damage to an outside file end in an error instead of a panic?

use std::path::Path;

use deferbench_core::{Catalog, Limits, Tool};
use deferbench_corpora::import::IMPORTERS;
use deferbench_corpora::{bundle, tools_list};

const LIST: &str = r#"{"jsonrpc":"2.0","result":{"tools":[
 {"name":"a_b","description":"Ünï \u00e9 \"q\"","inputSchema":{"type":"object","properties":{"x":{"enum":[1e3,-0,"é"]}}},"server":"s"},
 {"name":"c","inputSchema":{},"annotations":{"title":null}}]}}"#;

const QUERIES: &str = r#"{"id":"1","text":"täxt","relevant":["a_b"],"class":"k"}
{"id":"2","text":"t","relevant":["a_b","c"],"groups":[["a_b"],["c"]],"tags":["x"]}"#;

const PAGE: &str = "### `bash`\n\nRuns.\n\n```json\n{\"type\":\"object\"}\n```\n### `read`\nx\n```\n{}\n```\n### `lsp`\nx\n```\n{}\n```\n### `subagent`\nx\n```\n{}\n```\n### `web_search`\nx\n```\n{}\n```\n";

/// The text cut at every place, with every byte changed in turn, and with every line twice.
fn damaged(text: &str) -> impl Iterator<Item = String> {
    let cut = (0..text.len()).filter(|i| text.is_char_boundary(*i)).map(|i| text[..i].to_string());
    let changed = (0..text.len()).flat_map(|i| {
        [b'"', b'{', b']', b'\\', b',', 0, b'9'].into_iter().filter_map(move |b| {
            let mut bytes = text.as_bytes().to_vec();
            bytes[i] = b;
            String::from_utf8(bytes).ok()
        })
    });
    let twice = text.lines().map(|l| text.replacen(l, &format!("{l}\n{l}"), 1));
    cut.chain(changed).chain(twice).collect::<Vec<_>>().into_iter()
}

/// What is accepted is sound; what is not says which file it was.
#[test]
fn tool_lists() {
    let (path, limits) = (Path::new("list.json"), Limits::default());
    assert_eq!(tools_list::parse(path, LIST, &limits).unwrap().len(), 2);
    let (mut accepted, mut refused) = (0, 0);
    for text in damaged(LIST) {
        match tools_list::parse(path, &text, &limits) {
            Ok(tools) => {
                accepted += 1;
                assert!(tools.iter().all(|t| !t.name().is_empty() && t.schema_json().starts_with('{')), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().starts_with("list.json"), "{error}");
            }
        }
    }
    assert!(accepted > 100 && refused > 1_000, "{accepted} {refused}");
}

#[test]
fn queries() {
    let tools = ["a_b", "c"].map(|n| Tool::new(n, None, "{}").unwrap()).to_vec();
    let catalog = Catalog::new(tools).unwrap();
    let path = Path::new("queries.jsonl");
    assert_eq!(bundle::parse_queries(path, QUERIES, &catalog).unwrap().len(), 2);
    for text in damaged(QUERIES) {
        match bundle::parse_queries(path, &text, &catalog) {
            Ok(queries) => {
                assert!(queries.iter().all(|q| q.needs().iter().flatten().all(|n| catalog.find(n).is_some())))
            }
            Err(error) => assert!(error.to_string().starts_with("queries.jsonl: line "), "{error}"),
        }
    }
}

#[test]
fn catalog_pages() {
    let importer = IMPORTERS.iter().find(|i| i.name == "dsh-catalog").unwrap();
    let path = Path::new("page.md");
    assert_eq!((importer.read)(path, PAGE, &Limits::default()).unwrap().len(), 5);
    for text in damaged(PAGE) {
        if let Err(error) = (importer.read)(path, &text, &Limits::default()) {
            assert!(error.to_string().starts_with("page.md: line "), "{error}");
        }
    }
}

/// A folder of damaged files is refused by the file that is damaged.
#[test]
fn folders_name_the_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("good.json", LIST.as_bytes());
    for damage in [&LIST.as_bytes()[..40], b"", b"\xff\xfe{}", b"[1]", br#"{"tools":[{"name":"x","inputSchema":[]}]}"#]
    {
        write("z.json", damage);
        let error = deferbench_corpora::open(folder.path().to_str().unwrap(), &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("z.json"), "{error}");
    }
}
