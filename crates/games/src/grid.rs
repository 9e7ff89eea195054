//! Boards as text, shared by the games on rectangular grids.
//!
//! A cell is named by a column letter and a row number, a1 at the lower left. A game whose players have always put a1
//! at the upper left uses [`Rows::from_top`]. A position is written in one line: the rows from the top, separated by
//! slashes, and then who moves. `x` is the first player, `o` the second, `.` an empty cell: `x.o/.x./... o`.

use aji_search::Player;

/// The pieces of the two players, as written.
pub(crate) const PIECES: [char; 2] = ['x', 'o'];

/// The name of a cell: column letter, then row number from the bottom.
pub(crate) fn cell_name(column: usize, row: usize) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

pub(crate) fn column_letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// The rows of a board. A plain number of rows counts from the bottom: row 1 is the lowest.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    count: usize,
    first_on_top: bool,
}

impl Rows {
    /// Rows that count from the top.
    pub(crate) const fn from_top(count: usize) -> Rows {
        Rows { count, first_on_top: true }
    }

    /// The rows as written and drawn, the highest first.
    fn downwards(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |line| if self.first_on_top { line } else { self.count - 1 - line })
    }
}

impl From<usize> for Rows {
    fn from(count: usize) -> Rows {
        Rows { count, first_on_top: false }
    }
}

/// A position as written: who stands on each cell, by row from the first and then column, and who moves.
pub(crate) struct Grid {
    pub(crate) cells: Vec<Option<Player>>,
    pub(crate) mover: Player,
}

impl Grid {
    /// Reads a position of this size.
    pub(crate) fn read(text: &str, columns: usize, rows: impl Into<Rows>) -> Result<Grid, String> {
        let rows = rows.into();
        let mut words = text.split_whitespace();
        let (Some(board), Some(mover), None) = (words.next(), words.next(), words.next()) else {
            return Err(format!("\"{text}\": expected the rows, a space, and who moves (x or o)"));
        };
        let mover = match mover {
            "x" | "X" => 0,
            "o" | "O" => 1,
            other => return Err(format!("\"{other}\": expected x or o for who moves")),
        };
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != rows.count {
            let (expected, found) = (rows.count, lines.len());
            return Err(format!("\"{board}\": expected {expected} rows separated by /, found {found}"));
        }
        let mut cells = vec![None; columns * rows.count];
        for (line, row) in lines.iter().zip(rows.downwards()) {
            if line.chars().count() != columns {
                let found = line.chars().count();
                return Err(format!("row {} \"{line}\": expected {columns} cells, found {found}", row + 1));
            }
            for (column, piece) in line.chars().enumerate() {
                cells[row * columns + column] = match piece.to_ascii_lowercase() {
                    '.' => None,
                    'x' => Some(0),
                    'o' => Some(1),
                    _ => {
                        let name = cell_name(column, row);
                        return Err(format!(
                            "row {} \"{line}\": expected x, o or . at {name}, found {piece}",
                            row + 1
                        ));
                    }
                };
            }
        }
        Ok(Grid { cells, mover })
    }

    /// The number of a player's pieces.
    pub(crate) fn count(&self, player: Player) -> usize {
        self.cells.iter().filter(|&&cell| cell == Some(player)).count()
    }

    /// The cells of a player as a bitboard, on a board of at most 64 cells.
    pub(crate) fn bits(&self, player: Player) -> u64 {
        let cells = self.cells.iter().enumerate();
        cells.fold(0, |bits, (index, &cell)| bits | u64::from(cell == Some(player)) << index)
    }

    /// Checks that the counts agree with who moves, in games where x begins and each turn adds one piece.
    pub(crate) fn check_turns(&self) -> Result<(), String> {
        let (x, o) = (self.count(0), self.count(1));
        if x != o + self.mover as usize {
            let piece = PIECES[self.mover as usize];
            return Err(format!(
                "x begins and the players take turns: {x} x and {o} o with {piece} to move cannot be"
            ));
        }
        Ok(())
    }
}

/// The line that [`Grid::read`] understands. `cell` is called with column and row.
pub(crate) fn text(
    columns: usize,
    rows: impl Into<Rows>,
    mover: Player,
    cell: impl Fn(usize, usize) -> Option<Player>,
) -> String {
    let piece = |column, row| cell(column, row).map_or('.', |player| PIECES[player as usize]);
    let lines: Vec<String> =
        rows.into().downwards().map(|row| (0..columns).map(|column| piece(column, row)).collect()).collect();
    format!("{} {}", lines.join("/"), PIECES[mover as usize])
}

/// The board with row numbers at the left and column letters below.
pub(crate) fn board(
    columns: usize,
    rows: impl Into<Rows>,
    cell: impl Fn(usize, usize) -> Option<Player>,
) -> String {
    let mut lines = String::new();
    for row in rows.into().downwards() {
        lines += &format!("{:>3}", row + 1);
        for column in 0..columns {
            lines.push(' ');
            lines.push(cell(column, row).map_or('.', |player| PIECES[player as usize]));
        }
        lines.push('\n');
    }
    lines += "   ";
    for column in 0..columns {
        lines.push(' ');
        lines.push(column_letter(column));
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place() {
        let check = |text: &str, expect: &str| {
            let error = Grid::read(text, 3, 2).err().unwrap_or_default();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected the rows");
        check("x../... x o", "expected the rows");
        check("x../... z", "expected x or o for who moves");
        check("x.. x", "expected 2 rows separated by /, found 1");
        check("x../.. x", "row 1 \"..\": expected 3 cells, found 2");
        check("x../.q. x", "expected x, o or . at b1, found q");
        assert!(Grid::read("x../.o. x", 3, 2).is_ok());
    }

    #[test]
    fn rows_count_from_either_side() {
        let check = |rows: Rows, expect_index: usize, expect_error: &str| {
            let grid = Grid::read("x../... x", 3, rows).unwrap();
            assert_eq!(grid.bits(0), 1 << expect_index);
            assert_eq!(text(3, rows, 0, |column, row| grid.cells[row * 3 + column]), "x../... x");
            assert!(board(3, rows, |column, row| grid.cells[row * 3 + column]).contains(" x . .\n"));
            assert!(Grid::read("q../... x", 3, rows).err().unwrap().contains(expect_error));
        };
        check(2.into(), 3, "row 2 \"q..\": expected x, o or . at a2");
        check(Rows::from_top(2), 0, "row 1 \"q..\": expected x, o or . at a1");
    }
}
