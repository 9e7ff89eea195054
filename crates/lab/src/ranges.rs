//! Sets of trials in short form: `4, 17-18`.

use std::fmt;

/// How many ranges are printed before the rest is only counted.
pub const RANGES_SHOWN_MAX: usize = 20;

/// A set of trials as ranges, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Adds a trial that is higher than all before it.
    pub(crate) fn push(&mut self, trial: u64) {
        self.push_range(trial, trial);
    }

    /// Adds the trials of `first..=last`, higher than all before them.
    pub(crate) fn push_range(&mut self, first: u64, last: u64) {
        match self.0.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => self.0.push((first, last)),
        }
    }

    /// The numbers below `end` that are not in `present`, which is sorted and without duplicates.
    pub(crate) fn missing(present: impl Iterator<Item = u64>, end: u64) -> Ranges {
        let mut ranges = Ranges::default();
        let mut next = 0;
        for trial in present.chain([end]) {
            if next < trial {
                ranges.push_range(next, trial - 1);
            }
            next = trial.saturating_add(1);
        }
        ranges
    }

    /// The number of trials.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Whether a trial is in the set.
    pub fn contains(&self, trial: u64) -> bool {
        let after = self.0.partition_point(|&(first, _)| first <= trial);
        after.checked_sub(1).is_some_and(|at| self.0[at].1 >= trial)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first and the last trial of each range.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().copied()
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().take(RANGES_SHOWN_MAX).enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            match first == last {
                true => write!(f, "{first}")?,
                false => write!(f, "{first}-{last}")?,
            }
        }
        let rest: u64 = self.0.iter().skip(RANGES_SHOWN_MAX).map(|(first, last)| last - first + 1).sum();
        if rest > 0 { write!(f, ", and {rest} more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(present: &[u64], end: u64, expect: &str) {
        assert_eq!(Ranges::missing(present.iter().copied(), end).to_string(), expect, "{present:?} of {end}");
    }

    #[test]
    fn missing_trials_are_named() {
        check(&[], 0, "");
        check(&[], 1, "0");
        check(&[], 3, "0-2");
        check(&[0, 1, 2], 3, "");
        check(&[1], 3, "0, 2");
        check(&[0, 3, 4, 6], 9, "1-2, 5, 7-8");
        let odd: Vec<u64> = (0..50).map(|half| 2 * half + 1).collect();
        let evens: Vec<String> = (0..20).map(|half| (2 * half).to_string()).collect();
        check(&odd, 100, &format!("{}, and 30 more", evens.join(", ")));
    }

    #[test]
    fn neighbours_join() {
        let mut ranges = Ranges::default();
        [3, 4, 5, 9].into_iter().for_each(|trial| ranges.push(trial));
        assert_eq!((ranges.to_string().as_str(), ranges.count()), ("3-5, 9", 4));
    }
}
