//! Light playouts: uniformly random allowed points, until both players pass.

use super::Go;
use super::board::{Board, NOWHERE, Stone};
use super::cells::Cell;
use aji_search::{Player, Rng};

/// A point drawn in vain is [settled](super::settled) if this many were drawn in vain before it. Early in a playout
/// settling would cost more than it saves.
const PATIENCE: usize = 8;

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// A random point that light playouts [allow](Board::is_allowed), each with the same probability: draws empty
    /// points without replacement until one is allowed. None if there is none.
    #[inline(always)]
    pub(crate) fn draw(&mut self, colour: Stone, rng: &mut Rng) -> Option<Cell> {
        let mut left = self.empties().len();
        let late = left.saturating_sub(PATIENCE);
        while left > 0 {
            let place = rng.below(left);
            let cell = self.empty_at(place);
            if self.is_allowed(cell, colour) {
                return Some(cell);
            }
            left -= 1;
            self.swap_empties(place, left);
            if left < late {
                self.settle(cell);
            }
        }
        None
    }
}

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// Plays to the end and returns black's area less white's. Reports every stone to `played`.
    #[inline(always)]
    pub(super) fn light_playout(&mut self, rng: &mut Rng, played: impl FnMut(Cell, Player)) -> i16 {
        self.play_out(|board, colour| board.draw(colour, rng), played)
    }

    /// Plays to the end and returns black's area less white's. `choose` picks each stone or pass.
    #[inline(always)]
    pub(super) fn play_out(
        &mut self,
        mut choose: impl FnMut(&mut Board<STRIDE, CELLS>, Stone) -> Option<Cell>,
        mut played: impl FnMut(Cell, Player),
    ) -> i16 {
        let plies = if self.passes < 2 { self.playout_plies() } else { 0 };
        let (board, mut mover, mut passes) = (&mut self.board, self.mover, self.passes);
        let mut had_points = self.passes > 0;
        for _ in 0..plies {
            if let Some(cell) = choose(board, Stone::of(mover)) {
                board.put::<false>(cell, Stone::of(mover));
                played(cell, mover);
                (passes, had_points) = (0, false);
            } else {
                passes += 1;
                board.set_ko(NOWHERE);
                if passes == 2 {
                    break;
                }
            }
            mover = 1 - mover;
        }
        // A player who passes in a playout has no point left that touches another empty one.
        if passes == 2 && !had_points { board.area_of_single_points() } else { board.area() }
    }
}
