//! D(a, b): by how much action a has been better than b, on average over the visits to positions that offer both.
//!
//! A visit tells how the action taken compares with the others, so it adds to one row; D reads both rows. That makes D
//! antisymmetric by itself, and a visit touches contiguous memory.

use std::collections::HashMap;

/// The sum of some samples, and how many they were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Samples {
    sum: f32,
    count: u32,
}

/// Differences between pairs of keys: a table of all pairs, 8 bytes each, where that is no larger than
/// [`BYTES_MAX`](Differences::BYTES_MAX), and otherwise only those pairs that were seen, as many as fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    keys: usize,
    store: Store,
}

#[derive(Clone, Debug, PartialEq)]
enum Store {
    /// Row by row.
    All(Vec<Samples>),
    /// By the number that the pair would have among all.
    Seen(HashMap<u64, Samples>),
}

impl Default for Differences {
    fn default() -> Differences {
        Differences::new(0)
    }
}

impl Differences {
    /// The most bytes of a table.
    pub const BYTES_MAX: usize = 40 << 20;

    /// What a pair takes among those that were seen: its number, its samples, and the room that a hash map leaves.
    const SEEN_BYTES: usize = 32;

    /// Nothing known of so many keys.
    pub fn new(keys: usize) -> Differences {
        let is_small = Differences::bytes_max(keys) < Differences::BYTES_MAX;
        let store = if is_small {
            Store::All(vec![Samples::default(); keys * keys])
        } else {
            Store::Seen(HashMap::new())
        };
        Differences { keys, store }
    }

    /// The bytes of a table for so many keys, at most.
    pub fn bytes_max(keys: usize) -> usize {
        keys.saturating_mul(keys).saturating_mul(size_of::<Samples>()).min(Differences::BYTES_MAX)
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        match &self.store {
            Store::All(samples) => samples.len() * size_of::<Samples>(),
            Store::Seen(samples) => samples.len() * Differences::SEEN_BYTES,
        }
    }

    /// Counts a sample: a, which was taken, has looked better than each of these others by so much. Where there is no room
    /// for a new pair, nothing is known of it.
    #[inline]
    pub fn add_all(&mut self, taken: usize, others: impl Iterator<Item = (usize, f32)>) {
        let keys = self.keys;
        match &mut self.store {
            Store::All(samples) => {
                let row = &mut samples[taken * keys..][..keys];
                // From the inside, which compiles to a tighter loop.
                others.for_each(|(other, difference)| row[other].add(Samples { sum: difference, count: 1 }));
            }
            Store::Seen(samples) => {
                for (other, difference) in others {
                    add_seen(samples, pair(keys, taken, other), Samples { sum: difference, count: 1 });
                }
            }
        }
    }

    /// D(a, b); 0 of pairs never seen together.
    #[inline]
    pub fn of(&self, one: usize, other: usize) -> f32 {
        let (sum, count) = self.sum_and_count(one, other);
        if count == 0 { 0.0 } else { sum / count as f32 }
    }

    /// How often two keys were compared.
    #[inline]
    pub fn count(&self, one: usize, other: usize) -> u32 {
        self.sum_and_count(one, other).1
    }

    /// Adds what was found about some of the keys: `keys` are those here of the keys there.
    pub fn merge_group(&mut self, group: &Differences, keys: &[u32]) {
        for (there, &one) in keys.iter().enumerate() {
            for (other_there, &other) in keys.iter().enumerate() {
                let found = group.one_way(there, other_there);
                if found.count > 0 {
                    self.add(one as usize, other as usize, found);
                }
            }
        }
    }

    /// The sum of the samples of D(a, b), and how many they were.
    #[inline(always)]
    pub fn sum_and_count(&self, one: usize, other: usize) -> (f32, u32) {
        let (there, back) = (self.one_way(one, other), self.one_way(other, one));
        (there.sum - back.sum, there.count + back.count)
    }

    /// What visits that took the one have told of the other.
    #[inline(always)]
    fn one_way(&self, one: usize, other: usize) -> Samples {
        match &self.store {
            Store::All(samples) => samples[one * self.keys + other],
            Store::Seen(samples) => samples.get(&pair(self.keys, one, other)).copied().unwrap_or_default(),
        }
    }

    fn add(&mut self, one: usize, other: usize, found: Samples) {
        match &mut self.store {
            Store::All(samples) => samples[one * self.keys + other].add(found),
            Store::Seen(samples) => add_seen(samples, pair(self.keys, one, other), found),
        }
    }
}

impl Samples {
    #[inline(always)]
    fn add(&mut self, other: Samples) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

fn pair(keys: usize, one: usize, other: usize) -> u64 {
    one as u64 * keys as u64 + other as u64
}

fn add_seen(samples: &mut HashMap<u64, Samples>, pair: u64, found: Samples) {
    let has_room = samples.len() < Differences::BYTES_MAX / Differences::SEEN_BYTES;
    if has_room {
        samples.entry(pair).or_default().add(found);
    } else if let Some(known) = samples.get_mut(&pair) {
        known.add(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_antisymmetric_means() {
        let mut differences = Differences::new(3);
        differences.add_all(0, [(1, 0.5), (2, -1.0)].into_iter());
        differences.add_all(1, [(0, 0.1)].into_iter());
        assert_eq!((differences.of(0, 1), differences.count(1, 0)), (0.2, 2));
        for one in 0..3 {
            for other in 0..3 {
                assert_eq!(differences.of(one, other), -differences.of(other, one));
            }
        }
        assert_eq!((differences.of(1, 2), differences.count(1, 2)), (0.0, 0));
    }

    #[test]
    fn merged_as_if_seen_at_once() {
        let mut group = Differences::new(2);
        group.add_all(0, [(1, 0.5)].into_iter());
        group.add_all(1, [(0, 0.25)].into_iter());
        let mut whole = Differences::new(4);
        whole.add_all(3, [(1, 0.25)].into_iter());
        whole.merge_group(&group, &[3, 1]);
        let third = 0.5 / 3.0;
        assert_eq!((whole.of(3, 1), whole.count(1, 3), whole.count(0, 1)), (third, 3, 0));
    }

    /// With more keys than a table has room for, the same is known of the pairs that were seen.
    #[test]
    fn few_pairs_of_many_keys() {
        let (mut few, mut many) = (Differences::new(100), Differences::new(1_000_000));
        assert!(matches!((&few.store, &many.store), (Store::All(_), Store::Seen(_))));
        for taken in 0..100 {
            for table in [&mut few, &mut many] {
                table.add_all(taken, [((taken + 7) % 100, 0.5), ((taken + 9) % 100, -0.25)].into_iter());
            }
        }
        for (one, other) in (0..100).flat_map(|one| (0..100).map(move |other| (one, other))) {
            assert_eq!(few.sum_and_count(one, other), many.sum_and_count(one, other));
        }
        assert!(many.bytes() < 10_000);
    }

    /// Beyond its room it takes no new pairs, and goes on with those it has.
    #[test]
    fn the_cap_holds() {
        let mut many = Differences::new(2_000_000);
        let most = Differences::BYTES_MAX / Differences::SEEN_BYTES;
        many.add_all(0, (1..=most + 10).map(|other| (other, 1.0)));
        many.add_all(0, [(1, 1.0)].into_iter());
        assert_eq!((many.bytes(), many.count(0, 1)), (most * Differences::SEEN_BYTES, 2));
        assert_eq!((many.count(0, most), many.count(0, most + 1)), (1, 0));
    }
}
