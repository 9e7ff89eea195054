//! A table of results, and how it reads as text, CSV, HTML and Markdown.

use super::escape;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, presets};

/// The default width of a table as text.
const TEXT_COLUMNS: u16 = 100;

/// One cell of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Integer(i64),
    /// A measured number.
    Number {
        /// The number itself, in full precision.
        value: f64,
        /// How many decimals are shown.
        decimals: usize,
        /// Half the width of its interval, shown after `±`.
        error: Option<f64>,
    },
}

impl Cell {
    /// A number without an error.
    pub fn number(value: f64, decimals: usize) -> Cell {
        Cell::Number { value, decimals, error: None }
    }

    /// A number with half the width of its interval.
    pub fn estimate(value: f64, error: f64, decimals: usize) -> Cell {
        Cell::Number { value, decimals, error: Some(error) }
    }

    /// The cell as it is shown: `0.512 ± 0.013`.
    pub fn to_text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Integer(value) => value.to_string(),
            Cell::Number { value, decimals, error: None } => shown(*value, *decimals),
            Cell::Number { value, decimals, error: Some(error) } => {
                format!("{} ± {}", shown(*value, *decimals), shown(*error, *decimals))
            }
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Cell::Text(text) if !text.is_empty())
    }

    fn error(&self) -> Option<f64> {
        if let Cell::Number { error, .. } = self { *error } else { None }
    }

    /// The value in full precision, without its error.
    fn value(&self) -> String {
        if let Cell::Number { value, .. } = self { value.to_string() } else { self.to_text() }
    }
}

/// A number with its decimals; never `-0.00`, and a dash for NaN.
fn shown(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "-".to_string();
    }
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|character| matches!(character, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_string() } else { text }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(value: i64) -> Cell {
        Cell::Integer(value)
    }
}

