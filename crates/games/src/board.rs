//! Boards of at most eight by eight cells for games between Left and Right: the interface by which such a game is
//! played, written and drawn.
//!
//! A cell is named by a column letter and a row number, a1 at the lower left. A board is written in one line: the
//! rows from the top, separated by slashes. `.` is an empty cell; any other sign is the piece on it: `x.o/.x.`.

use crate::bits::{all_indices, nth_index};
use crate::cpu::Cpu;
use crate::grid::{cell_name, column_letter};
use aji_cgt::{Move, Position, Side};
use std::fmt::{self, Debug, Display};
use std::ops::RangeInclusive;

/// The width of a bitboard row: a cell is `row * WIDTH + column`, whatever the size of the board.
const WIDTH: u8 = 8;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (WIDTH - 1);

/// A position of a game on a board, whoever's turn it is, with fast moves. Cells are bits, `row * 8 + column`, the
/// rows from the lowest.
pub trait Board: Position + Copy + Debug + Send {
    /// The signs of the one or two kinds of pieces.
    const SIGNS: &'static [char];

    /// A board of this size with these pieces. They must lie on the board, no two on one cell. A game with one kind
    /// of pieces has none of the second.
    fn with_pieces(size: Size, pieces: [u64; 2]) -> Self;

    /// Its size.
    fn size(&self) -> Size;

    /// The pieces of each kind, in the order of [`SIGNS`](Board::SIGNS).
    fn pieces(&self) -> [u64; 2];

    /// The cells from which a side can move, by direction, in the order of [`Direction::ALL`].
    fn movable(&self, side: Side) -> [u64; 4];

    /// Makes a legal move.
    fn play(&mut self, step: Step);

    /// The independent parts in which somebody can move, each on a small board, with the cell here that is a1 there.
    fn split(&self) -> Vec<(Self, u8)>;

    /// The cell where a legal move ends: usually the next one in its direction.
    fn target(&self, step: Step) -> u8 {
        step.direction.beside(step.cell)
    }
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    columns: u8,
}

impl Size {
    /// The possible numbers of rows and of columns.
    pub const SIDES: RangeInclusive<usize> = 1..=WIDTH as usize;

    /// This many rows and columns, both in [`SIDES`](Size::SIDES).
    pub fn new(rows: usize, columns: usize) -> Size {
        debug_assert!(Size::SIDES.contains(&rows) && Size::SIDES.contains(&columns), "{rows} by {columns}");
        Size { rows: rows as u8, columns: columns as u8 }
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// The number of columns.
    pub fn columns(self) -> usize {
        self.columns.into()
    }

    /// All cells.
    #[inline(always)]
    pub fn cells(self) -> u64 {
        let row = (1 << self.columns) - 1;
        row * (FIRST_COLUMN >> (u64::BITS - u32::from(self.rows * WIDTH)))
    }
}

impl Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let of = |count: u8, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        write!(out, "{} of {}", of(self.rows, "row"), of(self.columns, "cell"))
    }
}

/// The direction of a move, or of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the right.
    East,
    /// To the left.
    West,
    /// Up.
    North,
    /// Down.
    South,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [Direction::East, Direction::West, Direction::North, Direction::South];

    /// Shifts all these cells by one; cells that would leave eight by eight are dropped.
    #[inline(always)]
    pub(crate) fn shift(self, cells: u64) -> u64 {
        match self {
            Direction::East => (cells & !LAST_COLUMN) << 1,
            Direction::West => (cells & !FIRST_COLUMN) >> 1,
            Direction::North => cells << WIDTH,
            Direction::South => cells >> WIDTH,
        }
    }

    /// The neighbour of a cell. It must exist.
    #[inline(always)]
    pub(crate) fn beside(self, cell: u8) -> u8 {
        match self {
            Direction::East => cell.wrapping_add(1),
            Direction::West => cell.wrapping_sub(1),
            Direction::North => cell.wrapping_add(WIDTH),
            Direction::South => cell.wrapping_sub(WIDTH),
        }
    }
}

/// A move on a board: from a cell, in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The cell, `row * 8 + column`.
    pub cell: u8,
    /// The direction.
    pub direction: Direction,
}

impl Step {
    /// The number of steps on the largest board.
    pub(crate) const COUNT: usize = 256;

    /// Its number, below [`COUNT`](Step::COUNT).
    pub(crate) fn index(self) -> usize {
        self.direction as usize * 64 + usize::from(self.cell)
    }

