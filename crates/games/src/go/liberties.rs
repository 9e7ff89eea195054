//! The sums of a chain's liberties.
//!
//! A liberty counts once for every stone of the chain that touches it. One word holds their number, the sum of their
//! cells and the sum of the squares of these, so that one addition counts one more. All liberties are at one point if
//! and only if the sums are a multiple of that point's: the squares tell it from other points with the same mean.

use super::cells::Cell;

/// The liberties of a chain. Sums that nobody reads may overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Liberties(u64);

/// On the largest board a chain touches fewer than 2,500 liberties, at cells below 703: 12, 21 and 31 bits hold the
/// sums.
const COUNT_BITS: u32 = 12;
const SUM_BITS: u32 = 21;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
const SUM_MASK: u64 = (1 << SUM_BITS) - 1;

/// The number of cells of the largest board.
const CELLS_MAX: usize = 703;

/// One liberty at each cell: a load is faster than a square.
static AT: [Liberties; CELLS_MAX] = {
    let (mut at, mut cell) = ([Liberties::NONE; CELLS_MAX], 0);
    while cell < CELLS_MAX {
        let place = cell as u64;
        at[cell] = Liberties(1 | (place << COUNT_BITS) | ((place * place) << (COUNT_BITS + SUM_BITS)));
        cell += 1;
    }
    at
};

impl Liberties {
    pub(crate) const NONE: Liberties = Liberties(0);

    /// One liberty at this point.
    #[inline(always)]
    pub(crate) fn at(cell: Cell) -> Liberties {
        AT[cell]
    }

    /// These, or none, without a branch, which the processor would mispredict every third time.
    #[inline(always)]
    pub(crate) fn only_if(self, is_so: bool) -> Liberties {
        std::hint::select_unpredictable(is_so, self, Liberties::NONE)
    }

    /// Both together.
    #[inline(always)]
    pub(crate) fn with(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_add(other.0))
    }

    /// These without the others, which must be among them.
    #[inline(always)]
    pub(crate) fn without(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_sub(other.0))
    }

    /// The number of liberties, each counted once per touching stone.
    #[inline(always)]
    pub(crate) fn count(self) -> u64 {
        self.0 & COUNT_MASK
    }

    /// Whether all are at this point.
    #[inline(always)]
    pub(crate) fn are_all_at(self, cell: Cell) -> bool {
        self.0 == self.count().wrapping_mul(Liberties::at(cell).0)
    }

    /// The point of all liberties, if they are at a single one.
    #[inline(always)]
    pub(crate) fn only(self) -> Option<Cell> {
        let (count, sum) = (self.count(), self.0 >> COUNT_BITS & SUM_MASK);
        let squares = self.0 >> (COUNT_BITS + SUM_BITS);
        (count > 0 && count * squares == sum * sum).then(|| (sum / count) as Cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The sums tell one point from many, even at their limits.
        #[test]
        fn one_point_is_told_from_many(cells in proptest::collection::vec(27usize..703, 1..40), times in 1usize..60) {
            let add = |all: Liberties, &cell: &Cell| (0..times).fold(all, |all, _| all.with(Liberties::at(cell)));
            let all = cells.iter().fold(Liberties::NONE, add);
            prop_assert_eq!(all.count() as usize, cells.len() * times);
            let is_one = cells.iter().all(|&cell| cell == cells[0]);
            prop_assert_eq!(all.only(), is_one.then_some(cells[0]));
            prop_assert_eq!(all.are_all_at(cells[0]), is_one);
            let one = add(Liberties::NONE, &cells[0]);
            prop_assert_eq!(one.only(), Some(cells[0]));
            prop_assert_eq!(all.without(one).count() as usize, (cells.len() - 1) * times);
        }
    }
}
