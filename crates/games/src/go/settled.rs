//! Points that neither player will play on for now. They are set aside so that playouts do not draw them again and
//! again.
//!
//! Towards the end of a playout nearly every empty point is an eye: its owner does not fill it, and the opponent may
//! not. Such a point is settled. It leaves the list of empty points and counts as a stone of its owner, until one of
//! two things may have changed that:
//! - a stone diagonally next to it may have made the eye a false one;
//! - a chain around it may have lost its other liberties, so that it can be taken.
//!
//! A chain loses liberties only when a stone is put next to it: the opponent's stone, or one that joins it to others.
//! Stones around a settled point cannot be taken before that, since the point is a liberty of theirs. So after each
//! stone it is enough to check the chains next to it and the points diagonally next to it.

use super::board::{Board, Stone, sign};
use super::cells::Cell;

/// Marks a settled point, instead of its place in the list.
const SETTLED: usize = u16::MAX as usize;

/// The neighbours of a point, and so the most stones by which a chain touches its only liberty.
const NEIGHBOURS: u64 = 4;

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// Settles an empty point of the list, if it is an eye that cannot be taken.
    #[inline(never)]
    pub(super) fn settle(&mut self, cell: Cell) {
        let owner = self.surrounded_by(cell);
        if self.is_eye(cell, owner) && !self.breathes(cell, owner.other()) {
            self.remove_empty(cell);
            self.tally.set(cell, SETTLED);
            self.settled += 1;
            self.balance += sign(owner);
        }
    }

    /// Rechecks the settled points that a stone just put there may have changed.
    #[inline(never)]
    pub(super) fn unsettle_around(&mut self, cell: Cell) {
        let (neighbours, mut in_danger) = (Self::neighbours(cell), 0u32);
        for (place, &near) in neighbours.iter().enumerate() {
            let has_few = self.liberties(near).count() <= NEIGHBOURS;
            in_danger |= u32::from(self.has_stone(near) & has_few) << place;
        }
        while in_danger != 0 {
            let stone = neighbours[in_danger.trailing_zeros() as usize % neighbours.len()];
            in_danger &= in_danger - 1;
            if let Some(liberty) = self.liberties(stone).only() {
                self.unsettle(liberty);
            }
        }
        Self::diagonals(cell).into_iter().for_each(|near| self.unsettle(near));
    }

    /// Puts a settled point back among the empty ones. Other points do not change.
    #[inline(always)]
    fn unsettle(&mut self, cell: Cell) {
        if self.is_settled(cell) {
            self.add_empty(cell);
            self.settled -= 1;
            self.balance -= sign(self.surrounded_by(cell));
        }
    }

    /// Whether a point is settled.
    #[inline(always)]
    pub(super) fn is_settled(&self, cell: Cell) -> bool {
        self.tally.at(cell) == SETTLED
    }

    /// The colour around a point that has stones of one colour around it.
    #[inline(always)]
    fn surrounded_by(&self, cell: Cell) -> Stone {
        if self.is_surrounded(cell, Stone::Black) { Stone::Black } else { Stone::White }
    }
}
