//! Learners by name: `learn=ride repair=0 read=squares`, `divide group=2 rounds=9`.

use crate::Error;
use crate::units::{choice, constant, count};
use crate::words::Words;
use aji_search::THREADS_MAX;
use aji_search::learn::{Division, ReadOut, Reading, Repair};
use std::fmt;

/// What a search learns of actions across positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnerName {
    /// `ride`: differences of pairs.
    Ride {
        /// `repair=`
        repair: Repair,
        /// `read=`
        read_out: ReadOut,
    },
    /// `potential`: one number an action.
    Potential {
        /// `repair=`
        every: Option<u32>,
    },
    /// `rave`: all moves as first.
    Amaf {
        /// `read=`
        reading: Reading,
        /// `repair=`
        every: Option<u32>,
    },
    /// `bouzy`: Bouzy and Chaslot's pairwise rule.
    Bouzy {
        /// `repair=`
        every: Option<u32>,
    },
}

const LEARNERS: [(&str, &str); 4] =
    [("ride", "ride"), ("potential", "potential"), ("rave", "rave"), ("bouzy", "bouzy")];

const READ_OUTS: [(&str, ReadOut); 2] = [("list", ReadOut::List), ("squares", ReadOut::Potentials)];

const READINGS: [(&str, Reading); 3] =
    [("difference", Reading::Difference), ("mover", Reading::Mover), ("pooled", Reading::Pooled)];

impl LearnerName {
    /// What `learn=`, `repair=` and `read=` say; `standard` is the learner where they name none.
    pub(crate) fn parse(
        words: &mut Words,
        standard: Option<&'static str>,
    ) -> Result<Option<LearnerName>, Error> {
        let learner = words.take("learn", |text| choice(text, &LEARNERS))?.or(standard);
        let repair = words.take("repair", |text| count(text, 0, u32::MAX.into()))?.map(|every| every as u32);
        if learner == Some("rave") {
            let reading = words.take("read", |text| choice(text, &READINGS))?.unwrap_or(Reading::Difference);
            return Ok(Some(LearnerName::Amaf { reading, every: repair }));
        }
        let read_out = words.take("read", |text| choice(text, &READ_OUTS))?;
        match (learner, repair, read_out) {
            (None, None, None) => Ok(None),
            (None, ..) => Err(Error::new("repair= and read= belong to a learner: give learn=ride with them")),
            (Some("bouzy"), every, None) => Ok(Some(LearnerName::Bouzy { every })),
            (Some("potential" | "bouzy"), _, Some(_)) => {
                Err(Error::new("read= belongs to learn=ride: leave it out"))
            }
            (Some("potential"), every, None) => Ok(Some(LearnerName::Potential { every })),
            (Some(_), repair, read_out) => {
                let repair = match repair {
                    None => Repair::ByKeys,
                    Some(0) => Repair::Always,
                    Some(every) => Repair::Every(every),
                };
                Ok(Some(LearnerName::Ride { repair, read_out: read_out.unwrap_or(ReadOut::List) }))
            }
        }
    }
}

fn show(word: &str, every: Option<u32>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(word)?;
    every.map_or(Ok(()), |every| write!(f, " repair={every}"))
}

impl fmt::Display for LearnerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LearnerName::Ride { read_out, repair } => {
                f.write_str("ride")?;
                match repair {
                    Repair::Always => f.write_str(" repair=0")?,
                    Repair::Every(every) => write!(f, " repair={every}")?,
                    Repair::ByKeys => {}
                }
                f.write_str(if read_out == ReadOut::Potentials { " read=squares" } else { "" })
            }
            LearnerName::Potential { every } => show("potential", every, f),
            LearnerName::Bouzy { every } => show("bouzy", every, f),
            LearnerName::Amaf { reading, every } => {
                show("rave", every, f)?;
                let word = READINGS.iter().find(|known| known.1 == reading).map_or("", |known| known.0);
                if reading == Reading::Difference { Ok(()) } else { write!(f, " read={word}") }
            }
        }
    }
}

/// What `divide` is where its name says nothing: pairs, with a constant that does well in Heap-Go of weights 1 to 10.
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
