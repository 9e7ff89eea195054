//! The result of two agents against each other.

use super::{PairRecord, Tally};
use crate::statistics::{Estimate, GameCounts, PairCounts, Score};

/// The level of every interval in a contest.
pub(super) const LEVEL: f64 = 0.95;

/// The result of one pairing, as its first agent (a) sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// Pairs of games by a's points. None with three or four players, whose rounds are not pairs.
    pub pairs: PairCounts,
    /// The rounds of games, each one observation.
    pub rounds: u64,
    /// Games by result.
    pub games: GameCounts,
    /// The score with its interval, and Elo with its own.
    pub score: Score,
    /// How far a was ahead in a game, in the game's unit, with its error over pairs ([`PairRecord::margins`]). The
    /// error is infinite for a single pair.
    pub margin: Estimate,
    /// Games with the same moves and seats as an earlier one. They add no information.
    pub duplicates: u64,
    /// The games that a and b resigned. Each counts as a margin of 1.
    pub resigned: [u64; 2],
    /// The mean simulations per move, of a and of b.
    pub simulations: [f64; 2],
    /// The mean simulations per move that a kept tree added, of a and of b.
    pub carried: [f64; 2],
    /// The mean number of plies of a game, including the opening.
    pub plies: f64,
}

impl Meeting {
    /// Counts the pairs of one pairing. None without pairs.
    pub fn new<'a>(records: impl Iterator<Item = &'a PairRecord>) -> Option<Meeting> {
        let mut tally = Tally::default();
        records.for_each(|record| tally.add(record));
        tally.meeting()
    }
}
