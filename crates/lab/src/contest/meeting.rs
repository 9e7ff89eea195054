//! The result of two agents against each other.

use super::PairRecord;
use crate::statistics::{Estimate, GameCounts, PairCounts, Score, cluster_estimate};
use std::collections::HashSet;

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
    pub fn new<'a>(records: impl Iterator<Item = &'a PairRecord> + Clone) -> Option<Meeting> {
        let (mut pairs, mut games) = (PairCounts::default(), GameCounts::default());
        let (mut choices, mut simulations, mut carried, mut plies) = ([0; 2], [0; 2], [0; 2], 0);
        let (mut seen, mut duplicates, mut resigned) = (HashSet::new(), 0, [0; 2]);
        for record in records.clone() {
            if record.games.len() == 2 {
                pairs.add(record.points().iter().sum());
            }
            for (game, points) in record.games.iter().zip(record.points()) {
                let count = if points > 0.5 {
                    &mut games.wins
                } else if points < 0.5 {
                    &mut games.losses
                } else {
                    &mut games.draws
                };
                *count += 1;
                duplicates += u64::from(!seen.insert((&game.agents, &record.opening, &game.moves)));
                plies += record.opening.len() + game.moves.len();
                for (seat, &agent) in game.agents.iter().enumerate() {
                    let which = usize::from(agent != record.a());
                    choices[which] += game.choices[seat];
                    simulations[which] += game.simulations[seat];
                    carried[which] += game.carried[seat];
                    resigned[which] += u64::from(game.resigned == Some(seat));
                }
            }
        }
        let scores: Vec<f64> = records.clone().map(PairRecord::score).collect();
        let margins = records
            .enumerate()
            .flat_map(|(pair, record)| record.margins().into_iter().map(move |margin| (pair, margin)));
        // The spread over pairs; a single pair has none.
        let single = || Estimate {
            value: margins.clone().map(|(_, margin)| margin).sum::<f64>() / games.games().max(1) as f64,
            error: f64::INFINITY,
            degrees: Some(0),
        };
        let mean = |counts: [u64; 2]| [0, 1].map(|agent| counts[agent] as f64 / choices[agent].max(1) as f64);
        Some(Meeting {
            pairs,
            games,
            rounds: scores.len() as u64,
            score: Score::of_rounds(&scores, games.games(), LEVEL)?,
            margin: cluster_estimate(margins.clone()).unwrap_or_else(single),
            duplicates,
            resigned,
            simulations: mean(simulations),
            carried: mean(carried),
            plies: plies as f64 / games.games() as f64,
        })
    }
}
