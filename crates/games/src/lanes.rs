//! Four bitboards side by side, so that one instruction works on four directions of a board.
//!
//! With avx2 they are one register, without it four numbers; the results are the same. The compiler finds the
//! register by itself, but moves every union of the boards through a scalar and back. That slows playouts of Othello
//! by up to a third.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Four bitboards. Operators work lane by lane.
pub(crate) trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<Output = Self>
    + Shr<Output = Self>
    + Not<Output = Self>
{
    /// The cells that are set on any of the boards.
    fn union(self) -> u64;

    /// The cells that are set on any of the boards, in every lane.
    fn union_in_all(self) -> Self;
}

/// Four bitboards as four numbers.
#[derive(Clone, Copy)]
pub(crate) struct PlainLanes(pub(crate) [u64; 4]);

impl Lanes for PlainLanes {
    #[inline(always)]
    fn union(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    #[inline(always)]
    fn union_in_all(self) -> PlainLanes {
        PlainLanes([self.union(); 4])
    }
}

macro_rules! plain_operator {
    ($trait:ident, $method:ident) => {
        impl $trait for PlainLanes {
            type Output = PlainLanes;

            #[inline(always)]
            fn $method(self, other: PlainLanes) -> PlainLanes {
                PlainLanes(std::array::from_fn(|lane| self.0[lane].$method(other.0[lane])))
            }
        }
    };
}
plain_operator!(BitAnd, bitand);
plain_operator!(BitOr, bitor);
plain_operator!(BitXor, bitxor);
plain_operator!(Shl, shl);
plain_operator!(Shr, shr);

impl Not for PlainLanes {
    type Output = PlainLanes;

    #[inline(always)]
    fn not(self) -> PlainLanes {
        PlainLanes(self.0.map(|board| !board))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use wide::WideLanes;

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::Lanes;
    use aji_cpu::V3;
    use core::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

    /// Four bitboards in one register. Only code with a [`V3`] can make one.
    #[derive(Clone, Copy)]
    pub(crate) struct WideLanes(__m256i);

    macro_rules! avx2 {
        ($instructions:expr) => {
            // SAFETY: a `V3`, which the first lanes were made of, proves that the CPU has avx2; none of the
            // instructions used here touches memory.
            unsafe { $instructions }
        };
    }

    impl WideLanes {
        #[inline(always)]
        pub(crate) fn new(_proof: V3, boards: [u64; 4]) -> WideLanes {
            let [a, b, c, d] = boards.map(|board| board as i64);
            WideLanes(avx2!(_mm256_setr_epi64x(a, b, c, d)))
        }

        /// The same board four times.
        #[inline(always)]
        pub(crate) fn all(_proof: V3, board: u64) -> WideLanes {
            WideLanes(avx2!(_mm256_set1_epi64x(board as i64)))
        }
    }

    impl Lanes for WideLanes {
        #[inline(always)]
        fn union(self) -> u64 {
            avx2!({
                let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                let halves = _mm_or_si128(low, high);
                _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
            })
        }

        #[inline(always)]
        fn union_in_all(self) -> WideLanes {
            // Or with the halves swapped, and then with the neighbours swapped.
            avx2!({
                let halves = _mm256_or_si256(self.0, _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
                WideLanes(_mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves)))
            })
        }
    }

    macro_rules! operator {
        ($trait:ident, $method:ident, $instruction:ident) => {
            impl $trait for WideLanes {
                type Output = WideLanes;

                #[inline(always)]
                fn $method(self, other: WideLanes) -> WideLanes {
                    WideLanes(avx2!($instruction(self.0, other.0)))
                }
            }
        };
    }
    operator!(BitAnd, bitand, _mm256_and_si256);
    operator!(BitOr, bitor, _mm256_or_si256);
    operator!(BitXor, bitxor, _mm256_xor_si256);
    operator!(Shl, shl, _mm256_sllv_epi64);
    operator!(Shr, shr, _mm256_srlv_epi64);

    impl Not for WideLanes {
        type Output = WideLanes;

        #[inline(always)]
        fn not(self) -> WideLanes {
            WideLanes(avx2!(_mm256_xor_si256(self.0, _mm256_set1_epi64x(-1))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Cpu;
    use aji_cpu::{Portable, V3};
    use proptest::prelude::*;

    /// The result of each operator in this lane.
    fn results(cpu: impl Cpu, a: [u64; 4], b: [u64; 4], steps: [u64; 4], lane: usize) -> [u64; 8] {
        let alone = cpu.lanes(std::array::from_fn(|other| if other == lane { !0 } else { 0 }));
        let (a, b, steps, all) = (cpu.lanes(a), cpu.lanes(b), cpu.lanes(steps), cpu.all(b[0]));
        let results = [a & b, a | b, a ^ b, !a, a << steps, a >> steps, all, a.union_in_all()];
        results.map(|result| (result & alone).union())
    }

    proptest! {
        /// The register and the four numbers give the same results.
        #[test]
        fn both_kinds_agree(a in any::<[u64; 4]>(), b in any::<[u64; 4]>(), steps in prop::array::uniform4(0u64..64)) {
            for lane in 0..4 {
                let plain = results(Portable, a, b, steps, lane);
                let expect = [
                    a[lane] & b[lane], a[lane] | b[lane], a[lane] ^ b[lane], !a[lane], a[lane] << steps[lane],
                    a[lane] >> steps[lane], b[0], a[0] | a[1] | a[2] | a[3],
                ];
                prop_assert_eq!(plain, expect);
                if let Some(v3) = V3::detect() {
                    prop_assert_eq!(results(v3, a, b, steps, lane), plain);
                }
            }
        }
    }
}
