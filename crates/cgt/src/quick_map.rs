//! A hash map for keys that no attacker chooses: ids of games, and positions. It multiplies and rotates, and is
//! several times as fast as the standard one.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a quick hash function.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// An odd number whose bits look random: 2^64 over the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits of the product are the good ones, and a map reads the low ones too.
        self.0 ^ (self.0 >> 32)
    }
}
