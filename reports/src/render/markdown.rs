//! What is worth keeping of a run in a repository or a wiki? `report.md`: every corpus, every counter, every metric.

use super::{OutputFile, RenderError, Renderer};
use crate::Run;
use crate::report::{Block, Detail, Table, blocks};

pub(super) static RENDERER: Renderer = Renderer {
    name: "markdown",
    summary: "report.md: the complete report, with the identity of the run and a glossary.",
    names: &["report.md"],
    files,
};

fn files(run: &Run) -> Result<Vec<OutputFile>, RenderError> {
    Ok(vec![OutputFile { name: "report.md".to_owned(), bytes: report_markdown(run)?.into_bytes() }])
}

/// The content of `report.md`.
///
/// # Errors
/// A run of the scenario `seed` that lacks a part of the published table.
pub fn report_markdown(run: &Run) -> Result<String, RenderError> {
    Ok(page(&blocks(run, Detail::Full)?))
}

/// The Markdown of some blocks.
pub fn page(blocks: &[Block]) -> String {
    blocks.iter().map(markdown).collect::<Vec<_>>().join("\n")
}

fn markdown(block: &Block) -> String {
    match &block.clone().printable() {
        Block::Title(title) => format!("# {}\n", safe(title)),
        Block::Heading(heading) => format!("## {}\n", safe(heading)),
        Block::Text(text) => format!("{}\n", safe(text)),
        Block::Bullets(items) => items.iter().map(|item| format!("- {}\n", safe(item))).collect(),
        Block::Table(table) => grid(table),
    }
}

fn grid(table: &Table) -> String {
    let heads: Vec<String> = table.columns.iter().map(|column| column.head.clone()).collect();
    let rule: Vec<String> =
        table.columns.iter().map(|column| if column.right { "---:" } else { "---" }.to_owned()).collect();
    let mut text = format!("{}\n\n{}{}", safe(&table.caption), line(&heads), line(&rule));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    text
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| safe(cell).replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// No name that Markdown would read as emphasis, as a link or as a tag. Code in backticks stays as it is, a backtick without
/// its pair does not begin any.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = None;
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        let after = rest[taken..].chars().next();
        let inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match letter {
            '`' => {
                let ticks = rest.len() - rest.trim_start_matches('`').len();
                taken = code(rest, ticks).unwrap_or(ticks);
                match taken > ticks {
                    true => safe.push_str(&rest[..taken]),
                    false => safe.push_str(&"\\`".repeat(ticks)),
                }
            }
            '_' if inner(before) && inner(after) => safe.push('_'),
            '<' | '*' | '_' | '\\' => safe.extend(['\\', letter]),
            // Brackets are common in figures; these alone end what a link shows, or define where one leads.
            ']' if matches!(after, Some('(' | '[' | ':')) => safe.push_str("\\]"),
            _ => safe.push(letter),
        }
        before = rest[..taken].chars().next_back();
        rest = &rest[taken..];
    }
    safe
}

/// Bytes of the code that begins with this many backticks and ends with as many, if it ends.
fn code(text: &str, ticks: usize) -> Option<usize> {
    let mut at = ticks;
    while let Some(next) = text[at..].find('`') {
        let run = text[at + next..].len() - text[at + next..].trim_start_matches('`').len();
        at += next + run;
        if run == ticks {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_report_can_be_read() {
        insta::assert_snapshot!(report_markdown(&testing::run()).unwrap());
    }

    #[test]
    fn every_corpus_and_every_counter_is_there() {
        let text = report_markdown(&testing::run()).unwrap();
        for name in [testing::GEN_10, testing::GEN_100, "my-servers", testing::BYTES, testing::O200K] {
            assert!(text.contains(name), "{name}");
        }
    }

    #[test]
    fn names_cannot_break_a_table_or_become_a_tag() {
        let cells = ["a|b", "<script>", "snake_case", "_private_", "`a_b <c>`"].map(str::to_owned);
        let expected = "| a\\|b | \\<script> | snake_case | \\_private\\_ | `a_b <c>` |\n";
        assert_eq!(line(&cells), expected);
        assert_eq!(page(&[Block::Text("two\nlines\u{200b}".to_owned())]), "two lines\\\\u{200b}\n");
    }

    #[test]
    fn names_cannot_become_a_link_or_leave_their_code() {
        for (text, expected) in [
            ("[here](http://x)", r"[here\](http://x)"),
            (r"\[here\](http://x)", r"\\[here\\\](http://x)"),
            ("[a][b] and ![c](d)", r"[a\][b] and ![c\](d)"),
            ("[a]: http://x", r"[a\]: http://x"),
            ("0.86 [0.82, 0.89]", "0.86 [0.82, 0.89]"),
            // A backtick without a pair begins no code, and code ends with as many as began it.
            ("` <b>", r"\` \<b>"),
            ("` <b> ``", r"\` \<b> \`\`"),
            ("``a ` <b>`` <b>", r"``a ` <b>`` \<b>"),
        ] {
            assert_eq!(safe(text), expected);
        }
    }
}
