//! D(a, b): by how much action a was better than b, on average over the visits to positions that offer both.
//!
//! A visit compares the action taken with the others, so it adds to one row; D reads both rows. That makes D
//! antisymmetric by construction, and a visit touches contiguous memory.

use std::collections::HashMap;

/// The sum and the number of some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Samples {
    sum: f32,
    count: u32,
}

/// Differences between pairs of keys. If a table of all pairs, 8 bytes each, is smaller than
/// [`BYTES_MAX`](Differences::BYTES_MAX), it stores all. Otherwise it stores only pairs that were seen, up to that
/// cap.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    keys: usize,
    store: Store,
}

#[derive(Clone, Debug, PartialEq)]
enum Store {
    /// Row by row.
    All(Vec<Samples>),
    /// By the index of the pair in the full table.
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

    /// The bytes of a seen pair: its number, its samples, and the free space of a hash map.
    const SEEN_BYTES: usize = 32;

    /// Empty, for this number of keys.
    pub fn new(keys: usize) -> Differences {
        let is_small = Differences::bytes_max(keys) < Differences::BYTES_MAX;
        let store = if is_small {
            Store::All(vec![Samples::default(); keys * keys])
        } else {
            Store::Seen(HashMap::new())
        };
        Differences { keys, store }
    }

    /// The most bytes of a table for this number of keys.
    pub fn bytes_max(keys: usize) -> usize {
        keys.saturating_mul(keys).saturating_mul(size_of::<Samples>()).min(Differences::BYTES_MAX)
    }

    /// The number of keys.
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

    /// Adds samples: `taken` looked better than each of the others by this much. A new pair that does not fit is
    /// ignored.
    #[inline]
    pub fn add_all(&mut self, taken: usize, others: impl Iterator<Item = (usize, f32)>) {
        let keys = self.keys;
        match &mut self.store {
            Store::All(samples) => {
                let row = &mut samples[taken * keys..][..keys];
                // Internal iteration compiles to a tighter loop.
                others.for_each(|(other, difference)| row[other].add(Samples { sum: difference, count: 1 }));
            }
            Store::Seen(samples) => {
                for (other, difference) in others {
                    add_seen(samples, pair(keys, taken, other), Samples { sum: difference, count: 1 });
                }
            }
        }
    }

    /// D(a, b); 0 for pairs never seen together.
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

    /// Adds the samples of a group of keys. `keys` maps the group's keys to the keys here.
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

    /// The sum and the number of the samples of D(a, b).
    #[inline(always)]
    pub fn sum_and_count(&self, one: usize, other: usize) -> (f32, u32) {
        let (there, back) = (self.one_way(one, other), self.one_way(other, one));
        (there.sum - back.sum, there.count + back.count)
    }

    /// The samples of visits that took `one`, compared with `other`.
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

    /// With more keys than a table can hold, the pairs that were seen give the same results.
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

    /// At its cap it ignores new pairs and continues with those it has.
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
