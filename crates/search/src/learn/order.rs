//! A list of all keys, the best first, and the rank of each.

use crate::identity;
use aji_bandit::Rng;

/// Keys in order. Each key appears once.
#[derive(Clone, Debug, Default)]
pub struct Order {
    keys: Vec<u32>,
    ranks: Vec<u32>,
    /// Changes with every modification.
    identity: u64,
}

impl PartialEq for Order {
    fn eq(&self, other: &Order) -> bool {
        self.keys == other.keys
    }
}

impl Eq for Order {}

impl Order {
    /// The bytes per key: its entry in the list, its rank, and what games build from an order
    /// ([`OrderedRoom`](crate::playout::OrderedRoom)).
    pub const KEY_BYTES: usize = 2 * size_of::<u32>() + size_of::<[u64; 2]>();

    /// This many keys in random order. A fixed order, such as by number, would leak information about the game.
    pub fn random(count: usize, rng: &mut Rng) -> Order {
        let mut keys: Vec<u32> = (0..count as u32).collect();
        for last in (1..count).rev() {
            keys.swap(last, rng.below(last + 1));
        }
        Order::of(keys)
    }

    /// Keys in this order: all numbers from 0, each once.
    pub fn of(keys: Vec<u32>) -> Order {
        let mut ranks = vec![0; keys.len()];
        for (rank, &key) in (0..).zip(&keys) {
            ranks[key as usize] = rank;
        }
        Order { keys, ranks, identity: identity::new() }
    }

    /// Sorts the keys by falling worth; equal keys keep their order.
    pub fn sort_by_worth(&mut self, worth: &[f32]) {
        self.keys.sort_by(|&one, &other| worth[other as usize].total_cmp(&worth[one as usize]));
        self.renumber(0, self.keys.len());
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// True without keys.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, the best first.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// The key at a rank.
    #[inline(always)]
    pub fn key_at(&self, rank: usize) -> usize {
        self.keys[rank] as usize
    }

    /// The rank of a key, 0 for the best.
    #[inline(always)]
    pub fn rank(&self, key: usize) -> usize {
        self.ranks[key] as usize
    }

    /// Moves the key at one rank to another; the keys between shift by one.
    pub fn relocate(&mut self, from: usize, to: usize) {
        if from < to {
            self.keys[from..=to].rotate_left(1);
            self.renumber(from, to + 1);
        } else {
            self.keys[to..=from].rotate_right(1);
            self.renumber(to, from + 1);
        }
    }

    /// A number that only copies of this order share.
    #[inline(always)]
    pub fn identity(&self) -> u64 {
        self.identity
    }

    fn renumber(&mut self, from: usize, to: usize) {
        self.identity = identity::new();
        for rank in from..to {
            self.ranks[self.keys[rank] as usize] = rank as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_and_know_their_places() {
        let mut order = Order::of(vec![4, 2, 0, 1, 3]);
        for (from, to, expect) in [(0, 3, [2, 0, 1, 4, 3]), (4, 1, [2, 3, 0, 1, 4]), (2, 2, [2, 3, 0, 1, 4])]
        {
            order.relocate(from, to);
            assert_eq!(order.keys(), expect);
            assert!((0..5).all(|key| order.key_at(order.rank(key)) == key));
        }
        order.sort_by_worth(&[0.5, 2.0, 0.5, -1.0, 7.0]);
        assert_eq!(order.keys(), [4, 1, 2, 0, 3]);
    }

    #[test]
    fn random_orders_hold_every_key() {
        let mut rng = Rng::seeded(1);
        let orders: Vec<Order> = (0..50).map(|_| Order::random(6, &mut rng)).collect();
        for order in &orders {
            let mut keys = order.keys().to_vec();
            keys.sort_unstable();
            assert_eq!(keys, [0, 1, 2, 3, 4, 5]);
        }
        assert!((0..6).all(|key| orders.iter().any(|order| order.rank(key) == 0)));
    }
}
