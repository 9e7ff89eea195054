//! The m,n,k-games. On a board of m columns and n rows the players take turns to put a stone on an empty cell. The
//! first player with k or more in a row (across, up or diagonal) wins; a full board without them is a draw. x begins.
//! 3,3,3 is Tic-Tac-Toe, and 15,15,5 is Gomoku without its finer rules. If k is greater than both sides, every game
//! is a draw.
//!
//! Actions are cells, `a1` at the lower left, numbered by row * (m + 1) + column.

mod encoding;

use crate::bits::{all_indices, an_nth_index, mix_all, random_bit};
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES};
use aji_cpu::dispatch;
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn};
use std::ops::RangeInclusive;

const SIDE_MAX: usize = 19;
const WORDS: usize = (SIDE_MAX * (SIDE_MAX + 1)).div_ceil(64);

/// A set of cells, row after row from the bottom. One extra column stays empty, so that no line runs over the edge.
type Cells = [u64; WORDS];

/// A position of an m,n,k-game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mnk {
    stones: [Cells; 2],
    empty: Cells,
    columns: u8,
    rows: u8,
    in_a_row: u8,
    won: bool,
    plies: u16,
}

#[inline(always)]
fn holds(cells: &Cells, cell: usize) -> bool {
    cells.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 != 0)
}

/// How many stones follow a cell without a gap. Steps back are negative numbers, wrapped. So are cells below the
/// board, which no set holds.
#[inline(always)]
fn run(stones: &Cells, cell: usize, step: usize) -> usize {
    let mut length = 0;
    let mut next = cell.wrapping_add(step);
    while holds(stones, next) {
        length += 1;
        next = next.wrapping_add(step);
    }
    length
}

/// Whether enough of these stones stand in a row, on a board that fits a word.
#[inline(always)]
fn has_line_in_word(stones: u64, width: u32, in_a_row: u32) -> bool {
    let line = |step: u32| {
        // The cells from which `length` stones follow each other. Two such runs make one twice as long.
        let (mut runs, mut length) = (stones, 1);
        while length < in_a_row {
            let more = length.min(in_a_row - length);
            runs &= runs.checked_shr(more * step).unwrap_or(0);
            length += more;
        }
        runs
    };
    line(1) | line(width - 1) | line(width) | line(width + 1) != 0
}

impl Mnk {
    /// The possible numbers of columns and of rows.
    pub const SIDES: RangeInclusive<usize> = 1..=SIDE_MAX;

    /// The possible lengths of a winning row.
    pub const IN_A_ROW: RangeInclusive<usize> = 1..=SIDE_MAX;

    /// The empty board. The numbers must be within [`SIDES`](Mnk::SIDES) and [`IN_A_ROW`](Mnk::IN_A_ROW).
    pub fn new(columns: usize, rows: usize, in_a_row: usize) -> Mnk {
        debug_assert!(Mnk::SIDES.contains(&columns), "{columns} columns are not in {:?}", Mnk::SIDES);
        debug_assert!(Mnk::SIDES.contains(&rows), "{rows} rows are not in {:?}", Mnk::SIDES);
        debug_assert!(Mnk::IN_A_ROW.contains(&in_a_row), "{in_a_row} is not in {:?}", Mnk::IN_A_ROW);
        let mut empty = [0; WORDS];
        for row in 0..rows {
            for cell in row * (columns + 1)..row * (columns + 1) + columns {
                empty[cell / 64] |= 1 << (cell % 64);
            }
        }
        Mnk {
            stones: [[0; WORDS]; 2],
            empty,
            columns: columns as u8,
            rows: rows as u8,
            in_a_row: in_a_row as u8,
            won: false,
            plies: 0,
        }
    }

    fn columns(&self) -> usize {
        self.columns.into()
    }

    fn rows(&self) -> usize {
        self.rows.into()
    }

    /// The step from a row to the next.
    fn width(&self) -> usize {
        self.columns() + 1
    }

    fn mover(&self) -> Player {
        (self.plies & 1) as Player
    }

    fn empty_count(&self) -> usize {
        self.columns() * self.rows() - self.plies as usize
    }

    fn stone(&self, column: usize, row: usize) -> Option<Player> {
        let cell = row * self.width() + column;
        (0..2).find(|&player| holds(&self.stones[player as usize], cell))
    }

    fn put(&mut self, player: Player, cell: usize) {
        let bit = 1 << (cell % 64);
        debug_assert!(self.empty[cell / 64] & bit != 0, "cell {cell} is taken");
        self.empty[cell / 64] ^= bit;
        self.stones[player as usize][cell / 64] |= bit;
    }

    /// Whether these stones, with one on the cell, have enough in a row through it.
    #[inline]
    fn has_line_at(&self, stones: &Cells, cell: usize) -> bool {
        let is_line = |step: usize| {
            let length = 1 + run(stones, cell, step) + run(stones, cell, step.wrapping_neg());
            length >= self.in_a_row.into()
        };
        is_line(1) || is_line(self.width()) || is_line(self.width() - 1) || is_line(self.width() + 1)
    }

