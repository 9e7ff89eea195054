//! The answers that the solver of Connect Four stores. The table grows up to a cap. After that, a new answer replaces
//! one that took a small search.

use super::solver::Goal;
use crate::bits::mix;

/// The entries of a bucket: a cache line.
const WAYS: usize = 8;
const BUCKET_BYTES: usize = WAYS * size_of::<u64>();

/// The size of a new table in bytes, if the cap allows it.
const START_BYTES: usize = 1 << 20;
/// A full table grows by this factor.
const GROWTH: usize = 4;

// An entry has, from the top, the key of 49 bits, the number of bits in the count of the searches below it, and two
// bits for each goal. Keys are not 0, so an empty entry is 0.
const KEY_SHIFT: u32 = 15;
const WORK_SHIFT: u32 = 4;
const WORK_BITS: u64 = ((1 << KEY_SHIFT) - 1) & !ANSWER_BITS;
const ANSWER_BITS: u64 = (1 << WORK_SHIFT) - 1;

/// The answers for a position: for each goal, whether the mover reaches it, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answers(u64);

impl Answers {
    #[cfg(test)]
    const NONE: Answers = Answers(0);

    /// The bit of an answer: of a goal's two bits, the lower says no and the upper yes.
    #[inline(always)]
    fn bit(goal: Goal, is_reached: bool) -> u64 {
        1 << (2 * (goal as u32) + u32::from(is_reached))
    }

    /// Whether the mover reaches the goal, if that is known.
    #[inline(always)]
    pub(super) fn to(self, goal: Goal) -> Option<bool> {
        let is = |answer| self.0 & Answers::bit(goal, answer) != 0;
        if is(true) { Some(true) } else { is(false).then_some(false) }
    }

    /// The same answers with this one and what it implies: a win is at least a draw.
    #[inline(always)]
    pub(super) fn with(self, goal: Goal, is_reached: bool) -> Answers {
        let implied = match (goal, is_reached) {
            (Goal::Win, true) => Answers::bit(Goal::Draw, true),
            (Goal::Draw, false) => Answers::bit(Goal::Win, false),
            _ => 0,
        };
        Answers(self.0 | Answers::bit(goal, is_reached) | implied)
    }
}

/// Answers by the keys of positions.
pub(super) struct Table {
    /// Buckets begin at `start`, which is aligned to a cache line.
    words: Vec<u64>,
    start: usize,
    buckets: usize,
    bytes_max: usize,
    /// Entries in use.
    len: usize,
    /// The table grows when more entries than this are in use.
    grows_at: usize,
    /// Answers stored so far, including repeated ones.
    stored: u64,
}

impl Table {
    /// An empty table that grows to at most this size, or to the smallest size that works.
    pub(super) fn new(bytes_max: usize) -> Table {
        Table::sized(START_BYTES.min(bytes_max), bytes_max)
    }

    fn sized(bytes: usize, bytes_max: usize) -> Table {
        // One bucket's room is lost to the alignment.
        let buckets = (bytes / BUCKET_BYTES).saturating_sub(1).max(1);
        let words = vec![0; (buckets + 1) * WAYS];
        let start = words.as_ptr().align_offset(BUCKET_BYTES).min(WAYS);
        Table { words, start, buckets, bytes_max, len: 0, grows_at: buckets * WAYS / 2, stored: 0 }
    }

    /// How many answers have been stored.
    #[inline(always)]
    pub(super) fn stored(&self) -> u64 {
        self.stored
    }

    /// Positions with an answer.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let bucket = (u128::from(mix(key)) * self.buckets as u128) >> 64;
        self.start + bucket as usize * WAYS
    }

    /// The answers for the position with this key.
    #[inline(always)]
    pub(super) fn answers(&self, key: u64) -> Answers {
        let place = self.place(key);
        let found = self.words[place..place + WAYS].iter().find(|&&entry| entry >> KEY_SHIFT == key);
        Answers(found.map_or(0, |entry| entry & ANSWER_BITS))
    }

    /// Stores the answers for a key, with the number of answers stored below it.
    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, answers: Answers, work: u64) {
        self.stored += 1;
        let work = u64::from(u64::BITS - work.leading_zeros());
        self.put(key << KEY_SHIFT | work << WORK_SHIFT | answers.0);
        if self.len > self.grows_at {
            self.grow();
        }
    }

    /// Puts an entry in the place of the one with the same key, or else of the one with the least work.
    #[inline(always)]
    fn put(&mut self, entry: u64) {
        let place = self.place(entry >> KEY_SHIFT);
        let bucket = &mut self.words[place..place + WAYS];
        let mut least = 0;
        for way in 0..WAYS {
            if bucket[way] >> KEY_SHIFT == entry >> KEY_SHIFT {
                bucket[way] = entry;
                return;
            }
            if bucket[way] & WORK_BITS < bucket[least] & WORK_BITS || bucket[way] == 0 {
                least = way;
            }
        }
        self.len += usize::from(bucket[least] == 0);
        bucket[least] = entry;
    }

    /// Moves to a larger table, if the cap has room for both.
    #[cold]
    fn grow(&mut self) {
        let bytes = self.bytes().saturating_mul(GROWTH).min(self.bytes_max.saturating_sub(self.bytes()));
        if bytes <= self.bytes() {
            self.grows_at = usize::MAX;
            return;
        }
        let mut larger = Table::sized(bytes, self.bytes_max);
        self.words.iter().filter(|&&entry| entry != 0).for_each(|&entry| larger.put(entry));
        *self = Table { stored: self.stored, ..larger };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_imply_others() {
        let check = |goal, is_reached, draw, win| {
            let answers = Answers::NONE.with(goal, is_reached);
            assert_eq!((answers.to(Goal::Draw), answers.to(Goal::Win)), (draw, win));
        };
        check(Goal::Draw, true, Some(true), None);
        check(Goal::Draw, false, Some(false), Some(false));
        check(Goal::Win, true, Some(true), Some(true));
        check(Goal::Win, false, None, Some(false));
        let drawn = Answers::NONE.with(Goal::Draw, true).with(Goal::Win, false);
        assert_eq!((drawn.to(Goal::Draw), drawn.to(Goal::Win)), (Some(true), Some(false)));
    }

    /// A table that grows keeps its answers, except some of full buckets. At its cap it drops those with little work.
    #[test]
    fn growth_up_to_the_cap() {
        let (cap, answer) = (8 << 20, Answers::NONE.with(Goal::Draw, true));
        let mut table = Table::new(cap);
        let start = table.bytes();
        (1..=200_000).for_each(|key| table.store(key, answer, 9));
        assert!(table.bytes() > start && table.len() > 195_000, "{} answers", table.len());
        let kept = (1..=200_000).filter(|&key| table.answers(key) == answer).count();
        assert_eq!(kept, table.len());
        assert_eq!(table.answers(200_001), Answers::NONE);
        (200_001..3_000_000).for_each(|key| table.store(key, answer, 0));
        assert!(table.bytes() <= cap);
        let kept = (1..=200_000).filter(|&key| table.answers(key) == answer).count();
        assert!(kept > 190_000, "{kept} of the larger searches are left");
        assert!(table.len() <= cap / size_of::<u64>());
    }
}
