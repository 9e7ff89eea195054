//! The hash of a position: one number for each stone, combined by exclusive or, so that removing a stone removes its
//! number.

use super::board::Stone;
use super::cells::Cell;
use crate::bits::mix;

/// The number of a stone.
#[inline]
pub(crate) fn stone(cell: Cell, colour: Stone) -> u64 {
    mix((cell as u64) << 1 | colour as u64 | 1 << 32)
}
