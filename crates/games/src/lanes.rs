//! Four bitboards side by side, so that one instruction works on four directions of a board.
//!
//! With avx2 they are one register, without it four numbers; the results are the same. The compiler finds the register
//! by itself, but takes every union of the boards through a scalar and back, and playouts of Othello lose up to a third.

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use plain::Lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use wide::Lanes;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod wide {
    use core::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

    /// Four bitboards in one register.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(__m256i);

    macro_rules! avx2 {
        ($instructions:expr) => {
            // SAFETY: the build was told that the CPU has avx2; none of the instructions used here touches memory.
            unsafe { $instructions }
        };
    }

    impl Lanes {
        #[inline(always)]
        pub(crate) fn new(boards: [u64; 4]) -> Lanes {
            let [a, b, c, d] = boards.map(|board| board as i64);
            Lanes(avx2!(_mm256_setr_epi64x(a, b, c, d)))
        }

        /// The same board four times.
        #[inline(always)]
        pub(crate) fn all(board: u64) -> Lanes {
            Lanes(avx2!(_mm256_set1_epi64x(board as i64)))
        }

        /// The cells that are set on any of the boards.
        #[inline(always)]
        pub(crate) fn union(self) -> u64 {
            avx2!({
                let (low, high) = (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
                let halves = _mm_or_si128(low, high);
                _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
            })
        }

        /// The cells that are set on any of the boards, four times.
        #[inline(always)]
        pub(crate) fn union_in_all(self) -> Lanes {
            // Or with the halves swapped, and then with the neighbours swapped.
            avx2!({
                let halves = _mm256_or_si256(self.0, _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
                Lanes(_mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves)))
            })
        }
    }

    macro_rules! operator {
        ($trait:ident, $method:ident, $instruction:ident) => {
            impl $trait for Lanes {
                type Output = Lanes;

                #[inline(always)]
                fn $method(self, other: Lanes) -> Lanes {
                    Lanes(avx2!($instruction(self.0, other.0)))
                }
            }
        };
    }
    operator!(BitAnd, bitand, _mm256_and_si256);
    operator!(BitOr, bitor, _mm256_or_si256);
    operator!(BitXor, bitxor, _mm256_xor_si256);
    operator!(Shl, shl, _mm256_sllv_epi64);
    operator!(Shr, shr, _mm256_srlv_epi64);

    impl Not for Lanes {
        type Output = Lanes;

        #[inline(always)]
        fn not(self) -> Lanes {
            self ^ Lanes::all(!0)
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod plain {
    use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

    /// Four bitboards as four numbers.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What the register says, the four numbers say.
        #[test]
        fn both_kinds_agree(a in any::<[u64; 4]>(), b in any::<[u64; 4]>(), steps in prop::array::uniform4(0u64..64)) {
            macro_rules! each_lane {
                ($kind:ty, $lane:expr) => {{
                    let new = <$kind>::new;
                    let alone = new(std::array::from_fn(|lane| if lane == $lane { !0 } else { 0 }));
                    let results = [
                        new(a) & new(b), new(a) | new(b), new(a) ^ new(b), !new(a),
                        new(a) << new(steps), new(a) >> new(steps), <$kind>::all(b[0]), new(a).union_in_all(),
                    ];
                    results.map(|result| (result & alone).union())
                }};
            }
            for lane in 0..4 {
                prop_assert_eq!(each_lane!(Lanes, lane), each_lane!(plain::Lanes, lane));
            }
            prop_assert_eq!(Lanes::new(a).union(), a[0] | a[1] | a[2] | a[3]);
        }
    }
}
