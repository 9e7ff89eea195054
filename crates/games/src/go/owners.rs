//! The final owner of each point, by light playouts: a guess at which stones are dead. It misses what random moves do
//! not find, such as a seki or a nakade.

use super::Go;
use super::board::{Board, Stone};
use super::cells::Cell;
use aji_search::Rng;

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// For each point, by row from the bottom and then column: how often it ends as black's area less how often as
    /// white's, from -1 to 1. Each player begins half of the playouts, whoever is to move; earlier passes do not
    /// count.
    pub fn owners(&self, playouts: usize, rng: &mut Rng) -> Vec<f32> {
        let mut sums = vec![0i32; self.size().pow(2)];
        let mut game = self.clone();
        for playout in 0..playouts {
            game.clone_from(self);
            game.passes = 0;
            game.set_mover(((usize::from(self.mover) + playout) % 2) as u8);
            game.light_playout(rng, |_, _| {});
            game.board.add_owners(&mut sums);
        }
        sums.into_iter().map(|sum| sum as f32 / playouts.max(1) as f32).collect()
    }
}

impl<const STRIDE: usize, const CELLS: usize> Board<STRIDE, CELLS> {
    /// Adds one for each point of black's area, and subtracts one for each of white's.
    fn add_owners(&self, sums: &mut [i32]) {
        let worth = |stone| match stone {
            Stone::Black => 1,
            Stone::White => -1,
            Stone::Empty | Stone::Wall => 0,
        };
        let mut is_seen = [false; CELLS];
        for (cell, sum) in self.points().zip(&mut *sums) {
            *sum += worth(self.stone(cell));
        }
        for start in self.points() {
            if is_seen[start] || !self.has(start, Stone::Empty) {
                continue;
            }
            is_seen[start] = true;
            let (mut region, mut touches) = (vec![start], [false; 4]);
            let mut next = 0;
            while next < region.len() {
                for near in Self::neighbours(region[next]) {
                    touches[self.stone(near) as usize] = true;
                    if self.has(near, Stone::Empty) && !is_seen[near] {
                        is_seen[near] = true;
                        region.push(near);
                    }
                }
                next += 1;
            }
            let owner = i32::from(touches[Stone::Black as usize]) - i32::from(touches[Stone::White as usize]);
            for cell in region {
                sums[self.index(cell)] += owner;
            }
        }
    }

    /// The index of a point, by row and then column.
    fn index(&self, cell: Cell) -> usize {
        let (column, row) = Self::column_and_row(cell);
        row * self.size() + column
    }
}

#[cfg(test)]
mod tests {
    use crate::{GoRules, SmallGo};
    use aji_search::{Named, Rng};

    fn owners(size: usize, rows: &str) -> Vec<f32> {
        let go = SmallGo::new(size, GoRules::default()).read(rows).expect("a position");
        go.owners(200, &mut Rng::seeded(1))
    }

    #[test]
    fn walls_divide_the_board() {
        let owners = owners(5, "x.xo./x.xo./xxxoo/.xxo./x.xo. x passed passed");
        for (index, owner) in owners.iter().enumerate() {
            let is_black = index % 5 < 3;
            assert!(if is_black { *owner > 0.9 } else { *owner < -0.4 }, "{index}: {owner}");
        }
    }

    #[test]
    fn a_stone_without_room_is_dead() {
        // A white stone in the corner of a black board with two eyes elsewhere.
        let owners = owners(5, "o.x../..x.x/xxxx./x.x.x/xxxxx o");
        assert!(owners[20] > 0.9, "A5 is black's: {}", owners[20]);
    }

    #[test]
    fn nobody_owns_an_empty_board() {
        assert!(owners(9, &["........."; 9].join("/")).iter().all(|owner| owner.abs() < 0.5));
        assert!(
            SmallGo::new(5, GoRules::default())
                .owners(0, &mut Rng::seeded(1))
                .iter()
                .all(|owner| *owner == 0.0)
        );
    }
}
