//! One value for each cell of a board.

use std::ops::{Index, IndexMut};

/// A cell of a padded board, by number.
pub(crate) type Cell = usize;

/// One value for each of `N` cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cells<T, const N: usize>(pub(crate) [T; N]);

impl<T, const N: usize> Index<Cell> for Cells<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, cell: Cell) -> &T {
        &self.0[cell]
    }
}

impl<T, const N: usize> IndexMut<Cell> for Cells<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.0[cell]
    }
}

impl<const N: usize> Cells<u16, N> {
    /// Reads another cell, or a place in a list.
    #[inline(always)]
    pub(crate) fn at(&self, cell: Cell) -> usize {
        self.0[cell].into()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, cell: Cell, to: usize) {
        self.0[cell] = to as u16;
    }
}
