//! Counts the games of one pairing, round by round, without keeping the games.

use super::meeting::LEVEL;
use super::{Meeting, PairRecord};
use crate::statistics::{Estimate, GameCounts, PairCounts, Score, estimate_of_clusters};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What the games of a pairing add up to so far, as its first agent (a) sees them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pairs: PairCounts,
    games: GameCounts,
    /// The score of each round.
    scores: Vec<f64>,
    /// The sum of the margins of each round, and their number.
    margins: Vec<(f64, f64)>,
    points: f64,
    /// The games so far, each by a hash of 64 bits of its seats and moves.
    seen: HashSet<u64>,
    duplicates: u64,
    resigned: [u64; 2],
    choices: [u64; 2],
    simulations: [u64; 2],
    carried: [u64; 2],
    plies: usize,
}

impl Tally {
    /// Counts another round.
    pub fn add(&mut self, record: &PairRecord) {
        let points = record.points();
        if record.games.len() == 2 {
            self.pairs.add(points.iter().sum());
        }
        for (game, points) in record.games.iter().zip(&points) {
            let count = if *points > 0.5 {
                &mut self.games.wins
            } else if *points < 0.5 {
                &mut self.games.losses
            } else {
                &mut self.games.draws
            };
            *count += 1;
            self.duplicates +=
                u64::from(!self.seen.insert(hash(&(&game.agents, &record.opening, &game.moves))));
            self.plies += record.opening.len() + game.moves.len();
            for (seat, &agent) in game.agents.iter().enumerate() {
                let which = usize::from(agent != record.a());
                let of = |counts: &[u64]| counts.get(seat).copied().unwrap_or(0);
                self.choices[which] += of(&game.choices);
                self.simulations[which] += of(&game.simulations);
                self.carried[which] += of(&game.carried);
                self.resigned[which] += u64::from(game.resigned == Some(seat));
            }
        }
        self.points += points.iter().sum::<f64>();
        self.scores.push(record.score());
        let margins = record.margins();
        self.margins.push((margins.iter().sum(), margins.len() as f64));
    }

    /// Pairs of games by a's points. None with three or four players.
    pub fn pairs(&self) -> PairCounts {
        self.pairs
    }

    /// The score of each round, in the order in which they were counted.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The points of a.
    pub fn points(&self) -> f64 {
        self.points
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games.games()
    }

    /// The score with its interval. None without games.
    pub fn score(&self) -> Option<Score> {
        // Pairs are counted already; other rounds are sorted first.
        match self.pairs.pairs() == self.scores.len() as u64 {
            true => Score::of_pairs(self.pairs, LEVEL),
            false => Score::of_rounds(&self.scores, self.games.games(), LEVEL),
        }
    }

    /// The result. None without games.
    pub fn meeting(&self) -> Option<Meeting> {
        let games = self.games.games();
        // The spread over rounds; a single one has none.
        let single = || Estimate {
            value: self.margins.iter().map(|(sum, _)| sum).sum::<f64>() / games.max(1) as f64,
            error: f64::INFINITY,
            degrees: Some(0),
        };
        let mean =
            |counts: [u64; 2]| [0, 1].map(|agent| counts[agent] as f64 / self.choices[agent].max(1) as f64);
        Some(Meeting {
            pairs: self.pairs,
            rounds: self.scores.len() as u64,
            games: self.games,
            score: self.score()?,
            margin: estimate_of_clusters(&self.margins).unwrap_or_else(single),
            duplicates: self.duplicates,
            resigned: self.resigned,
            simulations: mean(self.simulations),
            carried: mean(self.carried),
            plies: self.plies as f64 / games as f64,
        })
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
