//! Connect Four. Seven columns of six cells stand upright. The players take turns to drop a piece into a column that
//! is not full; it falls to the lowest empty cell. The first player with four in a row (across, up or diagonal) wins;
//! a full board without one is a draw. x begins.
//!
//! Actions are columns, `a` to `g`.

mod encoding;
mod lanes;
mod solver;
mod table;

pub use solver::KnownFours;

use crate::bits::random_bit;
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES};
use aji_cpu::dispatch;
use aji_search::{Game, Hashed, Heuristic, Keyed, Leaf, Named, Payoff, Player, Rng, Turn};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// A column takes seven bits: six cells from the bottom, and one that stays empty, so that no line runs over the
/// edge.
const HEIGHT: usize = ROWS + 1;
const BOTTOM: u64 = 0x408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A position of Connect Four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// The pieces of the mover, and of the other player.
    own: u64,
    other: u64,
    plies: u8,
    won: bool,
}

/// The pieces at which a line of four begins; none if no four stand in a row.
#[inline(always)]
fn lines(pieces: u64) -> u64 {
    let line = |step: usize| {
        let pairs = pieces & (pieces >> step);
        pairs & (pairs >> (2 * step))
    };
    line(1) | line(HEIGHT - 1) | line(HEIGHT) | line(HEIGHT + 1)
}

/// Whether four of these pieces stand in a row.
#[inline(always)]
fn four_in_a_row(pieces: u64) -> bool {
    lines(pieces) != 0
}

impl ConnectFour {
    /// The empty board.
    pub fn new() -> ConnectFour {
        ConnectFour { own: 0, other: 0, plies: 0, won: false }
    }

    fn mover(&self) -> Player {
        self.plies & 1
    }

    /// The cells into which a piece can fall now.
    #[inline(always)]
    fn landings(own: u64, other: u64) -> u64 {
        ((own | other) + BOTTOM) & BOARD
    }

    fn piece(&self, column: usize, row: usize) -> Option<Player> {
        let bit = 1 << (column * HEIGHT + row);
        let stands = |pieces: u64, player| (pieces & bit != 0).then_some(player);
        stands(self.own, self.mover()).or(stands(self.other, 1 - self.mover()))
    }
}

impl ConnectFour {
    /// A whole playout by this CPU's instructions.
    #[inline(always)]
    fn playout_by(cpu: impl Cpu, game: &mut ConnectFour, rng: &mut Rng) -> Payoff {
        if game.won {
            return game.payoff();
        }
        let (mut own, mut other, mut mover) = (game.own, game.other, game.mover());
        loop {
            let landings = ConnectFour::landings(own, other);
            if landings == 0 {
                return Payoff::DRAW;
            }
            let mine = own | random_bit(cpu, landings, rng);
            if four_in_a_row(mine) {
                return Payoff::win(mover);
            }
            (own, other, mover) = (other, mine, 1 - mover);
        }
    }
}

impl ConnectFour {
    dispatch! { fn playout_here, playout_v3(game: &mut ConnectFour, rng: &mut Rng) -> Payoff = Self::playout_by }

    dispatch! { fn playouts_here, playouts_v3(leaves: &mut [Leaf<ConnectFour>], rng: &mut Rng) = lanes::playouts }
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        ConnectFour::new()
    }
}

impl Game for ConnectFour {
    type Action = u8;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.won || self.plies as usize == COLUMNS * ROWS {
            Turn::Over
        } else {
            Turn::Player(self.mover())
        }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u8>) {
        let landings = if self.won { 0 } else { ConnectFour::landings(self.own, self.other) };
        for column in 0..COLUMNS {
            if landings >> (column * HEIGHT) & ((1 << ROWS) - 1) != 0 {
                out.push(column as u8);
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, column: u8) {
        let cells = ((1 << ROWS) - 1) << (column as usize * HEIGHT);
        let landing = ConnectFour::landings(self.own, self.other) & cells;
        debug_assert!(landing != 0, "column {column} is full");
        (self.own, self.other) = (self.other, self.own | landing);
        self.plies += 1;
        self.won = four_in_a_row(self.other);
    }

    #[inline(always)]
    fn payoff(&self) -> Payoff {
        if self.won { Payoff::win(1 - self.mover()) } else { Payoff::DRAW }
    }

    #[inline(always)]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Payoff {
        ConnectFour::playout_here(self, rng)
    }

    #[inline]
    fn playouts(leaves: &mut [Leaf<ConnectFour>], rng: &mut Rng) {
        ConnectFour::playouts_here(leaves, rng);
    }
}

