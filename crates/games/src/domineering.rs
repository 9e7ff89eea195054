//! Domineering. The board is any set of empty cells of a grid. The players take turns to lay a domino on two
//! neighbouring empty cells: Left lays hers upright, Right lays his across. The player who cannot lay one loses.
//!
//! A domino is named by its two cells, the lower or left one first: `b2-b3`, `b2-c2`. `.` is an empty cell, `#` one
//! that is covered or was never there.

use crate::board::{self, Board, Direction, Size, Step};
use aji_cgt::{Move, Position, Side};

/// A position of Domineering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domineering {
    empty: u64,
    size: Size,
}

impl Domineering {
    /// An empty board.
    pub fn new(size: Size) -> Domineering {
        Domineering { empty: size.cells(), size }
    }
}

impl Board for Domineering {
    const SIGNS: &'static [char] = &['#'];

    fn with_pieces(size: Size, [filled, _]: [u64; 2]) -> Domineering {
        Domineering { empty: size.cells() & !filled, size }
    }

    fn size(&self) -> Size {
        self.size
    }

    fn pieces(&self) -> [u64; 2] {
        [self.size.cells() & !self.empty, 0]
    }

    #[inline(always)]
    fn movable(&self, side: Side) -> [u64; 4] {
        match side {
            Side::Left => [0, 0, self.empty & Direction::South.shift(self.empty), 0],
            Side::Right => [self.empty & Direction::West.shift(self.empty), 0, 0, 0],
        }
    }

    #[inline(always)]
    fn play(&mut self, step: Step) {
        let domino = 1 << step.cell | 1 << self.target(step);
        debug_assert_eq!(self.empty & domino, domino, "{step:?} is not on empty cells");
        self.empty &= !domino;
    }

    /// The connected regions of empty cells, each on the smallest board around it. Single cells are left out.
    fn split(&self) -> Vec<(Domineering, u8)> {
        board::split_by_regions(self.empty, |region, size, down| Domineering { empty: region >> down, size })
    }
}

impl Position for Domineering {
    fn moves(&self, side: Side) -> Vec<Move<Domineering>> {
        board::moves(self, side)
    }

    fn parts(&self) -> Vec<Domineering> {
        board::parts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_cgt::{Dyadic, thermograph_of};

    fn read(text: &str) -> Domineering {
        board::read(text).unwrap()
    }

    #[test]
    fn dominoes_lie_upright_and_across() {
        let check = |text: &str, side: Side, expect: &[&str]| {
            let found: Vec<String> = read(text).moves(side).iter().map(|to| board::text(&to.to)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check(".#/..", Side::Left, &["##/#."]);
        check(".#/..", Side::Right, &[".#/##"]);
        check("../..", Side::Left, &["#./#.", ".#/.#"]);
        check("...", Side::Left, &[]);
        check("...", Side::Right, &["##.", ".##"]);
    }

    #[test]
    fn parts_are_regions_at_the_corner() {
        let check = |text: &str, expect: &[&str]| {
            let parts: Vec<String> = read(text).parts().iter().map(board::text).collect();
            assert_eq!(parts, expect, "{text}");
        };
        check(".#./.#./###/#..", &["..", "./.", "./."]);
        check(".#/#.", &[]);
        check("###/#../##.", &["../#."]);
        check("...", &["..."]);
        assert_eq!(read("#.#/#.#").parts(), read("./.").parts());
    }

    /// The square of four is worth 1 to the player who moves first.
    #[test]
    fn small_boards_are_worth_what_is_known() {
        let check = |text: &str, mean: Dyadic, temperature: Dyadic| {
            let graph = thermograph_of(&read(text)).unwrap();
            assert_eq!((graph.mean(), graph.temperature()), (mean, temperature), "{text}");
        };
        let number = |number: i32| Dyadic::from(number);
        check("../..", number(0), number(1));
        check("./.", number(1), number(-1));
        check("....", number(-2), number(-1));
    }
}