    #[inline(always)]
    fn of_index(index: u16) -> Step {
        Step { cell: (index % 64) as u8, direction: Direction::ALL[usize::from(index / 64) % 4] }
    }

    /// All steps in the cells by direction.
    pub(crate) fn all(movable: &[u64; 4]) -> impl Iterator<Item = Step> {
        all_indices(movable).map(Step::of_index)
    }

    /// Step number `n`. There must be more than `n`.
    #[inline(always)]
    pub(crate) fn nth(cpu: impl Cpu, movable: &[u64; 4], n: u32) -> Step {
        Step::of_index(nth_index(cpu, movable, n))
    }

    /// Its name: the two cells, `b2-b3`.
    pub(crate) fn name(self, board: &impl Board) -> String {
        format!("{}-{}", name_of(self.cell), name_of(board.target(self)))
    }
}

fn name_of(cell: u8) -> String {
    cell_name((cell % WIDTH).into(), (cell / WIDTH).into())
}

/// The moves of one side as positions, in the order of its steps.
pub(crate) fn moves<B: Board>(board: &B, side: Side) -> Vec<Move<B>> {
    let after = |step| {
        let mut to = *board;
        to.play(step);
        Move { to, gain: 0 }
    };
    Step::all(&board.movable(side)).map(after).collect()
}

/// True if neither side can move.
pub(crate) fn is_dead(board: &impl Board) -> bool {
    Side::BOTH.into_iter().all(|side| board.movable(side) == [0; 4])
}

/// The connected regions of some cells as parts of a board. `part_of` cuts one out, given its smallest board and the
/// shift down to it.
pub(crate) fn split_by_regions<B: Board>(cells: u64, part_of: impl Fn(u64, Size, u32) -> B) -> Vec<(B, u8)> {
    let part = |region| {
        let (size, down) = bounds(region);
        (part_of(region, size, down), down as u8)
    };
    regions(cells).map(part).filter(|(part, _)| !is_dead(part)).collect()
}

/// The parts without their places.
pub(crate) fn parts<B: Board>(board: &B) -> Vec<B> {
    board.split().into_iter().map(|(part, _)| part).collect()
}

/// The connected regions of some cells.
fn regions(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let mut region = cells & cells.wrapping_neg();
        loop {
            let around = Direction::ALL.into_iter().fold(region, |all, to| all | to.shift(region));
            let grown = around & cells;
            if grown == region {
                break;
            }
            region = grown;
        }
        cells ^= region;
        (region != 0).then_some(region)
    })
}

/// The smallest board around some cells, at least one, and the shift that moves them onto it.
fn bounds(cells: u64) -> (Size, u32) {
    let below = cells.trailing_zeros() / u32::from(WIDTH);
    let rows = (u64::BITS - cells.leading_zeros()).div_ceil(u32::from(WIDTH)) - below;
    let columns = cells.to_le_bytes().into_iter().fold(0, |columns, row| columns | row);
    let before = columns.trailing_zeros();
    let width = u8::BITS - columns.leading_zeros() - before;
    (Size { rows: rows as u8, columns: width as u8 }, below * u32::from(WIDTH) + before)
}

fn sign<B: Board>(pieces: [u64; 2], row: usize, column: usize) -> char {
    let bit = 1 << (row * usize::from(WIDTH) + column);
    B::SIGNS.iter().zip(pieces).find(|(_, pieces)| pieces & bit != 0).map_or('.', |(&sign, _)| sign)
}

/// The board in one line.
pub fn text<B: Board>(board: &B) -> String {
    let (size, pieces) = (board.size(), board.pieces());
    let line = |row| (0..size.columns()).map(|column| sign::<B>(pieces, row, column)).collect::<String>();
    (0..size.rows()).rev().map(line).collect::<Vec<_>>().join("/")
}

/// The board with row numbers at the left and column letters below.
pub(crate) fn draw<B: Board>(board: &B) -> String {
    let (size, pieces) = (board.size(), board.pieces());
    let mut lines = String::new();
    for row in (0..size.rows()).rev() {
        lines += &format!("{:>3}", row + 1);
        (0..size.columns()).for_each(|column| lines.extend([' ', sign::<B>(pieces, row, column)]));
        lines.push('\n');
    }
    lines += "   ";
    (0..size.columns()).for_each(|column| lines.extend([' ', column_letter(column)]));
    lines.push('\n');
    lines
}

