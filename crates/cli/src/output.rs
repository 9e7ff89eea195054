//! Printing: to a pipe that may close, in tables that align.

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use std::io::{self, Write};

/// Prints to standard output. That nobody listens any more is an error like others, which `main` takes calmly.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// True for the error of writing to a reader that has gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// A plain table, the first column to the left and the others to the right.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head.to_vec());
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    lines_without_trailing_spaces(&table.to_string())
}

/// A plain table with all columns to the left.
pub fn text_table(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    lines_without_trailing_spaces(&table.to_string())
}

fn lines_without_trailing_spaces(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}
