//! The table of a tournament: ratings by maximum likelihood, and who beat whom.

use super::meeting::LEVEL;
use super::{Contest, Meeting, PairRecord, Tally};
use crate::Error;
use crate::statistics::{Estimate, Interval, ratings};

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
        let mut tallies = vec![Tally::default(); contest.pairings().len()];
        records.iter().for_each(|record| tallies[record.pairing].add(record));
        Standings::of(contest.agents().len(), contest.pairings(), &tallies)
    }

    /// The table of so many agents, by what each of their pairings adds up to. An error without games.
    pub fn of(agents: usize, pairings: &[(usize, usize)], tallies: &[Tally]) -> Result<Standings, Error> {
        let mut table = vec![vec![0.0; agents]; agents];
        let mut games = vec![0; agents];
        for (&(a, b), tally) in pairings.iter().zip(tallies) {
            let (points, count) = (tally.points(), tally.games());
            table[a][b] += points;
            table[b][a] += count as f64 - points;
            games[a] += count;
            games[b] += count;
        }
        let is_empty = tallies.iter().all(|tally| tally.games() == 0);
        let none = || Error::new("no games, no ratings");
        let ratings = ratings(&table).filter(|_| !is_empty).ok_or_else(none)?.players;
        let mut order: Vec<usize> = (0..agents).collect();
        order.sort_by(|&a, &b| ratings[b].value.total_cmp(&ratings[a].value));
        Ok(Standings {
            order,
            ratings,
            points: table.iter().map(|row| row.iter().sum()).collect(),
            games,
            meetings: tallies.iter().map(Tally::meeting).collect(),
        })
    }

    /// The interval of an agent's rating. Its ends are infinite if it has none.
    pub fn elo_interval(&self, agent: usize) -> Interval {
        let everything = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        self.ratings.get(agent).and_then(|rating| rating.interval(LEVEL)).unwrap_or(everything)
    }
}
