//! The encoding of Connect Four for networks: the mover's pieces and the other's. An action is a column.

use super::{COLUMNS, ConnectFour, HEIGHT, ROWS};
use aji_search::{Encoded, Shape, Symmetric};

impl Encoded for ConnectFour {
    fn shape(&self) -> Shape {
        Shape { planes: 2, rows: ROWS, columns: COLUMNS, actions: COLUMNS }
    }

    fn features(&self, out: &mut Vec<u32>) {
        for (plane, pieces) in [self.own, self.other].into_iter().enumerate() {
            for cell in 0..ROWS * COLUMNS {
                let (row, column) = (cell / COLUMNS, cell % COLUMNS);
                if pieces >> (column * HEIGHT + row) & 1 != 0 {
                    out.push((plane * ROWS * COLUMNS + cell) as u32);
                }
            }
        }
    }

    fn action_index(&self, column: u8) -> usize {
        column.into()
    }
}

impl Symmetric for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        crate::planes::cell_image(symmetry, ROWS, COLUMNS, cell)
    }

    fn index_image(&self, symmetry: usize, column: usize) -> usize {
        if symmetry == 0 { column } else { COLUMNS - 1 - column }
    }
}
