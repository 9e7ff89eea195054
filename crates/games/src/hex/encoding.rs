//! The encoding of Hex for networks: the mover's stones and the other's. An action is a cell. The board is mirrored for
//! the second player, so that the mover always joins the same two edges.

use super::Hex;
use aji_search::{Encoded, Player, Shape, Symmetric};

impl Hex {
    /// A cell as the mover sees it.
    fn seen(&self, row: usize, column: usize) -> usize {
        let (row, column) = if self.mover() == 0 { (row, column) } else { (column, row) };
        row * self.size() + column
    }
}

impl Encoded for Hex {
    fn shape(&self) -> Shape {
        let size = self.size();
        Shape { planes: 2, rows: size, columns: size, actions: size * size }
    }

    fn features(&self, out: &mut Vec<u32>) {
        let cells = self.size() * self.size();
        for row in 0..self.size() {
            for column in 0..self.size() {
                if let Some(player) = self.stone(column, row) {
                    let plane = usize::from(player != self.mover() as Player);
                    out.push((plane * cells + self.seen(row, column)) as u32);
                }
            }
        }
    }

    fn action_index(&self, cell: u16) -> usize {
        let cell = usize::from(cell);
        self.seen(cell / self.size(), cell % self.size())
    }
}

/// Half a turn.
impl Symmetric for Hex {
    fn symmetries(&self) -> usize {
        2
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        if symmetry == 0 { cell } else { self.size() * self.size() - 1 - cell }
    }

    fn index_image(&self, symmetry: usize, cell: usize) -> usize {
        self.cell_image(symmetry, cell)
    }
}
