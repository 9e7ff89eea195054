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
    nth_bit_or_none(mask, n)
}

/// The set bit of `mask` that has `n` set bits below it, or 0 if there is none. `n` must be below 64.
#[inline(always)]
pub(crate) fn nth_bit_or_none(mask: u64, n: u32) -> u64 {
    deposit(1 << n, mask)
}

/// The low bits of `bits`, in order, on the places of the set bits of `mask`.
#[inline(always)]
fn deposit(bits: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the build was told that the CPU has bmi2; the instruction touches no memory.
        unsafe { core::arch::x86_64::_pdep_u64(bits, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        deposit_plain(bits, mask)
    }
}

/// The same without the instruction.
#[allow(dead_code, reason = "the fallback of builds without bmi2, and the oracle of the test")]
fn deposit_plain(mut bits: u64, mut mask: u64) -> u64 {
    let mut deposited = 0;
    while bits != 0 && mask != 0 {
        deposited |= (mask & mask.wrapping_neg()) * (bits & 1);
        (bits, mask) = (bits >> 1, mask & (mask - 1));
    }
    deposited
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

/// How many bits are set in all words together.
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

/// The index, over all words, of the set bit that has `n` set bits below it. There must be more than `n`.
#[inline(always)]
pub(crate) fn nth_index(words: &[u64], mut n: u32) -> u16 {
    let mut place = 0;
    while n >= words[place].count_ones() {
        n -= words[place].count_ones();
        place += 1;
    }
    place as u16 * 64 + nth_bit(words[place], n).trailing_zeros() as u16
}

/// Clears the set bit that has `n` set bits below it over all words; where there are no more than `n`, none.
#[inline(always)]
pub(crate) fn clear_nth(words: &mut [u64], mut n: u32) {
    // Which word it is cannot be foreseen, so no branch asks for it: in all others, nothing is deposited. Below 0,
    // `n` wraps to more than any word has.
    for word in words {
        let ones = word.count_ones();
        *word ^= deposit(u64::from(n < ones) << (n % 64), *word);
        n = n.wrapping_sub(ones);
    }
}

/// Spreads a key over all 64 bits: the finaliser of splitmix64, which is a bijection.
pub(crate) fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

/// Spreads many words over one; their order counts.
pub(crate) fn mix_all(words: impl IntoIterator<Item = u64>) -> u64 {
    const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;
    // Each word is mixed by itself, so that none waits for another.
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
            prop_assert_eq!(deposit(bits, mask), deposited);
            prop_assert_eq!(deposit_plain(bits, mask), deposited);
        }

        #[test]
        fn nth_is_the_nth(words: [u64; 3], n: u32) {
            prop_assume!(count(&words) > 0);
            let set: Vec<u16> = (0..192).filter(|&index| words[index as usize / 64] >> (index % 64) & 1 != 0).collect();
            prop_assert!(all_indices(&words).eq(set.iter().copied()));
            prop_assert_eq!(count(&words) as usize, set.len());
            let n = n % count(&words);
            let index = set[n as usize];
            prop_assert_eq!(nth_index(&words, n), index);
            let mut cleared = words;
            clear_nth(&mut cleared, n);
            prop_assert!(all_indices(&cleared).eq(set.into_iter().filter(|&other| other != index)));
        }
    }
}
