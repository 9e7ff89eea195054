//! The positions that a game has been through.

use crate::bits::mix_all;
use aji_search::Player;

/// Words of the filter.
const WORDS: usize = 16;

/// The hashes of positions, and a filter that tells at once of most others that they are not among them.
#[derive(Debug, Default)]
pub(crate) struct Past {
    hashes: Vec<u64>,
    filter: [u64; WORDS],
    /// Of all of them, in whatever order.
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

    /// The bytes beside its own.
    pub(crate) fn bytes(&self) -> usize {
        self.hashes.capacity() * size_of::<u64>()
    }

    /// Equal for pasts of the same positions.
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

    /// Into the room that is there.
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
