//! The hash of a position: one number for each stone, all joined by exclusive or, so that a stone that goes takes its number
//! with it.

use super::board::Stone;
use super::cells::Cell;
use crate::bits::mix;

/// The number of a stone.
#[inline]
pub(crate) fn stone(cell: Cell, colour: Stone) -> u64 {
    mix((cell as u64) << 1 | colour as u64 | 1 << 32)
}
