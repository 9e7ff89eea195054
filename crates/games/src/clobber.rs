//! Clobber. Stones of two colours stand on the cells of a grid. A move takes an own stone to a neighbouring cell,
//! across or up or down, that holds an opposing stone, and removes that stone. Left has x, Right has o. The player
//! who cannot move loses.
//!
//! A move is named by the two cells: `b2-b3`.

use crate::board::{self, Board, Direction, Size, Step};
use aji_cgt::{Move, Position, Side};

/// Every second cell of eight by eight, including a1.
const CHECKERED: u64 = 0xAA55_AA55_AA55_AA55;

/// A position of Clobber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clobber {
    /// The stones of Left and of Right.
    stones: [u64; 2],
    size: Size,
}

impl Clobber {
    /// A board full of stones, with no two neighbours of one colour, and an x at a1.
    pub fn new(size: Size) -> Clobber {
        Clobber { stones: [size.cells() & CHECKERED, size.cells() & !CHECKERED], size }
    }
}

impl Board for Clobber {
    const SIGNS: &'static [char] = &['x', 'o'];

    fn with_pieces(size: Size, stones: [u64; 2]) -> Clobber {
        Clobber { stones, size }
    }

    fn size(&self) -> Size {
        self.size
    }

    fn pieces(&self) -> [u64; 2] {
        self.stones
    }

    #[inline(always)]
    fn movable(&self, side: Side) -> [u64; 4] {
        let [left, right] = self.stones;
        let (own, other) = if side == Side::Left { (left, right) } else { (right, left) };
        // A stone can go east if the other player's stones, shifted west, lie on it; and so on.
        [Direction::West, Direction::East, Direction::South, Direction::North]
            .map(|back| own & back.shift(other))
    }

    #[inline(always)]
    fn play(&mut self, step: Step) {
        let (from, to) = (1u64 << step.cell, 1u64 << self.target(step));
        let mover = usize::from(self.stones[1] & from != 0);
        debug_assert!(
            self.stones[mover] & from != 0 && self.stones[1 - mover] & to != 0,
            "{step:?} clobbers nothing"
        );
        self.stones[mover] ^= from | to;
        self.stones[1 - mover] ^= to;
    }

    /// The connected regions of stones, each on the smallest board around it, without those of a single colour.
    fn split(&self) -> Vec<(Clobber, u8)> {
        board::split_by_regions(self.stones[0] | self.stones[1], |region, size, down| Clobber {
            stones: self.stones.map(|stones| (stones & region) >> down),
            size,
        })
    }
}

impl Position for Clobber {
    fn moves(&self, side: Side) -> Vec<Move<Clobber>> {
        board::moves(self, side)
    }

    fn parts(&self) -> Vec<Clobber> {
        board::parts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Clobber {
        board::read(text).unwrap()
    }

    #[test]
    fn stones_clobber_their_neighbours() {
        let check = |text: &str, side: Side, expect: &[&str]| {
            let found: Vec<String> = read(text).moves(side).iter().map(|to| board::text(&to.to)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("xo/.x", Side::Left, &[".x/.x", "xx/.."]);
        check("xo/.x", Side::Right, &["o./.x", "x./.o"]);
        check("x.o", Side::Left, &[]);
        check("oxo", Side::Left, &["o.x", "x.o"]);
    }

    #[test]
    fn the_start_is_checkered() {
        assert_eq!(board::text(&Clobber::new(Size::new(2, 3))), "oxo/xox");
        assert_eq!(Clobber::new(Size::new(8, 8)).stones.map(u64::count_ones), [32, 32]);
    }

    #[test]
    fn parts_are_regions_at_the_corner() {
        let check = |text: &str, expect: &[&str]| {
            let parts: Vec<String> = read(text).parts().iter().map(board::text).collect();
            assert_eq!(parts, expect, "{text}");
        };
        check("xo.o/...x/.xx.", &["o/x", "xo"]);
        check("xo.oo/..x..", &["xo"]);
        check("x.x/.x.", &[]);
        check(".../.ox/..x", &["ox/.x"]);
    }
}