/// Reads what [`text`] writes, of any size.
pub(crate) fn read<B: Board>(text: &str) -> Result<B, String> {
    let most = *Size::SIDES.end();
    let lines: Vec<&str> = text.split('/').collect();
    if !Size::SIDES.contains(&lines.len()) {
        return Err(format!("\"{text}\": expected 1 to {most} rows separated by /, found {}", lines.len()));
    }
    let columns = lines[0].chars().count();
    let mut pieces = [0; 2];
    for (line, row) in lines.iter().zip((0..lines.len()).rev()) {
        let place = format!("row {} \"{line}\"", row + 1);
        let found = line.chars().count();
        if !Size::SIDES.contains(&found) {
            return Err(format!("{place}: expected 1 to {most} cells, found {found}"));
        }
        if found != columns {
            return Err(format!("{place}: expected {columns} cells as in the row on top, found {found}"));
        }
        for (column, found) in line.chars().enumerate().filter(|&(_, found)| found != '.') {
            let kind = B::SIGNS.iter().position(|sign| sign.eq_ignore_ascii_case(&found));
            let Some(kind) = kind else {
                let signs: Vec<String> = B::SIGNS.iter().map(char::to_string).collect();
                let (signs, cell) = (signs.join(", "), cell_name(column, row));
                return Err(format!("{place}: expected {signs} or . at {cell}, found {found}"));
            };
            pieces[kind] |= 1 << (row * usize::from(WIDTH) + column);
        }
    }
    Ok(B::with_pieces(Size::new(lines.len(), columns), pieces))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::indices;
    use proptest::prelude::*;

    /// The neighbouring cell, by rows and columns.
    fn beside(cell: u8, direction: Direction) -> Option<u8> {
        let (across, up) = match direction {
            Direction::East => (1, 0),
            Direction::West => (-1, 0),
            Direction::North => (0, 1),
            Direction::South => (0, -1),
        };
        let (column, row) = ((cell % 8) as i8 + across, (cell / 8) as i8 + up);
        ((0..8).contains(&column) && (0..8).contains(&row)).then_some((row * 8 + column) as u8)
    }

    /// The region of a cell, by walking.
    fn walk(cells: u64, from: u8) -> u64 {
        let (mut seen, mut waiting) = (1u64 << from, vec![from]);
        while let Some(cell) = waiting.pop() {
            for next in Direction::ALL.into_iter().filter_map(|to| beside(cell, to)) {
                if (cells & !seen) >> next & 1 != 0 {
                    seen |= 1 << next;
                    waiting.push(next);
                }
            }
        }
        seen
    }

    proptest! {
        #[test]
        fn cells_are_shifted_one_by_one(cells: u64) {
            for to in Direction::ALL {
                let mut shifted = 0;
                for (cell, next) in indices(cells).filter_map(|cell| Some((cell, beside(cell, to)?))) {
                    shifted |= 1 << next;
                    prop_assert_eq!(to.beside(cell), next);
                }
                prop_assert_eq!(to.shift(cells), shifted);
            }
        }

        #[test]
        fn regions_are_apart_and_whole(one: u64, other: u64) {
            for cells in [one, one & other, one | other] {
                let found: Vec<u64> = regions(cells).collect();
                prop_assert_eq!(found.iter().map(|region| region.count_ones()).sum::<u32>(), cells.count_ones());
                for region in found {
                    prop_assert_eq!(region, walk(cells, region.trailing_zeros() as u8));
                }
            }
        }

        #[test]
        fn bounds_hold_the_cells_and_no_more(places in prop::collection::vec(0u8..64, 1..6)) {
            let cells = places.iter().fold(0u64, |all, place| all | 1 << place);
            let (size, down) = bounds(cells);
            let span = |of: fn(u8) -> u8| {
                let places = places.iter().map(|&place| of(place));
                (places.clone().min().unwrap(), places.max().unwrap())
            };
            let ((low, high), (left, right)) = (span(|place| place / 8), span(|place| place % 8));
            prop_assert_eq!((size.rows, size.columns), (high - low + 1, right - left + 1));
            prop_assert_eq!(down, u32::from(low * 8 + left));
            prop_assert_eq!((cells >> down) & !size.cells(), 0);
        }
    }

    #[test]
    fn the_smallest_and_the_largest_board() {
        assert_eq!((Size::new(1, 1).cells(), Size::new(8, 8).cells()), (1, u64::MAX));
        assert_eq!(bounds(u64::MAX), (Size::new(8, 8), 0));
        assert_eq!(Size::new(2, 3).cells(), 0b111_0000_0111);
        assert_eq!(
            (Size::new(1, 3).to_string(), Size::new(2, 1).to_string()),
            ("1 row of 3 cells".into(), "2 rows of 1 cell".into())
        );
    }
}
