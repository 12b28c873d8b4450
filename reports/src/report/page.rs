//! What is a report made of, before it is text or Markdown?

/// One part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The title of the page.
    Title(String),
    /// The heading of a section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A list.
    Bullets(Vec<String>),
    /// A table.
    Table(Table),
}

impl Block {
    /// The block with [`printable`] texts.
    pub(crate) fn printable(mut self) -> Self {
        let shown = |text: &mut String| *text = printable(text);
        match &mut self {
            Self::Title(text) | Self::Heading(text) | Self::Text(text) => shown(text),
            Self::Bullets(texts) => texts.iter_mut().for_each(shown),
            Self::Table(table) => {
                shown(&mut table.caption);
                table.rows.iter_mut().flatten().for_each(shown);
            }
        }
        self
    }
}

/// A foreign text as it can be shown: on one line, and what a reader could not see is spelled out. A tool's name must neither
/// move a terminal's cursor nor hide a part of itself.
///
/// ```
/// use deferbench_reports::page::printable;
/// assert_eq!(printable("a\nb\u{1b}[2J é\u{202e}\u{200b}"), "a b\\u{1b}[2J é\\u{202e}\\u{200b}");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if is_unseen(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character does something to a display, or nothing at all, instead of being shown: control characters, the marks
/// that turn the direction of a text (Unicode Standard Annex 9), characters without width, and tags.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What stands at its head.
    pub head: String,
    /// Whether its cells are aligned to the right.
    pub right: bool,
    /// Whether it moves into the caption when all its cells are equal.
    folds: bool,
}

/// A table with a caption.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What the figures are: a sentence or two.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without columns.
    pub fn new(caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..Self::default() }
    }

    fn column(mut self, head: &str, right: bool, folds: bool) -> Self {
        self.columns.push(Column { head: head.to_owned(), right, folds });
        self
    }

    /// Adds a column of words.
    pub fn words(self, head: &str) -> Self {
        self.column(head, false, false)
    }

    /// Adds columns of figures.
    pub fn figures<'a>(self, heads: impl IntoIterator<Item = &'a str>) -> Self {
        heads.into_iter().fold(self, |table, head| table.column(head, true, false))
    }

    /// Adds columns of words that move into the caption when all their cells are equal.
    pub fn folding<'a>(self, heads: impl IntoIterator<Item = &'a str>) -> Self {
        heads.into_iter().fold(self, |table, head| table.column(head, false, true))
    }

    /// Adds a row; one cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The finished block, or nothing when there is no row.
    pub fn block(mut self) -> Option<Block> {
        let first = self.rows.first()?.clone();
        let equal = |place: usize| self.rows.iter().all(|row| row.get(place) == first.get(place));
        let folded: Vec<bool> =
            self.columns.iter().enumerate().map(|(place, column)| column.folds && equal(place)).collect();
        let common: Vec<String> = self
            .columns
            .iter()
            .zip(&first)
            .zip(&folded)
            .filter(|((_, cell), folded)| **folded && *cell != super::figure::DASH)
            .map(|((column, cell), _)| format!("{} {cell}", column.head))
            .collect();
        if !common.is_empty() {
            self.caption = format!("{} In every row: {}.", self.caption, common.join(", "));
        }
        for row in &mut self.rows {
            retain(row, &folded);
        }
        retain(&mut self.columns, &folded);
        Some(Block::Table(self))
    }
}

/// Keeps what is not folded.
fn retain<T>(items: &mut Vec<T>, folded: &[bool]) {
    let mut folded = folded.iter();
    items.retain(|_| !folded.next().copied().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelled_out() {
        let mut table = Table::new("a\u{1b}[31m").words("head");
        table.row(vec!["b\u{7}\nc\u{202e}\u{200d}\u{e0041}".to_owned()]);
        let block = table.block().map(Block::printable);
        let Some(Block::Table(table)) = block else { panic!("no table") };
        assert_eq!(
            (table.caption.as_str(), table.rows[0][0].as_str()),
            ("a\\u{1b}[31m", "b\\u{7} c\\u{202e}\\u{200d}\\u{e0041}")
        );
    }

    #[test]
    fn equal_cells_move_into_the_caption() {
        let mut table = Table::new("Figures.").words("corpus").folding(["policy", "limit"]).figures(["n"]);
        for (limit, n) in [("1", "3"), ("5", "3")] {
            table.row(["a", "eager", limit, n].map(str::to_owned).to_vec());
        }
        let Some(Block::Table(table)) = table.block() else { panic!("no table") };
        assert_eq!(table.caption, "Figures. In every row: policy eager.");
        assert_eq!(
            table.columns.iter().map(|column| column.head.as_str()).collect::<Vec<_>>(),
            ["corpus", "limit", "n"]
        );
        assert_eq!(table.rows[1], ["a", "5", "3"]);
    }

    #[test]
    fn no_row_is_no_table() {
        assert_eq!(Table::new("Figures.").words("corpus").block(), None);
    }
}
