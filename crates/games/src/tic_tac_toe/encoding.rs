//! The encoding of Tic-Tac-Toe for networks: the mover's cells and the other's. An action is a cell.

use super::{SIDE, TicTacToe};
use crate::planes::{self, add_bits};
use aji_search::{Encoded, Shape, Symmetric};

impl Encoded for TicTacToe {
    fn shape(&self) -> Shape {
        Shape { planes: 2, rows: SIDE, columns: SIDE, actions: SIDE * SIDE }
    }

    fn features(&self, out: &mut Vec<u32>) {
        add_bits(self.own.into(), 0, out);
        add_bits(self.other.into(), SIDE * SIDE, out);
    }

    fn action_index(&self, cell: u8) -> usize {
        cell.into()
    }
}

impl Symmetric for TicTacToe {
    fn symmetries(&self) -> usize {
        planes::symmetries(SIDE, SIDE)
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(symmetry, SIDE, SIDE, cell)
    }

    fn index_image(&self, symmetry: usize, cell: usize) -> usize {
        self.cell_image(symmetry, cell)
    }
}
