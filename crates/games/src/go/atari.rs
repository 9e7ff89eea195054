//! Heavier playouts. They save chains in danger, take chains in atari, and answer shapes around the last move.
//! Otherwise they are light, but avoid giving away a chain of two stones or more.

use super::Go;
use super::board::{Board, NOWHERE, Stone};
use super::cells::Cell;
use super::tactics::Points;
use aji_search::{Evaluate, Leaf, Player, Rng};

/// How often a light move that gives stones away is drawn again.
const DRAWS_MAX: usize = 4;

/// The steps of a playout. Without any it is light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtariSteps {
    /// Takes a chain that the last move left in atari, and saves chains that it put in danger.
    pub answers: bool,
    /// Plays where shapes around the last move suggest a move.
    pub shapes: bool,
    /// Draws again rather than give away a chain.
    pub care: bool,
}

/// Recorded playouts with these steps.
impl<const STRIDE: usize, const CELLS: usize> Evaluate<Go<STRIDE, CELLS>> for AtariSteps {
    fn evaluate(&mut self, leaves: &mut [Leaf<Go<STRIDE, CELLS>>], rng: &mut Rng) {
        for Leaf { game, played, payoff, .. } in leaves {
            played.clear();
            *payoff = game.atari_playout(*self, rng, |action| played.push(action));
        }
    }
}

impl Default for AtariSteps {
    fn default() -> AtariSteps {
        AtariSteps { answers: true, shapes: true, care: true }
    }
}

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    fn any_allowed(&self, points: &Points, colour: Stone, rng: &mut Rng) -> Option<Cell> {
        let mut allowed = Points::NONE;
        for &cell in points.all() {
            if cell != self.ko() && self.is_allowed(cell, colour) {
                allowed.add(cell);
            }
        }
        let cells = allowed.all();
        (!cells.is_empty()).then(|| cells[rng.below(cells.len())])
    }

    /// A point for a stone after the opponent's last one, or none.
    fn choose(&mut self, steps: AtariSteps, last: Cell, colour: Stone, rng: &mut Rng) -> Option<Cell> {
        if last != NOWHERE && self.has(last, colour.other()) {
            let mut points = Points::NONE;
            if steps.answers {
                self.answers(last, colour, &mut points);
            }
            if let Some(cell) = self.any_allowed(&points, colour, rng) {
                return Some(cell);
            }
            let mut points = Points::NONE;
            if steps.shapes {
                self.shapes_around(last, colour, &mut points);
            }
            if let Some(cell) = self.any_allowed(&points, colour, rng) {
                return Some(cell);
            }
        }
        let mut drawn = self.draw(colour, rng);
        for _ in 1..if steps.care { DRAWS_MAX } else { 1 } {
            let gives = |cell: Cell| {
                let joins = Self::neighbours(cell).into_iter().any(|near| self.has(near, colour));
                joins && self.is_self_atari(cell, colour)
            };
            if !drawn.is_some_and(gives) {
                break;
            }
            drawn = self.draw(colour, rng);
        }
        drawn
    }
}

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// Plays to the end and returns black's area less white's. Reports every stone to `played`.
    #[inline(always)]
    pub(super) fn tactical_area(
        &mut self,
        steps: AtariSteps,
        rng: &mut Rng,
        played: impl FnMut(Cell, Player),
    ) -> i16 {
        let mut last = self.last.cell();
        self.play_out(
            |board, colour| {
                let cell = board.choose(steps, last, colour, rng);
                last = cell.unwrap_or(NOWHERE);
                cell
            },
            played,
        )
    }
}