impl From<u32> for Cell {
    fn from(value: u32) -> Cell {
        Cell::Integer(value.into())
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Cell {
        Cell::Integer(i64::try_from(value).expect("a count fits in 63 bits"))
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Cell {
        Cell::from(value as u64)
    }
}

/// Rows of cells under the heads of their columns. Missing cells at the end of a row are empty; cells beyond the last
/// column are not shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The title. The table's file is named after it.
    pub title: String,
    /// An explanation for the reader; may be empty.
    pub note: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows and without a note.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|column| column.to_string()).collect();
        Table { title: title.into(), columns, ..Table::default() }
    }

    /// The same table with a note.
    pub fn with_note(self, note: impl Into<String>) -> Table {
        Table { note: note.into(), ..self }
    }

    /// Adds a row below the others.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// The table for a terminal of 100 columns.
    pub fn to_text(&self) -> String {
        self.to_text_within(TEXT_COLUMNS)
    }

    /// The table for a terminal: title, rows, note. Only columns of text are broken into lines to fit.
    pub fn to_text_within(&self, terminal_columns: u16) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(terminal_columns).set_header(self.columns.clone());
        for row in 0..self.rows.len() {
            table.add_row((0..self.columns.len()).map(|column| self.shown(row, column)));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if self.is_numeric(index) {
                column.set_cell_alignment(CellAlignment::Right);
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
        let mut parts = vec![self.title.clone(), lines.join("\n"), self.note.clone()];
        parts.retain(|part| !part.is_empty());
        parts.join("\n") + "\n"
    }

    /// The table as CSV, in full precision. A column with errors is followed by one named `… error`.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut head = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            head.push(column.clone());
            head.extend(self.has_errors(index).then(|| format!("{column} error")));
        }
        // A record of no fields would be written as a quoted empty one.
        if head.is_empty() {
            return String::new();
        }
        writer.write_record(&head).expect("writing to memory");
        for row in &self.rows {
            let mut record = Vec::with_capacity(head.len());
            for index in 0..self.columns.len() {
                let cell = row.get(index);
                record.push(cell.map_or_else(String::new, Cell::value));
                if self.has_errors(index) {
                    record
                        .push(cell.and_then(Cell::error).map_or_else(String::new, |error| error.to_string()));
                }
            }
            writer.write_record(&record).expect("writing to memory");
        }
        String::from_utf8(writer.into_inner().expect("writing to memory")).expect("what was text is text")
    }

    /// The table as an element of HTML, with its title as caption.
    pub fn to_html(&self) -> String {
        let mut html = String::from("<div class=\"wide\"><table>\n");
        html += &format!("<caption>{}</caption>\n<thead><tr>", escape::html_prose(&self.title));
        for (index, column) in self.columns.iter().enumerate() {
            let class = self.html_class(index);
            html += &format!("<th scope=\"col\"{class}>{}</th>", escape::html_prose(column));
        }
        html += "</tr></thead>\n<tbody>\n";
        for row in 0..self.rows.len() {
            html += "<tr>";
            for column in 0..self.columns.len() {
                let text = escape::html_prose(&self.shown(row, column));
                html += &format!("<td{}>{text}</td>", self.html_class(column));
            }
            html += "</tr>\n";
        }
        html += "</tbody>\n</table></div>\n";
        if !self.note.is_empty() {
            html += &format!("<p class=\"note\">{}</p>\n", escape::html_prose(&self.note));
        }
        html
    }

    /// The table as Markdown, its title in bold above and its note below.
    pub fn to_markdown(&self) -> String {
        let mut markdown = format!("**{}**\n\n", escape::markdown(&self.title));
        let heads: Vec<String> = self.columns.iter().map(|column| escape::markdown(column)).collect();
        markdown += &format!("| {} |\n|", heads.join(" | "));
        for column in 0..self.columns.len() {
            markdown += if self.is_numeric(column) { " ---: |" } else { " --- |" };
        }
        markdown += "\n";
        for row in 0..self.rows.len() {
            let cells = (0..self.columns.len()).map(|column| escape::markdown(&self.shown(row, column)));
            markdown += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
        }
        if !self.note.is_empty() {
            markdown += &format!("\n{}\n", escape::markdown(&self.note));
        }
        markdown
    }

    fn shown(&self, row: usize, column: usize) -> String {
        self.rows[row].get(column).map_or_else(String::new, Cell::to_text)
    }

    /// True if no cell of the column holds words; such a column is aligned to the right.
    fn is_numeric(&self, column: usize) -> bool {
        !self.rows.is_empty() && !self.rows.iter().filter_map(|row| row.get(column)).any(Cell::is_text)
    }

    fn has_errors(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|row| row.get(column)).any(|cell| cell.error().is_some())
    }

    fn html_class(&self, column: usize) -> &'static str {
        if self.is_numeric(column) { " class=\"number\"" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_as_they_should() {
        let check = |cell: Cell, expect: &str| assert_eq!(cell.to_text(), expect);
        check(Cell::estimate(0.5123, 0.0129, 3), "0.512 ± 0.013");
        check(Cell::number(-0.0001, 2), "0.00");
        check(Cell::number(-12.5, 1), "-12.5");
        check(Cell::number(f64::NAN, 2), "-");
        check(Cell::number(f64::INFINITY, 2), "inf");
        check(7usize.into(), "7");
        check("a b".into(), "a b");
    }

    #[test]
    fn text_aligns_and_only_words_are_broken() {
        let mut table = Table::new("Rates", &["agent", "games", "rate"]).with_note("95% intervals.");
        table.push(vec!["uct".into(), 10u32.into(), Cell::estimate(0.5, 0.25, 2)]);
        table.push(vec!["plain".into(), 1000u32.into(), Cell::number(0.125, 3)]);
        let expect = "Rates\n agent  games         rate\n uct       10  0.50 ± 0.25\n plain   1000        0.125\n95% intervals.\n";
        assert_eq!(table.to_text(), expect);
        table.push(vec!["word ".repeat(30).into(), 1u32.into(), Cell::number(1.0, 1)]);
        let narrow = table.to_text_within(40);
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
        assert!(narrow.contains("0.50 ± 0.25"), "{narrow}");
    }

    #[test]
    fn a_table_of_nothing_is_no_trouble() {
        for table in [Table::default(), Table::new("t", &["a"])] {
            let _ = (table.to_text(), table.to_html(), table.to_markdown(), table.to_csv());
        }
        assert_eq!(Table::default().to_csv(), "");
    }
}