    fn fits_word(&self) -> bool {
        self.rows() * self.width() <= 64
    }

    /// A playout on a board that fits a word, from a position without a line.
    #[inline(always)]
    fn playout_in_word_by(cpu: impl Cpu, game: &Mnk, rng: &mut Rng) -> Payoff {
        let (width, in_a_row) = (game.width() as u32, game.in_a_row.into());
        let (mut mover, mut empty) = (game.mover(), game.empty[0]);
        let mut own = game.stones[mover as usize][0];
        let mut other = game.stones[1 - mover as usize][0];
        while empty != 0 {
            let stone = random_bit(cpu, empty, rng);
            empty ^= stone;
            own |= stone;
            if has_line_in_word(own, width, in_a_row) {
                return Payoff::win(mover);
            }
            (own, other, mover) = (other, own, 1 - mover);
        }
        Payoff::DRAW
    }

    dispatch! { fn playout_in_word, playout_in_word_v3(game: &Mnk, rng: &mut Rng) -> Payoff = Self::playout_in_word_by }

    fn has_line(&self, stones: &Cells) -> bool {
        all_indices(stones).any(|cell| self.has_line_at(stones, cell.into()))
    }
}

impl Game for Mnk {
    type Action = u16;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.won || self.empty_count() == 0 { Turn::Over } else { Turn::Player(self.mover()) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u16>) {
        if !self.won {
            out.extend(all_indices(&self.empty));
        }
    }

    #[inline]
    fn play(&mut self, cell: u16) {
        let player = self.mover();
        self.put(player, cell.into());
        self.plies += 1;
        // The first line needs k stones of its player, and the other player has at least k - 1.
        self.won = self.plies >= 2 * u16::from(self.in_a_row) - 1
            && self.has_line_at(&self.stones[player as usize], cell.into());
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        if self.won { Payoff::win(1 - self.mover()) } else { Payoff::DRAW }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> u16 {
        an_nth_index(&self.empty, rng.below(self.empty_count()) as u32)
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<u16>) -> Payoff {
        if self.fits_word() && !self.won {
            return Mnk::playout_in_word(self, rng);
        }
        // Lists the empty cells once, and removes one after another from the list.
        scratch.clear();
        self.actions(scratch);
        while self.turn() != Turn::Over {
            let cell = scratch.swap_remove(rng.below(scratch.len()));
            self.play(cell);
        }
        self.payoff()
    }
}

impl Keyed for Mnk {
    fn key_count(&self) -> usize {
        self.rows() * self.width()
    }

    fn key(&self, cell: u16) -> usize {
        cell.into()
    }
}

impl Hashed for Mnk {
    /// The number of stones determines who moves.
    fn hash(&self) -> u64 {
        mix_all(self.stones.into_iter().flatten())
    }
}

impl Named for Mnk {
    fn action_name(&self, cell: u16) -> String {
        grid::cell_name(cell as usize % self.width(), cell as usize / self.width())
    }

    fn text(&self) -> String {
        grid::text(self.columns(), self.rows(), self.mover(), |column, row| self.stone(column, row))
    }

    fn read(&self, text: &str) -> Result<Mnk, String> {
        let grid = Grid::read(text, self.columns(), self.rows())?;
        grid.check_turns()?;
        let mut game = Mnk::new(self.columns(), self.rows(), self.in_a_row.into());
        for (index, stone) in grid.cells.iter().enumerate() {
            if let &Some(player) = stone {
                game.put(player, index + index / self.columns());
                game.plies += 1;
            }
        }
        let [own, other] = [game.mover(), 1 - game.mover()].map(|player| game.stones[player as usize]);
        let [piece, last_piece] = [game.mover(), 1 - game.mover()].map(|player| PIECES[player as usize]);
        let in_a_row = self.in_a_row;
        if game.has_line(&own) {
            return Err(format!("{piece} has {in_a_row} in a row already, so {piece} cannot be to move"));
        }
        game.won = game.has_line(&other);
        let is_needed = |cell: u16| {
            let mut without = other;
            without[cell as usize / 64] ^= 1 << (cell % 64);
            !game.has_line(&without)
        };
        if game.won && !all_indices(&other).any(is_needed) {
            return Err(format!(
                "{last_piece} had {in_a_row} in a row before its last stone, so that one cannot be"
            ));
        }
        Ok(game)
    }

