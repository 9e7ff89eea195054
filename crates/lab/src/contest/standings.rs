//! The table of a tournament: ratings by maximum likelihood, and who beat whom.

use super::{Contest, Meeting, PairRecord};
use crate::Error;
use crate::statistics::{Estimate, ratings};

/// The result of a round robin.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The agents by index, the best first.
    pub order: Vec<usize>,
    /// Each agent's rating in Elo relative to the mean of all, with its standard error, by index.
    pub ratings: Vec<Estimate>,
    /// Each agent's points, by index.
    pub points: Vec<f64>,
    /// Each agent's games, by index.
    pub games: Vec<u64>,
    /// The result of each pairing, in the contest's order; none if it was not played.
    pub meetings: Vec<Option<Meeting>>,
}

impl Standings {
    /// Counts all pairs of a contest. An error without any.
    pub fn new(contest: &Contest, records: &[PairRecord]) -> Result<Standings, Error> {
        let agents = contest.agents().len();
        let mut table = vec![vec![0.0; agents]; agents];
        let mut games = vec![0; agents];
        for record in records {
            let (a, b) = contest.pairings()[record.pairing];
            let points: f64 = record.points().iter().sum();
            let count = record.games.len() as u64;
            table[a][b] += points;
            table[b][a] += count as f64 - points;
            games[a] += count;
            games[b] += count;
        }
        let none = || Error::new("no games, no ratings");
        let ratings = ratings(&table).filter(|_| !records.is_empty()).ok_or_else(none)?.players;
        let mut order: Vec<usize> = (0..agents).collect();
        order.sort_by(|&a, &b| ratings[b].value.total_cmp(&ratings[a].value));
        let meeting = |pairing| Meeting::new(records.iter().filter(move |record| record.pairing == pairing));
        Ok(Standings {
            order,
            ratings,
            points: table.iter().map(|row| row.iter().sum()).collect(),
            games,
            meetings: (0..contest.pairings().len()).map(meeting).collect(),
        })
    }
}
