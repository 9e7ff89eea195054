//! Picks bits out of bitboards.

use crate::cpu::Cpu;
use aji_cpu::{Portable, V3};
use aji_search::Rng;

/// One of the set bits of `mask`, each with the same probability. `mask` must not be 0.
#[inline(always)]
pub(crate) fn random_bit(cpu: impl Cpu, mask: u64, rng: &mut Rng) -> u64 {
    nth_bit(cpu, mask, rng.below(mask.count_ones() as usize) as u32)
}

/// The same with the CPU detected here, for callers that need only one bit.
#[inline(always)]
pub(crate) fn a_random_bit(mask: u64, rng: &mut Rng) -> u64 {
    match V3::detect() {
        Some(v3) => random_bit(v3, mask, rng),
        None => random_bit(Portable, mask, rng),
    }
}

/// The set bit of `mask` that has `n` set bits below it. There must be more than `n`.
#[inline(always)]
pub(crate) fn nth_bit(cpu: impl Cpu, mask: u64, n: u32) -> u64 {
    debug_assert!(n < mask.count_ones());
    nth_bit_or_none(cpu, mask, n)
}

/// The set bit of `mask` that has `n` set bits below it, or 0 if there is none. `n` must be below 64.
#[inline(always)]
pub(crate) fn nth_bit_or_none(cpu: impl Cpu, mask: u64, n: u32) -> u64 {
    cpu.deposit(1 << n, mask)
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

/// The number of set bits in all words together.
#[inline(always)]
pub(crate) fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The indices of the set bits over all words, from the lowest.
pub(crate) fn all_indices(words: &[u64]) -> impl Iterator<Item = u16> {
    words
        .iter()
        .zip(0..)
        .flat_map(|(&word, place)| indices(word).map(move |index| place * 64 + u16::from(index)))
}

/// The index, over all words, of the set bit that has `n` set bits below it, with the CPU detected here. There must
/// be more than `n`.
#[inline(always)]
pub(crate) fn an_nth_index(words: &[u64], n: u32) -> u16 {
    match V3::detect() {
        Some(v3) => nth_index(v3, words, n),
        None => nth_index(Portable, words, n),
    }
}

/// The index, over all words, of the set bit that has `n` set bits below it. There must be more than `n`.
#[inline(always)]
pub(crate) fn nth_index(cpu: impl Cpu, words: &[u64], mut n: u32) -> u16 {
    let mut place = 0;
    while n >= words[place].count_ones() {
        n -= words[place].count_ones();
        place += 1;
    }
    place as u16 * 64 + nth_bit(cpu, words[place], n).trailing_zeros() as u16
}

/// Clears the set bit that has `n` set bits below it over all words. Without more than `n` set bits, clears none.
#[inline(always)]
pub(crate) fn clear_nth(cpu: impl Cpu, words: &mut [u64], mut n: u32) {
    // The word cannot be predicted, so there is no branch: in all other words, nothing is deposited. A negative `n`
    // wraps to more bits than any word has.
    for word in words {
        let ones = word.count_ones();
        *word ^= cpu.deposit(u64::from(n < ones) << (n % 64), *word);
        n = n.wrapping_sub(ones);
    }
}

/// Mixes a key over all 64 bits: the finaliser of splitmix64, which is a bijection.
pub(crate) fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

/// Mixes many words into one; their order counts.
pub(crate) fn mix_all(words: impl IntoIterator<Item = u64>) -> u64 {
    const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;
    // Each word is mixed separately, so that none waits for another.
    let mixed = |(word, place): (u64, u64)| mix(word.wrapping_add(place.wrapping_mul(GOLDEN_RATIO)));
    words.into_iter().zip(1..).map(mixed).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn deposit_is_the_definition(bits: u64, mask: u64) {
            let mut left = bits;
            let mut deposited = 0;
            for index in indices(mask) {
                deposited |= (left & 1) << index;
                left >>= 1;
            }
            prop_assert_eq!(Portable.deposit(bits, mask), deposited);
            if let Some(v3) = V3::detect() {
                prop_assert_eq!(v3.deposit(bits, mask), deposited);
            }
        }

        #[test]
        fn nth_is_the_nth(words: [u64; 3], n: u32) {
            prop_assume!(count(&words) > 0);
            let set: Vec<u16> = (0..192).filter(|&index| words[index as usize / 64] >> (index % 64) & 1 != 0).collect();
            prop_assert!(all_indices(&words).eq(set.iter().copied()));
            prop_assert_eq!(count(&words) as usize, set.len());
            let n = n % count(&words);
            let index = set[n as usize];
            prop_assert_eq!(nth_index(Portable, &words, n), index);
            let mut cleared = words;
            clear_nth(Portable, &mut cleared, n);
            prop_assert!(all_indices(&cleared).eq(set.into_iter().filter(|&other| other != index)));
        }
    }
}
