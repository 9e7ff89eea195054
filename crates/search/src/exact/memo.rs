//! A map of positions by their hash, and the memory of maps and vectors that grow.

use crate::Game;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from hashes of positions.
pub(super) type Memo<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// The most bytes per entry. Just after the map has grown, it holds the old slots and twice as many new ones, and 7/8
/// of the old slots were full. Each slot has one more byte.
pub(super) const fn entry_bytes<V>() -> usize {
    3 * (size_of::<(u64, V)>() + 1) * 8 / 7
}

/// The most bytes of a vector of this length and capacity. While it grows, it holds the old elements beside room for
/// twice as many.
pub(super) fn vector_bytes<T>(len: usize, capacity: usize) -> usize {
    (3 * len).max(capacity) * size_of::<T>()
}

/// The bytes that a position owns elsewhere.
pub(super) fn owned_bytes<G: Game>(position: &G) -> usize {
    position.bytes().saturating_sub(size_of::<G>())
}

/// Multiplies a key, which is already a hash, to spread games' weak hashes over all bits.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are of 64 bits")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}
