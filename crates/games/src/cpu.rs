//! Instructions that not every CPU has, each with a portable twin. A playout is compiled for both, and chooses once.

use crate::lanes::{Lanes, PlainLanes};
use aji_cpu::{Portable, V3};

/// The CPU instructions that games use.
pub(crate) trait Cpu: Copy {
    /// Four bitboards side by side.
    type Lanes: Lanes;

    /// The low bits of `bits`, in order, at the set bits of `mask`.
    fn deposit(self, bits: u64, mask: u64) -> u64;

    /// These boards, one per lane.
    fn lanes(self, boards: [u64; 4]) -> Self::Lanes;

    /// The same board in every lane.
    #[inline(always)]
    fn all(self, board: u64) -> Self::Lanes {
        self.lanes([board; 4])
    }
}

impl Cpu for Portable {
    type Lanes = PlainLanes;

    #[inline(always)]
    fn deposit(self, mut bits: u64, mut mask: u64) -> u64 {
        let mut deposited = 0;
        while bits != 0 && mask != 0 {
            deposited |= (mask & mask.wrapping_neg()) * (bits & 1);
            (bits, mask) = (bits >> 1, mask & (mask - 1));
        }
        deposited
    }

    #[inline(always)]
    fn lanes(self, boards: [u64; 4]) -> PlainLanes {
        PlainLanes(boards)
    }
}

#[cfg(target_arch = "x86_64")]
impl Cpu for V3 {
    type Lanes = crate::lanes::WideLanes;

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: a `V3` proves that the CPU has bmi2; the instruction touches no memory.
        unsafe { core::arch::x86_64::_pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn lanes(self, boards: [u64; 4]) -> Self::Lanes {
        crate::lanes::WideLanes::new(self, boards)
    }

    #[inline(always)]
    fn all(self, board: u64) -> Self::Lanes {
        crate::lanes::WideLanes::all(self, board)
    }
}

/// Never used: no other architecture has a `V3`.
#[cfg(not(target_arch = "x86_64"))]
impl Cpu for V3 {
    type Lanes = PlainLanes;

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        Portable.deposit(bits, mask)
    }

    #[inline(always)]
    fn lanes(self, boards: [u64; 4]) -> PlainLanes {
        PlainLanes(boards)
    }
}