    fn board(&self) -> String {
        grid::board(self.columns(), self.rows(), |column, row| self.stone(column, row))
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a player has enough in a row, tested from every cell in every direction.
    fn has_line_plain(game: &Mnk, player: Player) -> bool {
        let cells = (0..game.columns() as isize)
            .flat_map(|column| (0..game.rows() as isize).map(move |row| (column, row)));
        let is_own = |column: isize, row: isize| {
            (0..game.columns() as isize).contains(&column)
                && (0..game.rows() as isize).contains(&row)
                && game.stone(column as usize, row as usize) == Some(player)
        };
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        cells.into_iter().any(|(column, row)| {
            directions.iter().any(|(right, up)| {
                (0..game.in_a_row as isize).all(|place| is_own(column + place * right, row + place * up))
            })
        })
    }

    fn perft(game: &Mnk, plies: usize) -> u64 {
        if plies == 0 {
            return 1;
        }
        if game.turn() == Turn::Over {
            return 0;
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let after = |&action: &u16| {
            let mut next = *game;
            next.play(action);
            perft(&next, plies - 1)
        };
        actions.iter().map(after).sum()
    }

    #[test]
    fn tic_tac_toe_is_three_three_three() {
        let counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];
        for (plies, expect) in (1..).zip(counts) {
            assert_eq!(perft(&Mnk::new(3, 3, 3), plies), expect, "{plies} plies");
        }
    }

    #[test]
    fn games_end_with_the_first_line() {
        let mut rng = Rng::seeded(1);
        let mut check = |columns: usize, rows: usize, in_a_row: usize| {
            let mut game = Mnk::new(columns, rows, in_a_row);
            while game.turn() != Turn::Over {
                let player = game.mover();
                game.play(game.random_action(&mut rng, &mut Vec::new()));
                assert_eq!(game.won, has_line_plain(&game, player), "{}", game.board());
                assert!(!has_line_plain(&game, 1 - player), "{}", game.board());
                assert_eq!(game.read(&game.text()), Ok(game));
                if game.fits_word() {
                    let (stones, width) = (game.stones[player as usize][0], game.width() as u32);
                    assert_eq!(
                        has_line_in_word(stones, width, in_a_row as u32),
                        game.won,
                        "{}",
                        game.board()
                    );
                }
            }
            assert!(game.won || game.plies as usize == columns * rows);
            assert!(!game.won || in_a_row <= columns.max(rows));
        };
        for (columns, rows, in_a_row) in
            [(1, 1, 1), (1, 1, 2), (1, 7, 2), (7, 1, 3), (2, 2, 2), (3, 3, 3), (4, 3, 3)]
        {
            (0..30).for_each(|_| check(columns, rows, in_a_row));
        }
        for (columns, rows, in_a_row) in
            [(7, 6, 4), (6, 9, 4), (15, 15, 5), (8, 8, 9), (19, 2, 3), (19, 19, 4), (19, 19, 19)]
        {
            (0..3).for_each(|_| check(columns, rows, in_a_row));
        }
    }

    #[test]
    fn longer_lines_win() {
        let mut game = Mnk::new(7, 2, 5).read("oo.oo.o/xxx.xx. x").unwrap();
        game.play(3);
        assert_eq!((game.turn(), game.payoff()), (Turn::Over, Payoff::win(0)));
    }

    #[test]
    fn playouts_pay_as_ply_by_ply() {
        const PLAYOUTS: usize = 4_000;
        let mut rng = Rng::seeded(2);
        for (columns, rows, in_a_row) in [(3, 3, 3), (4, 3, 3), (7, 7, 5)] {
            let start = Mnk::new(columns, rows, in_a_row);
            let (mut stepwise, mut at_once) = (0.0, 0.0);
            for _ in 0..PLAYOUTS {
                let mut game = start;
                while game.turn() != Turn::Over {
                    game.play(game.random_action(&mut rng, &mut Vec::new()));
                }
                stepwise += game.payoff().of(0) / PLAYOUTS as f32;
                at_once += start.clone().playout(&mut rng, &mut Vec::new()).of(0) / PLAYOUTS as f32;
            }
            // A payoff within -1..=1 has a standard deviation of 1 at most.
            let error = (2.0 / PLAYOUTS as f32).sqrt();
            assert!((stepwise - at_once).abs() < 4.0 * error, "{columns} {rows}: {stepwise} {at_once}");
        }
    }

    #[test]
    fn cells_are_named_from_the_lower_left() {
        let mut game = Mnk::new(4, 3, 3);
        [1, 13].into_iter().for_each(|cell| game.play(cell));
        assert_eq!(game.text(), "...o/..../.x.. x");
        assert_eq!([1, 13].map(|cell| game.action_name(cell)), ["b1", "d3"]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Mnk::new(5, 3, 3).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("...../..... x", "expected 3 rows");
        check("...../...../....q x", "row 1 \"....q\": expected x, o or . at e1, found q");
        check("...../...../x.... x", "1 x and 0 o with x to move cannot be");
        check("...../ooo../xxx.. x", "x has 3 in a row already, so x cannot be to move");
        check("xxx../oo.oo/xxx.o o", "x had 3 in a row before its last stone");
        check("...../xxx../ooo.. o", "3 x and 3 o with o to move cannot be");
    }
}
