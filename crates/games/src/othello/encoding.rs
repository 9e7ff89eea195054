//! The encoding of Othello for networks: the mover's discs, the other's, and the cells that the mover can play on. An
//! action is a cell or the pass.

use super::{Othello, PASS};
use crate::bits::indices;
use crate::planes;
use aji_search::{Encoded, Shape, Symmetric};

/// The symmetries that keep the starting position with its colours: the identity, half a turn, and the mirrors along
/// both diagonals.
const SYMMETRIES: [usize; 4] = [0, 3, 4, 7];

impl Encoded for Othello {
    fn shape(&self) -> Shape {
        Shape { planes: 3, rows: self.size(), columns: self.size(), actions: self.cell_count() + 1 }
    }

    fn features(&self, out: &mut Vec<u32>) {
        for (plane, cells) in [self.own, self.other, self.moves].into_iter().enumerate() {
            let first = plane * self.cell_count();
            out.extend(indices(cells).map(|bit| (first + self.index_of(bit.into())) as u32));
        }
    }

    fn action_index(&self, action: u8) -> usize {
        if action == PASS { self.cell_count() } else { self.index_of(action.into()) }
    }
}

impl Symmetric for Othello {
    fn symmetries(&self) -> usize {
        SYMMETRIES.len()
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(SYMMETRIES[symmetry % SYMMETRIES.len()], self.size(), self.size(), cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        if index < self.cell_count() { self.cell_image(symmetry, index) } else { index }
    }
}
