//! How do the parts of a report become text that fits a terminal of 100 columns?

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table as Grid, TableStyle, Width};

use crate::report::{Block, Table};

/// The largest width of a line, in columns.
const WIDTH: usize = 100;

/// Words up to this width are not wrapped inside a table.
const UNBROKEN: usize = 24;

/// Blanks between two columns, beside the one that the grid draws.
const GAP: u16 = 1;

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The text of some blocks, ended by a newline.
pub fn plain(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (place, block) in blocks.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        match &block.clone().printable() {
            Block::Title(title) => text.push_str(&underlined(title, '=')),
            Block::Heading(heading) => text.push_str(&underlined(heading, '-')),
            Block::Text(paragraph) => text.push_str(&wrapped(paragraph, "", "")),
            Block::Bullets(items) => items.iter().for_each(|item| text.push_str(&wrapped(item, "- ", "  "))),
            Block::Table(table) => text.push_str(&grid(table)),
        }
    }
    text
}

fn underlined(words: &str, line: char) -> String {
    let line: String = words.chars().map(|_| line).collect();
    format!("{words}\n{line}\n")
}

/// The table with unbroken figures and short words, or with broken ones where that would be too wide.
fn grid(table: &Table) -> String {
    let mut text = wrapped(&table.caption, "", "") + "\n";
    let unbroken = lines(table, true);
    let fits = unbroken.iter().all(|line| line.chars().count() <= WIDTH);
    for line in if fits { unbroken } else { lines(table, false) } {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn lines(table: &Table, unbroken: bool) -> Vec<String> {
    let mut grid = Grid::new();
    grid.load_style(STYLE);
    grid.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    grid.set_header(table.columns.iter().map(|column| column.head.as_str()));
    grid.add_rows(&table.rows);
    let last = table.columns.len().saturating_sub(1);
    for (place, (column, made)) in table.columns.iter().zip(grid.column_iter_mut()).enumerate() {
        let gap = if place == last { 0 } else { GAP };
        made.set_cell_alignment(if column.right { CellAlignment::Right } else { CellAlignment::Left });
        made.set_padding((0, gap));
        let cells = table.rows.iter().filter_map(|row| row.get(place)).map(|cell| cell.chars().count());
        let width = cells.max().unwrap_or_default();
        if unbroken && (column.right || width <= UNBROKEN) {
            let words = column.head.split(' ').map(|word| word.chars().count());
            let width = u16::try_from(words.max().unwrap_or_default().max(width)).unwrap_or(u16::MAX);
            made.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width.saturating_add(gap))));
        }
    }
    grid.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Lines of at most 100 columns; a longer word keeps a line of its own.
pub(crate) fn wrapped(words: &str, first: &str, further: &str) -> String {
    let mut text = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in words.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = further.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_at_a_hundred_columns() {
        let words = ["1234567890"; 20].join(" ");
        let text = wrapped(&words, "- ", "  ");
        let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        // Nine words of ten letters, eight blanks and the indent are 100; twenty words make 9 + 9 + 2.
        assert_eq!(widths, [100, 100, 23]);
        assert!(text.starts_with("- 1") && text.lines().skip(1).all(|line| line.starts_with("  1")));
    }

    #[test]
    fn a_long_word_is_not_torn() {
        let word = "x".repeat(150);
        assert_eq!(wrapped(&format!("a {word} b"), "", ""), format!("a\n{word}\nb\n"));
    }
}
