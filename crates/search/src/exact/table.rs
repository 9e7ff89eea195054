//! A transposition table in fixed memory.
//!
//! A bucket has two slots: the first keeps the deepest search, the second the latest. The memory is reserved at the
//! start and taken into use as it fills, so that a short search does not pay for a large table.

use crate::column::Column;

/// The greatest depth of a search: depths take fourteen bits.
pub const DEPTH_MAX: usize = COMPLETE as usize - 1;

/// The stored depth of a position that was searched to the end of the game.
const COMPLETE: u16 = (1 << 14) - 1;

/// Buckets in use at the start: 64 KiB.
const BUCKETS_START: usize = 1 << 11;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact = 1,
    AtLeast = 2,
    AtMost = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record {
    /// The value to the player who acts there.
    pub(super) value: f32,
    pub(super) bound: Bound,
    /// The place of the best action among the actions.
    pub(super) best: u16,
    pub(super) depth: usize,
    /// True if the value does not depend on the depth limit.
    pub(super) complete: bool,
}

impl Record {
    /// The value, if it answers a search of this depth and window.
    pub(super) fn answer(&self, depth: usize, alpha: f32, beta: f32) -> Option<f32> {
        let answers = (self.complete || self.depth >= depth)
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= beta,
                Bound::AtMost => self.value <= alpha,
            };
        answers.then_some(self.value)
    }
}

/// A record in sixteen bytes. The lowest two bits of the tag are the bound; 0 means an empty slot.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    value: f32,
    best: u16,
    tag: u16,
}

impl Slot {
    fn new(key: u64, record: Record) -> Slot {
        let depth = if record.complete { COMPLETE } else { record.depth.min(DEPTH_MAX) as u16 };
        Slot { key, value: record.value, best: record.best, tag: depth << 2 | record.bound as u16 }
    }

    fn record(&self) -> Option<Record> {
        let bound = match self.tag & 3 {
            0 => return None,
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        let depth = self.depth();
        let complete = depth == COMPLETE;
        Some(Record { value: self.value, bound, best: self.best, depth: depth.into(), complete })
    }

    fn depth(&self) -> u16 {
        self.tag >> 2
    }

    fn is_empty(&self) -> bool {
        self.tag == 0
    }
}

type Bucket = [Slot; 2];

/// The table.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Column<Bucket>,
    /// A power of two.
    buckets_max: usize,
    used: usize,
}

