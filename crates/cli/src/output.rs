//! Printing: to a pipe that may close, in tables that align, within the width of the terminal.

use anyhow::Result;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use console::Term;
use std::cell::RefCell;
use std::io::{self, Write};

thread_local! {
    /// What this thread prints, while it is kept.
    static KEPT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The width of text if neither `COLUMNS` nor a terminal gives one.
const WIDTH_DEFAULT: usize = 80;

/// The least width that texts are wrapped to.
const WIDTH_MIN: usize = 20;

/// Does some work and returns what it printed on this thread, instead of printing it.
pub fn kept<T>(work: impl FnOnce() -> T) -> (T, String) {
    KEPT.set(Some(String::new()));
    let done = work();
    (done, KEPT.take().unwrap_or_default())
}

/// Whether this thread's output is kept.
pub fn is_kept() -> bool {
    KEPT.with_borrow(Option::is_some)
}

/// Prints to standard output. A closed pipe is an error, which `main` ignores.
pub fn print(text: &str) -> Result<()> {
    let is_kept = KEPT.with_borrow_mut(|kept| kept.as_mut().map(|kept| kept.push_str(text)).is_some());
    if is_kept {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// True for the error of writing to a reader that has gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// The columns of a line, from `COLUMNS` or the terminal. None in a pipe or a file.
fn columns() -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = asked.or_else(|| Term::stdout().size_checked().map(|(_, columns)| columns.into()));
    found.map(|columns: usize| columns.max(WIDTH_MIN))
}

/// The columns of a line of text.
pub fn width() -> usize {
    width_or(WIDTH_DEFAULT)
}

/// The columns of a line of text, or this many in a pipe or a file.
pub fn width_or(standard: usize) -> usize {
    columns().unwrap_or(standard)
}

/// A plain table, the first column aligned to the left and the others to the right. Cells are wrapped between words if
/// lines would be wider than the terminal.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = plain_table();
    table.set_header(head.to_vec());
    table.add_rows(rows);
    keep_words(&mut table);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    lines_without_trailing_spaces(&table.to_string())
}

/// A plain table with all columns aligned to the left.
pub fn text_table(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = plain_table();
    table.add_rows(rows);
    keep_words(&mut table);
    lines_without_trailing_spaces(&table.to_string())
}

fn plain_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(columns) = columns() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns as u16);
    }
    table
}

/// No column gets narrower than its longest word: a table that does not fit is wider than the terminal.
fn keep_words(table: &mut Table) {
    let longest = |cells: Vec<String>| {
        let words = cells.iter().flat_map(|cell| cell.split_whitespace()).map(|word| word.chars().count());
        words.max().unwrap_or(0) as u16
    };
    let columns = table.column_count();
    let heads: Vec<String> =
        table.header().map_or(Vec::new(), |head| head.cell_iter().map(|cell| cell.content()).collect());
    let widths: Vec<u16> = (0..columns)
        .map(|column| {
            let cells = table.row_iter().filter_map(|row| row.cell_iter().nth(column));
            longest(cells.map(|cell| cell.content()).chain(heads.get(column).cloned()).collect())
        })
        .collect();
    for (column, width) in table.column_iter_mut().zip(widths) {
        // A cell has a space on each side.
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + 2)));
    }
}

fn lines_without_trailing_spaces(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Text in lines of at most this many columns, each with its newline. A word that is longer than a line is cut.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut letters: Vec<char> = word.chars().collect();
        let line = lines.last_mut().expect("a first line");
        let length = line.chars().count();
        if length > 0 && length + 1 + letters.len() <= width {
            line.push(' ');
        } else if length > 0 {
            lines.push(String::new());
        }
        while letters.len() > width {
            let rest = letters.split_off(width);
            lines.last_mut().expect("a line").extend(letters);
            lines.push(String::new());
            letters = rest;
        }
        lines.last_mut().expect("a line").extend(letters);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A line that begins with a label: the further lines are indented as far as the text after the label.
pub fn labelled(label: &str, text: &str, width: usize) -> String {
    let indent = label.chars().count();
    let body = wrapped(text, width.saturating_sub(indent).max(WIDTH_MIN / 2));
    let line = |(number, line): (usize, &str)| match number {
        0 => format!("{label}{line}"),
        _ => format!("{:indent$}{line}", ""),
    };
    body.lines().enumerate().map(line).map(|line| line.trim_end().to_string() + "\n").collect()
}

/// Names and their texts, in two columns within this width. If the names are too wide, each text stands below its name.
pub fn definitions(entries: &[(String, String)], width: usize) -> String {
    let longest = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let column = longest.min(width / 3);
    let mut text = String::new();
    for (name, what) in entries {
        let indent = if column < longest && column < 8 { 4 } else { column + 3 };
        let body = wrapped(what, width.saturating_sub(indent).max(8));
        let fits = name.chars().count() + 1 < indent;
        if !fits {
            text += &wrapped(name, width - 1).lines().map(|line| format!(" {line}\n")).collect::<String>();
        }
        for (number, line) in body.lines().enumerate() {
            let head = if fits && number == 0 { name.as_str() } else { "" };
            text += format!(" {head:<0$}{line}", indent - 1).trim_end();
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_wide_as_asked() {
        assert_eq!(wrapped("one two  three\nfour", 9), "one two\nthree\nfour\n");
        assert_eq!(wrapped("a abcdefghijk b", 5), "a\nabcde\nfghij\nk b\n");
        assert_eq!(wrapped("", 5), "\n");
    }

    #[test]
    fn definitions_fit() {
        let entries = [("hex".to_string(), "join your two edges".to_string()), ("go".into(), "".into())];
        assert_eq!(definitions(&entries, 20), " hex  join your two\n      edges\n go\n");
        let long = [("canadian-traveller".to_string(), "a short way over roads".to_string())];
        for width in [20, 30, 80, 200] {
            let text = definitions(&long, width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}: {text}");
        }
        assert_eq!(definitions(&long, 80), " canadian-traveller  a short way over roads\n");
    }
}
