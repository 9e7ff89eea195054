//! Tactics around the last move: which chains can be taken, and how chains escape.

use super::board::{Board, Stone};
use super::cells::Cell;
use super::liberties::Liberties;

/// Points to choose from, each at most once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    cells: [Cell; Points::MAX],
    count: usize,
}

impl Points {
    /// The most points stored.
    const MAX: usize = 24;

    pub(super) const NONE: Points = Points { cells: [0; Points::MAX], count: 0 };

    #[inline]
    pub(super) fn add(&mut self, cell: Cell) {
        if self.count < Points::MAX && !self.all().contains(&cell) {
            self.cells[self.count] = cell;
            self.count += 1;
        }
    }

    #[inline]
    pub(super) fn all(&self) -> &[Cell] {
        &self.cells[..self.count]
    }
}

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// Whether a stone there would leave its chain at most one liberty. A capture makes room.
    #[inline]
    pub(super) fn is_self_atari(&self, cell: Cell, colour: Stone) -> bool {
        let (mut liberties, neighbours) = (Liberties::NONE, Self::neighbours(cell));
        for (index, &near) in neighbours.iter().enumerate() {
            if self.has(near, Stone::Empty) {
                liberties = liberties.with(Liberties::at(near));
            } else if self.has(near, colour) {
                let is_same =
                    |&before: &Cell| self.has(before, colour) && self.head(before) == self.head(near);
                if !neighbours[..index].iter().any(is_same) {
                    liberties = liberties.with(self.liberties(near));
                }
                liberties = liberties.without(Liberties::at(cell));
            } else if self.has(near, colour.other()) && self.liberties(near).are_all_at(cell) {
                return false;
            }
        }
        liberties == Liberties::NONE || liberties.only().is_some()
    }

    /// Adds the answers to the opponent's stone. The first is to take its chain. If it left a chain of one's own a
    /// single liberty, others are to take what threatens, or to go there if that helps.
    #[inline]
    pub(super) fn answers(&self, last: Cell, colour: Stone, points: &mut Points) {
        if let Some(liberty) = self.liberties(last).only() {
            points.add(liberty);
        }
        for near in Self::neighbours(last) {
            if !self.has(near, colour) {
                continue;
            }
            let Some(liberty) = self.liberties(near).only() else { continue };
            self.captures_around(near, colour.other(), points);
            if !self.is_self_atari(liberty, colour) {
                points.add(liberty);
            }
        }
    }

    /// Adds the moves that take an opposing chain next to this one.
    fn captures_around(&self, stone: Cell, other: Stone, points: &mut Points) {
        for own in self.chain(stone) {
            for near in Self::neighbours(own) {
                if self.has(near, other)
                    && let Some(liberty) = self.liberties(near).only()
                {
                    points.add(liberty);
                }
            }
        }
    }

    /// Adds the points around a stone where a [shape](super::shapes) suggests a move that is not lost immediately.
    #[inline]
    pub(super) fn shapes_around(&self, last: Cell, colour: Stone, points: &mut Points) {
        for cell in Self::neighbours(last).into_iter().chain(Self::diagonals(last)) {
            if self.has(cell, Stone::Empty) && self.has_shape(cell) && !self.is_self_atari(cell, colour) {
                points.add(cell);
            }
        }
    }
}
