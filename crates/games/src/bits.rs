//! Picking bits out of bitboards.

use aji_search::Rng;

/// One of the set bits of `mask`, each with the same chance. `mask` must not be 0.
#[inline(always)]
pub(crate) fn random_bit(mask: u64, rng: &mut Rng) -> u64 {
    nth_bit(mask, rng.below(mask.count_ones() as usize) as u32)
}

/// The set bit of `mask` that has `n` set bits below it. There must be more than `n`.
#[inline(always)]
pub(crate) fn nth_bit(mask: u64, n: u32) -> u64 {
    debug_assert!(n < mask.count_ones());
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the build was told that the CPU has bmi2; the instruction touches no memory.
        unsafe { core::arch::x86_64::_pdep_u64(1 << n, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        nth_bit_plain(mask, n)
    }
}

/// The same without the instruction: clears the lowest bit `n` times.
#[allow(dead_code, reason = "the fallback of builds without bmi2, and the oracle of the test")]
fn nth_bit_plain(mut mask: u64, n: u32) -> u64 {
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask & mask.wrapping_neg()
}

/// The indices of the set bits, from the lowest.
pub(crate) fn indices(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let index = mask.trailing_zeros() as u8;
        (mask != 0).then(|| {
            mask &= mask - 1;
            index
        })
    })
}

/// Spreads a key over all 64 bits: the finaliser of splitmix64, which is a bijection.
pub(crate) fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nth_bit_is_the_nth(mask in 1u64.., n in 0u32..64) {
            let n = n % mask.count_ones();
            prop_assert_eq!(nth_bit(mask, n), nth_bit_plain(mask, n));
            prop_assert_eq!(nth_bit(mask, n).trailing_zeros() as u8, indices(mask).nth(n as usize).unwrap());
        }
    }
}
