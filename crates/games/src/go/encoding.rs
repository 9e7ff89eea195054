//! The encoding of Go for networks: the stones of the mover and of the other, and those in chains with one and with two
//! liberties. Also the point that ko forbids, who gets the komi, and whether the other has just passed. An action is a
//! point or the pass.

use super::{Go, GoMove, Ko};
use crate::planes;
use aji_search::{Encoded, Shape, Symmetric};

/// For both players: stones, chains with one liberty and chains with two. Then ko, Black to move, and a pass by the
/// other.
const PLANES: usize = 9;
const KO: usize = 6;
const BLACK: usize = 7;
const PASSED: usize = 8;

impl<const STRIDE: usize, const CELLS: usize> Encoded for Go<STRIDE, CELLS> {
    fn shape(&self) -> Shape {
        let size = self.size();
        Shape { planes: PLANES, rows: size, columns: size, actions: size * size + 1 }
    }

    fn features(&self, out: &mut Vec<u32>) {
        let (size, cells) = (self.size(), self.size() * self.size());
        for cell in 0..cells {
            let mut add = |plane: usize| out.push((plane * cells + cell) as u32);
            if self.mover == 0 {
                add(BLACK);
            }
            if self.passes > 0 {
                add(PASSED);
            }
            let Some(point) = self.point(cell % size, cell / size) else { continue };
            if self.ko() == Some(point) {
                add(KO);
            }
            if let Some(player) = self.stone(cell % size, cell / size).player() {
                let other = usize::from(player != self.mover);
                add(other);
                match self.liberties_at(point) {
                    1 => add(2 + other),
                    2 => add(4 + other),
                    _ => {}
                }
            }
        }
    }

    fn action_index(&self, action: GoMove) -> usize {
        match Self::column_and_row(action) {
            Some((column, row)) => row * self.size() + column,
            None => self.size() * self.size(),
        }
    }

    /// Whether players may fill their own eyes is not among them: it changes which moves are offered, not what a position
    /// is worth.
    fn unseen(&self) -> String {
        let ko = match self.rules.ko {
            Ko::Simple => "simple",
            Ko::Positional => "positional",
            Ko::Situational => "situational",
        };
        let suicide = if self.rules.suicide { "on" } else { "off" };
        format!("komi={} ko={ko} suicide={suicide}", self.rules.komi())
    }
}

impl<const STRIDE: usize, const CELLS: usize> Symmetric for Go<STRIDE, CELLS> {
    fn symmetries(&self) -> usize {
        planes::symmetries(self.size(), self.size())
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        planes::cell_image(symmetry, self.size(), self.size(), cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        if index < self.size() * self.size() { self.cell_image(symmetry, index) } else { index }
    }
}

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// The number of different liberties of the chain at a point, up to three.
    fn liberties_at(&self, point: GoMove) -> usize {
        let mut found: [Option<usize>; 2] = [None; 2];
        for stone in self.board.chain(point.cell()) {
            for near in super::board::Board::<STRIDE, CELLS>::neighbours(stone) {
                if self.board.stone(near) != super::Stone::Empty || found.contains(&Some(near)) {
                    continue;
                }
                match found.iter_mut().find(|place| place.is_none()) {
                    Some(place) => *place = Some(near),
                    None => return 3,
                }
            }
        }
        found.iter().flatten().count()
    }
}
