//! The encoding of Breakthrough for networks: the mover's pieces and the other's, with rows counted from the mover's
//! side. An action is the cell that a piece leaves and one of three directions.

use super::{Breakthrough, BreakthroughMove, CELLS, SIDE, STEPS};
use crate::planes::{self, add_bits};
use aji_search::{Encoded, Shape, Symmetric};

impl Encoded for Breakthrough {
    fn shape(&self) -> Shape {
        Shape { planes: 2, rows: SIDE, columns: SIDE, actions: CELLS * STEPS.len() }
    }

    fn features(&self, out: &mut Vec<u32>) {
        add_bits(self.own, 0, out);
        add_bits(self.other, CELLS, out);
    }

    fn action_index(&self, action: BreakthroughMove) -> usize {
        let (from, to) = (self.turned(action.from), self.turned(action.to));
        usize::from(from) * STEPS.len() + usize::from(to - from) + 1 - SIDE
    }
}

/// The mirror.
impl Symmetric for Breakthrough {
    fn symmetries(&self) -> usize {
        2
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(symmetry, SIDE, SIDE, cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        let (cell, way) = (index / STEPS.len(), index % STEPS.len());
        let way = if symmetry == 0 { way } else { STEPS.len() - 1 - way };
        self.cell_image(symmetry, cell) * STEPS.len() + way
    }
}
