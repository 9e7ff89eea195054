//! The encoding of an m,n,k-game for networks: the mover's stones and the other's. An action is a cell.

use super::Mnk;
use crate::planes;
use aji_search::{Encoded, Shape, Symmetric};

impl Encoded for Mnk {
    fn shape(&self) -> Shape {
        let (rows, columns) = (self.rows(), self.columns());
        Shape { planes: 2, rows, columns, actions: rows * columns }
    }

    fn features(&self, out: &mut Vec<u32>) {
        let (columns, cells) = (self.columns(), self.rows() * self.columns());
        for cell in 0..cells {
            if let Some(player) = self.stone(cell % columns, cell / columns) {
                let plane = usize::from(player != self.mover());
                out.push((plane * cells + cell) as u32);
            }
        }
    }

    /// Rows have an extra cell on the board, which stays empty; action numbers skip it.
    fn action_index(&self, cell: u16) -> usize {
        let (row, column) = (usize::from(cell) / self.width(), usize::from(cell) % self.width());
        row * self.columns() + column
    }

    fn unseen(&self) -> String {
        format!("k={}", self.in_a_row)
    }
}

impl Symmetric for Mnk {
    fn symmetries(&self) -> usize {
        planes::symmetries(self.rows(), self.columns())
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(symmetry, self.rows(), self.columns(), cell)
    }

    fn index_image(&self, symmetry: usize, cell: usize) -> usize {
        self.cell_image(symmetry, cell)
    }
}
