//! The earlier positions of a game.

use crate::bits::mix_all;
use aji_search::Player;

/// Words of the filter.
const WORDS: usize = 16;

/// The hashes of positions, with a filter that quickly excludes most other hashes.
#[derive(Debug, Default)]
pub(crate) struct Past {
    hashes: Vec<u64>,
    filter: [u64; WORDS],
    /// The sum of all hashes, which does not depend on their order.
    sum: u64,
}

impl Past {
    pub(crate) fn add(&mut self, hash: u64) {
        if self.hashes.last() == Some(&hash) {
            return;
        }
        self.hashes.push(hash);
        let (word, bit) = place(hash);
        self.filter[word] |= bit;
        self.sum = self.sum.wrapping_add(mix_all([hash]));
    }

    /// The bytes that it owns on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.hashes.capacity() * size_of::<u64>()
    }

    /// Equal for pasts with the same positions.
    pub(crate) fn hash(&self) -> u64 {
        mix_all([self.sum])
    }

    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (word, bit) = place(hash);
        self.filter[word] & bit != 0 && self.hashes.contains(&hash)
    }
}

#[inline(always)]
fn place(hash: u64) -> (usize, u64) {
    (hash as usize >> 6 & (WORDS - 1), 1 << (hash & 63))
}

impl Clone for Past {
    fn clone(&self) -> Past {
        Past { hashes: self.hashes.clone(), ..*self }
    }

    /// Reuses its memory.
    #[inline]
    fn clone_from(&mut self, other: &Past) {
        self.hashes.clone_from(&other.hashes);
        self.filter = other.filter;
        self.sum = other.sum;
    }
}

/// The hash of stones with this player to move.
pub(crate) fn with_mover(stones: u64, mover: Player) -> u64 {
    stones ^ if mover == 0 { 0 } else { 0x5851_F42D_4C95_7F2D }
}
