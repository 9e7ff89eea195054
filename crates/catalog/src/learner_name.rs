//! Learners by name: `learn=ride repair=0 read=squares`, `divide group=2 rounds=9`, `coupons levels=16`.

use crate::Error;
use crate::units::{choice, constant, count, switch};
use crate::words::Words;
use aji_search::THREADS_MAX;
use aji_search::learn::{Division, LEVELS_MAX, ReadOut, Reading};
use std::fmt;

/// `learn=`: what a search learns about actions across positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnerName {
    /// `ride`: differences of pairs.
    Ride,
    /// `potential`: one number per action.
    Potential,
    /// `rave`: all moves as first.
    Amaf,
    /// `bouzy`: Bouzy and Chaslot's pairwise rule.
    Bouzy,
}

pub(crate) const LEARNERS: &[(&str, LearnerName)] = &[
    ("ride", LearnerName::Ride),
    ("potential", LearnerName::Potential),
    ("rave", LearnerName::Amaf),
    ("bouzy", LearnerName::Bouzy),
];

/// `read=`: how a learner derives its order from what it has learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadName {
    /// Of `learn=ride`.
    Ride(ReadOut),
    /// Of `learn=rave`.
    Amaf(Reading),
}

pub(crate) const READS: &[(&str, ReadName)] = &[
    ("list", ReadName::Ride(ReadOut::List)),
    ("squares", ReadName::Ride(ReadOut::Potentials)),
    ("difference", ReadName::Amaf(Reading::Difference)),
    ("mover", ReadName::Amaf(Reading::Mover)),
    ("pooled", ReadName::Amaf(Reading::Pooled)),
];

impl LearnerName {
    /// Whether this is a `read=` of this learner.
    pub(crate) fn takes(self, read: ReadName) -> bool {
        matches!(
            (self, read),
            (LearnerName::Ride, ReadName::Ride(_)) | (LearnerName::Amaf, ReadName::Amaf(_))
        )
    }

    /// What is wrong with a `read=` for this learner.
    pub(crate) fn refusal(self, read: ReadName) -> Option<Error> {
        let words = READS.iter().filter(|(_, other)| self.takes(*other)).map(|(word, _)| *word);
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            return Some(Error::new("read= belongs to learn=ride and learn=rave: leave it out"));
        }
        let learner = LEARNERS.iter().find(|known| known.1 == self).map_or("", |known| known.0);
        let expected = || Error::new(format!("learn={learner}: read= is {}", words.join(" or ")));
        (!self.takes(read)).then(expected)
    }
}

const READ_OUTS: [(&str, ReadOut); 2] = [("list", ReadOut::List), ("squares", ReadOut::Potentials)];

/// The defaults of `divide`: pairs, with a constant that does well in Heap-Go with weights from 1 to 10.
const DIVISION: Division =
    Division { group: 2, rounds: None, c: 15.0, read_out: ReadOut::Potentials, threads: 1 };

pub(crate) fn division(words: &mut Words) -> Result<Division, Error> {
    let size = |words: &mut Words, key, most| {
        words.take(key, |text| count(text, 1, most)).map(|size| size.map(|size| size as usize))
    };
    Ok(Division {
        group: size(words, "group", u16::MAX.into())?.unwrap_or(DIVISION.group),
        rounds: size(words, "rounds", u16::MAX.into())?,
        c: words.take("c", constant)?.unwrap_or(DIVISION.c),
        read_out: words.take("read", |text| choice(text, &READ_OUTS))?.unwrap_or(DIVISION.read_out),
        threads: size(words, "threads", THREADS_MAX as u64)?.unwrap_or(DIVISION.threads),
    })
}

pub(crate) fn show_division(division: &Division, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let &Division { group, rounds, c, read_out, threads } = division;
    write!(f, "divide group={group}")?;
    if let Some(rounds) = rounds {
        write!(f, " rounds={rounds}")?;
    }
    if c != DIVISION.c {
        write!(f, " c={c}")?;
    }
    f.write_str(if read_out == DIVISION.read_out { "" } else { " read=list" })?;
    if threads > 1 { write!(f, " threads={threads}") } else { Ok(()) }
}

/// The options of `coupons`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CouponsName {
    /// `levels=`: the most coupons of a stack.
    pub levels: usize,
    /// `ahead=`: whether it looks ahead; otherwise it plays the hottest action.
    pub ahead: bool,
    /// `threads=`: how many parts are searched at the same time.
    pub threads: usize,
}

impl CouponsName {
    const STANDARD: CouponsName = CouponsName { levels: 32, ahead: true, threads: 1 };

    pub(crate) fn parse(words: &mut Words) -> Result<CouponsName, Error> {
        let number = |words: &mut Words, key, most: usize, standard| {
            let found = words.take(key, |text| count(text, 1, most as u64))?;
            Ok::<usize, Error>(found.map_or(standard, |found| found as usize))
        };
        Ok(CouponsName {
            levels: number(words, "levels", LEVELS_MAX, CouponsName::STANDARD.levels)?,
            ahead: words.take("ahead", switch)?.unwrap_or(CouponsName::STANDARD.ahead),
            threads: number(words, "threads", THREADS_MAX, CouponsName::STANDARD.threads)?,
        })
    }
}

impl fmt::Display for CouponsName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("coupons")?;
        if self.levels != CouponsName::STANDARD.levels {
            write!(f, " levels={}", self.levels)?;
        }
        f.write_str(if self.ahead { "" } else { " ahead=off" })?;
        if self.threads > 1 { write!(f, " threads={}", self.threads) } else { Ok(()) }
    }
}
