//! Four bitboards side by side, so that one instruction works on four directions of a board. Written as four numbers;
//! the compiler finds the vector instructions.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Four bitboards. Operators work on each.
#[derive(Clone, Copy)]
pub(crate) struct Lanes([u64; 4]);

impl Lanes {
    #[inline(always)]
    pub(crate) fn new(boards: [u64; 4]) -> Lanes {
        Lanes(boards)
    }

    /// The same board four times.
    #[inline(always)]
    pub(crate) fn all(board: u64) -> Lanes {
        Lanes([board; 4])
    }

    /// The cells that are set on any of the boards.
    #[inline(always)]
    pub(crate) fn union(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// The cells that are set on any of the boards, four times.
    #[inline(always)]
    pub(crate) fn union_in_all(self) -> Lanes {
        Lanes::all(self.union())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for Lanes {
            type Output = Lanes;

            #[inline(always)]
            fn $method(self, other: Lanes) -> Lanes {
                Lanes(std::array::from_fn(|lane| self.0[lane].$method(other.0[lane])))
            }
        }
    };
}
operator!(BitAnd, bitand);
operator!(BitOr, bitor);
operator!(BitXor, bitxor);
operator!(Shl, shl);
operator!(Shr, shr);

impl Not for Lanes {
    type Output = Lanes;

    #[inline(always)]
    fn not(self) -> Lanes {
        Lanes(self.0.map(|board| !board))
    }
}