impl TranspositionTable {
    /// The largest table within this many bytes; none if they do not hold a bucket.
    pub(super) fn with_cap(bytes: usize) -> Option<TranspositionTable> {
        let buckets_max = 1 << (bytes / size_of::<Bucket>()).checked_ilog2()?;
        let mut buckets = Column::reserve(buckets_max)?;
        buckets.extend(std::iter::repeat_n(Bucket::default(), buckets_max.min(BUCKETS_START)));
        Some(TranspositionTable { buckets, buckets_max, used: 0 })
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Slots in use.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// All slots that the table can have.
    pub(super) fn room(&self) -> usize {
        2 * self.buckets_max
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<Record> {
        let bucket = &self.buckets[self.place(key)];
        bucket.iter().find(|slot| slot.key == key && !slot.is_empty()).and_then(Slot::record)
    }

    pub(super) fn store(&mut self, key: u64, record: Record) {
        if self.used > self.buckets.len() && self.buckets.len() < self.buckets_max {
            self.grow();
        }
        let place = self.place(key);
        let [deepest, latest] = &mut self.buckets[place];
        let slot = Slot::new(key, record);
        let full = [*deepest, *latest].iter().filter(|slot| !slot.is_empty()).count();
        let same = deepest.key == key && !deepest.is_empty();
        if same && deepest.depth() == COMPLETE && !record.complete {
            return;
        } else if same {
            *deepest = slot;
        } else if slot.depth() >= deepest.depth() {
            if !deepest.is_empty() {
                *latest = *deepest;
            }
            *deepest = slot;
        } else {
            *latest = slot;
        }
        self.used += self.buckets[place].iter().filter(|slot| !slot.is_empty()).count() - full;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        spread(key) & (self.buckets.len() - 1)
    }

    /// Doubles the buckets in use. Some slots of each bucket move to its twin in the new half.
    fn grow(&mut self) {
        let half = self.buckets.len();
        self.buckets.extend(std::iter::repeat_n(Bucket::default(), half));
        for index in 0..half {
            for tier in 0..2 {
                let slot = self.buckets[index][tier];
                if !slot.is_empty() && spread(slot.key) & half != 0 {
                    self.buckets[index + half][tier] = slot;
                    self.buckets[index][tier] = Slot::default();
                }
            }
        }
    }
}

/// Multiplies a key, which is already a hash, to spread games' weak hashes over all bits.
#[inline]
fn spread(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn record(depth: usize, complete: bool) -> Record {
        Record { value: depth as f32, bound: Bound::AtLeast, best: 7, depth, complete }
    }

    #[test]
    fn what_is_stored_is_found_while_there_is_room() {
        let mut table = TranspositionTable::with_cap(1 << 24).unwrap();
        let mut rng = Rng::seeded(1);
        let keys: Vec<u64> = (0..60_000).map(|_| rng.bits()).collect();
        for (depth, &key) in keys.iter().enumerate() {
            table.store(key, record(depth % DEPTH_MAX, false));
        }
        let found = keys.iter().enumerate().filter(|(depth, key)| {
            let found = table.find(**key);
            assert!(found.is_none_or(|found| found == record(depth % DEPTH_MAX, false)));
            found.is_some()
        });
        let found = found.count();
        assert_eq!(found, table.used(), "growing loses nothing and doubles nothing");
        assert!(found > 45_000, "{found}: a few are pushed out of full buckets");
        assert_eq!(table.find(3), None);
    }

    #[test]
    fn memory_stays_within_the_cap() {
        assert!(TranspositionTable::with_cap(31).is_none());
        let mut rng = Rng::seeded(2);
        for cap in [32, 33, 1_000, 70_000, 1_000_000] {
            let mut table = TranspositionTable::with_cap(cap).unwrap();
            (0..100_000).for_each(|depth| table.store(rng.bits(), record(depth % 100, false)));
            assert!(table.bytes() <= cap && 2 * table.bytes() > cap, "{} of {cap}", table.bytes());
            assert!(table.used() * size_of::<Slot>() <= table.bytes());
        }
    }

    #[test]
    fn the_deepest_and_the_latest_stay() {
        let mut table = TranspositionTable::with_cap(32).unwrap();
        let depths =
            |table: &TranspositionTable| [1, 2, 3, 4].map(|key| table.find(key).map(|found| found.depth));
        table.store(1, record(5, false));
        table.store(2, record(3, false));
        assert_eq!(depths(&table), [Some(5), Some(3), None, None]);
        table.store(3, record(4, false));
        assert_eq!(depths(&table), [Some(5), None, Some(4), None]);
        table.store(4, record(9, false));
        assert_eq!(depths(&table), [Some(5), None, None, Some(9)]);
        table.store(4, record(0, true));
        table.store(4, record(10, false));
        assert!(table.find(4).unwrap().complete, "what is complete is not forgotten for a guess");
        assert_eq!(table.used(), 2);
    }

    #[test]
    fn a_record_answers_what_it_covers() {
        let check = |bound, complete, depth, (alpha, beta), expect| {
            let record = Record { value: 3.0, bound, best: 0, depth: 4, complete };
            assert_eq!(record.answer(depth, alpha, beta).is_some(), expect, "{record:?} {alpha} {beta}");
        };
        check(Bound::Exact, false, 4, (-9.0, 9.0), true);
        check(Bound::Exact, false, 5, (-9.0, 9.0), false);
        check(Bound::Exact, true, 5, (-9.0, 9.0), true);
        check(Bound::AtLeast, false, 4, (-9.0, 3.0), true);
        check(Bound::AtLeast, false, 4, (-9.0, 4.0), false);
        check(Bound::AtMost, false, 4, (3.0, 9.0), true);
        check(Bound::AtMost, false, 4, (2.0, 9.0), false);
    }
}
