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
    match block {
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

/// One line, and no name that Markdown would read as emphasis or as a tag.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut code = false;
    let letters: Vec<char> = text.chars().collect();
    for (place, letter) in letters.iter().copied().enumerate() {
        let inner =
            |place: Option<usize>| place.and_then(|place| letters.get(place)).is_some_and(|c| c.is_alphanumeric());
        match letter {
            '\n' | '\r' => safe.push(' '),
            '`' => {
                code = !code;
                safe.push('`');
            }
            '_' if inner(place.checked_sub(1)) && inner(Some(place + 1)) => safe.push('_'),
            '<' | '*' | '_' if !code => {
                safe.push('\\');
                safe.push(letter);
            }
            _ => safe.push(letter),
        }
    }
    safe
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
        let cells = ["a|b", "<script>", "two\nlines", "snake_case", "_private_", "`a_b <c>`"].map(str::to_owned);
        let expected = "| a\\|b | \\<script> | two lines | snake_case | \\_private\\_ | `a_b <c>` |\n";
        assert_eq!(line(&cells), expected);
    }
}
