//! How Othello looks to a network: the mover's discs, the other's, the cells that the mover can play on, and a cell
//! or the pass for each action.

use super::{CELLS, Othello, SIDE};
use crate::planes::{self, add_bits};
use aji_search::{Encoded, Shape, Symmetric};

/// The symmetries that leave the start as it is, colours and all: none, half a turn, and the mirrors along both
/// diagonals.
const SYMMETRIES: [usize; 4] = [0, 3, 4, 7];

impl Encoded for Othello {
    fn shape(&self) -> Shape {
        Shape { planes: 3, rows: SIDE, columns: SIDE, actions: CELLS + 1 }
    }

    fn features(&self, out: &mut Vec<u32>) {
        for (plane, cells) in [self.own, self.other, self.moves].into_iter().enumerate() {
            add_bits(cells, plane * CELLS, out);
        }
    }

    fn action_index(&self, action: u8) -> usize {
        action.into()
    }
}

impl Symmetric for Othello {
    fn symmetries(&self) -> usize {
        SYMMETRIES.len()
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(SYMMETRIES[symmetry % SYMMETRIES.len()], SIDE, SIDE, cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        if index < CELLS { self.cell_image(symmetry, index) } else { index }
    }
}
