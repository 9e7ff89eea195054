//! What is known of positions, by their hash, and the bytes that this and other growing things take.

use crate::Game;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from hashes of positions.
pub(super) type Memo<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// The most bytes that an entry takes: just after the map has outgrown its room, and holds the old beside the new, there
/// are three times as many slots as there were, of which seven in eight were full. A slot has a byte of its own.
pub(super) const fn entry_bytes<V>() -> usize {
    3 * (size_of::<(u64, V)>() + 1) * 8 / 7
}

/// The most bytes of a vector of this length and capacity: just after it has outgrown its room, it holds the old beside the new.
pub(super) fn vector_bytes<T>(len: usize, capacity: usize) -> usize {
    (3 * len).max(capacity) * size_of::<T>()
}

/// The bytes that a position owns elsewhere.
pub(super) fn owned_bytes<G: Game>(position: &G) -> usize {
    position.bytes().saturating_sub(size_of::<G>())
}

/// A key is a hash already; a multiplication spreads what a plain one leaves together.
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
