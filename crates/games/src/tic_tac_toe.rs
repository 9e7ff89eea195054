//! Tic-Tac-Toe. Three by three cells; the players take turns to mark an empty one. The first player with three in a
//! row (across, up or diagonal) wins; a full board without one is a draw. x begins.
//!
//! Actions are cells, `a1` to `c3`.

mod encoding;

use crate::bits::{a_random_bit, indices, mix, random_bit};
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES};
use aji_cpu::dispatch;
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn};

const SIDE: usize = 3;
const BOARD: u16 = 0x1FF;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For every set of cells, whether it holds a line: one bit each.
static WINS: [u64; 8] = {
    let mut wins = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < LINES.len() {
            if cells & LINES[line] == LINES[line] {
                wins[cells as usize / 64] |= 1 << (cells % 64);
            }
            line += 1;
        }
        cells += 1;
    }
    wins
};

#[inline(always)]
fn three_in_a_row(cells: u16) -> bool {
    WINS[cells as usize / 64 % 8] >> (cells % 64) & 1 != 0
}

/// A position of Tic-Tac-Toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// The cells of the mover, and of the other player.
    own: u16,
    other: u16,
    mover: Player,
}

impl TicTacToe {
    /// The empty board.
    pub fn new() -> TicTacToe {
        TicTacToe { own: 0, other: 0, mover: 0 }
    }

    #[inline(always)]
    fn empty(&self) -> u16 {
        BOARD & !(self.own | self.other)
    }

    fn mark(&self, column: usize, row: usize) -> Option<Player> {
        let bit = 1 << (row * SIDE + column);
        let stands = |cells: u16, player| (cells & bit != 0).then_some(player);
        stands(self.own, self.mover).or(stands(self.other, 1 - self.mover))
    }
}

impl TicTacToe {
    /// A whole playout by this CPU's instructions.
    #[inline(always)]
    fn playout_by(cpu: impl Cpu, game: &mut TicTacToe, rng: &mut Rng) -> Payoff {
        while game.turn() != Turn::Over {
            game.play(random_bit(cpu, game.empty().into(), rng).trailing_zeros() as u8);
        }
        game.payoff()
    }

    dispatch! { fn playout_here, playout_v3(game: &mut TicTacToe, rng: &mut Rng) -> Payoff = Self::playout_by }
}

impl Default for TicTacToe {
    fn default() -> TicTacToe {
        TicTacToe::new()
    }
}

impl Game for TicTacToe {
    type Action = u8;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.empty() == 0 || three_in_a_row(self.other) { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<u8>) {
        if !three_in_a_row(self.other) {
            out.extend(indices(self.empty().into()));
        }
    }

    #[inline(always)]
    fn play(&mut self, cell: u8) {
        debug_assert!(self.empty() & 1 << cell != 0, "cell {cell} is taken");
        *self = TicTacToe { own: self.other, other: self.own | 1 << cell, mover: 1 - self.mover };
    }

    #[inline(always)]
    fn payoff(&self) -> Payoff {
        if three_in_a_row(self.other) { Payoff::win(1 - self.mover) } else { Payoff::DRAW }
    }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        a_random_bit(self.empty().into(), rng).trailing_zeros() as u8
    }

    #[inline(always)]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Payoff {
        TicTacToe::playout_here(self, rng)
    }
}

impl Keyed for TicTacToe {
    fn key_count(&self) -> usize {
        SIDE * SIDE
    }

    fn key(&self, cell: u8) -> usize {
        cell.into()
    }
}

impl Hashed for TicTacToe {
    fn hash(&self) -> u64 {
        mix(u64::from(self.own) << 16 | u64::from(self.other) << 1 | u64::from(self.mover))
    }
}

impl Named for TicTacToe {
    fn action_name(&self, cell: u8) -> String {
        grid::cell_name(cell as usize % SIDE, cell as usize / SIDE)
    }

    fn text(&self) -> String {
        grid::text(SIDE, SIDE, self.mover, |column, row| self.mark(column, row))
    }

    fn read(&self, text: &str) -> Result<TicTacToe, String> {
        let grid = Grid::read(text, SIDE, SIDE)?;
        grid.check_turns()?;
        let cells = |player| {
            let of_player = |&index: &usize| grid.cells[index] == Some(player);
            (0..SIDE * SIDE).filter(of_player).fold(0, |cells, index| cells | 1 << index)
        };
        let (own, other) = (cells(grid.mover), cells(1 - grid.mover));
        if three_in_a_row(own) {
            let piece = PIECES[grid.mover as usize];
            return Err(format!("{piece} has three in a row already, so {piece} cannot be to move"));
        }
        Ok(TicTacToe { own, other, mover: grid.mover })
    }

    fn board(&self) -> String {
        grid::board(SIDE, SIDE, |column, row| self.mark(column, row))
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_wins_is_the_definition() {
        for cells in 0..512u16 {
            assert_eq!(three_in_a_row(cells), LINES.iter().any(|line| cells & line == *line));
        }
    }
}
