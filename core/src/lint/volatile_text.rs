//! Text that will be another one tomorrow.

use serde_json::Value;

use super::{Check, Counted, Point, Rule, Severity, quoted};

pub(super) static ENTRY: Rule = Rule {
    name: "volatile-text",
    severity: Severity::Warning,
    summary: "a date, a path of one machine or a live count in a description or default",
    why: "the definition differs from start to start, so that no prompt cache holds it",
    remedy: "say it in the result of a call, or without the figure",
    source: "Yeachan-Heo/gajae-code#2344, QwenLM/qwen-code#4781",
    counted: Counted::No,
    check: Check::Each(|subject, found| {
        let expected = "a text that is the same at every start";
        if let Some(what) = volatile(subject.definition.description()) {
            found(Point::new("/description", what, expected));
        }
        for (node, schema) in subject.schema.schemas() {
            for key in ["title", "description"] {
                if let Some(what) = schema.get(key).and_then(Value::as_str).and_then(volatile) {
                    found(Point::new(subject.schema.pointer(node, key), what, expected));
                }
            }
            let default = schema.get("default").and_then(Value::as_str);
            if let Some(what) = default.and_then(|text| date(text).or_else(|| path(text))) {
                found(Point::new(subject.schema.pointer(node, "default"), format!("{what} as default"), expected));
            }
        }
    }),
};

/// Words after which a date or path is an example of a format and no fact of the day.
const EXAMPLE: [&str; 12] =
    ["e.g", "example", "format", "such as", "like", "iso", "i.e", "for instance", "yyyy", "ex:", "version", "since"];

/// Words that make a number of things a live count.
const LIVE: [&str; 7] = ["currently", "there are", "total of", "right now", "as of", "now has", "now holds"];

const THINGS: [&str; 16] = [
    "tools",
    "records",
    "files",
    "items",
    "documents",
    "issues",
    "users",
    "projects",
    "tables",
    "rows",
    "entries",
    "messages",
    "servers",
    "agents",
    "pages",
    "results",
];

fn volatile(text: &str) -> Option<String> {
    let fact = |(at, what): (usize, String)| {
        let from = text[..at].char_indices().rev().nth(60).map_or(0, |(i, _)| i);
        let before = text[from..at].to_lowercase();
        let quoted =
            before.ends_with(['"', '\'', '`', '(', '=', ':']) || before.trim_end().ends_with(['"', '\'', '`', ':']);
        (!quoted && !EXAMPLE.iter().any(|w| before.contains(w))).then_some(what)
    };
    first_date(text).and_then(fact).or_else(|| first_path(text).and_then(fact)).or_else(|| count(text))
}

fn date(text: &str) -> Option<String> {
    first_date(text).map(|(_, what)| what)
}

fn path(text: &str) -> Option<String> {
    first_path(text).map(|(_, what)| what)
}

/// The first `2024-05-31` that stands alone.
fn first_date(text: &str) -> Option<(usize, String)> {
    const SHAPE: &[u8; 10] = b"dddd-dd-dd";
    let bytes = text.as_bytes();
    let fits = |window: &[u8]| {
        window.iter().zip(SHAPE).all(|(b, s)| if *s == b'd' { b.is_ascii_digit() } else { b == s })
            && matches!(&window[..2], b"19" | b"20")
            // The beginning of Unix time is a definition and no day of anybody's.
            && window != b"1970-01-01"
    };
    let alone = |i: usize| !bytes.get(i).is_some_and(u8::is_ascii_alphanumeric);
    let at = bytes
        .windows(10)
        .position(fits)
        .filter(|&i| (i == 0 || alone(i - 1)) && (alone(i + 10) || bytes[i + 10] == b'T'))?;
    Some((at, format!("the date {}", &text[at..at + 10])))
}

/// The first path below the home of one user.
fn first_path(text: &str) -> Option<(usize, String)> {
    ["/home/", "/Users/", "C:\\Users\\", "/var/folders/"].iter().find_map(|root| {
        let at = text.find(root)?;
        let rest: String = text[at..].chars().take_while(|c| !c.is_whitespace() && !"\"'`,)".contains(*c)).collect();
        // `/home/user` and `/Users/<name>` stand for anybody's.
        let owner = rest[root.len()..].split(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let anybody = ["", "user", "username", "you", "me", "name", "your_name", "yourname", "..."];
        let placeholder = anybody.contains(&owner.as_str()) || owner.starts_with(['<', '{', '$', '[', '.']);
        (!placeholder).then(|| (at, format!("the path {}", quoted(&rest))))
    })
}

/// A number of things that is true at one moment only.
fn count(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).enumerate().find_map(|(i, pair)| {
        let number = pair[0].trim_matches(|c: char| !c.is_ascii_alphanumeric()).replace(',', "");
        let thing = pair[1].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let counted =
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && THINGS.contains(&thing.as_str());
        let before = words[i.saturating_sub(4)..i].join(" ").to_lowercase();
        (counted && LIVE.iter().any(|w| before.contains(w))).then(|| format!("the count {}", quoted(&pair.join(" "))))
    })
}
