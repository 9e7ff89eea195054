//! Finds the node of a position: a hash table with open addressing, in memory reserved once.
//!
//! It starts small and doubles in place while there is room, so a short search under a large cap touches few pages.
//! An entry holds half of the hash beside the node's number. So most lookups of an absent position read no node.

use crate::column::Column;

/// The entries at the start, if there is room for them. A power of two.
const ENTRIES_FIRST: usize = 1 << 10;

/// The numbers of nodes, by the hashes of their positions.
#[derive(Debug)]
pub(super) struct Index {
    /// The table of `1 << bits` entries. An entry of 0 is empty.
    entries: Column<u64>,
    bits: u32,
    /// The number of reserved entries, a power of two.
    capacity: usize,
    used: usize,
}

impl Index {
    /// Room for this number of entries, a power of two and at least 2. None if the system refuses.
    pub(super) fn reserve(entries: usize) -> Option<Index> {
        let mut index = Index { entries: Column::reserve(entries)?, bits: 0, capacity: entries, used: 0 };
        index.start_over(0);
        Some(index)
    }

    /// Asks for large pages, which pays off for a table of megabytes.
    pub(super) fn prefer_large_pages(&mut self) {
        self.entries.prefer_large_pages();
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        size_of::<u64>() << self.bits
    }

    /// True when three quarters of all entries are used. Then no more fit.
    pub(super) fn is_full(&self) -> bool {
        4 * (self.used + 1) > 3 * self.capacity
    }

    /// True when the table should [start over](Index::start_over) at twice its size before the next node.
    pub(super) fn should_grow(&self) -> bool {
        2 * (self.used + 1) > 1 << self.bits && 1 << self.bits < self.capacity
    }

    /// Forgets everything, and resizes the table to at most one node in four entries, if there is room.
    pub(super) fn start_over(&mut self, nodes: usize) {
        let wanted = (4 * nodes).next_power_of_two().max(ENTRIES_FIRST).min(self.capacity);
        self.bits = wanted.trailing_zeros();
        self.used = 0;
        self.entries.truncate(0);
        self.entries.extend(std::iter::repeat_n(0, wanted));
    }

    /// The node with this hash that `is_it` confirms. It sees only nodes whose upper half of the hash agrees.
    #[inline(always)]
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let entries = &self.entries[..1 << self.bits];
        let mut place = self.place(hash);
        loop {
            let entry = entries[place];
            if entry == 0 {
                return None;
            }
            let node = (entry as u32).wrapping_sub(1);
            if entry >> 32 == hash >> 32 && is_it(node) {
                return Some(node);
            }
            place = (place + 1) & (entries.len() - 1);
        }
    }

    /// Adds a node that is not in the table yet. The table must not be full.
    pub(super) fn insert(&mut self, hash: u64, node: u32) {
        debug_assert!(!self.is_full());
        let mut place = self.place(hash);
        let entries = &mut self.entries[..1 << self.bits];
        while entries[place] != 0 {
            place = (place + 1) & (entries.len() - 1);
        }
        entries[place] = hash >> 32 << 32 | u64::from(node + 1);
        self.used += 1;
    }

    /// The table's memory as scratch space, with more words than there can be nodes. Writing to it destroys the
    /// table, which must then start over.
    pub(super) fn room(&mut self) -> &mut [u64] {
        &mut self.entries
    }

    /// The first place to look. The multiplication spreads weak hashes.
    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - self.bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The caller distinguishes hashes that agree in their upper half.
    #[test]
    fn what_was_put_in_is_found() {
        let mut index = Index::reserve(1 << 12).unwrap();
        let hash = |node: u32| u64::from(node / 3) << 32 | u64::from(node % 3);
        let mut nodes = 0;
        while !index.is_full() {
            if index.should_grow() {
                index.start_over(nodes as usize);
                (0..nodes).for_each(|node| index.insert(hash(node), node));
            }
            index.insert(hash(nodes), nodes);
            nodes += 1;
        }
        assert_eq!((nodes, index.bytes()), (3 << 10, 8 << 12));
        for node in 0..nodes {
            assert_eq!(index.find(hash(node), |found| hash(found) == hash(node)), Some(node));
        }
        assert_eq!(index.find(hash(nodes), |found| hash(found) == hash(nodes)), None);
    }
}