impl Keyed for ConnectFour {
    fn key_count(&self) -> usize {
        COLUMNS * ROWS
    }

    /// The cell where the piece lands.
    fn key(&self, column: u8) -> usize {
        let height = ((self.own | self.other) >> (column as usize * HEIGHT) & ((1 << ROWS) - 1)).count_ones();
        height as usize * COLUMNS + column as usize
    }
}

impl Hashed for ConnectFour {
    /// The pieces of the mover, with a bit on top of every column, are a perfect key; they only need mixing.
    fn hash(&self) -> u64 {
        let key = self.own + ((self.own | self.other) + BOTTOM);
        crate::bits::mix(key)
    }
}

impl Heuristic for ConnectFour {
    /// The lines of four still open to a player, weighted by the pieces already in them.
    fn estimate(&self) -> Payoff {
        ConnectFour::estimate_here(self)
    }
}

impl ConnectFour {
    #[inline(always)]
    fn estimate_by<C>(_cpu: C, game: &ConnectFour) -> Payoff {
        let worth = |mine: u64, theirs: u64| -> f32 {
            let mut worth = 0.0;
            for &line in LINES.iter() {
                if line & theirs == 0 {
                    worth += [0.0, 1.0, 4.0, 16.0, 64.0][(line & mine).count_ones() as usize];
                }
            }
            worth
        };
        let (own, other) = (worth(game.own, game.other), worth(game.other, game.own));
        let margin = (own - other) / (own + other + 16.0);
        Payoff::margin(if game.mover() == 0 { margin } else { -margin })
    }

    dispatch! { fn estimate_here, estimate_v3(game: &ConnectFour) -> Payoff = Self::estimate_by }
}

/// The 69 lines of four cells.
static LINES: [u64; 69] = {
    let mut lines = [0; 69];
    let steps = [1, HEIGHT - 1, HEIGHT, HEIGHT + 1];
    let (mut found, mut cell) = (0, 0);
    while cell < COLUMNS * HEIGHT {
        let mut direction = 0;
        while direction < steps.len() {
            let step = steps[direction];
            if cell + 3 * step < 64 {
                let line =
                    1u64 << cell | 1 << (cell + step) | 1 << (cell + 2 * step) | 1 << (cell + 3 * step);
                if line & !BOARD == 0 {
                    lines[found] = line;
                    found += 1;
                }
            }
            direction += 1;
        }
        cell += 1;
    }
    lines
};

impl Named for ConnectFour {
    fn action_name(&self, column: u8) -> String {
        grid::column_letter(column as usize).to_string()
    }

    fn text(&self) -> String {
        grid::text(COLUMNS, ROWS, self.mover(), |column, row| self.piece(column, row))
    }

    fn read(&self, text: &str) -> Result<ConnectFour, String> {
        let grid = Grid::read(text, COLUMNS, ROWS)?;
        grid.check_turns()?;
        let mut pieces = [0u64; 2];
        for (index, cell) in grid.cells.iter().enumerate() {
            let (column, row) = (index % COLUMNS, index / COLUMNS);
            let Some(player) = cell else { continue };
            if row > 0 && grid.cells[index - COLUMNS].is_none() {
                return Err(format!("the piece at {} stands on an empty cell", grid::cell_name(column, row)));
            }
            pieces[*player as usize] |= 1 << (column * HEIGHT + row);
        }
        let (own, other) = (pieces[grid.mover as usize], pieces[1 - grid.mover as usize]);
        if four_in_a_row(own) {
            let piece = PIECES[grid.mover as usize];
            return Err(format!("{piece} has four in a row already, so {piece} cannot be to move"));
        }
        let plies = (grid.count(0) + grid.count(1)) as u8;
        Ok(ConnectFour { own, other, plies, won: four_in_a_row(other) })
    }

    fn board(&self) -> String {
        grid::board(COLUMNS, ROWS, |column, row| self.piece(column, row))
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_win() {
        assert!(LINES.iter().all(|&line| line.count_ones() == 4 && four_in_a_row(line)));
        let mut distinct = LINES.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 69);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = ConnectFour::new().read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("......./......./......./......./.x...../....... o", "the piece at b2 stands on an empty cell");
        check("......./......./......./......./......./xx..... x", "cannot be");
        check("......./......./......./......./.ooo.../xxxxo.. x", "x has four in a row already");
    }
}
